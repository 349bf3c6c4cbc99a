// npm test: installs what is missing, then runs every stage, even if one fails. `npm test -- unit routes` runs two of them;
// npm run test:long runs the longer tests.
import { mkdirSync, rmSync } from 'node:fs'
import { compile, ensureInstalled, fail, requireNode, ToolError } from './build.mjs'
import { BUDGETS, measureCpu } from './test/cpu.mjs'
import { attempt, GROUPS, LONG, reports, SHORT } from './test/stages.mjs'
import { usage } from './usage.mjs'

const long = process.argv[2] === '--long'
usage(
  'npm test [-- stage...]: runs all test stages, or the given ones: check unit sql routes clusters network browser.\nnpm run test:long [-- stage...]: unit routes clusters network external long speech contracts kubo clients s3 acme executables nat wasmd journeys faults lighthouse.',
)

// Ctrl-C also reaches the running stage, which cleans up before it exits.
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
    throw new ToolError(`Unknown stage: ${unknown.join(', ')}. Stages: ${Object.keys(stages).join(', ')}.`)
  }
  const names = Object.keys(stages).filter((name) => wanted.length === 0 || wanted.includes(name))
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  // The check stage comes late, and reports compile errors.
  attempt(compile)
  const results = []
  for (const group of groupsOf(names)) {
    if (interrupted) break
    // The budgets are those of `npm test`.
    const measured = long ? undefined : measureCpu()
    const inTurn = async () => {
      const finished = []
      for (const name of group.stages) if (!interrupted) finished.push(await stage(stages, name))
      return finished
    }
    const finished = await Promise.all([inTurn(), ...group.beside.map((name) => stage(stages, name, true))])
    results.push(...finished.flat(), ...overBudget([...group.stages, ...group.beside], measured?.()))
  }
  summarize(results)
} catch (error) {
  fail(error)
}

/** The stages with these names in groups; a stage beside others runs alone if none of them runs. */
function groupsOf(names) {
  const grouped = GROUPS.map(({ stages, beside }) => ({
    stages: names.filter((name) => stages.includes(name)),
    beside: names.filter((name) => beside.includes(name)),
  })).filter(({ stages }) => stages.length > 0)
  return names.flatMap((name) => {
    const group = grouped.find(({ stages, beside }) => stages.includes(name) || beside.includes(name))
    if (!group) return [{ stages: [name], beside: [] }]
    return group.stages[0] === name ? [group] : []
  })
}

/** @param buffered whether its output is printed only when it ends */
async function stage(stages, name, buffered = false) {
  const title = `\n── ${name} ${'─'.repeat(Math.max(0, 70 - name.length))}`
  if (!buffered) console.log(title)
  const start = Date.now()
  const counts = await stages[name](buffered ? title : undefined).catch((error) => {
    console.error(error instanceof ToolError ? error.message : error)
    return { passed: 0, failed: 1, skipped: 0 }
  })
  return { name, seconds: (Date.now() - start) / 1000, ...counts }
}

/** Prints the CPU time of stages that ran concurrently; a failure if it exceeds their budget. */
function overBudget(names, cpu) {
  if (cpu === undefined) return []
  const used = cpu.seconds
  const budget = names.reduce((sum, name) => sum + (BUDGETS[name] ?? Number.POSITIVE_INFINITY), 0)
  const limit = Number.isFinite(budget) ? `, budget ${budget} s` : ''
  console.log(`\n${names.join(', ')}: ${Math.round(used)} s of CPU time (${cpu.way})${limit}.`)
  if (used <= budget) return []
  const failure = `used ${Math.round(used)} s of CPU time, more than the budget of ${budget} s in tools/test/cpu.mjs`
  return [
    { name: 'budget', seconds: 0, passed: 0, failed: 1, skipped: 0, failures: [`${names.join(', ')} ${failure}`] },
  ]
}

function summarize(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  console.log('')
  for (const { name, seconds, passed, failed, skipped } of results) {
    const time = `${seconds.toFixed(1)} s`.padStart(9)
    console.log(`${name.padEnd(8)}${time}   ${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
  if (interrupted) console.log('Interrupted: not all tests ran.')
  for (const { name, failures = [] } of results) for (const failure of failures) console.log(`\n${name}: ${failure}`)
  const flaky = results.flatMap(({ name, flaky = [] }) => flaky.map((test) => `${name}: ${test}`))
  if (flaky.length > 0) {
    console.log(`\nDefects: ${flaky.length} passed only when repeated.`)
    for (const test of flaky) console.log(`\n${test}`)
  }
  const failed = sum('failed')
  const skipped = sum('skipped')
  const minutes = (performance.now() / 60_000).toFixed(1)
  console.log(`\n${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}, ${minutes} min`)
  process.exitCode = interrupted ? 130 : failed === 0 ? 0 : 1
}
