import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type * as Sdk from '@tidenet/storage'
import { build } from 'vite'
import { test as baseTest } from './test-env.ts'

/** The SDK in a third-party page: bundled, under the portal's CSP, with a user's token. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const EXAMPLES = join(ROOT, 'examples')
const examples = readdirSync(EXAMPLES).filter((name) => name.endsWith('.mjs'))
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' }
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src *; img-src data:"

declare global {
  var sdk: typeof Sdk
  var storage: Sdk.Storage
}

let folder: string
let server: Server
let origin: string

interface Prepared {
  /** A page with `sdk` and `storage` on its window. */
  open: () => Promise<Page>
}

const test = baseTest.extend<Prepared>({
  open: async ({ page, user, at }, use) =>
    use(async () => {
      await page.goto(origin)
      await page.waitForFunction(() => 'sdk' in globalThis)
      await page.evaluate(
        (options) => {
          globalThis.storage = sdk.createStorage(options)
        },
        { url: at(''), token: user.token },
      )
      return page
    }),
})

test.beforeAll(async () => {
  // npm can fetch packages.
  test.setTimeout(180_000)
  folder = mkdtempSync(join(tmpdir(), 'tidenet-sdk-'))
  writeFileSync(join(folder, 'main.js'), `import * as sdk from '@tidenet/storage'\nglobalThis.sdk = sdk\n`)
  const html =
    '<!doctype html><title>SDK</title><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>'
  writeFileSync(join(folder, 'index.html'), html)
  const bundle = join(folder, 'bundle')
  // As described on the developer page.
  const sdk = `${process.env.TIDENET_URL}/downloads/tidenet-storage.tgz`
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', sdk], {
    cwd: folder,
  })
  await build({
    root: folder,
    logLevel: 'error',
    configFile: false,
    // The examples import the package installed here, not the workspace.
    resolve: { alias: { '@tidenet/storage': join(folder, 'node_modules/@tidenet/storage/dist/index.js') } },
    // The examples run in Node.js and in pages, where settings come from elsewhere.
    define: { 'process.env': 'globalThis.settings', 'process.argv': '[]' },
    build: {
      outDir: bundle,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: {
          index: join(folder, 'index.html'),
          ...Object.fromEntries(examples.map((name) => [name, join(EXAMPLES, name)])),
        },
        output: { entryFileNames: '[name].js' },
        preserveEntrySignatures: false,
      },
    },
    worker: { format: 'es' },
  })
  server = createServer((request, response) => {
    const name = request.url === '/' ? 'index.html' : join('.', decodeURI(request.url ?? ''))
    response.setHeader('content-type', TYPES[extname(name)] ?? 'text/plain')
    response.setHeader('content-security-policy', POLICY)
    response.end(readFileSync(join(bundle, name)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
test.afterAll(async () => {
  await new Promise((resolve) => server?.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

/** Generates bytes in the page, uploads and downloads them, and returns both hashes. */
async function roundTrip(page: Page, size: number, secret?: string) {
  return page.evaluate(
    async ({ size, secret }) => {
      const bytes = new Uint8Array(size)
      for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
      const hex = async (data: BufferSource) =>
        Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', data)), (byte) =>
          byte.toString(16).padStart(2, '0'),
        ).join('')
      const states: string[] = []
      let highest = 0
      const uploaded = await storage.uploadAsset(
        new File([bytes], 'page.bin'),
        secret ? { encrypt: { passphrase: secret, workFactor: 10 } } : {},
        ({ state, percent }) => {
          if (states.at(-1) !== state) states.push(state)
          highest = Math.max(highest, percent)
        },
      )
      if (!sdk.isSuccess(uploaded)) throw new Error(uploaded.msg)
      const { cid } = uploaded.data
      const downloaded = await storage.downloadAsset({
        assetCid: cid,
        to: 'blob',
        ...(secret && { decrypt: { passphrase: secret } }),
      })
      if (!sdk.isSuccess(downloaded)) throw new Error(downloaded.msg)
      const back = await downloaded.data.blob!.arrayBuffer()
      return { cid, states, highest, sent: await hex(bytes), back: await hex(back) }
    },
    { size, secret },
  )
}

for (const [name, size] of [
  ['a small file, in one form', 300_000],
  ['a large file, in resumable slices', 40_000_000],
] as const)
  test(`${name}, downloads as uploaded`, async ({ open }) => {
    const { states, highest, sent, back } = await roundTrip(await open(), size)
    expect(back).toBe(sent)
    expect(states.at(-1)).toBe('finishing')
    expect(highest).toBe(100)
  })

test('decrypts an encrypted file with its passphrase', { tag: '@long' }, async ({ open }) => {
  const { sent, back } = await roundTrip(await open(), 20_000_000, 'a long secret')
  expect(back).toBe(sent)
})

test('hashes in a worker of the page’s own origin', { tag: '@long' }, async ({ open }) => {
  const page = await open()
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(worker.url()))
  await roundTrip(page, 20_000_000)
  expect(workers.every((url) => url.startsWith(origin))).toBe(true)
  expect(workers.length).toBeGreaterThan(0)
})

test('uploads a selected folder and saves it as tar', { tag: '@long' }, async ({ open, file }) => {
  const page = await open()
  const folder = file('unused').path.replace(/unused$/, 'chosen')
  mkdirSync(join(folder, 'deep'), { recursive: true })
  writeFileSync(join(folder, 'a.txt'), 'hello')
  writeFileSync(join(folder, 'deep', 'b.bin'), randomBytes(700_000))
  await page.evaluate(() => {
    const input = Object.assign(document.createElement('input'), { type: 'file', webkitdirectory: true, id: 'choose' })
    document.body.append(input)
  })
  await page.setInputFiles('#choose', folder)
  const cid = await page.evaluate(async () => {
    const { files } = document.querySelector<HTMLInputElement>('#choose')!
    const result = await storage.uploadAsset(files!)
    if (!sdk.isSuccess(result)) throw new Error(result.msg)
    return result.data.cid
  })
  const saved = page.waitForEvent('download')
  await page.evaluate(async (assetCid) => {
    const result = await storage.downloadAsset({ assetCid, assetType: 'folder' })
    if (!sdk.isSuccess(result)) throw new Error(result.msg)
  }, cid)
  const download = await saved
  expect(download.suggestedFilename()).toBe('chosen.tar')
  const tar = readFileSync(await download.path())
  expect(tar.includes(readFileSync(join(folder, 'deep', 'b.bin')))).toBe(true)
})

test('a cancelled upload leaves nothing behind', { tag: '@long' }, async ({ open }) => {
  const page = await open()
  const { code, total, used } = await page.evaluate(async () => {
    const bytes = new Uint8Array(60_000_000)
    for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
    const task = storage.uploadAsset(new File([bytes], 'never.bin'), {}, ({ percent }) => {
      if (percent > 20) void task.cancel()
    })
    const { code } = await task
    const listed = await storage.listDirectoryContents()
    const profile = await storage.getUserProfile()
    return {
      code,
      total: sdk.isSuccess(listed) && listed.data.total,
      used: sdk.isSuccess(profile) && profile.data.UsedSize,
    }
  })
  expect({ code, total, used }).toEqual({ code: -200, total: 0, used: 0 })
})

test('resumes an upload after a reload', { tag: '@long' }, async ({ open, context, file, expected }) => {
  expected.push(/ERR_CONNECTION_RESET|Failed to load resource/)
  const { path } = file('resumed.bin', 40_000_000)
  const upload = async () => {
    // A new page each time, which only has its IndexedDB.
    const page = await open()
    await page.evaluate(() => {
      document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'choose' }))
    })
    await page.setInputFiles('#choose', path)
    return page.evaluate(async () => {
      const { files } = document.querySelector<HTMLInputElement>('#choose')!
      const resume = sdk.persistentResumeStore('unfinished')
      const sent: number[] = []
      const result = await storage.uploadAsset(files![0]!, { resume, retryCount: 1 }, ({ loaded }) => sent.push(loaded))
      return { code: result.code, sent }
    })
  }
  // The second chunk fails on every node: the page gives up with a part stored.
  await context.route('**/tus/**', (route) => {
    const { 'upload-offset': offset } = route.request().headers()
    return offset !== undefined && offset !== '0' ? route.abort('connectionreset') : route.fallback()
  })
  expect((await upload()).code).toBe(10015)
  await context.unrouteAll()
  const { code, sent } = await upload()
  expect(code).toBe(0)
  expect(sent.find((loaded) => loaded > 0)).toBeGreaterThanOrEqual(16 * 1024 * 1024)
})

test('runs every example in a page', { tag: '@long' }, async ({ open, at, user }) => {
  test.setTimeout(180_000)
  const page = await open()
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  await page.evaluate(
    (settings) => {
      Object.assign(globalThis, { settings })
    },
    { TIDENET_URL: at(''), TIDENET_TOKEN: user.token },
  )
  for (const name of examples) {
    lines.length = 0
    await page.evaluate((address) => import(address), `/${name}.js`)
    const results = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as { code: number })
    expect({ name, code: results.at(-1)?.code }).toEqual({ name, code: 0 })
  }
})
