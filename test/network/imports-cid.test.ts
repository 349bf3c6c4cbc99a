import { randomBytes } from 'node:crypto'
import { type Block, carFrame, createFileHasher, parseCid, rawCid, readCar } from '@tidenet/content'
import { planFolder } from '@tidenet/content/folder'
import { dagPbBlock, directoryData, fileData } from '@tidenet/content/unixfs'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { data, type ImportSource, importer, startSource } from './import-source.ts'
import { type Dag, serveDag } from './ipfs-source.ts'
import { startNetwork } from './test-network.ts'

/** Imports by CID from trustless gateways, of which each can lie. */

const MiB = 1024 * 1024
let network: Network
let source: ImportSource
beforeAll(async () => {
  source = await startSource()
  network = await startNetwork({
    nodes: [{ kind: 'candidate' }, { kind: 'candidate' }],
    s3: { port: 0 },
    env: { TIDENET_IPFS_SOURCES: `${source.url}/one, ${source.url}/two` },
  })
})
afterAll(async () => {
  await network?.stop()
  await source?.close()
})

async function folder(files: Record<string, Buffer>): Promise<Dag> {
  async function* pieces(bytes: Buffer) {
    yield bytes
  }
  async function* entries() {
    for (const [path, bytes] of Object.entries(files)) yield { path, size: bytes.length, open: () => pieces(bytes) }
  }
  const plan = await planFolder(entries(), {})
  const blocks: Block[] = []
  for await (const { cid, bytes } of readCar(plan.car()).blocks) blocks.push({ cid, bytes })
  return { root: parseCid(plan.root.toString()), blocks }
}

/** A file as older programs make it: all blocks are dag-pb, named by CIDs of version 0. */
async function oldFile(bytes: Buffer): Promise<Dag> {
  const leaves: Block[] = []
  const PIECE = 262_144
  for (let at = 0; at < bytes.length; at += PIECE) leaves.push(await oldLeaf(bytes.subarray(at, at + PIECE)))
  const sizes = leaves.map((_, index) => Math.min(PIECE, bytes.length - index * PIECE))
  const links = leaves.map(({ cid, bytes: leaf }) => ({
    name: '',
    cidBytes: cid.toV0().bytes,
    cumulativeSize: leaf.length,
  }))
  const root = await dagPbBlock(links, fileData(sizes))
  return { root: root.cid.toV0(), blocks: [root, ...leaves].map((block) => ({ ...block, cid: block.cid.toV0() })) }
}
/** A folder of these programs around one file. */
async function oldFolder(name: string, file: Dag): Promise<Dag> {
  const cumulativeSize = file.blocks.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const root = await dagPbBlock([{ name, cidBytes: file.root.bytes, cumulativeSize }], directoryData())
  return { root: root.cid.toV0(), blocks: [{ ...root, cid: root.cid.toV0() }, ...file.blocks] }
}
async function oldLeaf(bytes: Buffer): Promise<Block> {
  const length = (size: number): number[] => (size < 128 ? [size] : [(size & 127) | 128, ...length(size >> 7)])
  const unixfs = Buffer.from([8, 2, 18, ...length(bytes.length), ...bytes, 24, ...length(bytes.length)])
  return dagPbBlock([], unixfs)
}

const asRoot = (block: Block): Dag => ({ root: block.cid.toV0(), blocks: [{ ...block, cid: block.cid.toV0() }] })

async function newFile(bytes: Buffer): Promise<Dag> {
  const hasher = createFileHasher({ chunkSize: MiB, width: 1024 })
  await hasher.update(bytes)
  const { cid, inner } = await hasher.finish()
  const leaves: Block[] = []
  for (let at = 0; at < bytes.length; at += MiB) {
    const leaf = bytes.subarray(at, at + MiB)
    leaves.push({ cid: await rawCid(leaf), bytes: leaf })
  }
  return { root: cid, blocks: [...inner, ...leaves] }
}

type Importer = Awaited<ReturnType<typeof importer>>
const begin = async (person: Importer, cid: string, more: { name?: string; group_id?: number } = {}) =>
  data(await person.api.call('imports.cid', { cid, ...more })).id

describe('a content by its CID', () => {
  it('keeps its CID, as a folder, as one of older programs with an old name, as a file, and as one block', async () => {
    const person = await importer(network)
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`dir/file ${n}`, randomBytes(2000)]))
    const tree = await folder({ ...many, 'a.txt': Buffer.from('hello') })
    const bytes = randomBytes(2 * MiB + 5)
    const old = await oldFolder('old.bin', await oldFile(bytes))
    const file = await newFile(bytes)
    const one = Buffer.from('one block')
    const block: Dag = { root: await rawCid(one), blocks: [{ cid: await rawCid(one), bytes: one }] }
    for (const dag of [tree, old, file, block]) serveDag(source, '/two', dag)
    const group_id = data(await person.api.call('folders.create', { name: 'incoming', parent: 0 })).group.ID
    const ids = [
      await begin(person, String(tree.root), { name: 'site', group_id }),
      await begin(person, String(old.root), { name: 'old' }),
      await begin(person, String(file.root), { name: 'new.bin' }),
      await begin(person, String(block.root)),
    ]
    for (const id of ids) expect(await person.ended(id)).toMatchObject({ state: 'done', error: '' })
    expect(await person.items(group_id)).toEqual(new Map([['site', String(tree.root)]]))
    const items = await person.items()
    expect(items).toEqual(
      new Map([
        ['incoming', ''],
        ['old', String(old.root.toV1())],
        ['new.bin', String(file.root)],
        [String(block.root), String(block.root)],
      ]),
    )
    expect((await person.bytes(String(file.root))).equals(bytes)).toBe(true)
    const inOld = data(await person.storage.listFolder(String(old.root.toV1())))
    expect(inOld.entries.map(({ name }) => name)).toEqual(['old.bin'])
    const listed = data(await person.storage.listFolder(String(tree.root)))
    expect(listed.entries.map(({ name }) => name)).toEqual(['a.txt', 'dir'])
  })

  it('is put into a folder of its own if it is a file without raw leaves, which keeps its CID there', async () => {
    const person = await importer(network)
    const [large, small] = [randomBytes(2 * MiB + 5), randomBytes(900)]
    const files = [await oldFile(large), asRoot(await oldLeaf(small)), asRoot(await oldLeaf(Buffer.alloc(0)))]
    for (const file of files) serveDag(source, '/one', file)
    const [file, leaf, empty] = files.map(({ root }) => String(root)) as [string, string, string]
    const ids = [await begin(person, file, { name: 'old.bin' }), await begin(person, leaf), await begin(person, empty)]
    for (const id of ids) expect(await person.ended(id)).toMatchObject({ state: 'done', error: '' })
    const items = await person.items()
    const read = async (name: string) => {
      const folder = items.get(name) ?? ''
      const { entries } = data(await person.storage.listFolder(folder))
      expect(entries.map((entry) => entry.name)).toEqual([name])
      const { blob, ...asset } = data(await person.storage.downloadAsset({ assetCid: folder, path: name, to: 'blob' }))
      return { cid: asset.cid, bytes: Buffer.from(await (blob as Blob).arrayBuffer()) }
    }
    const v1 = (cid: string) => String(parseCid(cid).toV1())
    expect(await read('old.bin')).toEqual({ cid: v1(file), bytes: large })
    expect(await read(v1(leaf))).toEqual({ cid: v1(leaf), bytes: small })
    expect(await read(v1(empty))).toEqual({ cid: v1(empty), bytes: Buffer.alloc(0) })
  })

  it('comes from the next gateway, or block by block, if one lies, cuts its answer, or sends what nobody asked for', async () => {
    const person = await importer(network)
    const junk = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const bytes = randomBytes(1000)
        return { cid: await rawCid(bytes), bytes }
      }),
    )
    const files = () => folder({ a: randomBytes(600_000), b: randomBytes(300_000) })
    const wrong = (bytes: Uint8Array) => Uint8Array.from(bytes, (byte) => byte ^ 1)
    const cut = await files()
    serveDag(source, '/one', cut, { carBlocks: 3, raw: 'none' })
    serveDag(source, '/two', cut, { car: 'none' })
    const liar = await files()
    serveDag(source, '/one', liar, { change: wrong })
    serveDag(source, '/two', liar, { junk })
    for (const { root } of [cut, liar]) {
      const done = await person.ended(await begin(person, String(root)))
      expect(done).toMatchObject({ state: 'done', cid: String(root) })
    }
    // Nothing beside the content was stored.
    const size = [...cut.blocks, ...liar.blocks].reduce((sum, block) => sum + carFrame(block).length, 0)
    const { UsedSize } = data(await person.api.call('usage.storageSize', {}))
    expect(UsedSize).toBeLessThan(size + 1000)
  })

  it('fails if no gateway has it, all send other blocks, or it is no file or folder that nodes can keep', async () => {
    const person = await importer(network)
    const wrong = (bytes: Uint8Array) => Uint8Array.from(bytes, (byte) => byte ^ 1)
    const lied = await folder({ a: randomBytes(1000) })
    for (const gateway of ['/one', '/two']) serveDag(source, gateway, lied, { change: wrong })
    const cut = await folder({ a: randomBytes(600_000) })
    for (const gateway of ['/one', '/two']) serveDag(source, gateway, cut, { carBlocks: 2, raw: 'none' })
    const broken = await dagPbBlock([], Uint8Array.of(255, 255))
    serveDag(source, '/one', { root: broken.cid, blocks: [broken] })
    const cases = [
      [String(await rawCid(randomBytes(10))), 'noSource'],
      [String(lied.root), 'wrongBlocks'],
      [String(cut.root), 'wrongBlocks'],
      [String(broken.cid), 'unsupported'],
    ] as const
    const ids = []
    for (const [cid] of cases) ids.push(await begin(person, cid))
    for (const [index, id] of ids.entries())
      expect(await person.ended(id)).toMatchObject({ state: 'failed', reason: cases[index]?.[1], cid: '' })
    expect((await person.items()).size).toBe(0)
    const { UsedSize, ReservedSize } = data(await person.api.call('usage.storageSize', {}))
    expect({ UsedSize, ReservedSize }).toEqual({ UsedSize: 0, ReservedSize: 0 })
  })
})
