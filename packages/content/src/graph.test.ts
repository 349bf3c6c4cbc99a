import { describe, expect, it } from 'vitest'
import { type Block, type Cid, cidText, parseCid, rawCid, sameBytes } from './cid.ts'
import { ContentError } from './errors.ts'
import { catFile, listDirectory, statPath } from './graph.ts'
import { importFile, importFolder, type OracleOptions } from './oracle.fixture.ts'
import { countingBytes, gather, refusal, seededRandom } from './seeded.fixture.ts'
import { dagPbBlock, directoryData, fileData, shardData } from './unixfs.ts'
import { type GetBlock, verifyingGet } from './verify.ts'

function getFrom(blocks: Map<string, Uint8Array> | Block[]): GetBlock {
  const held = Array.isArray(blocks) ? new Map(blocks.map(({ cid, bytes }) => [cidText(cid), bytes])) : blocks
  return verifyingGet(async (cid) => {
    const bytes = held.get(cidText(cid))
    if (!bytes) throw new ContentError('not-found', `no block ${cidText(cid)}`)
    return bytes
  })
}

/** Builds folders with another implementation. */
async function folder(files: [string, Uint8Array][], options?: OracleOptions) {
  const { cid, blocks } = await importFolder(files, options)
  return { root: parseCid(cid.toString()), blocks, getBlock: getFrom(blocks) }
}

async function names(root: Cid, getBlock: GetBlock) {
  const found: string[] = []
  for await (const { name } of listDirectory(root, getBlock)) found.push(name)
  return found
}

const link = (cid: Cid, name: string, cumulativeSize = 0) => ({ cidBytes: cid.bytes, name, cumulativeSize })
const shardBits = Uint8Array.of(1)

describe('a path', () => {
  const files: [string, Uint8Array][] = [
    ['a.txt', countingBytes(5)],
    ['b/c.bin', countingBytes(600_000)],
    ['b/文件/🚀', countingBytes(7)],
    ['b/empty/', new Uint8Array(0)],
  ]

  it('resolves to files and folders with their sizes', async () => {
    const { root, getBlock, blocks } = await folder(files)
    expect(await statPath(root, 'a.txt', getBlock)).toMatchObject({ kind: 'file', size: 5 })
    expect(await statPath(root, '/b//c.bin/', getBlock)).toMatchObject({ kind: 'file', size: 600_000 })
    expect(await statPath(root, 'b/文件/🚀', getBlock)).toMatchObject({ kind: 'file', size: 7 })
    expect(await statPath(root, 'b/empty', getBlock)).toMatchObject({ kind: 'directory', size: 4 })
    const total = [...blocks.values()].reduce((sum, bytes) => sum + bytes.length, 0)
    expect(await statPath(root, '', getBlock)).toEqual({ cid: root, kind: 'directory', size: total })
  })

  it('is found in sharded folders', async () => {
    const many = Array.from({ length: 2500 }, (_, at): [string, Uint8Array] => [`n${at}`, countingBytes(at % 10, at)])
    const { root, getBlock } = await folder(many, { shardAbove: 0 })
    for (const at of [0, 1, 77, 1234, 2499]) {
      const { cid, size } = await statPath(root, `n${at}`, getBlock)
      expect([cidText(cid), size]).toEqual([cidText(await rawCid(countingBytes(at % 10, at))), at % 10])
    }
    expect(await refusal(statPath(root, 'n2500', getBlock))).toBe('not-found')
    expect(await refusal(statPath(root, '', getBlock))).toBeUndefined()
  })

  it('is refused if it does not exist', async () => {
    const { root, getBlock } = await folder(files)
    const paths = ['x', 'a.txt/x', 'b/c.bin/0', '..', '.', 'b/../a.txt', 'A.TXT', 'a/'.repeat(300), '__proto__']
    for (const path of paths) expect(await refusal(statPath(root, path, getBlock))).toBe('not-found')
  })

  it('is refused for a symlink or a node of unknown kind', async () => {
    const symlink = await dagPbBlock([], Uint8Array.of(0x08, 4, 0x12, 1, 0x2f))
    const metadata = await dagPbBlock([], Uint8Array.of(0x08, 3))
    const root = await dagPbBlock([link(metadata.cid, 'm'), link(symlink.cid, 's')], directoryData())
    const getBlock = getFrom([symlink, metadata, root])
    for (const path of ['m', 's']) expect(await refusal(statPath(root.cid, path, getBlock))).toBe('bad-dag')
  })
})

describe('a listing', () => {
  it('contains every entry once, in link order', async () => {
    const files = ['b', 'a', 'ü', '文', 'Z'].map((name): [string, Uint8Array] => [name, countingBytes(3)])
    const { root, getBlock } = await folder(files)
    expect(await names(root, getBlock)).toEqual(['Z', 'a', 'b', 'ü', '文'])
  })

  it('contains every entry of a sharded folder once, with its size', async () => {
    const files = Array.from({ length: 3000 }, (_, at): [string, Uint8Array] => [`文${at}.txt`, countingBytes(9, at)])
    const { root, getBlock } = await folder(files, { shardAbove: 0 })
    const found = new Set<string>()
    for await (const { name, size } of listDirectory(root, getBlock)) {
      expect(size).toBe(9)
      found.add(name)
    }
    expect(found).toEqual(new Set(files.map(([name]) => name)))
  })

  it('is refused for files', async () => {
    const bytes = countingBytes(10)
    expect(await refusal(names(await rawCid(bytes), async () => bytes))).toBe('bad-dag')
  })

  it('is refused for shards with misplaced entries, empty shards, and links to non-shards', async () => {
    const leaf = await rawCid(countingBytes(1))
    const misplaced = await dagPbBlock([link(leaf, '00name')], shardData(shardBits, 256))
    const unplaced = await dagPbBlock([link(leaf, 'zzname')], shardData(shardBits, 256))
    const hollow = await dagPbBlock([], shardData(shardBits, 256))
    const overHollow = await dagPbBlock([link(hollow.cid, '00')], shardData(shardBits, 256))
    const folder = await dagPbBlock([], directoryData())
    const overFolder = await dagPbBlock([link(folder.cid, '00')], shardData(shardBits, 256))
    const odd = await dagPbBlock([], shardData(shardBits, 100))
    const otherHash = await dagPbBlock([], Uint8Array.of(0x08, 5, 0x28, 0x23, 0x30, 0x80, 2))
    const getBlock = getFrom([misplaced, unplaced, hollow, overHollow, folder, overFolder, odd, otherHash])
    for (const { cid } of [misplaced, unplaced, overHollow, overFolder, odd, otherHash]) {
      expect(await refusal(names(cid, getBlock))).toBe('bad-dag')
    }
  })

  it('is refused for shards that are nested too deeply', async () => {
    let shard = await dagPbBlock([link(await rawCid(countingBytes(1)), '00x')], shardData(shardBits, 256))
    const blocks = [shard]
    for (let depth = 0; depth < 50; depth++) {
      const twice = Array.from({ length: 256 }, (_, at) =>
        link(shard.cid, at.toString(16).toUpperCase().padStart(2, '0')),
      )
      shard = await dagPbBlock(twice, shardData(shardBits, 256))
      blocks.push(shard)
    }
    expect(await refusal(names(shard.cid, getFrom(blocks)))).toBe('bad-dag')
  })
})

describe('the bytes of a file', () => {
  it('are read completely and by range, from files of many shapes', async () => {
    const random = seededRandom(21)
    for (let round = 0; round < 60; round++) {
      const bytes = countingBytes(Math.floor(random() * 3000), round)
      const options = { chunkSize: 1 + Math.floor(random() * 80), width: 2 + Math.floor(random() * 4) }
      const { cid, blocks } = await importFile(bytes, options)
      const root = parseCid(cid.toString())
      expect(sameBytes(await gather(catFile(root, getFrom(blocks))), bytes)).toBe(true)
      for (let cut = 0; cut < 8; cut++) {
        const start = Math.floor(random() * (bytes.length + 10))
        const end = start + Math.floor(random() * 500)
        const part = await gather(catFile(root, getFrom(blocks), { start, end }))
        expect(sameBytes(part, bytes.subarray(start, end))).toBe(true)
      }
    }
  })

  it('are read only as far as a range needs', async () => {
    const { cid, blocks } = await importFile(countingBytes(10_000), { chunkSize: 10, width: 10 })
    let fetched = 0
    const counting: GetBlock = async (cid) => {
      fetched++
      return getFrom(blocks)(cid)
    }
    expect((await gather(catFile(parseCid(cid.toString()), counting, { start: 5005, end: 5015 }))).length).toBe(10)
    // The root, two levels of nodes and two leaves.
    expect(fetched).toBe(5)
  })

  it('may be stored in inner nodes, as old versions wrote them', async () => {
    const leaf = (text: string) =>
      dagPbBlock([], Uint8Array.of(0x08, 2, 0x12, text.length, ...new TextEncoder().encode(text), 0x18, text.length))
    const [one, two] = [await leaf('hello '), await leaf('world')]
    const root = await dagPbBlock([link(one.cid, ''), link(two.cid, '')], fileData([6, 5]))
    const getBlock = getFrom([one, two, root])
    expect(new TextDecoder().decode(await gather(catFile(root.cid, getBlock)))).toBe('hello world')
    expect(new TextDecoder().decode(await gather(catFile(root.cid, getBlock, { start: 4, end: 8 })))).toBe('o wo')
  })

  it('stop when the reader aborts', async () => {
    const { cid, blocks } = await importFile(countingBytes(1000), { chunkSize: 10 })
    const stop = new AbortController()
    const reading = catFile(parseCid(cid.toString()), getFrom(blocks), { signal: stop.signal })[Symbol.asyncIterator]()
    await reading.next()
    stop.abort(new Error('enough'))
    await expect(reading.next()).rejects.toThrow('enough')
  })

  it('are refused if a block is wrong, missing or of another size', async () => {
    const { cid, blocks } = await importFile(countingBytes(1000), { chunkSize: 100, width: 4 })
    const root = parseCid(cid.toString())
    for (const [name, bytes] of blocks) {
      const broken = bytes.slice()
      broken[0]! ^= 1
      expect(await refusal(gather(catFile(root, getFrom(new Map([...blocks, [name, broken]])))))).toBe('mismatch')
      const without = new Map(blocks)
      without.delete(name)
      expect(await refusal(gather(catFile(root, getFrom(without))))).toBe('not-found')
    }
    const leaf = countingBytes(10)
    const leafCid = await rawCid(leaf)
    for (const size of [9, 11, 0]) {
      const lying = await dagPbBlock([link(leafCid, ''), link(leafCid, '')], fileData([size, 10]))
      const getBlock = getFrom([lying, { cid: leafCid, bytes: leaf }])
      expect(await refusal(gather(catFile(lying.cid, getBlock, { end: 5 })))).toBe(size === 0 ? undefined : 'bad-dag')
    }
  })

  it('are refused for folders and for endless chains of nodes', async () => {
    const folder = await dagPbBlock([], directoryData())
    expect(await refusal(gather(catFile(folder.cid, getFrom([folder]))))).toBe('bad-dag')
    const leaf: Block = { cid: await rawCid(countingBytes(10)), bytes: countingBytes(10) }
    let node = leaf
    const blocks = [leaf]
    for (let depth = 0; depth < 50; depth++) {
      node = await dagPbBlock([link(node.cid, '')], fileData([10]))
      blocks.push(node)
    }
    expect(await refusal(gather(catFile(node.cid, getFrom(blocks))))).toBe('bad-dag')
  })
})
