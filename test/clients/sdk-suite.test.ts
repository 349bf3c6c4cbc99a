import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { chromium } from '@playwright/test'
import type { Network } from '@tidenet/testnet'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork } from '../network/test-network.ts'
import { signUp } from '../network/wire-client.ts'

/** One suite, `suite.mjs`, unmodified, in every place where the SDK runs. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SUITE = new URL('suite.mjs', import.meta.url)
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' }
const CASES = 9

interface Case {
  name: string
  error?: string
}

let network: Network
let folder: string
let server: Server
let origin: string
/** What pages report, by their id. */
const waiting = new Map<string, (results: Case[]) => void>()

beforeAll(async () => {
  network = await startNetwork({ nodes: 3 })
  folder = mkdtempSync(join(ROOT, 'node_modules/.suite-'))
  const suite = JSON.stringify(fileURLToPath(SUITE))
  writeFileSync(
    join(folder, 'run.js'),
    `import * as sdk from '@tidenet/storage'
import { runSuite } from ${suite}
export const run = (given) => runSuite({ sdk, ...given }).catch((error) => [{ name: 'suite', error: String(error) }])`,
  )
  writeFileSync(
    join(folder, 'worker.js'),
    `import { run } from './run.js'\nonmessage = async ({ data }) => postMessage(await run(data))`,
  )
  writeFileSync(
    join(folder, 'main.js'),
    `import { run } from './run.js'
const { id, url, token, place } = Object.fromEntries(new URLSearchParams(location.search))
const inWorker = () => new Promise((resolve) => {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }) => resolve(data)
  worker.onerror = ({ message }) => resolve([{ name: 'worker', error: message }])
  worker.postMessage({ url, token })
})
const results = await (place === 'worker' ? inWorker() : run({ url, token }))
await fetch('/result?id=' + id, { method: 'POST', body: JSON.stringify(results) })`,
  )
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>suite</title><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>',
  )
  const bundle = join(folder, 'bundle')
  await build({
    root: folder,
    logLevel: 'error',
    configFile: false,
    build: { outDir: bundle, target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    worker: { format: 'es' },
  })
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://page')
    if (request.method === 'POST') {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        waiting.get(searchParams.get('id') ?? '')?.(JSON.parse(Buffer.concat(chunks).toString()) as Case[])
        response.end()
      })
      return
    }
    const file = join(bundle, pathname === '/' ? 'index.html' : pathname)
    response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain')
    if (existsSync(file)) response.end(readFileSync(file))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server?.closeAllConnections()
  server?.close()
  await network?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const expectAll = (results: readonly Case[]) => {
  // As a text, since reports shorten lists.
  expect(results.flatMap(({ name, error }) => (error ? [`${name}: ${error}`] : [])).join('\n')).toBe('')
  expect(results).toHaveLength(CASES)
}
const person = async () => {
  const { token } = await signUp(network.url)
  return { url: network.url, token }
}

describe('the suite of the SDK passes in', () => {
  it('Node.js', async () => {
    const [sdk, { runSuite }] = await Promise.all([import('@tidenet/storage'), import(SUITE.href)])
    expectAll(await runSuite({ sdk, ...(await person()) }))
  })

  it('a worker of Node.js', async () => {
    const sdk = pathToFileURL(join(ROOT, 'packages/sdk/dist/index.js')).href
    const program = `
      const { parentPort, workerData } = require('node:worker_threads')
      Promise.all([import('${sdk}'), import('${SUITE.href}')])
        .then(([sdk, { runSuite }]) => runSuite({ sdk, ...workerData }))
        .then((results) => parentPort.postMessage(results))`
    const worker = new Worker(program, { eval: true, workerData: await person() })
    const results = await new Promise<Case[]>((resolve, reject) =>
      worker.once('message', resolve).once('error', reject),
    )
    await worker.terminate()
    expectAll(results)
  })

  for (const [name, openPage] of Object.entries({ Chromium: openChromium, Firefox: openFirefox, WebKit: openWebKit }))
    it.each(['page', 'worker'])(`${name}, in a %s`, async (place) => {
      const id = `${name}-${place}`
      const results = new Promise<Case[]>((resolve) => waiting.set(id, resolve))
      const close = await openPage(`${origin}/?${new URLSearchParams({ id, place, ...(await person()) })}`)
      try {
        expectAll(await results)
      } finally {
        await close()
      }
    })
})

type Close = () => Promise<unknown>

async function openChromium(url: string): Promise<Close> {
  const executablePath = process.env.TIDENET_CHROMIUM ?? '/usr/bin/chromium-headless-shell'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  await (await browser.newPage()).goto(url)
  return () => browser.close()
}

/** Without a driver: the page reports by itself. */
async function openFirefox(url: string): Promise<Close> {
  const profile = mkdtempSync(join(tmpdir(), 'tidenet-firefox-'))
  const settings = { 'browser.aboutwelcome.enabled': false, 'datareporting.policy.dataSubmissionEnabled': false }
  const lines = Object.entries(settings).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});`)
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  const child = spawn('firefox-esr', ['--headless', '--no-remote', '--profile', profile, url], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, HOME: profile },
  })
  return async () => {
    await endGroup(child)
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/** WebKitGTK by its WebDriver, on a screen of its own. */
async function openWebKit(url: string): Promise<Close> {
  const places = readdirSync('/usr/lib').flatMap((arch) =>
    ['4.1', '4.0'].map((at) => `/usr/lib/${arch}/webkit2gtk-${at}`),
  )
  const binary = places.map((place) => join(place, 'MiniBrowser')).find((path) => existsSync(path))
  if (!binary) throw new Error('There is no MiniBrowser of WebKitGTK.')
  const port = await freePort()
  const home = mkdtempSync(join(tmpdir(), 'tidenet-webkit-'))
  const child = spawn('xvfb-run', ['-a', 'WebKitWebDriver', `--port=${port}`], {
    stdio: 'ignore',
    detached: true,
    // Sandboxes of processes are not possible for root in a container.
    env: { ...process.env, HOME: home, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', LIBGL_ALWAYS_SOFTWARE: '1' },
  })
  const call = async (path: string, body: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: JSON.stringify(body) })
    return (await answer.json()) as { value: { sessionId: string; error?: string; message?: string } }
  }
  const close = async () => {
    await endGroup(child)
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  try {
    const options = { binary, args: ['--automation'] }
    const asked = { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } }
    await expect
      .poll(() => fetch(`http://127.0.0.1:${port}/status`).then(({ ok }) => ok), { timeout: 30_000 })
      .toBe(true)
    const { value } = await call('/session', asked)
    if (value.error) throw new Error(`${value.error}: ${value.message}`)
    await call(`/session/${value.sessionId}/url`, { url })
    return close
  } catch (error) {
    await close()
    throw error
  }
}

/** Ends a program with those that it started. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGKILL')
  await ended
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
