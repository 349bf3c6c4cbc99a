// npm run faults: seeds one fault at a time and runs the tests that docs/TESTING.md names for the broken promise. Every fault must be
// caught. The faults are in list.mjs and are seeded in a copy of the last commit.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ensureInstalled, fail, root, ToolError } from '../build.mjs'
import { memoryFolder } from '../memory-folder.mjs'
import { usage } from '../usage.mjs'
import { faults } from './list.mjs'
import { placesOf } from './place.mjs'

usage(
  'npm run faults [-- name...]: seeds each fault of tools/faults/list.mjs, or the given ones, and lists those that the tests did not catch.',
)

const copy = join(root, '.cache', 'faults')
const report = join(root, '.cache', 'fault.json')
const env = { ...process.env, TMPDIR: process.env.TMPDIR ?? memoryFolder() }

try {
  ensureInstalled()
  const wanted = process.argv.slice(2)
  const unknown = wanted.filter((name) => !faults.some((fault) => fault.name === name))
  if (unknown.length > 0)
    throw new ToolError(`Unknown fault: ${unknown.join(', ')}. Faults: ${faults.map(({ name }) => name).join(', ')}.`)
  const chosen = faults.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  makeCopy()
  // Tests that fail without a fault prove nothing.
  const failing = new Set(wanted.length > 0 ? [] : test(chosen.flatMap(({ tests }) => tests)).files)
  if (failing.size > 0) console.log(`These fail without any fault: ${[...failing].join(', ')}`)
  const missed = []
  for (const fault of chosen) {
    const start = Date.now()
    const { outcome, by } = fault.tests.some((test) => failing.has(test)) ? { outcome: 'unclear' } : seed(fault)
    const seconds = Math.round((Date.now() - start) / 1000)
    console.log(`${outcome.padEnd(7)} ${fault.promise.padEnd(9)} ${fault.name}, ${seconds} s${by ? `, by ${by}` : ''}`)
    if (outcome !== 'caught') missed.push(fault.name)
  }
  removeCopy()
  console.log(`\n${chosen.length - missed.length} of ${chosen.length} faults were caught.`)
  if (missed.length > 0) console.log(`Not caught: ${missed.join(', ')}`)
  process.exitCode = missed.length > 0 ? 1 : 0
} catch (error) {
  fail(error)
}

/** Checks out the last commit with the installed and compiled files of this folder, so that faults never change the working folder. */
function makeCopy() {
  removeCopy()
  requireSuccess(run('git', ['worktree', 'add', '--detach', '--force', copy, 'HEAD'], root))
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const path = join('node_modules', name)
    // Workspace packages must be those of the copy.
    if (name === '@tidenet') copyPath(path)
    else symlinkSync(join(root, path), join(copy, path))
  }
  for (const folder of workspaces())
    for (const name of ['node_modules', 'dist', 'dist-types', 'tsconfig.tsbuildinfo']) copyPath(join(folder, name))
  requireSuccess(compile())
}

function copyPath(path) {
  if (existsSync(join(root, path)))
    cpSync(join(root, path), join(copy, path), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
}

function removeCopy() {
  rmSync(copy, { recursive: true, force: true })
  run('git', ['worktree', 'prune'], root)
}

/** Folders of apps and packages. */
function workspaces() {
  const { stdout } = run('git', ['ls-files', 'apps/*/package.json', 'packages/*/package.json'], root)
  return stdout.trim().split('\n').map(dirname)
}

/** @returns {{ outcome: 'caught' | 'missed' | 'unclear', by?: string }} */
function seed(fault) {
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
    compileOf(fault)
    const { ran, by, output } = test(fault.tests, '--bail=1')
    if (by) return { outcome: 'caught', by }
    if (ran > 0) return { outcome: 'missed' }
    console.log(output)
    return { outcome: 'unclear' }
  } finally {
    writeFileSync(path, source)
    compileOf(fault)
  }
}

/**
 * Compiles the app or package of a fault if its tests use compiled code: other folders import compiled packages, and tests start compiled
 * programs. Type errors are ignored.
 */
function compileOf({ folder, tests }) {
  const own = folder.split('/').slice(0, 2).join('/')
  const imported = own.startsWith('packages/') && tests.some((test) => !test.startsWith(`${own}/`))
  if (imported || tests.some((test) => /^test\/(network|receipts)|crash/.test(test))) compile(own)
}

/**
 * @returns {{ ran: number, by: string | undefined, files: string[], output: string }} the number of tests, the first failed test, the files
 * with failed tests, and the output for files that did not load
 */
function test(tests, ...options) {
  rmSync(report, { force: true })
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--retry=0', ...options]
  const { stderr } = run(
    process.execPath,
    [...vitest, '--reporter=json', `--outputFile=${report}`, ...new Set(tests)],
    copy,
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

function compile(...folders) {
  return run(process.execPath, [join(root, 'node_modules/typescript7/bin/tsc'), '-b', ...folders], copy)
}

function run(command, args, cwd) {
  return spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: 600_000, stdio: ['ignore', 'pipe', 'pipe'] })
}

function requireSuccess({ status, stdout, stderr }) {
  if (status !== 0) throw new ToolError(stderr || stdout)
}
