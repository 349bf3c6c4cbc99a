import { describe, expect, it } from 'vitest'
import { type Block, type Cid, cidText, parseCid, rawCid } from './cid.ts'
import { ContentError } from './errors.ts'
import { catFile, listDirectory, statPath } from './graph.ts'
import { importFile, importFolder, type OracleOptions } from './oracle.fixture.ts'
import { countingBytes, gather, refusal, seededRandom } from './seeded.fixture.ts'
import { dagPbBlock, directoryData, fileData } from './unixfs.ts'
import { type GetBlock, verifyingGet } from './verify.ts'
import { parseEntityBytes, type WalkOptions, walk } from './walk.ts'

function getFrom(blocks: Map<string, Uint8Array>): GetBlock {
  return verifyingGet(async (cid) => {
    const bytes = blocks.get(cidText(cid))
    if (!bytes) throw new ContentError('not-found', `no block ${cidText(cid)}`)
    return bytes
  })
}

const mapOf = (blocks: Block[]) => new Map(blocks.map(({ cid, bytes }) => [cidText(cid), bytes]))

async function folder(files: [string, Uint8Array][], options?: OracleOptions) {
  const { cid, blocks } = await importFolder(files, options)
  return { root: parseCid(cid.toString()), blocks, getBlock: getFrom(blocks) }
}

async function walked(root: Cid, getBlock: GetBlock, options?: WalkOptions) {
  const found: string[] = []
  for await (const block of walk(root, getBlock, options)) found.push(cidText(block.cid))
  return found
}

/** Only the blocks of a walk, which must suffice for the operation under test. */
async function given(root: Cid, getBlock: GetBlock, options?: WalkOptions) {
  const found = new Map<string, Uint8Array>()
  for await (const { cid, bytes } of walk(root, getBlock, options)) found.set(cidText(cid), bytes)
  return getFrom(found)
}

const FILES: [string, Uint8Array][] = [
  ['a/large', countingBytes(900_000)],
  ['a/small', countingBytes(10)],
  ['b/twin', countingBytes(10)],
  ['c/', new Uint8Array(0)],
]

describe('a walk', () => {
  it('returns every block once, before its children', async () => {
    const { root, blocks, getBlock } = await folder(FILES)
    const found = await walked(root, getBlock)
    expect(found[0]).toBe(cidText(root))
    expect(found.length).toBe(blocks.size)
    expect(new Set(found)).toEqual(new Set(blocks.keys()))
    const a = cidText((await statPath(root, 'a', getBlock)).cid)
    const large = cidText((await statPath(root, 'a/large', getBlock)).cid)
    const b = cidText((await statPath(root, 'b', getBlock)).cid)
    expect([found.indexOf(a), found.indexOf(large)]).toEqual([1, 2])
    expect(found.indexOf(b)).toBeGreaterThan(found.indexOf(large) + 3)
  })

  it('repeats blocks if duplicates are requested', async () => {
    const { root, getBlock } = await folder(FILES)
    const twin = cidText(await rawCid(countingBytes(10)))
    const found = await walked(root, getBlock, { duplicates: true })
    expect(found.filter((cid) => cid === twin).length).toBe(2)
  })

  it('of a path starts with the blocks that prove it', async () => {
    const { root, getBlock } = await folder(FILES)
    for (const scope of ['block', 'entity', 'all'] as const) {
      const part = await given(root, getBlock, { path: 'a/large', scope })
      expect(await statPath(root, 'a/large', part)).toMatchObject({ kind: 'file', size: 900_000 })
      const { cid } = await statPath(root, 'a/large', getBlock)
      expect(await refusal(gather(catFile(cid, part)))).toBe(scope === 'block' ? 'not-found' : undefined)
      expect(await refusal(statPath(root, 'b/twin', part))).toBe('not-found')
    }
  })

  it('of a block is only the block', async () => {
    const { root, getBlock } = await folder(FILES)
    expect(await walked(root, getBlock, { scope: 'block' })).toEqual([cidText(root)])
  })

  it('of a folder as an entity contains only what a listing needs', async () => {
    const many = Array.from({ length: 1500 }, (_, at): [string, Uint8Array] => [`f${at}`, countingBytes(20, at)])
    for (const shardAbove of [0, 1_000_000]) {
      const { root, getBlock, blocks } = await folder(many, { shardAbove })
      const found = await walked(root, getBlock, { scope: 'entity' })
      expect(found.length).toBe([...blocks.keys()].filter((cid) => cid.startsWith('bafybei')).length)
      let entries = 0
      for await (const _ of listDirectory(root, await given(root, getBlock, { scope: 'entity' }))) entries++
      expect(entries).toBe(1500)
    }
  })

  it('of a complete sharded folder contains everything, also the proof of a path', async () => {
    const many = Array.from({ length: 1500 }, (_, at): [string, Uint8Array] => [`f${at}`, countingBytes(20, at)])
    const { root, getBlock, blocks } = await folder(many, { shardAbove: 0 })
    expect(new Set(await walked(root, getBlock))).toEqual(new Set(blocks.keys()))
    const part = await given(root, getBlock, { path: 'f77', scope: 'block' })
    expect(await statPath(root, 'f77', part)).toMatchObject({ size: 20 })
  })

  it('of a byte range contains only the blocks of that range', async () => {
    const random = seededRandom(31)
    for (let round = 0; round < 60; round++) {
      // Zeros repeat, so that the same node is needed completely in one place and partly in another.
      const bytes = round % 2 ? countingBytes(2000, round) : new Uint8Array(2000)
      const { cid, blocks } = await importFile(bytes, { chunkSize: 16, width: 3 })
      const root = parseCid(cid.toString())
      const from = Math.floor(random() * 2000)
      const to = from + Math.floor(random() * 400)
      const options: WalkOptions = { scope: 'entity', bytes: { from, to } }
      const part = await given(root, getFrom(blocks), options)
      expect(await gather(catFile(root, part, { start: from, end: to + 1 }))).toEqual(bytes.subarray(from, to + 1))
      if (round % 2 && from >= 16) expect(await refusal(gather(catFile(root, part, { end: 1 })))).toBe('not-found')
      const tail = await given(root, getFrom(blocks), { scope: 'entity', bytes: { from: -40 } })
      expect(await gather(catFile(root, tail, { start: 1960 }))).toEqual(bytes.subarray(1960))
    }
  })

  it('ends early for a small tree that claims to be a huge file', async () => {
    let node: Block = { cid: await rawCid(countingBytes(10)), bytes: countingBytes(10) }
    let size = 10
    const blocks = [node]
    for (let depth = 0; depth < 7; depth++) {
      const child = node
      const links = Array.from({ length: 100 }, () => ({ cidBytes: child.cid.bytes, name: '', cumulativeSize: size }))
      node = await dagPbBlock(links, fileData(links.map(() => size)))
      size *= 100
      blocks.push(node)
    }
    const getBlock = getFrom(mapOf(blocks))
    expect((await walked(node.cid, getBlock)).length).toBe(8)
    const part: WalkOptions = { scope: 'entity', bytes: { from: 5, to: size - 7 } }
    expect((await walked(node.cid, getBlock, part)).length).toBe(8)
  })
})

describe('entity-bytes', () => {
  it('are parsed as gateways write them', () => {
    expect(parseEntityBytes('0:*')).toEqual({ from: 0 })
    expect(parseEntityBytes('100:199')).toEqual({ from: 100, to: 199 })
    expect(parseEntityBytes('-10:*')).toEqual({ from: -10 })
    expect(parseEntityBytes('-10:-1')).toEqual({ from: -10, to: -1 })
    expect(parseEntityBytes('5:-1')).toEqual({ from: 5, to: -1 })
  })

  it.each(['', ':', '0', '0:', '*:0', 'a:b', '5:1', '-1:-10', '1.5:2', '1:2:3', ' 0:*', '1e3:*'])(
    'refuse %j',
    (text) => {
      expect(parseEntityBytes(text)).toBeUndefined()
    },
  )
})

describe('a walk is refused', () => {
  it('before its first block if the path does not exist', async () => {
    const { root, getBlock } = await folder(FILES)
    const first = walk(root, getBlock, { path: 'a/nothing' })[Symbol.asyncIterator]().next()
    expect(await refusal(first)).toBe('not-found')
  })

  it('when a block is missing or wrong', async () => {
    const { root, blocks } = await folder(FILES)
    for (const [name, bytes] of blocks) {
      const without = new Map(blocks)
      without.delete(name)
      expect(await refusal(walked(root, getFrom(without)))).toBe('not-found')
      const broken = bytes.length === 0 ? Uint8Array.of(1) : bytes.map((byte) => byte ^ 1)
      expect(await refusal(walked(root, getFrom(new Map([...blocks, [name, broken]]))))).toBe('mismatch')
    }
  })

  it('when folders are nested too deeply', async () => {
    let node = await dagPbBlock([], directoryData())
    const blocks = [node]
    for (let depth = 0; depth < 1100; depth++) {
      node = await dagPbBlock([{ cidBytes: node.cid.bytes, name: 'd', cumulativeSize: 0 }], directoryData())
      blocks.push(node)
    }
    expect(await refusal(walked(node.cid, getFrom(mapOf(blocks))))).toBe('bad-dag')
  })

  it('when nodes are malformed in any way', async () => {
    const { root, blocks } = await folder(FILES)
    const random = seededRandom(8)
    const held = async (cid: Cid) => {
      const bytes = blocks.get(cidText(cid))
      if (!bytes) throw new ContentError('not-found', 'no block')
      // Not verified on purpose: this tests the parser.
      const broken = bytes.slice()
      if (broken.length > 0 && cid.code === 0x70 && random() < 0.5) {
        for (let edit = 0; edit < random() * 3; edit++) broken[Math.floor(random() * broken.length)] = random() * 256
      }
      return broken
    }
    for (let round = 0; round < 1500; round++) {
      expect([undefined, 'bad-dag', 'unsupported', 'not-found']).toContain(await refusal(walked(root, held)))
    }
  })
})
