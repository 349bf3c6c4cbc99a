import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Block, type Cid, createFileHasher, DAG_PB, rawCid, sha256 } from '@tidenet/content'
import { dagPbBlock, fileData } from '@tidenet/content/unixfs'
import { createLogger } from '@tidenet/daemon'
import { CID } from 'multiformats/cid'
import * as Digest from 'multiformats/hashes/digest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StorageNode } from '../app.ts'
import { openContentStore } from '../contents/content-store.ts'
import { openWriteAhead } from '../contents/write-ahead.ts'
import { verifyContent } from '../tasks/scrub.ts'
import { createTestEnv, type TestEnv, upload, uploadArchive } from '../test-env.fixture.ts'
import { makeArchive, makeFolder } from '../test-folder.fixture.ts'
import { tusClient } from './tus-client.fixture.ts'

let env: TestEnv
let node: StorageNode
let data: string
beforeAll(async () => {
  env = await createTestEnv()
  data = await env.folder()
  node = await env.start({ data })
})
afterAll(() => env.stop())

/** An archive of a file, cut as another program would. */
async function fileArchive(bytes: Buffer, options: { chunkSize?: number; width?: number } = {}) {
  const { chunkSize = 262_144 } = options
  const hasher = createFileHasher(options)
  for (let at = 0; at < bytes.length; at += 1 << 20) await hasher.update(bytes.subarray(at, at + (1 << 20)))
  const { cid, inner } = await hasher.finish()
  const leaves: Block[] = []
  for (let at = 0; at === 0 || at < bytes.length; at += chunkSize) {
    const leaf = bytes.subarray(at, at + chunkSize)
    leaves.push({ cid: await rawCid(leaf), bytes: leaf })
  }
  const once = [...new Map([...inner.toReversed(), ...leaves].map((block) => [`${block.cid}`, block])).values()]
  return { cid: cid.toString(), root: cid, blocks: once, archive: await makeArchive([cid], once) }
}

/** As go-car writes it: version 2, with an index behind the data. */
function asV2(archive: Buffer, { padding = 0, index = randomBytes(500) } = {}): Buffer {
  const header = Buffer.alloc(51)
  header.set([10, 0xa1, 0x67, 0x76, 0x65, 0x72, 0x73, 0x69, 0x6f, 0x6e, 2])
  header.writeBigUInt64LE(BigInt(51 + padding), 27)
  header.writeBigUInt64LE(BigInt(archive.length), 35)
  header.writeBigUInt64LE(BigInt(51 + padding + archive.length), 43)
  return Buffer.concat([header, Buffer.alloc(padding), archive, index])
}

const get = async (at: StorageNode, cid: string, query = '', headers: Record<string, string> = {}) => {
  const token = await env.server.downloadToken(at.id, cid)
  const answer = await fetch(`${at.url}/ipfs/${cid}?token=${token}${query}`, { headers })
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const leftovers = () => readdir(join(data, 'incoming'))
const receiptOf = ({ receipt = '' }: { receipt?: string | undefined }) =>
  JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString())

describe('an archive whose root is a file', () => {
  it.each([
    ['as here', 900_000, {}],
    ['in one leaf', 1000, {}],
    ['in one large leaf', 1_000_000, { chunkSize: 1_048_576 }],
    ['in leaves of 1 MiB', 3_500_000, { chunkSize: 1_048_576, width: 1024 }],
    ['in small leaves and many levels', 200_000, { chunkSize: 1000, width: 3 }],
    ['without bytes', 0, {}],
  ] as const)('cut %s is the file', async (_name, size, cut) => {
    const bytes = randomBytes(size)
    const file = await fileArchive(bytes, cut)
    const answer = await uploadArchive(env, node, file)
    expect(answer).toMatchObject({ status: 200, cid: file.cid })
    expect(receiptOf(answer)).toMatchObject({ kind: 'file', size, blocks: file.blocks.length })
    expect((await get(node, file.cid)).bytes.equals(bytes)).toBe(true)
    if (size > 10)
      expect((await get(node, file.cid, '', { range: 'bytes=5-9' })).bytes.equals(bytes.subarray(5, 10))).toBe(true)
    for (const { cid, bytes } of file.blocks.slice(0, 5))
      expect((await get(node, file.cid, '&format=raw').then(() => rawBlock(file.cid, cid))).equals(bytes)).toBe(true)
    expect(await leftovers()).toEqual([])
    // Another node copies it, and both verify it.
    const otherData = await env.folder()
    const other = await env.start({ data: otherData })
    const source = {
      node_id: node.id,
      url: node.url,
      token: await env.server.downloadToken(node.id, file.cid, { typ: 'pull' }),
    }
    env.server.give(other.id, { type: 'pull', cid: file.cid, size, kind: 'file', sources: [source] })
    const results = () => env.server.of('replicas').flatMap((body) => body.results as { cid: string; state: string }[])
    await env.server.until(() => results().some((result) => result.cid === file.cid))
    expect(results().find((result) => result.cid === file.cid)).toMatchObject({ state: 'stored' })
    expect((await get(other, file.cid)).bytes.equals(bytes)).toBe(true)
    await other.stop()
    await verify(otherData, file.cid)
  })

  const rawBlock = async (root: string, cid: Cid) => {
    const token = await env.server.downloadToken(node.id, root)
    const answer = await fetch(`${node.url}/ipfs/${cid}?token=${token}&format=raw`)
    return Buffer.from(await answer.arrayBuffer())
  }

  /** What the scrubber does with a content. */
  async function verify(folder: string, cid: string) {
    const log = createLogger('test', 'silent')
    const ahead = await openWriteAhead({ folder, log })
    const store = await openContentStore({ folder, capacity: () => 2 ** 33, ahead, now: Date.now, log })
    const content = await store.open(cid)
    await verifyContent(content as NonNullable<typeof content>, async () => {})
    content?.release()
    await store.close()
  }

  it('has the CID of the same file sent as bytes', async () => {
    const bytes = randomBytes(700_000)
    const { cid } = await upload(env, node, bytes)
    expect(await uploadArchive(env, node, await fileArchive(bytes))).toMatchObject({ cid })
  })

  it('comes by tus, in chunks and as version 2', async () => {
    const bytes = randomBytes(800_000)
    const file = await fileArchive(bytes, { chunkSize: 100_000 })
    const client = await tusClient(env, { node, claims: { kind: 'car', cid: file.cid } })
    const archive = asV2(file.archive, { padding: 13 })
    const { path } = await client.create(archive.length)
    await client.patch(path, 0, archive.subarray(0, 1000))
    expect(await (await client.patch(path, 1000, archive.subarray(1000))).json()).toMatchObject({ cid: file.cid })
    expect((await get(node, file.cid)).bytes.equals(bytes)).toBe(true)
  })

  it('comes by tus in one request, and is verified like any other', async () => {
    const { cid, archive } = await makeFolder({
      a: { x: randomBytes(400_000) },
      y: randomBytes(10),
      z: Buffer.alloc(0),
    })
    const send = async (bytes: Buffer) => {
      const client = await tusClient(env, { node, claims: { kind: 'car', cid } })
      const { path } = await client.create(bytes.length)
      const answer = await client.patch(path, 0, bytes)
      return { status: answer.status, ...((await answer.json()) as { cid?: string }) }
    }
    for (const at of [archive.length - 1, archive.length >> 1, 100, 5]) {
      const wrong = Buffer.from(archive)
      wrong.writeUInt8(wrong.readUInt8(at) ^ 1, at)
      expect(await send(wrong)).toMatchObject({ status: 400 })
    }
    for (const wrong of [archive.subarray(0, -1), Buffer.concat([archive, Buffer.of(1)])])
      expect(await send(wrong)).toMatchObject({ status: 400 })
    expect(await leftovers()).toEqual([])
    expect(await send(archive)).toMatchObject({ status: 200, cid })
  })

  it('may have equal leaves, as far as the file is no larger than the token allows', async () => {
    const file = await fileArchive(Buffer.alloc(5_000_000))
    expect(file.archive.length).toBeLessThan(300_000)
    expect(await uploadArchive(env, node, file, { claims: { max: 4_999_999 } })).toMatchObject({ status: 413 })
    expect(await uploadArchive(env, node, file, { claims: { max: 5_000_000 } })).toMatchObject({ status: 200 })
  })
})

describe('a CARv2', () => {
  it.each(['form', 'body'] as const)('of a folder, as a %s, is stored and served as its CARv1', async (as) => {
    const folder = await makeFolder({ [`${as}.txt`]: randomBytes(400_000), b: { c: Buffer.from('c') } })
    const archive = asV2(folder.archive, { padding: 4096 })
    expect(await uploadArchive(env, node, { cid: folder.cid, archive }, { as })).toMatchObject({ cid: folder.cid })
    expect((await get(node, folder.cid, '&format=car')).bytes.equals(folder.archive)).toBe(true)
    expect((await get(node, `${folder.cid}/b/c`)).status).not.toBe(500)
    const place = join(data, 'contents', folder.cid.slice(-2), folder.cid, 'archive.car')
    expect((await stat(place)).size).toBe(folder.archive.length)
  })
})

describe('an archive is refused', () => {
  const refusal = async (archive: Buffer, cid: string, headers: Record<string, string> = {}) => {
    const { status, msg } = await uploadArchive(env, node, { cid, archive }, { headers })
    return { status, msg }
  }

  it('with data beyond its end, or before its header', async () => {
    const { cid, archive } = await makeFolder({ 'x.txt': randomBytes(100) })
    for (const [offset, size] of [
      [51, archive.length + 1],
      [51, 2 ** 52],
      [50, archive.length],
      [2 ** 40, archive.length],
      [52, archive.length],
      [51, 0],
    ] as const) {
      const wrong = asV2(archive, { index: Buffer.alloc(0) })
      wrong.writeBigUInt64LE(BigInt(offset), 27)
      wrong.writeBigUInt64LE(BigInt(size), 35)
      expect(await refusal(wrong, cid)).toMatchObject({ status: 400 })
    }
    expect(await leftovers()).toEqual([])
  })

  it('if leaves of its file are no raw blocks, with the way out, in both languages', async () => {
    const leaf = await dagPbBlock(
      [],
      Buffer.concat([Buffer.from([8, 2, 18, 3]), Buffer.from('abc'), Buffer.from([24, 3])]),
    )
    const root = await dagPbBlock([{ name: '', cidBytes: leaf.cid.bytes, cumulativeSize: 11 }], fileData([3]))
    for (const blocks of [[root, leaf], [leaf]]) {
      const [first] = blocks as [Block]
      const archive = await makeArchive([first.cid], blocks)
      const english = await refusal(archive, `${first.cid}`)
      const chinese = await refusal(archive, `${first.cid}`, { lang: 'cn' })
      expect([english.status, chinese.status]).toEqual([400, 400])
      expect(english.msg).not.toMatch(/\p{Script=Han}/u)
      expect(chinese.msg).toMatch(/\p{Script=Han}/u)
      expect(await refusal(await makeArchive([], []), `${first.cid}`)).not.toMatchObject({ msg: english.msg })
    }
  })

  it('with blocks that are not stored here: dag-cbor, and identity CIDs in blocks and links', async () => {
    const cbor = CID.createV1(0x71, Digest.create(0x12, await sha256(Uint8Array.of(0xa0)))) as Cid
    const identity = CID.createV1(0x55, Digest.create(0, Uint8Array.of(65, 66))) as Cid
    const folder = await makeFolder({ a: Buffer.from('a') })
    const linked = await dagPbBlock([{ name: 'a', cidBytes: identity.bytes, cumulativeSize: 2 }], Uint8Array.of(8, 1))
    const archives: [Cid, Buffer][] = [
      [folder.root, await makeArchive([folder.root], [...folder.blocks, { cid: cbor, bytes: Uint8Array.of(0xa0) }])],
      [folder.root, await makeArchive([folder.root], [{ cid: identity, bytes: Uint8Array.of(65, 66) }])],
      [folder.root, await makeArchive([cbor], [])],
      [linked.cid, await makeArchive([linked.cid], [linked])],
    ]
    const texts = new Set<string>()
    for (const [root, archive] of archives) {
      const { status, msg } = await refusal(archive, `${root}`)
      expect(status).toBe(400)
      texts.add(msg)
    }
    // One reason for all, which is not that the archive is damaged.
    expect([...texts]).toHaveLength(1)
    expect(texts).not.toContain((await refusal(Buffer.from('nonsense'), folder.cid)).msg)
  })

  it('if its file lacks a block, or it has blocks that its file does not link', async () => {
    const file = await fileArchive(randomBytes(600_000))
    const other = await fileArchive(randomBytes(10))
    expect(await refusal(await makeArchive([file.root], file.blocks.slice(0, -1)), file.cid)).toMatchObject({
      status: 400,
    })
    expect(await refusal(await makeArchive([file.root], [...file.blocks, ...other.blocks]), file.cid)).toMatchObject({
      status: 400,
    })
    expect(await leftovers()).toEqual([])
  })

  it('if its root is a symbolic link', async () => {
    const link = await dagPbBlock([], Uint8Array.of(8, 4, 18, 1, 97))
    expect(link.cid.code).toBe(DAG_PB)
    expect(await refusal(await makeArchive([link.cid], [link]), `${link.cid}`)).toMatchObject({ status: 400 })
  })
})
