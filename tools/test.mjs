// npm test: installs what is missing, then runs every stage, also after one has failed. `npm test -- unit routes` runs some;
// npm run test:long runs what takes longer.
import { mkdirSync, rmSync } from 'node:fs'
import { compile, ensureInstalled, fail, requireNode, ToolError } from './build.mjs'
import { BUDGETS, childrenCpu } from './test/cpu.mjs'
import { attempt, BESIDE, LONG, reports, SHORT } from './test/stages.mjs'
import { usage } from './usage.mjs'

const long = process.argv[2] === '--long'
usage(
  'npm test [-- stage...]: runs all stages of tests, or the ones named: check unit sql routes clusters network browser.\nnpm run test:long [-- stage...]: external long journeys faults lighthouse.',
)

// Ctrl-C reaches the stage that runs as well; when that has cleaned up, so have we.
let interrupted = false
process.on('SIGINT', () => {
  interrupted = true
})

try {
  requireNode()
  ensureInstalled()
  const stages = long ? LONG : SHORT
  const wanted = process.argv.slice(long ? 3 : 2)
  const unknown = wanted.filter((name) => !(name in stages))
  if (unknown.length > 0) {
    throw new ToolError(`There is no stage ${unknown.join(', ')}; there are ${Object.keys(stages).join(', ')}.`)
  }
  const names = Object.keys(stages).filter((name) => wanted.length === 0 || wanted.includes(name))
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  // A stage run alone still wants fresh packages; what does not compile is the check stage's to report.
  if (!names.includes('check')) attempt(compile)
  const results = []
  for (const name of names.filter((each) => !names.includes(BESIDE[each]))) {
    if (interrupted) break
    const beside = names.filter((each) => BESIDE[each] === name)
    const before = childrenCpu()
    const round = await Promise.all([stage(stages, name), ...beside.map((each) => stage(stages, each, true))])
    results.push(...round, ...overBudget([name, ...beside], before))
  }
  summarize(results)
} catch (error) {
  fail(error)
}

/** @param later what it prints is held back until its end */
async function stage(stages, name, later = false) {
  const title = `\n── ${name} ${'─'.repeat(Math.max(0, 70 - name.length))}`
  if (!later) console.log(title)
  const start = Date.now()
  const counts = await stages[name](later ? title : undefined).catch((error) => {
    console.error(error instanceof ToolError ? error.message : error)
    return { passed: 0, failed: 1, skipped: 0 }
  })
  return { name, seconds: (Date.now() - start) / 1000, ...counts }
}

/** What stages that ran at once used of the processors; a failure if that is more than they may. */
function overBudget(names, before) {
  const used = (childrenCpu() ?? 0) - (before ?? 0)
  const budget = names.reduce((sum, name) => sum + (BUDGETS[name] ?? Number.POSITIVE_INFINITY), 0)
  if (before === undefined) return []
  console.log(`\n${names.join(' and ')}: ${Math.round(used)} s of processor time, of ${budget} s at most.`)
  if (used <= budget) return []
  const failure = `used ${Math.round(used)} s of processor time, more than the ${budget} s in tools/test/cpu.mjs`
  return [
    { name: 'budget', seconds: 0, passed: 0, failed: 1, skipped: 0, failures: [`${names.join(' and ')} ${failure}`] },
  ]
}

function summarize(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  console.log('')
  for (const { name, seconds, passed, failed, skipped } of results) {
    const time = `${seconds.toFixed(1)} s`.padStart(9)
    console.log(`${name.padEnd(8)}${time}   ${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
  if (interrupted) console.log('Interrupted: not everything ran.')
  for (const { name, failures = [] } of results) for (const failure of failures) console.log(`\n${name}: ${failure}`)
  const flaky = results.flatMap(({ name, flaky = [] }) => flaky.map((test) => `${name}: ${test}`))
  if (flaky.length > 0) {
    console.log(`\nDefects: ${flaky.length} passed only when tried again.`)
    for (const test of flaky) console.log(`\n${test}`)
  }
  const failed = sum('failed')
  const skipped = sum('skipped')
  console.log(`\n${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exitCode = interrupted ? 130 : failed === 0 ? 0 : 1
}
