import { randomBytes } from 'node:crypto'
import { open, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NodeSource } from '@tidenet/contract'
import { createClock, createLogger } from '@tidenet/daemon'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { StorageNode } from '../app.ts'
import { openContentStore } from '../contents/content-store.ts'
import { faults } from '../downloads/faults.ts'
import { createWorld, randomFile, upload, uploadArchive, type World } from '../test-env.fixture.ts'
import { makeFolder } from '../test-folder.fixture.ts'
import { createScrubber } from './scrub.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.stop())

type Result = { cid: string; state: string; size: number; error: string; bad_sources: { node_id: string }[] }
const results = () => world.server.of('replicas').flatMap((body) => body.results as Result[])
const resultOf = async (cid: string, state?: string): Promise<Result> => {
  const found = () => results().find((result) => result.cid === cid && (state === undefined || result.state === state))
  await world.server.until(() => found() !== undefined)
  return found()!
}
const sourceOf = async (node: StorageNode, cid: string, typ: 'pull' | 'audit' = 'pull'): Promise<NodeSource> => ({
  node_id: node.id,
  url: node.url,
  token: await world.server.downloadToken(node.id, cid, { typ }),
})
const fetchFile = async (node: StorageNode, cid: string) => {
  // Stays valid when a test moves the clock.
  const token = await world.server.downloadToken(node.id, cid, { exp: Math.floor(Date.now() / 1000) + 86_400 })
  return fetch(`${node.url}/ipfs/${cid}?token=${token}`)
}
const bytesAt = async (node: StorageNode, cid: string) => Buffer.from(await (await fetchFile(node, cid)).arrayBuffer())

describe('a node', () => {
  it('proves its key, and is the same node after a restart', async () => {
    const data = await world.folder()
    const first = await world.start({ data, kind: 'edge' })
    await first.stop()
    const second = await world.start({ data, kind: 'edge' })
    expect(second.id).toBe(first.id)
    expect(first.id).toMatch(/^e_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(world.server.of('register')[0]).toMatchObject({ kind: 'edge', url: first.url, capacity: 2 ** 33 })
  })

  it('says that it is alive and what it holds', async () => {
    const node = await world.start()
    await upload(world, node, randomBytes(1000))
    // A heartbeat that was in flight has the earlier state.
    const stats = () => (world.server.of('heartbeat').at(-1) as { stats: Record<string, number> } | undefined)?.stats
    await world.server.until(() => stats()?.contents === 1)
    expect(stats()).toMatchObject({ capacity: 2 ** 33, uploads: 0, downloads: 0 })
    expect(stats()?.used).toBeGreaterThanOrEqual(1000)
  })

  it('registers again when the server has forgotten it', async () => {
    await world.start()
    world.server.forget()
    await world.server.until(() => world.server.of('register').length === 2)
  })

  it('starts, serves and stops while the server is away', async () => {
    const data = await world.folder()
    const node = await world.start({ data })
    const { bytes, cid } = await randomFile(1000)
    await upload(world, node, bytes)
    await node.stop()
    world.server.away = true
    const again = await world.start({ data })
    expect((await bytesAt(again, cid)).equals(bytes)).toBe(true)
  })

  it('answers whether it is itself', async () => {
    const node = await world.start()
    const answer = await (await fetch(`${node.url}/health?nonce=n1`)).json()
    expect(answer).toMatchObject({ node_id: node.id, version: expect.any(String) })
  })
})

describe('a pull', () => {
  const pull = async (node: StorageNode, kind: 'file' | 'folder', cid: string, size: number, sources: NodeSource[]) => {
    const before = results().length
    world.server.give(node.id, { type: 'pull', cid, size, kind, sources })
    await world.server.until(() => results().length > before)
    return results().at(-1)!
  }

  it.each([1, 262_145, 5_000_000])('of a file of %i bytes gives the same file', async (size) => {
    const [from, to] = [await world.start(), await world.start()]
    const { bytes, cid } = await randomFile(size)
    await upload(world, from, bytes)
    const result = await pull(to, 'file', cid, size, [await sourceOf(from, cid)])
    expect(result).toMatchObject({ cid, state: 'stored', size, bad_sources: [] })
    expect((await bytesAt(to, cid)).equals(bytes)).toBe(true)
    // It has the inner blocks too, which audits and further pulls need.
    const further = await world.start()
    expect(await pull(further, 'file', cid, size, [await sourceOf(to, cid)])).toMatchObject({ state: 'stored' })
  })

  it('of a file of many equal leaves gives the same file', async () => {
    const [from, to] = [await world.start(), await world.start()]
    const bytes = Buffer.alloc(50_000_000)
    const { cid = '' } = await upload(world, from, bytes)
    expect(await pull(to, 'file', cid, bytes.length, [await sourceOf(from, cid)])).toMatchObject({ state: 'stored' })
    expect((await bytesAt(to, cid)).equals(bytes)).toBe(true)
  })

  it('of a folder gives the same folder, its blocks included', async () => {
    const [from, to] = [await world.start(), await world.start()]
    const folder = await makeFolder({ a: randomBytes(600_000), b: { c: Buffer.from('c') } })
    await uploadArchive(world, from, folder)
    const sources = [await sourceOf(from, folder.cid)]
    const size = folder.archive.length
    expect(await pull(to, 'folder', folder.cid, size, sources)).toMatchObject({ state: 'stored', size })
    const token = await world.server.downloadToken(to.id, folder.cid)
    expect((await fetch(`${to.url}/ipfs/${folder.blocks[0]?.cid}?format=raw&token=${token}`)).status).toBe(200)
  })

  it('of what is held already is answered at once', async () => {
    const node = await world.start()
    const { bytes, cid } = await randomFile(1000)
    await upload(world, node, bytes)
    expect(await pull(node, 'file', cid, 1000, [])).toMatchObject({ state: 'stored', size: 1000 })
  })

  it('leaves sources that lie, are gone or do not hold it, and names them', async () => {
    const { bytes, cid } = await randomFile(2_000_000)
    const good = await world.start()
    const liar = await world.start({ wrapOutgoing: faults['flip-bits'] })
    const empty = await world.start()
    for (const node of [good, liar]) await upload(world, node, bytes)
    const gone = { node_id: 'c_gone', url: `http://127.0.0.1:9/ipfs/${cid}`, token: 'x' }
    const sources = [gone, await sourceOf(empty, cid), await sourceOf(liar, cid), await sourceOf(good, cid)]
    const puller = await world.start()
    const result = await pull(puller, 'file', cid, bytes.length, sources)
    expect(result).toMatchObject({ state: 'stored' })
    expect(result.bad_sources.map((source) => source.node_id)).toEqual(['c_gone', empty.id, liar.id])
    expect((await bytesAt(puller, cid)).equals(bytes)).toBe(true)
  })

  it('leaves a source that is right about what a file is made of and sends other bytes', async () => {
    const { bytes, cid } = await randomFile(2_000_000)
    const good = await world.start()
    const liar = await world.start({
      wrapOutgoing(out) {
        const wrong = faults['flip-bits'](out)
        return { write: (piece) => (piece.length < 10_000 ? out : wrong).write(piece) }
      },
    })
    for (const node of [good, liar]) await upload(world, node, bytes)
    const puller = await world.start()
    const result = await pull(puller, 'file', cid, bytes.length, [await sourceOf(liar, cid), await sourceOf(good, cid)])
    expect(result).toMatchObject({ state: 'stored', bad_sources: [{ node_id: liar.id }] })
    expect((await bytesAt(puller, cid)).equals(bytes)).toBe(true)
  })

  it('fails when no source is right or there is no room, and leaves nothing', async () => {
    const { bytes, cid } = await randomFile(2_000_000)
    const folder = await makeFolder({ a: randomBytes(600_000) })
    const liar = await world.start({ wrapOutgoing: faults['flip-bits'] })
    await upload(world, liar, bytes)
    await uploadArchive(world, liar, folder)
    const data = await world.folder()
    const puller = await world.start({ data, capacity: 5_000_000 })
    const ofFile = [await sourceOf(liar, cid)]
    const ofFolder = [await sourceOf(liar, folder.cid)]
    expect(await pull(puller, 'file', cid, bytes.length, ofFile)).toMatchObject({ state: 'failed' })
    expect(await pull(puller, 'folder', folder.cid, folder.archive.length, ofFolder)).toMatchObject({ state: 'failed' })
    expect(await pull(puller, 'file', cid, bytes.length, [])).toMatchObject({ state: 'failed' })
    expect(await pull(puller, 'file', cid, 6_000_000, ofFile)).toMatchObject({ state: 'failed', bad_sources: [] })
    expect((await fetchFile(puller, cid)).status).toBe(404)
    expect(await readdir(join(data, 'incoming'))).toEqual([])
  })

  it('is not fetched from a private address where the network has none', async () => {
    const { bytes, cid } = await randomFile(1000)
    const from = await world.start()
    await upload(world, from, bytes)
    const careful = await world.start({ privateNodes: false })
    const result = await pull(careful, 'file', cid, bytes.length, [await sourceOf(from, cid)])
    expect(result).toMatchObject({ state: 'failed', bad_sources: [{ node_id: from.id }] })
  })
})

describe('a content', () => {
  it('is removed when the server says so', async () => {
    const node = await world.start()
    const { bytes, cid } = await randomFile(1000)
    await upload(world, node, bytes)
    world.server.give(node.id, { type: 'remove', cid, decided: Date.now() + 1 })
    expect(await resultOf(cid)).toMatchObject({ state: 'removed' })
    expect((await fetchFile(node, cid)).status).toBe(404)
  })

  it('stays when it was sent again while the server decided, and goes when the server says so still', async () => {
    const node = await world.start()
    const { bytes, cid } = await randomFile(1000)
    await upload(world, node, bytes)
    let answer = () => {}
    world.server.held = new Promise((resolve) => {
      answer = resolve
    })
    world.server.give(node.id, { type: 'remove', cid, decided: Date.now() })
    const heard = world.server.of('heartbeat').length
    await world.server.until(() => world.server.of('heartbeat').length > heard)
    expect((await upload(world, node, bytes)).code).toBe(0)
    answer()
    await world.server.until(() => world.server.of('heartbeat').length > heard + 2)
    expect(results()).toEqual([])
    expect(await bytesAt(node, cid)).toEqual(bytes)
    world.server.give(node.id, { type: 'remove', cid, decided: Date.now() + 1 })
    await resultOf(cid, 'removed')
    expect((await fetchFile(node, cid)).status).toBe(404)
  })

  it('that nobody wants is deleted an hour after it came, not before', async () => {
    const clock = createClock()
    const data = await world.folder()
    const node = await world.start({ clock, data })
    const { bytes, cid } = await randomFile(1000)
    await upload(world, node, bytes)
    world.server.unwanted = [cid]
    await node.stop()
    const young = await world.start({ clock, data })
    await world.server.until(() => world.server.of('inventory').some(({ cids }) => (cids as string[]).includes(cid)))
    expect((await fetchFile(young, cid)).status).toBe(200)
    await young.stop()
    clock.move(3600_001)
    world.server.ahead = 3600_001
    onTestFinished(() => {
      world.server.ahead = 0
    })
    const old = await world.start({ clock, data })
    await expect.poll(async () => (await fetchFile(old, cid)).status, { timeout: 5000 }).toBe(404)
  })
})

describe('an audit', () => {
  const auditResult = async (id: string) => {
    const found = () =>
      world.server
        .of('audits')
        .flatMap((body) => body.results as { id: string; passed: boolean; error?: string }[])
        .find((result) => result.id === id)
    await world.server.until(() => found() !== undefined)
    return found()!
  }
  let auditor: StorageNode
  beforeEach(async () => {
    auditor = await world.start({ kind: 'validator' })
  })
  const ask = async (
    node: StorageNode,
    content: { cid: string; kind: 'file' | 'folder' },
    id: string,
    position: number,
  ) => {
    const source = await sourceOf(node, content.cid, 'audit')
    world.server.give(auditor.id, { type: 'audit', id, ...content, position, source })
    return auditResult(id)
  }

  it.each([0, 0.5, 0.999_999, 1])('at %f is passed by a node that holds the content', async (position) => {
    const node = await world.start()
    const { bytes, cid } = await randomFile(3_000_000)
    await upload(world, node, bytes)
    const folder = await makeFolder({ a: randomBytes(600_000), b: { c: Buffer.from('c'), d: {} } })
    await uploadArchive(world, node, folder)
    expect(await ask(node, { cid, kind: 'file' }, 'file', position)).toMatchObject({ passed: true })
    expect(await ask(node, { cid: folder.cid, kind: 'folder' }, 'folder', position)).toMatchObject({ passed: true })
  })

  it('is failed by a node that sends other bytes, does not hold it or is gone', async () => {
    const liar = await world.start({ wrapOutgoing: faults['flip-bits'] })
    const empty = await world.start()
    const { bytes, cid } = await randomFile(3_000_000)
    await upload(world, liar, bytes)
    expect(await ask(liar, { cid, kind: 'file' }, 'liar', 0.3)).toMatchObject({ passed: false })
    expect(await ask(empty, { cid, kind: 'file' }, 'empty', 0.3)).toMatchObject({ passed: false })
    await liar.stop()
    expect(await ask(liar, { cid, kind: 'file' }, 'gone', 0.3)).toMatchObject({ passed: false })
  })
})

describe('a content that has rotted', () => {
  const clock = createClock()
  const log = createLogger('test', 'silent')

  /** A node's folder with one content, for the scrubber. */
  const setup = async (hold: (node: StorageNode) => Promise<string | undefined>) => {
    const data = await world.folder()
    const node = await world.start({ data })
    const cid = (await hold(node)) ?? ''
    await node.stop()
    const store = await openContentStore({ folder: data, capacity: 2 ** 30, now: clock.now, log })
    const reported: unknown[] = []
    const reporter = { add: (result: unknown) => void reported.push(result), stop: async () => {} }
    const scrubber = createScrubber({ store, reporter, clock, log })
    const step = () => scrubber.step(new AbortController().signal)
    return { cid, store, reported, step, path: join(data, 'contents', cid.slice(-2), cid) }
  }
  const aFile = async (node: StorageNode) => (await upload(world, node, randomBytes(700_000))).cid
  const aFolder = async (node: StorageNode) =>
    (await uploadArchive(world, node, await makeFolder({ a: randomBytes(700_000) }))).cid
  afterEach(() => clock.move(0))

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

  it('is given up soon when a download has met it', async () => {
    const { cid, path, reported, step, store } = await setup(aFile)
    await rm(path, { recursive: true })
    expect(await store.open(cid)).toBeUndefined()
    await step()
    expect(reported).toMatchObject([{ cid, state: 'missing' }])
  })

  it('does not mean one that is as it was', async () => {
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
