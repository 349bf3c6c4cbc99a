import { type Block, type Cid, cidText, RAW, rawCid } from '@tidenet/content'
import { buildShards, type Shard, type ShardEntry } from '@tidenet/content/hamt'
import { dagPbBlock, directoryData, readNode } from '@tidenet/content/unixfs'
import { MiB } from '@tidenet/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OpenContent } from '../contents/open-content.ts'
import { createShardCounter, type ShardCounts } from '../contents/shard-counts.ts'
import { listFolder } from './listing.ts'

/** What a page of a folder costs, in blocks and bytes read and in records looked at. */

/**
 * A stored folder of entries with these names, all with the same content.
 * @param leaves raw blocks besides, in the index of an older folder, which has no counts
 * @param leavesAfter the client leaves after so many reads of blocks and records
 */
async function storedFolder(
  names: string[],
  entry: Block,
  { leaves = 0, leavesAfter = Number.POSITIVE_INFINITY } = {},
) {
  const root = await buildShards(
    names.map((name) => ({ name, cidBytes: entry.cid.bytes, cumulativeSize: entry.bytes.length })),
  )
  const blocks: Block[] = [entry]
  const add = (shard: Shard<ShardEntry>) => {
    blocks.push(shard.block)
    for (const item of shard.items) if ('items' in item) add(item)
  }
  add(root)
  const byCid = new Map(blocks.map((block, record) => [cidText(block.cid), { block, record }]))
  const byDigest = new Map(blocks.map(({ cid }, record) => [Buffer.from(cid.multihash.digest).toString('hex'), record]))
  const locate = async (digest: Uint8Array) => {
    const record = byDigest.get(Buffer.from(digest).toString('hex'))
    return record === undefined ? undefined : { record, codec: 0, offset: 0, length: 0 }
  }
  let counts: ShardCounts | undefined
  const counter = createShardCounter(async (cid) => (await locate(cid.multihash.digest))!.record)
  for (const [record, { cid, bytes }] of blocks.entries())
    if (cid.code !== RAW) counter.add(record, readNode(cid, bytes))
  const stored = await counter.finish()

  const cost = { blocks: 0, bytes: 0, records: 0 }
  const client = new AbortController()
  const watch = () => {
    if (cost.blocks + cost.records >= leavesAfter) client.abort(new Error('the client is gone'))
  }
  const getBlock = async (cid: Cid) => {
    client.signal.throwIfAborted()
    const { block } = byCid.get(cidText(cid))!
    cost.blocks += 1
    cost.bytes += block.bytes.length
    watch()
    return block.bytes
  }
  const content = {
    locate,
    shardCounts: async (count: () => Promise<ShardCounts>) => {
      counts ??= leaves > 0 ? await count() : stored
      return counts
    },
    index: async () => ({
      count: leaves + blocks.length,
      at: async () => {
        cost.records += 1
        watch()
        return { codec: RAW, digest: entry.cid.multihash.digest }
      },
    }),
  } as unknown as OpenContent
  const folder = { cid: root.block.cid, size: 0 }
  return {
    cost,
    async page(page: number, count: number) {
      Object.assign(cost, { blocks: 0, bytes: 0, records: 0 })
      const ask = { page, count, filename: undefined, path: [] }
      return (await listFolder(content, folder, getBlock, ask, (name) => name, client.signal)).data
    },
  }
}

const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `name ${index}`)
let leaf: Block
let small: Block
let large: Block
beforeAll(async () => {
  const bytes = new Uint8Array(20)
  leaf = { bytes, cid: await rawCid(bytes) }
  small = await dagPbBlock([], directoryData())
  const long = Array.from({ length: 4000 }, (_, index) => `${index}`.padStart(255, '0'))
  large = await dagPbBlock(
    long.map((name) => ({ name, cidBytes: leaf.cid.bytes, cumulativeSize: 20 })),
    directoryData(),
  )
  expect(large.bytes.length).toBeGreaterThan(MiB)
})

describe('a page of a folder', () => {
  it('of 100,000 entries costs about as much as one of 1,000', { tags: ['long'] }, async () => {
    for (const entry of [leaf, small]) {
      const most = []
      for (const size of [1000, 100_000]) {
        const { page, cost } = await storedFolder(namesOf(size), entry)
        let reads = 0
        for (const at of [0, 1, size / 20, size / 10 - 1]) {
          expect(await page(at, 10)).toMatchObject({ Total: size, FileProperties: { length: 10 } })
          reads = Math.max(reads, cost.blocks)
        }
        expect((await page(size, 10)).FileProperties).toEqual([])
        expect(cost.blocks).toBe(1)
        most.push(reads)
      }
      const [few = 0, many = 0] = most
      // The root, at most a shard per entry and level, and a block per entry for its size.
      expect(few).toBeLessThan(40)
      expect(many).toBeLessThan(40)
    }
  })

  it('reads a limited number of bytes for the sizes of its entries, and still lists all', async () => {
    const { page, cost } = await storedFolder(namesOf(1000), large)
    const { FileProperties } = await page(0, 1000)
    expect(FileProperties).toHaveLength(1000)
    expect(cost.bytes).toBeLessThan(67 * MiB)
  })

  it('is not read on after the client has left', async () => {
    const { page, cost } = await storedFolder(namesOf(3000), small, { leavesAfter: 100 })
    await expect(page(0, 3000)).rejects.toThrow('the client is gone')
    expect(cost.blocks).toBe(100)
  })

  it('of an older folder is not counted on after the client has left', async () => {
    const { page, cost } = await storedFolder(namesOf(1000), leaf, { leaves: 100_000, leavesAfter: 100 })
    await expect(page(0, 10)).rejects.toThrow('the client is gone')
    expect(cost.blocks + cost.records).toBeLessThanOrEqual(100)
  })
})
