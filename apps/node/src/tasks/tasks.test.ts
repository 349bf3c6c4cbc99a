import { randomBytes } from 'node:crypto'
import { open, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NodeSource } from '@tidenet/contract'
import { createClock, createLogger } from '@tidenet/daemon'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { StorageNode } from '../app.ts'
import { openContentStore } from '../contents/content-store.ts'
import { openWriteAhead } from '../contents/write-ahead.ts'
import { faults } from '../downloads/faults.ts'
import { createTestEnv, randomFile, type TestEnv, upload, uploadArchive } from '../test-env.fixture.ts'
import { makeFolder } from '../test-folder.fixture.ts'
import { createScrubber } from './scrub.ts'

let env: TestEnv
beforeEach(async () => {
  env = await createTestEnv()
})
afterEach(() => env.stop())

type Result = { cid: string; state: string; size: number; error: string; bad_sources: { node_id: string }[] }
const results = () => env.server.of('replicas').flatMap((body) => body.results as Result[])
const resultOf = async (cid: string, state?: string): Promise<Result> => {
  const found = () => results().find((result) => result.cid === cid && (state === undefined || result.state === state))
  await env.server.until(() => found() !== undefined)
  return found()!
}
const sourceOf = async (node: StorageNode, cid: string, typ: 'pull' | 'audit' = 'pull'): Promise<NodeSource> => ({
  node_id: node.id,
  url: node.url,
  token: await env.server.downloadToken(node.id, cid, { typ }),
})
const fetchFile = async (node: StorageNode, cid: string) => {
  // Stays valid when a test moves the clock.
  const token = await env.server.downloadToken(node.id, cid, { exp: Math.floor(Date.now() / 1000) + 86_400 })
  return fetch(`${node.url}/ipfs/${cid}?token=${token}`)
}
const bytesAt = async (node: StorageNode, cid: string) => Buffer.from(await (await fetchFile(node, cid)).arrayBuffer())

describe('a node', () => {
  it('proves its key, and keeps its id after a restart', async () => {
    const data = await env.folder()
    const first = await env.start({ data, kind: 'edge' })
    await first.stop()
    const second = await env.start({ data, kind: 'edge' })
    expect(second.id).toBe(first.id)
    expect(first.id).toMatch(/^e_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(env.server.of('register')[0]).toMatchObject({ kind: 'edge', url: first.url, capacity: 2 ** 33 })
  })

  it('sends heartbeats and its inventory', async () => {
    const node = await env.start()
    await upload(env, node, randomBytes(1000))
    // A heartbeat that was in flight has the earlier state.
    const stats = () => (env.server.of('heartbeat').at(-1) as { stats: Record<string, number> } | undefined)?.stats
    await env.server.until(() => stats()?.contents === 1 && stats()?.uploads === 0)
    expect(stats()).toMatchObject({ capacity: 2 ** 33, downloads: 0 })
    expect(stats()?.used).toBeGreaterThanOrEqual(1000)
  })

  it('registers again if the server does not know it', async () => {
    await env.start()
    env.server.forget()
    await env.server.until(() => env.server.of('register').length === 2)
  })

  it('starts, serves and stops while the server is unavailable', async () => {
    const data = await env.folder()
    const node = await env.start({ data })
    const { bytes, cid } = await randomFile(1000)
    await upload(env, node, bytes)
    await node.stop()
    env.server.away = true
    const again = await env.start({ data })
    expect((await bytesAt(again, cid)).equals(bytes)).toBe(true)
  })

  it('answers identity checks', async () => {
    const node = await env.start()
    const answer = await (await fetch(`${node.url}/health?nonce=n1`)).json()
    expect(answer).toMatchObject({ node_id: node.id, version: expect.any(String) })
  })
})

describe('a pull', () => {
  const pull = async (node: StorageNode, kind: 'file' | 'folder', cid: string, size: number, sources: NodeSource[]) => {
    const before = results().length
    env.server.give(node.id, { type: 'pull', cid, size, kind, sources })
    await env.server.until(() => results().length > before)
    return results().at(-1)!
  }

  it.each([1, 262_145, 5_000_000])('of a file of %i bytes stores the same file', async (size) => {
    const [from, to] = [await env.start(), await env.start()]
    const { bytes, cid } = await randomFile(size)
    await upload(env, from, bytes)
    const result = await pull(to, 'file', cid, size, [await sourceOf(from, cid)])
    expect(result).toMatchObject({ cid, state: 'stored', size, bad_sources: [] })
    expect((await bytesAt(to, cid)).equals(bytes)).toBe(true)
    // It has the inner blocks too, which audits and further pulls need.
    const further = await env.start()
    expect(await pull(further, 'file', cid, size, [await sourceOf(to, cid)])).toMatchObject({ state: 'stored' })
  })

  it('of a file of many equal leaves stores the same file', async () => {
    const [from, to] = [await env.start(), await env.start()]
    const bytes = Buffer.alloc(50_000_000)
    const { cid = '' } = await upload(env, from, bytes)
    expect(await pull(to, 'file', cid, bytes.length, [await sourceOf(from, cid)])).toMatchObject({ state: 'stored' })
    expect((await bytesAt(to, cid)).equals(bytes)).toBe(true)
  })

  it('of a folder stores the same folder with its blocks', async () => {
    const [from, to] = [await env.start(), await env.start()]
    const folder = await makeFolder({ a: randomBytes(600_000), b: { c: Buffer.from('c') } })
    await uploadArchive(env, from, folder)
    const sources = [await sourceOf(from, folder.cid)]
    const size = folder.archive.length
    expect(await pull(to, 'folder', folder.cid, size, sources)).toMatchObject({ state: 'stored', size })
    const token = await env.server.downloadToken(to.id, folder.cid)
    expect((await fetch(`${to.url}/ipfs/${folder.blocks[0]?.cid}?format=raw&token=${token}`)).status).toBe(200)
  })

  it('of stored content completes at once', async () => {
    const node = await env.start()
    const { bytes, cid } = await randomFile(1000)
    await upload(env, node, bytes)
    expect(await pull(node, 'file', cid, 1000, [])).toMatchObject({ state: 'stored', size: 1000 })
  })

  it('skips sources that send wrong bytes, are offline or lack the content, and names them', async () => {
    const { bytes, cid } = await randomFile(2_000_000)
    const good = await env.start()
    const liar = await env.start({ wrapOutgoing: faults['flip-bits'] })
    const empty = await env.start()
    for (const node of [good, liar]) await upload(env, node, bytes)
    const gone = { node_id: 'c_gone', url: `http://127.0.0.1:9/ipfs/${cid}`, token: 'x' }
    const sources = [gone, await sourceOf(empty, cid), await sourceOf(liar, cid), await sourceOf(good, cid)]
    const puller = await env.start()
    const result = await pull(puller, 'file', cid, bytes.length, sources)
    expect(result).toMatchObject({ state: 'stored' })
    expect(result.bad_sources.map((source) => source.node_id)).toEqual(['c_gone', empty.id, liar.id])
    expect((await bytesAt(puller, cid)).equals(bytes)).toBe(true)
  })

  it('skips a source with the right tree but wrong leaves', async () => {
    const { bytes, cid } = await randomFile(2_000_000)
    const good = await env.start()
    const liar = await env.start({
      wrapOutgoing(out) {
        const wrong = faults['flip-bits'](out)
        return { write: (piece) => (piece.length < 10_000 ? out : wrong).write(piece) }
      },
    })
    for (const node of [good, liar]) await upload(env, node, bytes)
    const puller = await env.start()
    const result = await pull(puller, 'file', cid, bytes.length, [await sourceOf(liar, cid), await sourceOf(good, cid)])
    expect(result).toMatchObject({ state: 'stored', bad_sources: [{ node_id: liar.id }] })
    expect((await bytesAt(puller, cid)).equals(bytes)).toBe(true)
  })

  it('fails without a correct source or free space, and leaves nothing', async () => {
    const { bytes, cid } = await randomFile(2_000_000)
    const folder = await makeFolder({ a: randomBytes(600_000) })
    const liar = await env.start({ wrapOutgoing: faults['flip-bits'] })
    await upload(env, liar, bytes)
    await uploadArchive(env, liar, folder)
    const data = await env.folder()
    const puller = await env.start({ data, capacity: 5_000_000 })
    const ofFile = [await sourceOf(liar, cid)]
    const ofFolder = [await sourceOf(liar, folder.cid)]
    expect(await pull(puller, 'file', cid, bytes.length, ofFile)).toMatchObject({ state: 'failed' })
    expect(await pull(puller, 'folder', folder.cid, folder.archive.length, ofFolder)).toMatchObject({ state: 'failed' })
    expect(await pull(puller, 'file', cid, bytes.length, [])).toMatchObject({ state: 'failed' })
    expect(await pull(puller, 'file', cid, 6_000_000, ofFile)).toMatchObject({ state: 'failed', bad_sources: [] })
    expect((await fetchFile(puller, cid)).status).toBe(404)
    expect(await readdir(join(data, 'incoming'))).toEqual([])
  })

  it('is not fetched from private addresses unless the network uses them', async () => {
    const { bytes, cid } = await randomFile(1000)
    const from = await env.start()
    await upload(env, from, bytes)
    const careful = await env.start({ privateNodes: false })
    const result = await pull(careful, 'file', cid, bytes.length, [await sourceOf(from, cid)])
    expect(result).toMatchObject({ state: 'failed', bad_sources: [{ node_id: from.id }] })
  })
})

describe('a content', () => {
  it('is removed when the server says so', async () => {
    const node = await env.start()
    const { bytes, cid } = await randomFile(1000)
    await upload(env, node, bytes)
    env.server.give(node.id, { type: 'remove', cid, decided: Date.now() + 1 })
    expect(await resultOf(cid)).toMatchObject({ state: 'removed' })
    expect((await fetchFile(node, cid)).status).toBe(404)
  })

  it('is kept if it was uploaded again meanwhile, and removed if the server repeats the removal', async () => {
    const node = await env.start()
    const { bytes, cid } = await randomFile(1000)
    await upload(env, node, bytes)
    let answer = () => {}
    env.server.held = new Promise((resolve) => {
      answer = resolve
    })
    env.server.give(node.id, { type: 'remove', cid, decided: Date.now() })
    const heard = env.server.of('heartbeat').length
    await env.server.until(() => env.server.of('heartbeat').length > heard)
    expect((await upload(env, node, bytes)).code).toBe(0)
    answer()
    await env.server.until(() => env.server.of('heartbeat').length > heard + 2)
    expect(results()).toEqual([])
    expect(await bytesAt(node, cid)).toEqual(bytes)
    env.server.give(node.id, { type: 'remove', cid, decided: Date.now() + 1 })
    await resultOf(cid, 'removed')
    expect((await fetchFile(node, cid)).status).toBe(404)
  })

  it('that the server does not want is deleted after an hour', async () => {
    const clock = createClock()
    const data = await env.folder()
    const node = await env.start({ clock, data })
    const { bytes, cid } = await randomFile(1000)
    await upload(env, node, bytes)
    env.server.unwanted = [cid]
    await node.stop()
    const young = await env.start({ clock, data })
    await env.server.until(() => env.server.of('inventory').some(({ cids }) => (cids as string[]).includes(cid)))
    expect((await fetchFile(young, cid)).status).toBe(200)
    await young.stop()
    clock.move(3600_001)
    env.server.ahead = 3600_001
    onTestFinished(() => {
      env.server.ahead = 0
    })
    const old = await env.start({ clock, data })
    await expect.poll(async () => (await fetchFile(old, cid)).status, { timeout: 5000 }).toBe(404)
  })
})

describe('an audit', () => {
  const auditResult = async (id: string) => {
    const found = () =>
      env.server
        .of('audits')
        .flatMap((body) => body.results as { id: string; passed: boolean; error?: string }[])
        .find((result) => result.id === id)
    await env.server.until(() => found() !== undefined)
    return found()!
  }
  let auditor: StorageNode
  beforeEach(async () => {
    auditor = await env.start({ kind: 'validator' })
  })
  const ask = async (
    node: StorageNode,
    content: { cid: string; kind: 'file' | 'folder'; size?: number },
    id: string,
    position: number,
  ) => {
    const source = await sourceOf(node, content.cid, 'audit')
    const url = `${node.url}/ipfs/${content.cid}?token=${source.token}&filename=a%20name`
    const of = { type: 'audit', id, ...content, position } as const
    env.server.give(auditor.id, { ...of, source: { ...source, url, list_url: url } })
    return auditResult(id)
  }

  it.each([0, 0.5, 0.999_999, 1])('at %f passes if the node stores the content', async (position) => {
    const node = await env.start()
    const { bytes, cid } = await randomFile(3_000_000)
    await upload(env, node, bytes)
    const folder = await makeFolder({ a: randomBytes(600_000), b: { c: Buffer.from('c'), d: {} } })
    await uploadArchive(env, node, folder)
    const file = { cid, kind: 'file' as const, size: bytes.length }
    const ofFolder = { cid: folder.cid, kind: 'folder' as const, size: folder.archive.length }
    expect(await ask(node, file, 'file', position)).toMatchObject({ passed: true })
    expect(await ask(node, ofFolder, 'folder', position)).toMatchObject({ passed: true })
    // Servers of earlier releases do not tell the size.
    expect(await ask(node, { ...file, size: 0 }, 'old', position)).toMatchObject({ passed: true })
  })

  it('fails if the node sends other bytes, lacks the content or is offline', async () => {
    const liar = await env.start({ wrapOutgoing: faults['flip-bits'] })
    const empty = await env.start()
    const { bytes, cid } = await randomFile(3_000_000)
    await upload(env, liar, bytes)
    const file = { cid, kind: 'file' as const, size: bytes.length }
    expect(await ask(liar, file, 'liar', 0.3)).toMatchObject({ passed: false })
    expect(await ask(empty, file, 'empty', 0.3)).toMatchObject({ passed: false })
    await liar.stop()
    expect(await ask(liar, file, 'gone', 0.3)).toMatchObject({ passed: false })
  })
})

describe('a corrupted content', () => {
  const clock = createClock()
  const log = createLogger('test', 'silent')

  /** A node's folder with one content, for the scrubber. */
  const setup = async (hold: (node: StorageNode) => Promise<string | undefined>) => {
    const data = await env.folder()
    const node = await env.start({ data })
    const cid = (await hold(node)) ?? ''
    await node.stop()
    const ahead = await openWriteAhead({ folder: data, log })
    const store = await openContentStore({ folder: data, capacity: () => 2 ** 30, ahead, now: clock.now, log })
    stores.push(store)
    const reported: unknown[] = []
    const reporter = { add: (result: unknown) => void reported.push(result), stop: async () => {} }
    const scrubber = createScrubber({ store, reporter, clock, log })
    const step = () => scrubber.step(new AbortController().signal)
    return { cid, store, reported, step, path: join(data, 'contents', cid.slice(-2), cid) }
  }
  const aFile = async (node: StorageNode) => (await upload(env, node, randomBytes(700_000))).cid
  const aFolder = async (node: StorageNode) =>
    (await uploadArchive(env, node, await makeFolder({ a: randomBytes(700_000) }))).cid
  const stores: Awaited<ReturnType<typeof openContentStore>>[] = []
  afterEach(async () => {
    clock.move(0)
    for (const store of stores.splice(0)) await store.close()
  })

  it.each([
    [
      'a file whose bytes changed',
      aFile,
      (path: string) => writeFile(join(path, 'data'), 'rotten bytes', { flag: 'r+' }),
    ],
    ['a file that was cut off', aFile, (path: string) => truncate(join(path, 'data'), 1000)],
    ['a file that was deleted', aFile, (path: string) => rm(path, { recursive: true })],
    ['a folder whose bytes changed', aFolder, (path: string) => write(join(path, 'archive.car'), 500_000)],
  ])('%s is given up within a week', async (_what, hold, damage) => {
    const { cid, path, reported, step, store } = await setup(hold)
    await damage(path)
    await step()
    expect(reported).toEqual([])
    clock.move(8 * 24 * 3600_000)
    await step()
    expect(reported).toMatchObject([{ cid, state: 'missing' }])
    expect(store.get(cid)).toBeUndefined()
    expect(store.space.used).toBe(0)
  })

  it('is removed soon after a download detected it', async () => {
    const { cid, path, reported, step, store } = await setup(aFile)
    await rm(path, { recursive: true })
    expect(await store.open(cid)).toBeUndefined()
    await step()
    expect(reported).toMatchObject([{ cid, state: 'missing' }])
  })

  it('does not include an intact content', async () => {
    for (const hold of [aFile, aFolder]) {
      const { cid, reported, step, store } = await setup(hold)
      clock.move(8 * 24 * 3600_000)
      await step()
      expect(reported).toEqual([])
      expect(store.get(cid)).toBeDefined()
    }
  })
})

async function write(path: string, position: number): Promise<void> {
  const file = await open(path, 'r+')
  await file.write('damage', position)
  await file.close()
}
