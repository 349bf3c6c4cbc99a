// The test stages, each a function that returns its counts.
import { spawn } from 'node:child_process'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { buildWeb, files, root, ToolError } from '../build.mjs'
import { ensureEngine, sweepEngines } from '../clusters/engine.mjs'
import { buildExecutables } from '../executables/build.mjs'
import { hostPlatform } from '../executables/runtimes.mjs'
import { debianPostgres, startDebianPostgres } from '../external-postgres.mjs'
import { ensureRunsc } from '../gvisor/build.mjs'
import { ensureKubo } from '../kubo/build.mjs'
import { memoryFolder } from '../memory-folder.mjs'
import { packDownloads } from '../pack-downloads.mjs'
import { ensurePebble } from '../pebble/build.mjs'
import { ensurePython } from '../python/install.mjs'
import { ensureS3Clients } from '../s3-clients/install.mjs'
import { ensureWasmd } from '../wasmd/build.mjs'
import { countsOfPlaywright, countsOfRepeated, countsOfVitest, filesToRepeat, sumOf, withExitCode } from './reports.mjs'
import { aptInstall, ensureBrowser, ensureFiles, ensurePrograms, isRoot, mayInstall } from './requirements.mjs'

export const reports = join(root, '.cache', 'test-reports')
const bin = (...path) => join(root, 'node_modules', ...path)
/** Temporary folder of tests, in memory if there is enough; not used by container engines. */
const memory = process.env.TMPDIR ? undefined : memoryFolder()

/** With it, tests use more data, and may be silent for hours. */
const LONG_ENV = { TIDENET_TEST_LONG: 'yes', TIDENET_TEST_STILL_MS: '0' }

/** Tests beside it go first: pages must not answer late. */
const LATER = process.platform === 'win32' ? [] : ['nice', '-n', '15']

/** What `npm test` runs. */
export const SHORT = {
  check: (title) => command(['tools/check.mjs'], title, LATER),
  unit: () => unit(),
  sql: (title) => command(['tools/sql-types/main.mjs'], title),
  routes: () => routes(),
  clusters: (title) => clusters({ title }),
  network: () => network(),
  browser: () => browser('browser', { args: ['--grep-invert=@long'] }),
}

/** What `npm run test:long` runs: tests that are tagged as long, the same tests with more data, and tests that take long. */
export const LONG = {
  unit: () => unit(true),
  routes: () => routes(true),
  clusters: () => clusters({ isLong: true }),
  network: () => network(true),
  external,
  long: () =>
    vitest('long', {
      projects: ['network', 'routes'],
      env: LONG_ENV,
      only: LONG_FILES,
    }),
  speech: () => {
    ensurePrograms('speech', { 'espeak-ng': 'espeak-ng' })
    return vitest('speech')
  },
  contracts: async () =>
    sumOf(await command(['tools/contracts/build.mjs', '--check']), await command(['tools/contracts/faults.mjs'])),
  kubo: () => vitest('kubo', { env: { TIDENET_TEST_KUBO: ensureKubo() } }),
  clients,
  gvisor,
  kubernetes: () =>
    command(['tools/clusters/kubernetes.mjs', 'npx', 'vitest', 'run', '--project=clusters', 'kubernetes/']),
  acme: () => vitest('acme', { env: { TIDENET_TEST_PEBBLE: ensurePebble() } }),
  s3: () => vitest('s3', { env: ensureS3Clients() }),
  executables: () => {
    // Emulators of other systems, and the tools with which people check a release.
    ensurePrograms('executables', { 'qemu-aarch64-static': 'qemu-user-static', openssl: 'openssl', shasum: 'perl' })
    ensureFiles('executables', {
      '/usr/lib/wine/wine64': ['wine64'],
      '/usr/aarch64-linux-gnu/lib/libstdc++.so.6': ['libc6-arm64-cross', 'libstdc++6-arm64-cross'],
    })
    return vitest('executables')
  },
  nat,
  wasmd: () => vitest('wasmd', { env: { TIDENET_TEST_WASMD: ensureWasmd() } }),
  journeys: async () => sumOf(await journeys(['--grep-invert=@alone']), await journeys(['--grep=@alone'], '-alone')),
  faults: () => command(['tools/faults/run.mjs']),
  lighthouse: () => command(['tools/lighthouse/run.mjs']),
}

/** Those that are tagged as alone load the network, or fill its lists, so that others would fail beside them. */
const journeys = (args, name = '') =>
  browser(`journeys${name}`, { args, env: { TIDENET_TEST_VIEWS: 'all' }, chromium: 'chromium' })

/** Tests that `npm test` runs with less data. */
const LONG_FILES = [
  ...['reliability', 'quota', 'races'].map((name) => `test/network/${name}.test.ts`),
  ...['concurrent-sign-ins', 'hostile-input', 'thousands', 'wallets'].map((name) => `test/attacks/${name}.test.ts`),
]

/**
 * Stages that run one after the other, and beside them stages that use less than a core; those start with the first one, and their output
 * is printed afterwards. Every other stage is a group of its own: browser and network tests together need both cores all the time, so that
 * pages answer late. The check takes what browser tests leave.
 */
export const GROUPS = [
  { stages: ['unit', 'routes'], beside: ['sql', 'clusters'] },
  { stages: ['browser'], beside: ['check'] },
]

export function attempt(step) {
  try {
    step()
  } catch (error) {
    console.error(error.message)
  }
}

/**
 * Files that fail or do not end run again after the others; what passes only then is reported as a defect.
 * @param isLong whether only tests that are tagged as long run, or only the others; undefined for all
 */
async function vitest(project, { name = project, only = [], isLong, ...rest } = {}) {
  const options = {
    ...rest,
    ...(isLong !== undefined && { tags: isLong ? 'long' : '!long' }),
    ...(isLong && { env: { ...rest.env, ...LONG_ENV } }),
  }
  const { code, report, more } = await runVitest(project, { name, only, ...options })
  const failed = filesToRepeat(report, more)
  if (failed.length === 0) return countsOfVitest(code, report, more, isLong)
  const again = await runVitest(project, { name: `${name}-again`, only: failed, ...options })
  return countsOfRepeated(report, more, failed, countsOfVitest(again.code, again.report, again.more, isLong), isLong)
}

async function runVitest(project, { name, projects = [project], only, tags, env = {}, workers, title, within }) {
  const report = join(reports, `${name}.json`)
  const more = join(reports, `${name}-more.json`)
  const code = await node(
    [
      bin('vitest', 'vitest.mjs'),
      'run',
      ...projects.map((each) => `--project=${each}`),
      '--passWithNoTests',
      ...(tags ? [`--tagsFilter=${tags}`] : []),
      ...(workers ? [`--maxWorkers=${workers}`] : []),
      '--reporter=default',
      '--reporter=json',
      `--reporter=${join(root, 'tools/test/vitest-reporter.mjs')}`,
      `--outputFile.json=${report}`,
      ...only,
    ],
    { ...env, TIDENET_TEST_MORE: more },
    title,
    within,
  )
  return { code, report, more }
}

/** Network tests with Debian's PostgreSQL instead of the embedded one. */
async function external() {
  if (!debianPostgres()) {
    const installed = mayInstall() && aptInstall(['postgresql'])
    if (!installed || !debianPostgres()) {
      console.log(
        "Debian's PostgreSQL is not installed and cannot be installed: the network was tested with the embedded one only.",
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

/** The SDK in three browsers, and clients that are generated by Python programs. */
function clients() {
  const chromium = ensureBrowser()
  ensurePrograms('clients', { 'firefox-esr': 'firefox-esr', WebKitWebDriver: 'webkit2gtk-driver', 'xvfb-run': 'xvfb' })
  const python = ensurePython()
  if (!python) console.log('Python 3.10 with venv and pip is not installed: no Python client was generated.')
  return vitest('clients', { env: { TIDENET_CHROMIUM: chromium, TIDENET_TEST_PYTHON: python ?? '' } })
}

/** Some unit tests read the built web app; if it does not build, the browser stage reports the error. */
async function unit(isLong = false) {
  // For the second implementation of the check of receipts.
  ensurePrograms('unit', { python3: 'python3' })
  attempt(buildWeb)
  // One worker more than cores, because workers wait for processes, sockets and files: two of them use one core.
  return vitest('unit', { projects: ['unit', 'isolated'], isLong, workers: availableParallelism() + 1 })
}

// One worker more than cores, because workers wait for the database.
const routes = (isLong = false) => vitest('routes', { isLong, workers: availableParallelism() + 1 })

async function network(isLong = false) {
  // Of the commands that the portal's pages show.
  ensurePrograms('network', { curl: 'curl', shasum: 'perl', script: 'bsdutils' })
  // Before the tests, because several files need it at the same time.
  await packDownloads()
  // One worker more than cores, because workers wait for processes.
  return vitest('network', { isLong, workers: availableParallelism() + 1 })
}

/** Tests on a real container engine, and on a Kubernetes cluster if TIDENET_TEST_KUBECONFIG is set. */
async function clusters({ title, isLong = false } = {}) {
  const there = ensureEngine((packages) => mayInstall() && aptInstall(packages))
  if (!there) console.log('No container engine is installed and none can be installed: its tests are skipped.')
  sweepEngines()
  const env = {
    TMPDIR: tmpdir(),
    ...(there && !process.env.TIDENET_TEST_ENGINE && { TIDENET_TEST_ENGINE: 'podman' }),
  }
  try {
    return await vitest('clusters', { env, title, isLong })
  } finally {
    // Engines survive the servers that started them.
    sweepEngines()
  }
}

/** Tests of the engine with containers that have a kernel of their own. */
async function gvisor() {
  const folder = dirname(ensureRunsc())
  const there = ensureEngine((packages) => mayInstall() && aptInstall(packages))
  if (!there) throw new ToolError('Tests of gVisor need a container engine, which cannot be installed here.')
  const env = {
    TMPDIR: tmpdir(),
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    TIDENET_TEST_ENGINE: 'podman',
    TIDENET_TEST_RUNTIME: 'runsc',
  }
  const names = ['engine', 'attacks', 'fill']
  try {
    const only = names.map((name) => `apps/server/src/compute/clusters/engine/${name}.cluster.test.ts`)
    return await vitest('clusters', { name: 'gvisor', env, only, repeats: true })
  } finally {
    sweepEngines()
  }
}

/** Devices behind routers, in network namespaces that end with the tests. */
async function nat() {
  if (!isRoot()) throw new ToolError('The nat tests need root: they make network namespaces.')
  ensurePrograms('nat', {
    ...{ ip: 'iproute2', nft: 'nftables', sysctl: 'procps', unshare: 'util-linux' },
    ...{ miniupnpd: 'miniupnpd' },
    ...{ certutil: 'libnss3-tools', curl: 'curl', tcpdump: 'tcpdump' },
  })
  // The portal of the tests offers it. Packages are fetched now, because nothing leaves the namespaces.
  const executables = join(root, '.cache', 'executables', 'nat')
  await buildExecutables({
    out: executables,
    platforms: [hostPlatform()],
    programs: ['tidenet-node'],
    time: Date.now(),
  })
  const env = { TIDENET_TEST_NAT: 'yes', TIDENET_CHROMIUM: ensureBrowser(), TIDENET_EXECUTABLES: executables }
  buildWeb()
  return vitest('nat', { env, within: ['unshare', '--mount', '--net', '--'] })
}

/** @param chromium Debian's package of Chromium */
async function browser(name, { env = {}, args = [], chromium } = {}) {
  const specs = files(join(root, 'test/browser')).filter((path) => /\.(spec|test)\.ts$/.test(path))
  if (specs.length === 0) return { passed: 0, failed: 0, skipped: 0 }
  const TIDENET_CHROMIUM = ensureBrowser(chromium)
  buildWeb()
  await packDownloads()
  const report = join(reports, `${name}.json`)
  const code = await node([bin('@playwright/test', 'cli.js'), 'test', '--pass-with-no-tests', ...args], {
    ...env,
    TIDENET_CHROMIUM,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  })
  return countsOfPlaywright(code, report)
}

async function command([script, ...args], title, within = []) {
  const code = await node([join(root, script), ...args], {}, title, within)
  return withExitCode(code, {})
}

/**
 * @param title if given, the output is printed below it when the process exits
 * @param within a command that replaces itself with the program given to it
 */
function node(args, env = {}, title = undefined, within = []) {
  return new Promise((resolve, reject) => {
    const stdio = title === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe']
    const [program, ...rest] = [...within, process.execPath, ...args]
    const child = spawn(program, rest, {
      cwd: root,
      stdio,
      env: { ...process.env, ...(memory && { TMPDIR: memory }), ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    child.on('error', reject)
    child.on('close', (code) => {
      if (title !== undefined) console.log(`${title}\n${output.trimEnd()}`)
      resolve(code ?? 1)
    })
  })
}
