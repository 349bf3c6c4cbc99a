// npm run lighthouse: measures ten pages on phone and desktop, fails if a goal is missed, and writes its section of docs/PERFORMANCE.md.
// `npm run lighthouse home login` measures some pages and writes nothing. Reports are written to .cache/lighthouse.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createStorage } from '@tidenet/storage'
import { createNetwork } from '@tidenet/testnet'
import { sample } from '../../bench/measure.mjs'
import { person } from '../../bench/people.mjs'
import { usage } from '../usage.mjs'
import { startHttpsProxy } from './https-proxy.mjs'

usage(
  'npm run lighthouse [-- page...]: measures pages on phone and desktop: home article share login shortLink network earn dashboard files links.',
)

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')
const GOALS = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }
const RUNS = Number(process.env.LIGHTHOUSE_RUNS ?? 5)
/**
 * Lighthouse makes the CPU four times slower, so that a fast desktop (benchmark index 1500) is like a phone. On a slower machine four times
 * slower would be slower than that phone.
 */
const PHONE_INDEX = 1500 / 4
const SLOWDOWN_MAX = 4

if (!existsSync(join(here, 'node_modules', 'lighthouse'))) {
  console.log('Installing Lighthouse outside of the workspace.')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
const { default: lighthouse, desktopConfig } = await import('lighthouse')
const { default: puppeteer } = await import('puppeteer-core')

const reports = join(root, '.cache', 'lighthouse')
mkdirSync(reports, { recursive: true })
const wanted = process.argv.slice(2)
const network = await createNetwork({ nodes: 3 })
const proxy = await startHttpsProxy(network.url)
const browser = await puppeteer.launch({
  executablePath: process.env.TIDENET_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    // The certificate of the proxy.
    '--ignore-certificate-errors',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})

try {
  const { token, uid, username } = await person(network)
  const userinfo = await fetch(`${network.url}/api/v1/storage/get_vip_info`, {
    headers: { JwtAuthorization: `Bearer ${token}` },
  })
    .then((answer) => answer.json())
    .then(({ data }) => data)
  const storage = createStorage({ url: network.url, token })
  const stored = await storage.uploadAsset(
    new File(['the tide comes in, and the tide goes out\n'.repeat(2_500)], 'harbour.txt'),
  )
  const link = await storage.createSharedLink({ id: stored.data.cid })
  const short = await storage.links.create({ id: stored.data.cid })
  const [article] = readdirSync(join(root, 'apps/web/content/learn')).filter((name) => name.endsWith('.en.md'))
  const pages = {
    home: '/',
    article: `/learndetail?slug=${article.replace('.en.md', '')}`,
    share: link.data.url.replace(network.url, ''),
    login: '/login',
    shortLink: short.data.url.replace(network.url, ''),
    network: '/storagenetwork',
    earn: '/earn',
    dashboard: '/dashboard',
    files: '/fileStorage',
    links: '/links',
  }
  const signedIn = ['dashboard', 'files', 'links']
  // Search engines must not list what somebody shared with a few people.
  const unlisted = ['shortLink']
  const { index, slowdown, throttling } = await calibrate(proxy.url)
  console.log(
    `Benchmark index ${Math.round(index)}: phones are simulated with a CPU ${slowdown.toFixed(1)} times slower.`,
  )
  const bad = []
  const rows = []
  for (const [name, path] of Object.entries(pages)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    for (const form of ['mobile', 'desktop']) {
      const runs = []
      for (let run = 0; run < RUNS; run++) {
        const { lhr, report } = await sample(() =>
          runLighthouse(
            proxy.url + path,
            { form, throttling, skipAudits: unlisted.includes(name) ? ['is-crawlable'] : null },
            signedIn.includes(name) && { token, address: uid, emailAddress: username, userinfo },
          ),
        )
        runs.push(lhr)
        writeFileSync(join(reports, `${name}-${form}.html`), report)
      }
      // The median, because the machine is shared.
      const scores = Object.fromEntries(
        Object.keys(GOALS).map((key) => [
          key,
          median(runs.map((lhr) => Math.round((lhr.categories[key]?.score ?? 0) * 100))),
        ]),
      )
      const failed = Object.fromEntries(Object.keys(GOALS).map((key) => [key, failedOf(runs, key)]))
      const missed = Object.keys(GOALS).filter((key) => scores[key] < GOALS[key])
      const paint = median(runs.map((lhr) => Math.round(lhr.audits['largest-contentful-paint'].numericValue)))
      const shift = median(runs.map((lhr) => lhr.audits['cumulative-layout-shift'].numericValue)).toFixed(3)
      rows.push(`| ${[name, form, ...Object.values(scores), `${paint} ms`, shift].join(' | ')} |`)
      console.log(
        `${name.padEnd(10)} ${form.padEnd(8)} ${Object.values(scores)
          .map((score) => String(score).padStart(4))
          .join('')}   LCP ${paint} ms, CLS ${shift}${missed.length > 0 ? `   missed: ${missed.join(', ')}` : ''}`,
      )
      for (const key of missed) {
        for (const { id, displayValue = '', details } of failed[key])
          console.log(
            `    ${id} ${displayValue} ${JSON.stringify(details?.items?.slice(0, 2).map(({ node, source, description, url }) => node?.snippet ?? description ?? url ?? source)) ?? ''}`,
          )
        bad.push(`${name} ${form} ${key}`)
      }
    }
  }
  if (wanted.length === 0) writeTable(rows, { index, slowdown })
  process.exitCode = bad.length > 0 ? 1 : 0
} finally {
  await browser.close()
  proxy.stop()
  await network.stop()
}

function median(list) {
  const numbers = list.filter(Number.isFinite).sort((a, b) => a - b)
  return numbers[Math.floor(numbers.length / 2)]
}

/** Simulates the same phone on every machine. @returns Lighthouse's throttling, with the CPU slowed down as far as this machine needs */
async function calibrate(url) {
  const runs = []
  for (let run = 0; run < 4; run++) runs.push((await sample(() => runLighthouse(url, { form: 'mobile' }))).lhr)
  // Without the first run, which loads what the others need.
  const index = median(runs.slice(1).map(({ environment }) => environment.benchmarkIndex))
  const slowdown = Math.min(SLOWDOWN_MAX, Math.max(1, index / PHONE_INDEX))
  return { index, slowdown, throttling: { ...runs[0].configSettings.throttling, cpuSlowdownMultiplier: slowdown } }
}

/** One run on a page, signed in if there is a session. @param how `slowdown`: of the CPU, on phones */
async function runLighthouse(url, { form, throttling, skipAudits = null }, session) {
  const page = await browser.newPage()
  try {
    await prepare(page, session)
    const flags = { output: 'html', disableStorageReset: true, logLevel: 'error', skipAudits }
    if (form === 'desktop') return await lighthouse(url, flags, desktopConfig, page)
    return await lighthouse(url, { ...flags, ...(throttling && { throttling }) }, undefined, page)
  } finally {
    await page.close()
  }
}

/** The failed audits of a category, in the run with its lowest score. */
function failedOf(runs, key) {
  const [{ categories, audits }] = runs.toSorted((a, b) => a.categories[key].score - b.categories[key].score)
  return categories[key].auditRefs
    .map(({ id, weight }) => ({ ...audits[id], weight }))
    .filter(({ score, weight }) => weight > 0 && score !== null && score < 0.9)
}

/** Writes the table to the end of docs/PERFORMANCE.md; bench/run.mjs writes the rest. */
function writeTable(rows, { index, slowdown }) {
  const path = join(root, 'docs/PERFORMANCE.md')
  const [benches] = readFileSync(path, 'utf8').split(/^## Pages/m)
  const { version } = JSON.parse(readFileSync(join(here, 'node_modules', 'lighthouse', 'package.json'), 'utf8'))
  writeFileSync(
    path,
    `${benches.trimEnd()}

## Pages

\`npm run lighthouse\` on ${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model.trim()}, ${cpus().length} cores, Lighthouse ${version}: the median of ${RUNS} runs. The goal is 95
for performance and 100 for the others, on a desktop and on a slow phone with a slow connection, through HTTPS and HTTP/2 as in production.
The benchmark index of the machine is ${Math.round(index)}, so the phone's CPU is simulated ${slowdown.toFixed(1)} times slower.

| page | device | performance | accessibility | best practices | SEO | largest paint | layout shift |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`,
  )
}

/** Clears the cache, declines cookies, and signs in if there is a session. */
async function prepare(page, session) {
  const devtools = await page.createCDPSession()
  await devtools.send('Network.clearBrowserCache')
  await devtools.detach()
  await page.goto(`${proxy.url}/theme.js`)
  await page.evaluate((state) => {
    localStorage.clear()
    localStorage.setItem('tidenet.cookies', 'declined')
    if (state) localStorage.setItem('tidenet.login', JSON.stringify({ state, version: 1 }))
  }, session)
}
