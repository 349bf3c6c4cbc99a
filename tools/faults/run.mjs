// npm run faults: breaks the code in one place at a time, and runs the tests that docs/TESTING.md names for the promise that is broken.
// Every fault has to be caught. The faults are in list.mjs; they are made in a copy of the last commit.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ensureInstalled, fail, root, ToolError } from '../build.mjs'
import { memoryFolder } from '../memory-folder.mjs'
import { usage } from '../usage.mjs'
import { faults } from './list.mjs'
import { placesOf } from './place.mjs'

usage(
  'npm run faults [-- name...]: seeds each fault of tools/faults/list.mjs, or those named, and tells which the tests did not catch.',
)

const copy = join(root, '.cache', 'faults')
const report = join(root, '.cache', 'fault.json')
const env = { ...process.env, TMPDIR: process.env.TMPDIR ?? memoryFolder() }

try {
  ensureInstalled()
  const wanted = process.argv.slice(2)
  const unknown = wanted.filter((name) => !faults.some((fault) => fault.name === name))
  if (unknown.length > 0)
    throw new ToolError(
      `There is no fault ${unknown.join(', ')}; there are ${faults.map(({ name }) => name).join(', ')}.`,
    )
  const chosen = faults.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  makeCopy()
  // A test that fails anyway proves nothing.
  const failing = new Set(wanted.length > 0 ? [] : test(chosen.flatMap(({ tests }) => tests)).files)
  if (failing.size > 0) console.log(`Without any fault these fail: ${[...failing].join(', ')}`)
  const missed = []
  for (const fault of chosen) {
    const began = Date.now()
    const { outcome, by } = fault.tests.some((test) => failing.has(test)) ? { outcome: 'unclear' } : seed(fault)
    const seconds = Math.round((Date.now() - began) / 1000)
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

/** The last commit with what is installed and compiled here, so that a fault never touches the folder one works in. */
function makeCopy() {
  removeCopy()
  must(run('git', ['worktree', 'add', '--detach', '--force', copy, 'HEAD'], root))
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const path = join('node_modules', name)
    // Our own packages are those of the copy.
    if (name === '@tidenet') take(path)
    else symlinkSync(join(root, path), join(copy, path))
  }
  for (const folder of workspaces())
    for (const name of ['node_modules', 'dist', 'dist-types', 'tsconfig.tsbuildinfo']) take(join(folder, name))
  must(compile())
}

function take(path) {
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
    console.log(`${fault.folder} has this ${places.length} times:\n${fault.find}`)
    return { outcome: 'unclear' }
  }
  const source = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    source.replace(fault.find, () => fault.replace),
  )
  try {
    compileOf(fault)
    const { ran, by, said } = test(fault.tests, '--bail=1')
    if (by) return { outcome: 'caught', by }
    if (ran > 0) return { outcome: 'missed' }
    console.log(said)
    return { outcome: 'unclear' }
  } finally {
    writeFileSync(path, source)
    compileOf(fault)
  }
}

/**
 * Compiles the app or package of a fault where its tests run more than its sources: other folders import packages as compiled, and programs
 * are run as compiled. A type that no longer fits is no reason not to run them.
 */
function compileOf({ folder, tests }) {
  const own = folder.split('/').slice(0, 2).join('/')
  const imported = own.startsWith('packages/') && tests.some((test) => !test.startsWith(`${own}/`))
  if (imported || tests.some((test) => /^test\/network|crash/.test(test))) compile(own)
}

/**
 * @returns {{ ran: number, by: string | undefined, files: string[], said: string }} how many tests ran, the first that failed, which files have
 * one, and what was said of files that did not load
 */
function test(tests, ...options) {
  rmSync(report, { force: true })
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--retry=0', ...options]
  const { stderr } = run(
    process.execPath,
    [...vitest, '--reporter=json', `--outputFile=${report}`, ...new Set(tests)],
    copy,
  )
  if (!existsSync(report)) return { ran: 0, by: undefined, files: tests, said: stderr }
  const { numTotalTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const failed = testResults.filter(({ status }) => status === 'failed')
  const [first] = failed.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'))
  return {
    ran: numTotalTests,
    by: first?.fullName,
    files: failed.map(({ name }) => relative(copy, name)),
    said: stderr + failed.map(({ message }) => message).join('\n'),
  }
}

function compile(...folders) {
  return run(process.execPath, [join(root, 'node_modules/typescript7/bin/tsc'), '-b', ...folders], copy)
}

function run(command, args, cwd) {
  return spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: 600_000, stdio: ['ignore', 'pipe', 'pipe'] })
}

function must({ status, stdout, stderr }) {
  if (status !== 0) throw new ToolError(stderr || stdout)
}
