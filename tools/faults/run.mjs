// npm run faults: seeds one fault at a time and runs the tests that docs/TESTING.md names for the broken promise. Every fault must be
// caught. The faults are in list.mjs and are seeded in copies of the last commit, one for each core.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled, fail, root, ToolError } from '../build.mjs'
import { memoryFolder } from '../memory-folder.mjs'
import { usage } from '../usage.mjs'
import { keyOf, openKept } from './kept.mjs'
import { faults } from './list.mjs'
import { placesOf } from './place.mjs'

usage(
  'npm run faults [-- name...] [--again] [--minutes=N]: seeds each fault of tools/faults/list.mjs, or the given ones, and lists those that the tests did not catch. What an earlier run caught is seeded again only with --again, by name, or after a change of its file or tests. After N minutes no other fault is begun.',
)

const env = { ...process.env, TMPDIR: process.env.TMPDIR ?? memoryFolder() }
/** A run that takes longer is stopped: of the tests of one fault, and of all tests without faults. */
const ONE_MS = 600_000
const ALL_MS = 7_200_000

try {
  ensureInstalled()
  const { values, positionals: wanted } = parseArgs({
    options: { again: { type: 'boolean' }, minutes: { type: 'string', default: 'Infinity' } },
    allowPositionals: true,
  })
  const end = Date.now() + Number(values.minutes) * 60_000
  const unknown = wanted.filter((name) => !faults.some((fault) => fault.name === name))
  if (unknown.length > 0)
    throw new ToolError(`Unknown fault: ${unknown.join(', ')}. Faults: ${faults.map(({ name }) => name).join(', ')}.`)
  const kept = openKept(join(root, '.cache', 'faults.json'))
  const isKept = (fault) => !values.again && wanted.length === 0 && kept.has(fault.name, keyOf(fault, root))
  const chosen = faults
    .filter(({ name }) => wanted.length === 0 || wanted.includes(name))
    .filter((fault) => !isKept(fault))
  if (chosen.length < faults.length && wanted.length === 0)
    console.log(`${faults.length - chosen.length} of ${faults.length} faults were caught by an earlier run.`)
  const copies = Array.from({ length: Math.min(availableParallelism(), chosen.length) }, (_, at) =>
    join(root, '.cache', `faults-${at}`),
  )
  for (const copy of copies) await makeCopy(copy)
  // Tests that fail without a fault prove nothing.
  const every = chosen.flatMap(({ tests }) => tests)
  const failing = new Set(wanted.length > 0 ? [] : (await test(copies[0], every, { timeout: ALL_MS })).files)
  if (failing.size > 0) console.log(`These fail without any fault: ${[...failing].join(', ')}`)
  const left = [...chosen]
  const missed = []
  await Promise.all(
    copies.map(async (copy) => {
      for (let fault = left.shift(); fault; fault = left.shift()) {
        const start = Date.now()
        const isUnclear = fault.tests.some((test) => failing.has(test))
        if (Date.now() > end) {
          left.unshift(fault)
          return
        }
        const { outcome, by } = isUnclear ? { outcome: 'unclear' } : await seed(fault, copy)
        const seconds = Math.round((Date.now() - start) / 1000)
        console.log(
          `${outcome.padEnd(7)} ${fault.promise.padEnd(9)} ${fault.name}, ${seconds} s${by ? `, by ${by}` : ''}`,
        )
        if (outcome === 'caught') kept.add(fault.name, keyOf(fault, copy))
        else missed.push(fault.name)
      }
    }),
  )
  for (const copy of copies) await removeCopy(copy)
  console.log(`\n${chosen.length - missed.length - left.length} of ${chosen.length} faults were caught.`)
  if (missed.length > 0) console.log(`Not caught: ${missed.join(', ')}`)
  if (left.length > 0) console.log(`Not begun: ${left.length}; the next run begins with them.`)
  process.exitCode = missed.length + left.length > 0 ? 1 : 0
} catch (error) {
  fail(error)
}

/** Checks out the last commit with the installed and compiled files of this folder, so that faults never change the working folder. */
async function makeCopy(copy) {
  await removeCopy(copy)
  requireSuccess(await run('git', ['worktree', 'add', '--detach', '--force', copy, 'HEAD'], root))
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const path = join('node_modules', name)
    // Workspace packages must be those of the copy.
    if (name === '@tidenet') copyPath(copy, path)
    else symlinkSync(join(root, path), join(copy, path))
  }
  for (const folder of await workspaces())
    for (const name of ['node_modules', 'dist', 'dist-types', 'tsconfig.tsbuildinfo'])
      copyPath(copy, join(folder, name))
  requireSuccess(await compile(copy))
}

function copyPath(copy, path) {
  if (existsSync(join(root, path)))
    cpSync(join(root, path), join(copy, path), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
}

async function removeCopy(copy) {
  rmSync(copy, { recursive: true, force: true })
  await run('git', ['worktree', 'prune'], root)
}

/** Folders of apps and packages. */
async function workspaces() {
  const { stdout } = await run('git', ['ls-files', 'apps/*/package.json', 'packages/*/package.json'], root)
  return stdout.trim().split('\n').map(dirname)
}

/** @returns {Promise<{ outcome: 'caught' | 'missed' | 'unclear', by?: string }>} */
async function seed(fault, copy) {
  const places = placesOf(fault, copy)
  const [path] = places
  if (places.length !== 1) {
    console.log(`Found ${places.length} times instead of once in ${fault.folder}:\n${fault.find}`)
    return { outcome: 'unclear' }
  }
  const source = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    source.replace(fault.find, () => fault.replace),
  )
  try {
    await compileOf(fault, copy)
    const { ran, by, output } = await test(copy, fault.tests, { timeout: ONE_MS, options: ['--bail=1'] })
    if (by) return { outcome: 'caught', by }
    if (ran > 0) return { outcome: 'missed' }
    console.log(output)
    return { outcome: 'unclear' }
  } finally {
    writeFileSync(path, source)
    await compileOf(fault, copy)
  }
}

/**
 * Compiles the app or package of a fault if its tests use compiled code: other folders import compiled packages, and tests start compiled
 * programs. Type errors are ignored.
 */
async function compileOf({ folder, tests }, copy) {
  const own = folder.split('/').slice(0, 2).join('/')
  const imported = own.startsWith('packages/') && tests.some((test) => !test.startsWith(`${own}/`))
  if (imported || tests.some((test) => /^test\/(network|receipts)|crash/.test(test))) await compile(copy, own)
}

/**
 * @returns {Promise<{ ran: number, by: string | undefined, files: string[], output: string }>} the number of tests, the first
 * failed test, the files with failed tests, and the output for files that did not load
 */
async function test(copy, tests, { timeout, options = [] }) {
  const report = `${copy}.json`
  rmSync(report, { force: true })
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--retry=0', ...options]
  const { stderr } = await run(
    process.execPath,
    [...vitest, '--reporter=json', `--outputFile=${report}`, ...new Set(tests)],
    copy,
    timeout,
  )
  if (!existsSync(report)) return { ran: 0, by: undefined, files: tests, output: stderr }
  const { numTotalTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const failed = testResults.filter(({ status }) => status === 'failed')
  const [first] = failed.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'))
  return {
    ran: numTotalTests,
    by: first?.fullName,
    files: failed.map(({ name }) => relative(copy, name)),
    output: stderr + failed.map(({ message }) => message).join('\n'),
  }
}

function compile(copy, ...folders) {
  return run(process.execPath, [join(root, 'node_modules/typescript7/bin/tsc'), '-b', ...folders], copy)
}

/** @returns {Promise<{ status: number | null, stdout: string, stderr: string }>} status null: it was stopped after `timeout` ms */
function run(command, args, cwd, timeout = ONE_MS) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, timeout, stdio: ['ignore', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (text) => (stdout += text))
    child.stderr.on('data', (text) => (stderr += text))
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, stdout, stderr }))
  })
}

function requireSuccess({ status, stdout, stderr }) {
  if (status !== 0) throw new ToolError(stderr || stdout)
}
