// npm test: installs what is missing, then runs every stage, also after one has failed. `npm test -- unit routes` runs some.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { buildWeb, compile, ensureInstalled, fail, files, requireNode, root, ToolError } from './build.mjs'
import { ensureEngine, sweepEngines } from './clusters/engine.mjs'
import { debianPostgres, startDebianPostgres } from './external-postgres.mjs'
import { memoryFolder } from './memory-folder.mjs'
import { packDownloads } from './pack-downloads.mjs'
import { usage } from './usage.mjs'

usage(
  'npm test [-- stage...]: runs all stages of tests, or the ones named: check unit routes clusters network external browser.',
)

const reports = join(root, '.cache', 'test-reports')
const bin = (...path) => join(root, 'node_modules', ...path)
const chromium = process.env.TIDENET_CHROMIUM ?? '/usr/bin/chromium'

const STAGES = {
  check: () => command([join(root, 'tools/check.mjs')]),
  unit,
  routes: () => vitest('routes', { projects: ['routes', 'attacks'] }),
  clusters,
  network,
  external,
  browser,
}
/** Tests on an engine mostly wait: where both are wanted they run beside those of routes, and are heard afterwards. */
const BESIDE = { clusters: 'routes' }
/** What tests make for themselves lies in memory where there is enough; engines store on disks. */
const quick = process.env.TMPDIR ? undefined : memoryFolder()

// Ctrl-C reaches the stage that runs as well; when that has cleaned up, so have we.
let interrupted = false
process.on('SIGINT', () => {
  interrupted = true
})

try {
  requireNode()
  const wanted = process.argv.slice(2)
  const unknown = wanted.filter((name) => !(name in STAGES))
  if (unknown.length > 0) {
    throw new ToolError(`There is no stage ${unknown.join(', ')}; there are ${Object.keys(STAGES).join(', ')}.`)
  }
  const names = Object.keys(STAGES).filter((name) => wanted.length === 0 || wanted.includes(name))
  ensureInstalled()
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  // A stage run alone still wants fresh packages; what does not compile is the check stage's to report.
  if (!names.includes('check')) attempt(compile)
  const results = []
  for (const name of names.filter((each) => !names.includes(BESIDE[each]))) {
    if (interrupted) break
    const beside = names.filter((each) => BESIDE[each] === name)
    results.push(...(await Promise.all([stage(name), ...beside.map((each) => stage(each, true))])))
  }
  summarize(results)
} catch (error) {
  fail(error)
}

function attempt(step) {
  try {
    step()
  } catch (error) {
    console.error(error.message)
  }
}

/** @param later what it prints is held back until its end */
async function stage(name, later = false) {
  const title = `\n── ${name} ${'─'.repeat(Math.max(0, 70 - name.length))}`
  if (!later) console.log(title)
  const start = Date.now()
  const counts = await STAGES[name](later ? title : undefined).catch((error) => {
    console.error(error instanceof ToolError ? error.message : error)
    return { passed: 0, failed: 1, skipped: 0 }
  })
  return { name, seconds: (Date.now() - start) / 1000, ...counts }
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
  const failed = sum('failed')
  const skipped = sum('skipped')
  console.log(`\n${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exitCode = interrupted ? 130 : failed === 0 ? 0 : 1
}

async function vitest(project, { name = project, projects = [project], only = [], env = {}, later } = {}) {
  const report = join(reports, `${name}.json`)
  const uncaught = join(reports, `${name}-unhandled.json`)
  const code = await node(
    [
      bin('vitest', 'vitest.mjs'),
      'run',
      ...projects.map((each) => `--project=${each}`),
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--reporter=${join(root, 'tools/unhandled.mjs')}`,
      `--outputFile.json=${report}`,
      ...only,
    ],
    { ...env, TIDENET_TEST_UNHANDLED: uncaught },
    later,
  )
  const {
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests,
    numTodoTests,
    testResults,
  } = readReport(report)
  const skipped = (numPendingTests ?? 0) + (numTodoTests ?? 0)
  const unhandled = existsSync(uncaught) ? readReport(uncaught) : []
  const failures = [
    ...failuresOf(testResults),
    ...unhandled.map(({ test, stack }) => `nobody caught, during "${test}"\n${stack}`),
  ]
  return honest(code, { passed, failed, skipped, failures })
}

/** What failed, said again at the end, where one looks first: the test's name, its file and the message. */
function failuresOf(testFiles = []) {
  return testFiles.flatMap(({ name, status, message, assertionResults }) => {
    const path = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [`${path}\n${message}`]
    return failed.map((test) => `${path} › ${test.fullName}\n${test.failureMessages.join('\n').slice(0, 2000)}`)
  })
}

/** The network again, on a PostgreSQL that is not ours. */
async function external() {
  if (!debianPostgres()) {
    const installed = mayInstall() && aptInstall(['postgresql'])
    if (!installed || !debianPostgres()) {
      console.log(
        "Debian's PostgreSQL is not here and cannot be installed: the network was tested on the embedded one alone.",
      )
      return { passed: 0, failed: 0, skipped: 1 }
    }
  }
  const postgres = await startDebianPostgres(debianPostgres())
  try {
    const only = ['test/network/storage.test.ts', 'test/network/two-servers.test.ts']
    return await vitest('network', { name: 'external', only, env: { DATABASE_URL: postgres.url } })
  } finally {
    await postgres.stop()
  }
}

/** Tests of drawn pages read what was built; where it cannot be built, the browser stage says why. */
async function unit() {
  attempt(buildWeb)
  return vitest('unit')
}

async function network() {
  ensurePrograms()
  // Once, before several test files want it at the same time.
  await packDownloads()
  return vitest('network')
}

/** What runs people's containers, on a real engine; and on a real Kubernetes where TIDENET_TEST_KUBECONFIG names one. */
async function clusters(later) {
  const there = ensureEngine((packages) => mayInstall() && aptInstall(packages))
  if (!there) console.log('No container engine is here and none can be installed: nothing is tried on one of ours.')
  sweepEngines()
  const env = {
    TMPDIR: tmpdir(),
    ...(there && !process.env.TIDENET_TEST_ENGINE && { TIDENET_TEST_ENGINE: 'podman' }),
  }
  return vitest('clusters', { env, later })
}

async function browser() {
  const specs = files(join(root, 'test/browser')).filter((path) => /\.(spec|test)\.ts$/.test(path))
  if (specs.length === 0) return { passed: 0, failed: 0, skipped: 0 }
  ensureBrowser()
  buildWeb()
  await packDownloads()
  const report = join(reports, 'browser.json')
  const code = await node([bin('@playwright/test', 'cli.js'), 'test', '--pass-with-no-tests'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  })
  const { stats = {}, suites } = readReport(report)
  const { expected = 0, unexpected, flaky = 0, skipped } = stats
  return honest(code, { passed: expected + flaky, failed: unexpected, skipped, failures: failuresOfPages(suites) })
}

/** The same of the browser's tests, and what passed only when it was tried again: that is worth a look as well. */
function failuresOfPages(suites = [], titles = []) {
  return suites.flatMap(({ title, specs = [], suites: inner }) => {
    const path = [...titles, title]
    const own = specs.flatMap((spec) =>
      spec.tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ status, results }) => {
          const message = results.flatMap(({ errors }) => errors).at(0)?.message ?? ''
          return `${[...path, spec.title].join(' › ')} (${status})\n${stripVTControlCharacters(message).slice(0, 2000)}`
        }),
    )
    return [...own, ...failuresOfPages(inner, path)]
  })
}

async function command(args) {
  const code = await node(args)
  return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 }
}

/** A file that did not load, or a runner that crashed, counts as a failure even though no test of it failed. */
function honest(code, { passed = 0, failed = 0, skipped = 0, failures = [] }) {
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped, failures }
}

/** @param later a title, below which is printed at the end what the program said */
function node(args, env = {}, later = undefined) {
  return new Promise((resolve, reject) => {
    const stdio = later === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe']
    const memory = quick ? { TMPDIR: quick } : {}
    const child = spawn(process.execPath, args, { cwd: root, stdio, env: { ...process.env, ...memory, ...env } })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        said += text
      })
    child.on('error', reject)
    child.on('close', (code) => {
      if (later !== undefined) console.log(`${later}\n${said.trimEnd()}`)
      resolve(code ?? 1)
    })
  })
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** Installs the system's Chromium, and a font with Chinese characters, where there is none and we may. */
function ensureBrowser() {
  const missing = []
  if (!existsSync(chromium)) missing.push('chromium')
  const fonts = spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' })
  if (!fonts.stdout?.trim()) missing.push('fonts-wqy-microhei')
  ensurePackages(missing, 'browser', ', or set TIDENET_CHROMIUM to a Chromium.')
}

/** Installs what the pages tell people to type, where it is missing and we may. */
function ensurePrograms() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const isThere = (program) => folders.some((folder) => existsSync(join(folder, program)))
  const packages = { curl: 'curl', shasum: 'perl', script: 'bsdutils' }
  const missing = Object.keys(packages).filter((program) => !isThere(program))
  ensurePackages(
    missing.map((program) => packages[program]),
    'network',
    '.',
  )
}

function ensurePackages(missing, tests, end) {
  if (missing.length === 0) return
  const names = missing.join(' and ')
  const advice = `The ${tests} tests need ${names}. Install them (Debian: apt-get install ${missing.join(' ')})${end}`
  if (!mayInstall() || !aptInstall(missing)) throw new ToolError(advice)
}

function isRoot() {
  return process.getuid?.() === 0
}
function mayInstall() {
  return isRoot() || spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
}

/** Debian packages without recommendations; the lists are renewed when they are too old to install from. */
function aptInstall(packages) {
  console.log(`Installing ${packages.join(', ')}.`)
  const apt = (...args) => {
    const quiet = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', '-y', ...args]
    const [command, ...rest] = isRoot() ? quiet : ['sudo', '-n', ...quiet]
    return spawnSync(command, rest, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  }
  const install = () => apt('install', '--no-install-recommends', ...packages)
  return install() || (apt('update') && install())
}
