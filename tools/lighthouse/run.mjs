// npm run lighthouse: five pages, as a phone and as a desk see them, on a network of their own. Prints a table; fails below the goals.
// `npm run lighthouse home login` looks at some of them. Reports lie in .cache/lighthouse.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createStorage } from '@tidenet/storage'
import { createNetwork } from '@tidenet/testnet'
import { person } from '../../bench/people.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')
const GOALS = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }
const RUNS = 3

if (!existsSync(join(here, 'node_modules', 'lighthouse'))) {
  console.log('Installing Lighthouse beside the workspace.')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
const { default: lighthouse, desktopConfig } = await import('lighthouse')
const { default: puppeteer } = await import('puppeteer-core')

const reports = join(root, '.cache', 'lighthouse')
mkdirSync(reports, { recursive: true })
const wanted = process.argv.slice(2)
const network = await createNetwork({ nodes: 3 })
const browser = await puppeteer.launch({
  executablePath: process.env.TIDENET_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
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
  const storage = createStorage({ url: network.url, token })
  const stored = await storage.uploadAsset(new File(['tide '.repeat(20_000)], 'harbour.txt'))
  const link = await storage.createSharedLink({ ID: stored.data.cid })
  const [article] = readdirSync(join(root, 'apps/web/content/learn')).filter((name) => name.endsWith('.en.md'))
  const pages = {
    home: '/',
    article: `/learndetail?slug=${article.replace('.en.md', '')}`,
    share: new URL(link.data.short_link ?? link.data.url, network.url).href.replace(network.url, ''),
    login: '/login',
    dashboard: '/dashboard',
  }
  const bad = []
  for (const [name, path] of Object.entries(pages)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    for (const form of ['mobile', 'desktop']) {
      const runs = []
      for (let run = 0; run < RUNS; run++) {
        const page = await browser.newPage()
        await prepare(page, name === 'dashboard' ? { token, address: uid, emailAddress: username } : undefined)
        const { lhr, report } = await lighthouse(
          network.url + path,
          { output: 'html', disableStorageReset: true, logLevel: 'error' },
          form === 'desktop' ? desktopConfig : undefined,
          page,
        )
        await page.close()
        runs.push(lhr)
        writeFileSync(join(reports, `${name}-${form}.html`), report)
      }
      // Machines here are noisy: the middle of three counts.
      const scores = Object.fromEntries(
        Object.keys(GOALS).map((key) => [
          key,
          middle(runs.map((lhr) => Math.round((lhr.categories[key]?.score ?? 0) * 100))),
        ]),
      )
      const missed = Object.keys(GOALS).filter((key) => scores[key] < GOALS[key])
      const first = middle(runs.map((lhr) => Math.round(lhr.audits['largest-contentful-paint'].numericValue)))
      console.log(
        `${name.padEnd(10)} ${form.padEnd(8)} ${Object.values(scores)
          .map((score) => String(score).padStart(4))
          .join('')}   LCP ${first} ms${missed.length > 0 ? `   missed: ${missed.join(', ')}` : ''}`,
      )
      for (const key of missed) {
        const { auditRefs } = runs[0].categories[key]
        const failed = auditRefs
          .map(({ id, weight }) => ({ ...runs[0].audits[id], weight }))
          .filter(({ score, weight }) => weight > 0 && score !== null && score < 0.9)
        for (const { id, displayValue = '', details } of failed)
          console.log(
            `    ${id} ${displayValue} ${JSON.stringify(details?.items?.slice(0, 2).map(({ node, source, description, url }) => node?.snippet ?? description ?? url ?? source)) ?? ''}`,
          )
        bad.push(`${name} ${form} ${key}`)
      }
    }
  }
  process.exitCode = bad.length > 0 ? 1 : 0
} finally {
  await browser.close()
  await network.stop()
}

function middle(list) {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]
}

/** Answers the question about cookies, and signs somebody in. */
async function prepare(page, session) {
  await page.goto(`${network.url}/theme.js`)
  await page.evaluate((state) => {
    localStorage.clear()
    localStorage.setItem('tidenet.cookies', 'declined')
    if (state)
      localStorage.setItem('tidenet.login', JSON.stringify({ state: { ...state, userinfo: null }, version: 1 }))
  }, session)
}
