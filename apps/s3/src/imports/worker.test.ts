import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@tidenet/daemon'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startImports } from './worker.ts'

/** A portal that has these imports to lease, and a source on the same port. */
interface Finished {
  id: number
  reason: string
}
let portal: Server
let url: string
let parent: string
let waiting: number[]
let finished: Finished[]
/** Answers a call instead of the portal; undefined: as usual. */
let instead: (path: string, body: { id?: number }) => 'silent' | 'broken' | undefined
/** Imports of other accounts wait. */
let awaited: boolean
const LEASE_MS = 500

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'worker-'))
  waiting = []
  finished = []
  awaited = false
  instead = () => undefined
  portal = createServer(async (request, response) => {
    const path = request.url?.split('/').at(-1) ?? ''
    // The source: it sends its first bytes only.
    if (request.url?.startsWith('/endless')) return void response.writeHead(200, { 'content-length': 1000 }).write('x')
    if (path === 'missing') return void response.writeHead(404).end()
    let text = ''
    for await (const piece of request) text += piece
    const body = JSON.parse(text)
    const other = instead(path, body)
    if (other === 'silent') return
    if (other === 'broken') return void response.writeHead(400).end('<html>')
    const answer = (data: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ code: 0, data }))
    if (path === 'claim_import') {
      const id = waiting.shift()
      return void answer({ job: id === undefined ? null : jobOf(id) })
    }
    if (path === 'finish_import') finished.push({ id: body.id, reason: body.reason })
    answer(path === 'import_progress' ? { go: true, free: 1000, awaited } : {})
  })
  await new Promise<void>((listening) => portal.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`
})
afterEach(async () => {
  portal.closeAllConnections()
  await new Promise((closed) => portal.close(closed))
  await rm(parent, { recursive: true, force: true })
})

const jobOf = (id: number, kind = id >= COPIED ? 's3' : 'url') => ({
  id,
  lease: 'a lease',
  lease_ms: LEASE_MS,
  kind,
  source: `${url}/${id >= 100 ? 'endless' : 'missing'}`,
  name: '',
  group_id: 0,
  region: '',
  bucket: '',
  prefix: '',
  access_key_id: '',
  secret_access_key: '',
  to_bucket: '',
  token: 'tni_x',
  free: 1000,
  file_max: 1000,
  ipfs_sources: [],
  private_too: true,
})
const MISSING = 1
const ENDLESS = 100
/** From another S3, which never answers. */
const COPIED = 200

const start = (workFolder = parent, more: { turnLimits?: { slowMs: number; turnMs: number } } = {}) =>
  startImports(
    { server: url, gatewaySecret: 's', parallel: 1, pollMs: 20, silenceMs: 60_000, workFolder, ...more },
    createLogger('test', 'silent'),
  )
const end = (id: number) => expect.poll(() => finished.find((each) => each.id === id)?.reason, { timeout: 10_000 })

it('ends an import that found no room on the disk with a reason, and goes on with the next one', async () => {
  const folder = join(parent, 'later')
  await writeFile(folder, 'a file where the folder should be')
  waiting = [MISSING]
  const imports = start(folder)
  await end(MISSING).toBe('gateway')
  await rm(folder)
  await mkdir(folder)
  waiting.push(MISSING + 1)
  await end(MISSING + 1).toBe('missing')
  expect(await readdir(folder)).toEqual([])
  await imports.stop()
})

it('goes on after the portal did not take the end of an import', async () => {
  instead = (path, { id }) => (path === 'finish_import' && id === MISSING ? 'broken' : undefined)
  waiting = [MISSING, MISSING + 1]
  const imports = start()
  await end(MISSING + 1).toBe('missing')
  await imports.stop()
})

it('leaves an import when its lease has ended because the portal is silent', async () => {
  instead = (path) => (path === 'import_progress' ? 'silent' : undefined)
  waiting = [ENDLESS, MISSING]
  const imports = start()
  await end(ENDLESS).toBe('interrupted')
  await end(MISSING).toBe('missing')
  await imports.stop()
}, 30_000)

it('gives an import back when it is stopped, without a failure', async () => {
  waiting = [ENDLESS]
  const imports = start()
  await expect.poll(() => waiting.length).toBe(0)
  await imports.stop()
  expect(finished).toEqual([{ id: ENDLESS, reason: 'interrupted' }])
  expect(await readdir(parent)).toEqual([])
})

it.each([
  ['a slow source', ENDLESS, 'slow'],
  ['a bucket without end', COPIED, 'interrupted'],
])(
  'leaves %s for imports that wait, and keeps it while none does',
  async (_, id, reason) => {
    const turnLimits = { slowMs: 1, turnMs: 1 }
    waiting = [id]
    let asked = 0
    instead = (path) => {
      if (path === 'import_progress' && ++asked === 2) awaited = true
      return undefined
    }
    const imports = start(parent, { turnLimits })
    await end(id).toBe(reason)
    expect(asked).toBeGreaterThanOrEqual(2)
    await imports.stop()
  },
  30_000,
)
