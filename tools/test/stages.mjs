// The stages of tests, each a function that gives its counts.
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb, files, root } from '../build.mjs'
import { ensureEngine, sweepEngines } from '../clusters/engine.mjs'
import { debianPostgres, startDebianPostgres } from '../external-postgres.mjs'
import { memoryFolder } from '../memory-folder.mjs'
import { packDownloads } from '../pack-downloads.mjs'
import { aptInstall, ensureBrowser, ensurePrograms, mayInstall } from './needs.mjs'
import { countsOfPlaywright, countsOfVitest, honest } from './reports.mjs'

export const reports = join(root, '.cache', 'test-reports')
const bin = (...path) => join(root, 'node_modules', ...path)
/** What tests make for themselves lies in memory where there is enough; engines store on disks. */
const quick = process.env.TMPDIR ? undefined : memoryFolder()

/** What `npm test` runs. */
export const SHORT = {
  check: () => command(['tools/check.mjs']),
  unit,
  sql: () => command(['tools/sql-types/main.mjs']),
  routes: () => vitest('routes', { projects: ['routes', 'attacks'] }),
  clusters,
  network,
  browser: () => browser('browser'),
}

/** What `npm run test:long` runs: the same promises with more of everything, and what is long by nature. */
export const LONG = {
  external,
  long: () => vitest('long', { projects: ['network'], env: { TIDENET_TEST_LONG: 'yes' }, only: LONG_FILES }),
  journeys: () => browser('journeys', { env: { TIDENET_TEST_VIEWS: 'all' }, chromium: 'chromium' }),
  faults: () => command(['tools/faults/run.mjs']),
  lighthouse: () => command(['tools/lighthouse/run.mjs']),
}

/** Network tests that make more of the same where there is time. */
const LONG_FILES = ['reliability', 'quota'].map((name) => `test/network/${name}.test.ts`)

/** Tests on an engine mostly wait: where both are wanted they run beside those of routes, and are heard afterwards. */
export const BESIDE = { clusters: 'routes' }

export function attempt(step) {
  try {
    step()
  } catch (error) {
    console.error(error.message)
  }
}

async function vitest(project, { name = project, projects = [project], only = [], env = {}, later } = {}) {
  const report = join(reports, `${name}.json`)
  const more = join(reports, `${name}-more.json`)
  const code = await node(
    [
      bin('vitest', 'vitest.mjs'),
      'run',
      ...projects.map((each) => `--project=${each}`),
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--reporter=${join(root, 'tools/test/vitest-reporter.mjs')}`,
      `--outputFile.json=${report}`,
      ...only,
    ],
    { ...env, TIDENET_TEST_MORE: more },
    later,
  )
  return countsOfVitest(code, report, more)
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

/** @param chromium Debian's package of Chromium */
async function browser(name, { env = {}, chromium } = {}) {
  const specs = files(join(root, 'test/browser')).filter((path) => /\.(spec|test)\.ts$/.test(path))
  if (specs.length === 0) return { passed: 0, failed: 0, skipped: 0 }
  const TIDENET_CHROMIUM = ensureBrowser(chromium)
  buildWeb()
  await packDownloads()
  const report = join(reports, `${name}.json`)
  const code = await node([bin('@playwright/test', 'cli.js'), 'test', '--pass-with-no-tests'], {
    ...env,
    TIDENET_CHROMIUM,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  })
  return countsOfPlaywright(code, report)
}

async function command([script, ...args]) {
  const code = await node([join(root, script), ...args])
  return honest(code, {})
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
