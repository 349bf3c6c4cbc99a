// The benchmark page, built like the portal and opened in Chromium.
import { createReadStream, existsSync } from 'node:fs'
import { request as ask, createServer } from 'node:http'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.wasm': 'application/wasm' }

// The same flags as in playwright.config.ts.
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Builds the page into `folder` and opens it; requests below /api are proxied to `api`. */
export async function openPage(folder, api) {
  const vite = createRequire(new URL('../apps/web/package.json', import.meta.url)).resolve('vite')
  const { build } = await import(pathToFileURL(vite).href)
  const outDir = join(folder, 'page')
  await build({
    root: fileURLToPath(new URL('page', import.meta.url)),
    configFile: false,
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true, target: 'es2022' },
    worker: { format: 'es' },
  })
  const server = createServer((request, response) => {
    if (api && request.url.startsWith('/api/')) {
      const { method, headers } = request
      request.pipe(
        ask(api + request.url, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode, answer.headers)
          answer.pipe(response)
        }),
      )
      return
    }
    const path = join(outDir, request.url === '/' ? 'index.html' : request.url.split('?')[0])
    if (!path.startsWith(outDir) || !existsSync(path)) {
      response.writeHead(404).end()
      return
    }
    response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream')
    createReadStream(path).pipe(response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({
    executablePath: process.env.TIDENET_CHROMIUM ?? '/usr/bin/chromium',
    args: FLAGS,
  })
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(error))
  await page.goto(`http://127.0.0.1:${server.address().port}/`)
  await page.waitForFunction('window.bench')
  return {
    page,
    browser,
    async close() {
      await browser.close()
      server.close()
    },
  }
}
