import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { createFileHasher } from '@tidenet/content'
import type Uppy from '@uppy/core'
import type UppyTus from '@uppy/tus'
import { build } from 'vite'
import { data, test } from './test-env.ts'

/** Uppy on a page of another origin: it sends what it always sends, and knows nothing about this network. */
declare global {
  var uppyParts: { Uppy: typeof Uppy; Tus: typeof UppyTus }
}

let folder: string
let server: Server
let origin: string

test.beforeAll(async () => {
  // Below the repository, where the packages are.
  folder = mkdtempSync(join(fileURLToPath(new URL('../../node_modules', import.meta.url)), '.uppy-'))
  writeFileSync(
    join(folder, 'main.js'),
    `import Uppy from '@uppy/core'\nimport Tus from '@uppy/tus'\nglobalThis.uppyParts = { Uppy, Tus }\n`,
  )
  const bundle = mkdtempSync(join(tmpdir(), 'tidenet-uppy-'))
  await build({
    root: folder,
    logLevel: 'error',
    configFile: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { outDir: bundle, lib: { entry: join(folder, 'main.js'), formats: ['es'], fileName: 'main' } },
  })
  const script = readFileSync(join(bundle, 'main.js'))
  rmSync(bundle, { recursive: true, force: true })
  server = createServer((request, response) => {
    const isScript = request.url === '/main.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript
        ? script
        : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
test.afterAll(async () => {
  await new Promise((resolve) => server?.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

interface Target {
  ResumeURL: string
  Token: string
  NodeID: string
}
const uploads: [string, { size: number; parallelUploads?: number; chunkSize?: number }][] = [
  ['a file in one request', { size: 700_001 }],
  ['a file in chunks', { size: 700_001, chunkSize: 250_000 }],
  ['a file in parts at the same time', { size: 3_000_001, parallelUploads: 4 }],
  ['an empty file', { size: 0 }],
]
for (const [name, { size, ...options }] of uploads)
  test(`Uppy uploads ${name}, with an ID in each request`, async ({ page, user }) => {
    const info = await data<{ List: Target[] }>('uploads.info', {}, user.token)
    const node = info.List[0] as Target
    await page.goto(origin)
    await page.waitForFunction(() => 'uppyParts' in globalThis)
    const { failed, uploaded } = await page.evaluate(
      async ({ size, options, endpoint, token }) => {
        const bytes = Uint8Array.from({ length: size }, (_, index) => (index * index) % 251)
        const uppy = new uppyParts.Uppy().use(uppyParts.Tus, {
          endpoint,
          headers: { authorization: `Bearer ${token}` },
          addRequestId: true,
          retryDelays: [],
          ...options,
        })
        uppy.addFile({ name: 'a file.bin', type: 'application/octet-stream', data: new Blob([bytes]) })
        const result = await uppy.upload()
        return {
          failed: result?.failed?.map(({ error }) => error),
          uploaded: result?.successful?.[0]?.uploadURL ?? '',
        }
      },
      { size, options, endpoint: node.ResumeURL, token: node.Token },
    )
    expect(failed).toEqual([])
    const head = await fetch(uploaded, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${node.Token}`, 'tus-resumable': '1.0.0' },
    })
    const hasher = createFileHasher()
    hasher.update(Uint8Array.from({ length: size }, (_, index) => (index * index) % 251))
    expect(head.headers.get('upload-length')).toBe(String(size))
    expect(head.headers.get('upload-cid')).toBe((await hasher.finish()).cid.toString())
  })
