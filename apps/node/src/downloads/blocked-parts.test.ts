import { randomBytes } from 'node:crypto'
import {
  type Block,
  CHUNK_SIZE,
  type Cid,
  cidOfDigest,
  createFileHasher,
  DAG_PB,
  parseCid,
  RAW,
  rawCid,
} from '@tidenet/content'
import { dagPbBlock, directoryData, fileData, readNode } from '@tidenet/content/unixfs'
import { wholeLinks } from '@tidenet/content/whole-links'
import { errors } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { blockedKey } from '../blocked-contents.ts'
import { createTestEnv, type TestEnv, upload, uploadArchive } from '../test-env.fixture.ts'
import { makeArchive, makeFolder, type TestFolder } from '../test-folder.fixture.ts'
import { blocksOf } from './sample-downloads.fixture.ts'

let env: TestEnv
let node: StorageNode
beforeAll(async () => {
  env = await createTestEnv()
  node = await env.start()
})
afterEach(async () => {
  await lift()
})
afterAll(() => env.stop())

let last = 0
let blockedNow: string[] = []
const tell = async (list: { key: string; blocked: boolean }[]) => {
  env.server.blocked = list.map((each) => ({ ...each, id: ++last }))
  await env.server.until(() =>
    env.server.calls.some(({ operation, body }) => operation === 'heartbeat' && body.blocked === last),
  )
}
async function block(...cids: (Cid | string)[]) {
  blockedNow = cids.map((cid) => blockedKey(typeof cid === 'string' ? parseCid(cid) : cid))
  await tell(blockedNow.map((key) => ({ key, blocked: true })))
}
async function lift() {
  if (blockedNow.length > 0) await tell(blockedNow.map((key) => ({ key, blocked: false })))
  blockedNow = []
  env.server.blocked = []
}

const cidOf = async (bytes: Uint8Array): Promise<Cid> => {
  const hasher = createFileHasher()
  hasher.update(bytes)
  return (await hasher.finish()).cid
}
type Part = Block & { size: number }
async function leafOf(size: number): Promise<Part> {
  const bytes = randomBytes(size)
  return { cid: await rawCid(bytes), bytes, size }
}
async function fileOf(parts: readonly Part[]): Promise<Part> {
  const links = parts.map(({ cid, bytes }) => ({ name: '', cidBytes: cid.bytes, cumulativeSize: bytes.length }))
  const made = await dagPbBlock(links, fileData(parts.map(({ size }) => size)))
  return { ...made, size: parts.reduce((sum, { size }) => sum + size, 0) }
}
/** A request with a token for `as`. */
async function get(path: string, as: string, headers: Record<string, string> = {}) {
  const token = await env.server.downloadToken(node.id, as)
  return fetch(node.url + path, { headers: { authorization: `Bearer ${token}`, ...headers } })
}
const statusOf = async (path: string, as: string) => {
  const answer = await get(path, as)
  await answer.arrayBuffer().catch(() => {})
  return answer.status
}

/** A folder with files of one and of several leaves. */
async function sample() {
  const [bad, good] = [randomBytes(600_000), randomBytes(500_000)]
  const small = randomBytes(300)
  const folder = await makeFolder({ docs: { 'bad.bin': bad, 'good.bin': good }, 'small.bin': small })
  await uploadArchive(env, node, folder)
  return { folder, bad, good, small, badCid: await cidOf(bad), smallCid: await cidOf(small) }
}
const upTo = async (folder: TestFolder) => uploadArchive(env, node, folder)

describe('a folder that contains a blocked file', () => {
  it('does not give that file, in any form; its other files can be downloaded', async () => {
    const { folder, bad, badCid } = await sample()
    await block(badCid)
    const at = `/ipfs/${folder.cid}`
    const leaves = [await rawCid(bad.subarray(0, CHUNK_SIZE)), await rawCid(bad.subarray(CHUNK_SIZE, 2 * CHUNK_SIZE))]
    const paths = [
      `${at}/docs/bad.bin`,
      `${at}/docs/bad.bin?format=raw`,
      `${at}/docs/bad.bin?format=inner`,
      `${at}/docs/bad.bin?format=car&dag-scope=block`,
      `${at}/docs/bad.bin?format=car&entity-bytes=0:100`,
      `${at}?format=car`,
      `${at}?format=tar`,
      `${at}/docs?format=tar`,
      `${at}/docs?format=car`,
      ...[badCid, ...leaves].map((cid) => `/ipfs/${cid}?format=raw`),
    ]
    for (const path of paths) expect([path, await statusOf(path, folder.cid)]).toEqual([path, 451])
    expect((await get(`${at}/docs/bad.bin`, folder.cid, { range: 'bytes=0-9' })).status).toBe(451)
    const refused = await get(`${at}/docs/bad.bin`, folder.cid)
    expect(await refused.json()).toMatchObject({ err: errors.contentBlocked.err })
    for (const path of [`${at}/docs/good.bin`, `${at}/small.bin`, `${at}/docs/good.bin?format=car`])
      expect([path, await statusOf(path, folder.cid)]).toEqual([path, 200])
  })

  it('still lists the file', async () => {
    const { folder, badCid } = await sample()
    await block(badCid)
    const listing = (await (await get(`/ipfs/${folder.cid}/docs`, folder.cid)).json()) as {
      data: { FileProperties: { FileName: string }[] }
    }
    expect(listing.data.FileProperties.map(({ FileName }) => FileName)).toEqual(['bad.bin', 'good.bin'])
  })

  it('is whole again when the block is lifted', async () => {
    const { folder, badCid } = await sample()
    await block(badCid)
    expect(await statusOf(`/ipfs/${folder.cid}?format=car`, folder.cid)).toBe(451)
    await lift()
    const { cids } = await blocksOf(await get(`/ipfs/${folder.cid}?format=car`, folder.cid))
    expect(new Set(cids)).toEqual(new Set(folder.blocks.map(({ cid }) => cid.toString())))
  })

  it('is told to the server with the blocks that prove it, before it is refused to anyone', async () => {
    const { folder, smallCid, badCid } = await sample()
    await block(badCid, smallCid)
    expect(await statusOf(`/ipfs/${folder.cid}/small.bin`, folder.cid)).toBe(451)
    const report = env.server.calls.findLast(({ operation }) => operation === 'contains')
    const { cid, blocks, blocked } = (report?.body ?? {}) as { cid: string; blocks: string[]; blocked: string }
    expect(cid).toBe(folder.cid)
    expect([badCid.toString(), smallCid.toString()]).toContain(blocked)
    // As the server verifies it.
    let expected = [folder.cid]
    for (const text of blocks) {
      const bytes = Buffer.from(text, 'base64')
      const { cid: found } = folder.blocks.find((each) => Buffer.from(each.bytes).equals(bytes)) as Block
      expect(expected).toContain(found.toString())
      expected = wholeLinks(readNode(found, bytes)).map(String)
    }
    expect(expected).toContain(blocked)
  })

  it('a whole subfolder can be blocked as well', async () => {
    const { folder } = await sample()
    const docs = readNode(
      folder.root,
      folder.blocks.find(({ cid }) => cid.toString() === folder.cid)?.bytes ?? new Uint8Array(),
    )
    const { cid } = docs.links.find(({ name }) => name === 'docs') ?? { cid: folder.root }
    await block(cid)
    expect(await statusOf(`/ipfs/${folder.cid}/docs/good.bin`, folder.cid)).toBe(451)
    expect(await statusOf(`/ipfs/${folder.cid}/small.bin`, folder.cid)).toBe(200)
  })
})

describe('the same bytes by another name', () => {
  it('are refused: another codec, and version 0', async () => {
    const small = randomBytes(1000)
    const cid = await cidOf(small)
    await upload(env, node, small)
    await block(cidOfDigest(DAG_PB, cid.multihash.digest))
    expect(await statusOf(`/ipfs/${cid}`, cid.toString())).toBe(451)
    await lift()
    const large = randomBytes(600_000)
    const root = await cidOf(large)
    await upload(env, node, large)
    await block(cidOfDigest(RAW, root.multihash.digest))
    for (const name of [root.toString(), root.toV0().toString()])
      expect([name, await statusOf(`/ipfs/${name}`, root.toString())]).toEqual([name, 451])
  })

  it('are refused in a file that has the blocked one as its only part', async () => {
    const small = randomBytes(1000)
    const leaf = await rawCid(small)
    const wrapper = await dagPbBlock(
      [{ name: '', cidBytes: leaf.bytes, cumulativeSize: small.length }],
      fileData([small.length]),
    )
    const folder = await folderOf({ 'a.bin': wrapper }, [wrapper, { cid: leaf, bytes: small }])
    await upTo(folder)
    await block(leaf)
    expect(await statusOf(`/ipfs/${folder.cid}/a.bin`, folder.cid)).toBe(451)
    expect(await statusOf(`/ipfs/${leaf}?format=raw`, folder.cid)).toBe(451)
  })
})

describe('what is another content goes on', () => {
  it('a file that begins with exactly the bytes of a blocked one', async () => {
    const leaves = await Promise.all([1000, 1000, 500].map(leafOf))
    const prefix = await fileOf(leaves.slice(0, 2))
    const rest = await fileOf(leaves.slice(2))
    const longer = await fileOf([prefix, rest])
    const files = { 'prefix.bin': prefix, 'longer.bin': longer }
    const folder = await folderOf(files, [prefix, rest, longer, ...leaves])
    await upTo(folder)
    await block(prefix.cid)
    for (const [name, status] of Object.entries({ 'prefix.bin': 451, 'longer.bin': 200 }))
      expect([name, await statusOf(`/ipfs/${folder.cid}/${name}`, folder.cid)]).toEqual([name, status])
    expect(await statusOf(`/ipfs/${folder.cid}/longer.bin?format=car`, folder.cid)).toBe(200)
  })

  it('a file that has the same bytes as one of several parts, alone or beside the blocked one', async () => {
    const part = randomBytes(CHUNK_SIZE)
    const longer = Buffer.concat([part, randomBytes(1000)])
    const folder = await makeFolder({ 'part.bin': part, 'longer.bin': longer })
    await upTo(folder)
    await upload(env, node, longer)
    const alone = (await cidOf(longer)).toString()
    await block(await cidOf(part))
    expect(await statusOf(`/ipfs/${folder.cid}/part.bin`, folder.cid)).toBe(451)
    expect(await statusOf(`/ipfs/${folder.cid}/longer.bin`, folder.cid)).toBe(200)
    expect(await statusOf(`/ipfs/${alone}`, alone)).toBe(200)
  })

  it('a folder whose proof the server does not accept: audits would blame the node', async () => {
    const { folder, badCid } = await sample()
    env.server.refusesProofs = true
    await block(badCid)
    expect(await statusOf(`/ipfs/${folder.cid}/docs/bad.bin`, folder.cid)).toBe(200)
    env.server.refusesProofs = false
  })
})

/** A folder with these entries and blocks. */
async function folderOf(entries: Record<string, Block>, blocks: Block[]): Promise<TestFolder> {
  const links = Object.entries(entries).map(([name, { cid, bytes }]) => ({
    name,
    cidBytes: cid.bytes,
    cumulativeSize: bytes.length,
  }))
  const top = await dagPbBlock(links, directoryData())
  const all = [top, ...blocks]
  return { cid: top.cid.toString(), root: top.cid, blocks: all, archive: await makeArchive([top.cid], all) }
}
