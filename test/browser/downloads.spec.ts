import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import { texts as developerEn } from '../../apps/web/src/features/developer/texts.en.ts'
import { texts as developerZh } from '../../apps/web/src/features/developer/texts.zh.ts'
import { texts as downloadEn } from '../../apps/web/src/features/download/texts.en.ts'
import { texts as downloadZh } from '../../apps/web/src/features/download/texts.zh.ts'
import { accessibilityViolations, data, downloaded, expect, overflows, test, viewsFor } from './test-env.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const example = (name: string) => readFileSync(join(ROOT, 'examples', name), 'utf8').trim()

interface Release {
  kind: string
  platform: string
  file: string
  sha256: string
  url: string
}
const releaseOf = async (kind: string): Promise<Release> => {
  const { list } = await data<{ list: Release[] }>('releases.list')
  const found = list.find((release) => release.kind === kind && release.platform === 'any')
  if (!found) throw new Error(`no ${kind}: run node tools/pack-downloads.mjs`)
  return found
}

for (const view of viewsFor('narrow'))
  test.describe(view.name, () => {
    test.use({ view })
    const words = view.lang === 'zh' ? downloadZh : downloadEn
    const developer = view.lang === 'zh' ? developerZh : developerEn

    test('downloads a program that matches the shown checksum', async ({ page, context, at }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto(at('/download'))
      for (const kind of ['cli', 'node']) {
        const { file, sha256 } = await releaseOf(kind)
        const part = page.locator(`#${kind}`)
        await part.getByRole('button', { name: words.copyChecksum }).click()
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(sha256)
        const { name, bytes } = await downloaded(page, () =>
          part.getByRole('link', { name: words.download(file) }).click(),
        )
        expect(name).toBe(file)
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
      }
    })

    test('commands contain this portal’s address and file names, for every system', async ({ page, at }) => {
      await page.goto(at('/download'))
      const { url } = await releaseOf('node')
      const node = page.locator('#node')
      await expect(node.getByRole('tabpanel').first()).toContainText(`curl -O ${at(url)}`)
      await node.getByRole('tab', { name: words.nodeWays.invited }).click()
      await expect(node.getByRole('tabpanel').first()).toContainText(`--server ${at('')}`)
      await expect(node.getByRole('tabpanel').first()).toContainText('--kind validator')
      await node.getByRole('tab', { name: words.nodeWays.powershell }).first().click()
      await expect(node.getByRole('tabpanel').first()).toContainText('Invoke-WebRequest')
    })

    for (const [system, agent, platform] of [
      ['Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'windows-x64'],
      ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'macos-x64'],
      ['Linux', 'Mozilla/5.0 (X11; Linux x86_64)', 'linux-x64'],
    ] as const)
      test.describe(`on ${system}`, () => {
        test.use({ userAgent: `${agent} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36` })

        test(`${system} gets its one file with checksum and three lines, and can choose another system`, async ({
          page,
          at,
        }) => {
          await page.goto(at('/download'))
          const part = page.locator('#single')
          const { list } = await data<{ list: (Release & { tested: boolean })[] }>('releases.list')
          const own = list.filter((release) => release.platform === platform)
          expect(own.map(({ kind }) => kind)).toEqual(['node', 'cli'])
          for (const { file, sha256 } of own) {
            const { name, bytes } = await downloaded(page, () => part.locator(`a[href$="/${file}"]`).click())
            expect(name).toBe(file)
            expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
            const lines = part.locator('code', { hasText: `/downloads/${file}` })
            expect((await lines.innerText()).trim().split('\n')).toHaveLength(3)
            await expect(part.getByText(sha256.slice(0, 12)).first()).toBeVisible()
          }
          await expect(part.getByText(words.single.untested)).toHaveCount(own.every(({ tested }) => tested) ? 0 : 2)
          await part.getByRole('button', { name: words.single.platforms['linux-arm64'] }).click()
          await expect(part.locator('a[href$="/tidenet-node-linux-arm64"]')).toBeVisible()
          expect(await accessibilityViolations(page)).toEqual([])
          expect(await overflows(page)).toBe(false)
        })
      })

    test.describe('on Android', () => {
      test.use({
        userAgent: 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36',
      })

      test('Android is led to the portal as an app and to Termux, not to a file', async ({ page, at }) => {
        await page.goto(at('/download'))
        await expect(page.locator('#single').getByText(words.single.android)).toBeVisible()
        await expect(page.locator('#single a[download]')).toHaveCount(0)
        const lines = await page.locator('#android code').innerText()
        expect(lines.trim().split('\n')).toHaveLength(3)
        expect(lines).toContain(`--server ${at('')}`)
      })

      test('the portal can be installed', async ({ page, request, at }) => {
        await page.goto(at('/download'))
        const href = (await page.locator('link[rel=manifest]').getAttribute('href')) ?? ''
        const manifest = (await (await request.get(at(href))).json()) as { icons: { src: string }[]; display: string }
        expect(manifest.display).toBe('standalone')
        for (const { src } of manifest.icons) expect((await request.get(at(src))).status()).toBe(200)
      })
    })

    test('names no network available whose address this portal does not know', async ({ page, at }) => {
      await page.goto(at('/download'))
      const rows = page.locator('#devices li')
      await expect(rows.first().getByText(words.states.available)).toHaveCount(1)
      await expect(rows.first().getByText(words.states.noAddress)).toHaveCount(1)
    })

    test('lists programs by device and the requirements of a validator', async ({ page, at }) => {
      await page.goto(at('/download'))
      for (const device of Object.values(words.devices))
        await expect(page.locator('#devices li', { hasText: device.text })).toBeVisible()
      for (const need of words.kinds[2]?.needs ?? []) await expect(page.getByText(need, { exact: true })).toBeVisible()
    })

    test('shows examples as they are in the repository', async ({ page, at }) => {
      await page.goto(at('/developer'))
      const code = (text: string) => (view.lang === 'zh' ? text.replace(/^(?:(?:\/\/|#).*\n)+/, '') : text)
      const upload = page.getByRole('tablist', { name: developer.steps.upload.title }).locator('..')
      const shown = () => upload.getByRole('tabpanel').locator('code').innerText()
      expect(await shown()).toBe(code(example('upload-asset.mjs')))
      // Until then the page is prerendered only.
      await expect(page.locator('[data-prerendered]')).toHaveCount(0)
      await upload.getByRole('tab', { name: developer.ways.node }).focus()
      for (const file of ['browser/upload.js', 'cli/upload.sh', 'curl/upload.sh']) {
        await page.keyboard.press('ArrowRight')
        await expect.poll(shown).toBe(code(example(file)))
      }
      await page.keyboard.press('ArrowRight')
      expect(await shown()).toBe(code(example('upload-asset.mjs')))
    })

    test('finds error codes by number and by text', async ({ page, at }) => {
      await page.goto(at('/developer'))
      const errors = page.locator('#errors')
      await errors.getByRole('searchbox').fill('10018')
      await expect(errors.getByRole('row')).toHaveCount(2)
      await expect(errors).toContainText('folderUnknown')
      await errors.getByRole('searchbox').fill('no such code')
      await expect(errors.getByText(developer.noMatch)).toBeVisible()
      await errors.getByRole('tab', { name: developer.sdkCodes }).click()
      await expect(errors).toContainText('10030')
    })

    test('the extension page offers the portal’s own download in this language', async ({ page, at }) => {
      await page.goto(at('/ext_download?source=a&medium=b'))
      await expect(page).toHaveURL(at('/download#extension'))
      const { file, sha256 } = await releaseOf('extension')
      const part = page.locator('#extension')
      await expect(part.getByText(words.extensionChromium)).toBeVisible()
      const { name, bytes } = await downloaded(page, () => part.locator('a[download]').click())
      expect(name).toBe(file)
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
    })

    test('redirects to the configured store, in this language', async ({ page, at }) => {
      await withSettings(page)
      await page.goto(at('/ext_download'))
      await expect(page).toHaveURL(`https://store.example/${view.lang === 'zh' ? 'zh' : 'en'}`)
    })
  })

/** The operator configured a store and an edge product on other sites. */
async function withSettings(page: Page) {
  await page.route(/\.example\//, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>elsewhere</title>' }),
  )
  await page.route('**/api/v1/portal/settings', (route) =>
    route.fulfill({
      json: {
        code: 0,
        data: {
          edge_signup_url: 'https://edge.example/join',
          extension_store_urls: { cn: 'https://store.example/zh', en: 'https://store.example/en' },
          social: {},
          feedback_urls: { cn: '/about', en: '/about' },
          outbound_hosts: [],
          services_host: '',
          s3_url: '',
          ipfs_url: '',
        },
      },
    }),
  )
}

test.describe('the redirect to the extension', () => {
  const consent = (page: Page, answer: 'accepted' | 'declined' | 'undecided') =>
    page.addInitScript((kept) => localStorage.setItem('tidenet.cookies', kept), answer)
  const EVENT = '**/api/v1/portal/event'

  test('shows no support button', async ({ page, at }) => {
    await page.route('**/api/v1/portal/settings', () => {})
    await page.goto(at('/ext_download'))
    await expect(page.locator('h1')).toBeVisible()
    await expect(page.getByRole('button')).toHaveCount(0)
  })

  test('counts source and medium after consent, and redirects half a second later', async ({ page, at }) => {
    await consent(page, 'accepted')
    const counted = page.waitForRequest(EVENT)
    await page.goto(at('/ext_download?source=blog&medium=banner&x=1'))
    expect((await counted).postDataJSON()).toEqual({ name: 'ext_download', source: 'blog', medium: 'banner' })
    const answered = Date.now()
    await expect(page).toHaveURL(at('/download#extension'))
    expect(Date.now() - answered).toBeGreaterThan(300)
  })

  test('also counts while consent is undecided', async ({ page, at }) => {
    await consent(page, 'undecided')
    const counted = page.waitForRequest(EVENT)
    await page.goto(at('/ext_download?source=blog'))
    expect((await counted).postDataJSON()).toMatchObject({ name: 'ext_download', source: 'blog' })
  })

  test('counts nothing if consent was declined', async ({ page, at }) => {
    await consent(page, 'declined')
    let asked = 0
    await page.route(EVENT, (route) => {
      asked += 1
      return route.continue()
    })
    await page.goto(at('/ext_download?source=blog'))
    await expect(page).toHaveURL(at('/download#extension'))
    expect(asked).toBe(0)
  })

  test('redirects if counting is blocked, or after four seconds without a response', { tag: '@long' }, async ({
    page,
    at,
    expected,
  }) => {
    expected.push(/ERR_FAILED|ERR_BLOCKED_BY_CLIENT/)
    await consent(page, 'accepted')
    await page.route(EVENT, (route) => route.abort('blockedbyclient'))
    await page.goto(at('/ext_download'))
    await expect(page).toHaveURL(at('/download#extension'))
    await page.unroute(EVENT)
    await page.route(EVENT, () => {})
    await page.goto(at('/ext_download'), { waitUntil: 'commit' })
    const began = Date.now()
    await expect(page).toHaveURL(at('/download#extension'))
    expect(Date.now() - began).toBeLessThan(6000)
    expect(Date.now() - began).toBeGreaterThan(3000)
  })

  test.describe('on a phone', () => {
    test.use({
      userAgent:
        'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36',
    })

    test('redirects to the sign-up of the edge product with the original query', async ({ page, at }) => {
      await withSettings(page)
      await page.goto(at('/ext_download?source=a%20b&medium=1&invite=x%2Fy'))
      await expect(page).toHaveURL('https://edge.example/join?source=a%20b&medium=1&invite=x%2Fy')
    })

    test('redirects to this portal’s sign-up if there is no edge product', async ({ page, at }) => {
      await page.goto(at('/ext_download?source=blog'))
      await expect(page).toHaveURL(/\/login\?.*mode=signup/)
    })
  })
})

test.describe('the examples for pages', () => {
  const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' }
  const names = readdirSync(join(ROOT, 'examples/browser')).map((file) => file.replace('.js', ''))
  let folder: string
  let server: Server
  let origin: string
  /** The console output of the third-party page. */
  let facts: Record<string, string> = {}

  test.beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidenet-examples-'))
    const bundle = join(folder, 'bundle')
    await build({
      root: folder,
      logLevel: 'error',
      configFile: false,
      resolve: { alias: { '@tidenet/storage': join(ROOT, 'packages/sdk/dist/index.js') } },
      build: {
        outDir: bundle,
        target: 'es2022',
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: Object.fromEntries(names.map((name) => [name, join(ROOT, `examples/browser/${name}.js`)])),
          output: { entryFileNames: '[name].js' },
        },
      },
      worker: { format: 'es' },
    })
    server = createServer((request, response) => {
      const name = decodeURI(request.url ?? '').slice(1)
      const page = names.includes(name)
      response.setHeader('content-type', TYPES[page ? '.html' : extname(name)] ?? 'text/plain')
      const attributes = Object.entries(facts).map(([key, value]) => `data-${key}="${value}"`)
      response.end(
        page
          ? `<!doctype html><title>${name}</title><link rel="icon" href="data:,"><body ${attributes.join(' ')}>
             <input type="file"><progress max="100"></progress><output></output><ul></ul><button>go</button>
             <script type="module" src="/${name}.js"></script>`
          : readFileSync(join(bundle, name)),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  test.afterAll(async () => {
    await new Promise((resolve) => server?.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  })

  test('upload, list, download and share', async ({ page, user, at, file }) => {
    facts = { url: at(''), token: user.token }
    const { path, bytes } = file('tide.txt')
    await page.goto(`${origin}/upload`)
    await page.locator('input[type=file]').setInputFiles(path)
    await expect(page.locator('output')).toHaveText(/^b[a-z2-7]{58}$/)
    facts = { ...facts, cid: await page.locator('output').innerText() }
    await page.goto(`${origin}/list`)
    await expect(page.locator('li')).toHaveText(['tide.txt'])
    await page.goto(`${origin}/download`)
    const saved = await downloaded(page, () => page.getByRole('button', { name: 'go' }).click())
    expect(saved.bytes.equals(bytes)).toBe(true)
    await page.goto(`${origin}/share`)
    await page.getByRole('button', { name: 'go' }).click()
    await expect(page.locator('output')).toContainText('cid=')
  })
})
