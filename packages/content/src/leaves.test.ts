import { describe, expect, it } from 'vitest'
import { type Block, type Cid, cidText, parseCid, rawCid } from './cid.ts'
import { ContentError } from './errors.ts'
import { createFileHasher, type FileHasherOptions } from './file.ts'
import { innerOf, leavesOfRange, readFileLayout, verifyLeaf } from './leaves.ts'
import { countingBytes, refusal, seededRandom } from './seeded.fixture.ts'
import { dagPbBlock, directoryData, fileData } from './unixfs.ts'

async function setup(bytes: Uint8Array, options?: FileHasherOptions) {
  const hasher = createFileHasher(options)
  await hasher.update(bytes)
  const file = await hasher.finish()
  return { file, getBlock: getFrom(file.inner) }
}

function getFrom(blocks: Block[]) {
  const held = new Map(blocks.map((block) => [cidText(block.cid), block.bytes]))
  return async (cid: Cid) => {
    const bytes = held.get(cidText(cid))
    if (!bytes) throw new ContentError('not-found', cidText(cid))
    return bytes
  }
}

/** A node with any links and sizes, consistent or not. */
function node(parts: { cid: Cid; size: number }[], data = fileData(parts.map((part) => part.size))): Promise<Block> {
  const links = parts.map((part) => ({ cidBytes: part.cid.bytes, name: '', cumulativeSize: part.size }))
  return dagPbBlock(links, data)
}

const leaf = async (size: number, seed = 0) => ({ cid: await rawCid(countingBytes(size, seed)), size })

describe('the layout of a file', () => {
  it('places every leaf, for many sizes and shapes of tree', async () => {
    const random = seededRandom(5)
    for (let round = 0; round < 80; round++) {
      const bytes = countingBytes(Math.floor(random() * 4000), round)
      const chunkSize = 10 + Math.floor(random() * 60)
      const { file, getBlock } = await setup(bytes, { chunkSize, width: 2 + Math.floor(random() * 5) })
      const layout = await readFileLayout(file.cid, bytes.length, getBlock)
      expect(layout).toMatchObject({ size: bytes.length, leafCount: file.leaves })
      if (file.leaves > 1) expect(layout.leafSize).toBe(chunkSize)
      for (let index = 0; index < layout.leafCount; index++) {
        const { cid, offset, size } = layout.leafAt(index)
        const part = bytes.subarray(offset, offset + size)
        expect([offset, size]).toEqual([index * chunkSize, Math.min(chunkSize, bytes.length - index * chunkSize)])
        expect(cidText(cid)).toBe(cidText(await rawCid(part)))
        expect(await verifyLeaf(layout, index, part)).toBe(true)
        expect(cidText(layout.leafAt(layout.leafOf(cid)!).cid)).toBe(cidText(cid))
      }
    }
  })

  it('returns the first position of a repeated leaf, and none for other blocks', async () => {
    const { file, getBlock } = await setup(new Uint8Array(10_000), { chunkSize: 16, width: 3 })
    const layout = await readFileLayout(file.cid, undefined, getBlock)
    expect(layout.leafOf(layout.leafAt(400).cid)).toBe(0)
    expect(layout.leafOf(await rawCid(countingBytes(3)))).toBeUndefined()
    expect(layout.leafOf(file.cid)).toBeUndefined()
  })

  it('of a raw root is its only leaf, with or without a given size', async () => {
    const bytes = countingBytes(77)
    const cid = await rawCid(bytes)
    const told = await readFileLayout(cid, 77, async () => expect.unreachable())
    const found = await readFileLayout(cid, undefined, async () => bytes)
    for (const layout of [told, found]) {
      expect(layout).toMatchObject({ size: 77, leafCount: 1 })
      expect(layout.leafAt(0)).toMatchObject({ offset: 0, size: 77 })
    }
  })

  it('supports leaves of different sizes from other chunkers', async () => {
    const sizes = [10, 30, 5, 5, 50, 1]
    const parts = await Promise.all(sizes.map((size, index) => leaf(size, index)))
    const root = await node(parts)
    const layout = await readFileLayout(root.cid, 101, getFrom([root]))
    expect(layout.leafSize).toBe(0)
    expect(sizes.map((_size, index) => layout.leafAt(index).size)).toEqual(sizes)
    expect(leavesOfRange(layout, 39, 41)).toEqual({ first: 1, count: 2, start: 10, end: 45 })
    expect(leavesOfRange(layout, 100, 200)).toEqual({ first: 5, count: 1, start: 100, end: 101 })
  })

  it('widens a range to whole leaves', async () => {
    const { file, getBlock } = await setup(countingBytes(1005), { chunkSize: 10, width: 4 })
    const layout = await readFileLayout(file.cid, 1005, getBlock)
    expect(leavesOfRange(layout, 0, 1)).toEqual({ first: 0, count: 1, start: 0, end: 10 })
    expect(leavesOfRange(layout, 9, 11)).toEqual({ first: 0, count: 2, start: 0, end: 20 })
    expect(leavesOfRange(layout, 1001, 9999)).toEqual({ first: 100, count: 1, start: 1000, end: 1005 })
    expect(leavesOfRange(layout, 5, 5).count).toBe(0)
    expect(leavesOfRange(layout, 2000, 3000).count).toBe(0)
  })

  it('supports a hundred thousand leaves', async () => {
    const { file, getBlock } = await setup(new Uint8Array(1_600_000), { chunkSize: 16 })
    const layout = await readFileLayout(file.cid, 1_600_000, getBlock)
    expect(layout.leafCount).toBe(100_000)
  })
})

describe('the inner nodes of a file', () => {
  it('come root first, each once', async () => {
    const { file, getBlock } = await setup(countingBytes(5000), { chunkSize: 16, width: 4 })
    const found: string[] = []
    for await (const block of innerOf(file.cid, getBlock)) found.push(cidText(block.cid))
    expect(found[0]).toBe(cidText(file.cid))
    expect(new Set(found)).toEqual(new Set(file.inner.map((block) => cidText(block.cid))))
    expect(new Set(found).size).toBe(found.length)
  })

  it('are none for a raw root', async () => {
    for await (const _ of innerOf(await rawCid(new Uint8Array(1)), async () => expect.unreachable()))
      expect.unreachable()
  })
})

describe('a layout is refused', () => {
  it('when a node does not match its CID', async () => {
    const { file, getBlock } = await setup(countingBytes(5000), { chunkSize: 16, width: 4 })
    for (const broken of file.inner) {
      const lying = async (cid: Cid) => {
        const bytes = (await getBlock(cid)).slice()
        if (cidText(cid) === cidText(broken.cid)) bytes[bytes.length - 1]! ^= 1
        return bytes
      }
      expect(await refusal(readFileLayout(file.cid, 5000, lying))).toBe('mismatch')
    }
  })

  it('when the size is not the given one', async () => {
    const { file, getBlock } = await setup(countingBytes(5000), { chunkSize: 16 })
    expect(await refusal(readFileLayout(file.cid, 4999, getBlock))).toBe('bad-dag')
  })

  it('when a part is larger or smaller than its parent says', async () => {
    const inner = await node([await leaf(10, 1), await leaf(10, 2)])
    for (const size of [19, 21]) {
      const root = await node([{ cid: inner.cid, size }, await leaf(5)])
      expect(await refusal(readFileLayout(root.cid, undefined, getFrom([root, inner])))).toBe('bad-dag')
    }
  })

  it('when sizes and links do not match, the total is wrong, or parts are empty or too large', async () => {
    const parts = [await leaf(10, 1), await leaf(10, 2)]
    const roots = await Promise.all([
      node(parts, fileData([10])),
      node(parts, fileData([10, 10, 10])),
      node(parts, Uint8Array.of(0x08, 2, 0x18, 21, 0x20, 10, 0x20, 10)),
      node([...parts, await leaf(0)]),
      node([{ ...parts[0]!, size: 3_000_000 }]),
    ])
    for (const root of roots) {
      expect(await refusal(readFileLayout(root.cid, undefined, getFrom([root])))).toBe('bad-dag')
    }
    expect(await refusal(readFileLayout(parts[0]!.cid, 3_000_000, getFrom([])))).toBe('bad-dag')
  })

  it('when it is a folder, or has bytes in inner nodes', async () => {
    const folder = await node([], directoryData())
    const inline = await node([], Uint8Array.of(0x08, 2, 0x12, 1, 65, 0x18, 1))
    for (const root of [folder, inline]) {
      expect(await refusal(readFileLayout(root.cid, undefined, getFrom([root])))).toBe('bad-dag')
    }
  })

  it('when the tree is a long chain, or has many nodes for few leaves', async () => {
    let root = await node([await leaf(10)])
    const blocks = [root]
    for (let depth = 0; depth < 40; depth++) {
      root = await node([{ cid: root.cid, size: 10 }])
      blocks.push(root)
    }
    expect(await refusal(readFileLayout(root.cid, 10, getFrom(blocks)))).toBe('bad-dag')

    const chain = blocks[20]!
    const bomb = await node(Array.from({ length: 1000 }, () => ({ cid: chain.cid, size: 10 })))
    expect(await refusal(readFileLayout(bomb.cid, 10_000, getFrom([...blocks, bomb])))).toBe('bad-dag')
  })

  it('when a small tree repeats itself into too many leaves', async () => {
    let size = 10
    let root = await node([await leaf(size), await leaf(size, 1)])
    size *= 2
    const blocks: Block[] = [root]
    for (let depth = 0; depth < 6; depth++) {
      const child = root
      root = await node(Array.from({ length: 20 }, () => ({ cid: child.cid, size })))
      size *= 20
      blocks.push(root)
    }
    const found = refusal(readFileLayout(root.cid, size, getFrom(blocks), { maxLeaves: 10_000 }))
    expect(await found).toBe('too-large')
  })

  it('when nodes are malformed in any way', async () => {
    const { file } = await setup(countingBytes(5000), { chunkSize: 16, width: 4 })
    const random = seededRandom(9)
    const good = file.inner[file.inner.length - 1]!.bytes
    for (let round = 0; round < 2000; round++) {
      const bytes = good.slice(0, 1 + Math.floor(random() * good.length))
      for (let edit = 0; edit <= random() * 4; edit++) bytes[Math.floor(random() * bytes.length)] = random() * 256
      const block = await dagPbOf(bytes)
      const found = await refusal(readFileLayout(block.cid, undefined, getFrom([...file.inner, block])))
      expect([undefined, 'bad-dag', 'not-found', 'unsupported', 'mismatch']).toContain(found)
    }
  })

  it('when a requested leaf does not exist, or its bytes do not match', async () => {
    const { file, getBlock } = await setup(countingBytes(100), { chunkSize: 16 })
    const layout = await readFileLayout(file.cid, 100, getBlock)
    expect(() => layout.leafAt(7)).toThrow(RangeError)
    expect(() => layout.leafAt(-1)).toThrow(RangeError)
    expect(await verifyLeaf(layout, 0, countingBytes(15))).toBe(false)
    expect(await verifyLeaf(layout, 0, countingBytes(16, 1))).toBe(false)
  })

  it('when its inner nodes are listed and one is a folder or missing', async () => {
    const folder = await node([], directoryData())
    const root = await node([{ cid: folder.cid, size: 1 }])
    const list = async (blocks: Block[]) => {
      for await (const _ of innerOf(root.cid, getFrom(blocks)));
    }
    expect(await refusal(list([root, folder]))).toBe('bad-dag')
    expect(await refusal(list([root]))).toBe('not-found')
  })
})

/** Any bytes under their dag-pb CID. */
async function dagPbOf(bytes: Uint8Array): Promise<Block> {
  const { cidOfDigest, DAG_PB } = await import('./cid.ts')
  const raw = await rawCid(bytes)
  expect(parseCid(cidText(raw)).multihash.digest).toEqual(raw.multihash.digest)
  return { cid: cidOfDigest(DAG_PB, raw.multihash.digest), bytes }
}
