import { readFile } from 'node:fs/promises'
import { type Cid, ContentError } from '@tidenet/content'
import { linksOfShard } from '@tidenet/content/listing'
import type { UnixfsNode } from '@tidenet/content/unixfs'

/** Entries per shard of a folder, by index number, so that a page of a listing reads only a few shards. */
export type ShardCounts = Map<number, number>

/** File name of the counts; folders without shards have none. */
export const COUNTS = 'entries'

/** Number of the shard (4) · entries (4), little-endian. */
const RECORD = 8
/** Most levels of a shard tree. */
const LEVELS_MAX = 64

/** Collects shards in any order; counts when all blocks were read. */
export function createShardCounter(idOf: (shard: Cid) => Promise<number>) {
  const shards = new Map<number, { own: number; below: Cid[] }>()
  return {
    add(id: number, node: UnixfsNode): void {
      if (node.kind === 'shard') shards.set(id, linksOfShard(node))
    },
    async finish(): Promise<ShardCounts> {
      const counts: ShardCounts = new Map()
      const count = async (id: number, level: number): Promise<number> => {
        const known = counts.get(id)
        if (known !== undefined) return known
        const shard = shards.get(id)
        if (!shard || level > LEVELS_MAX) throw new ContentError('bad-dag', 'a shard links to what is not its shard')
        let sum = shard.own
        for (const cid of shard.below) sum += await count(await idOf(cid), level + 1)
        counts.set(id, Math.min(sum, 0xffffffff))
        return sum
      }
      for (const id of shards.keys()) await count(id, 0)
      return counts
    },
  }
}

export function writeCounts(counts: ShardCounts): Buffer {
  const bytes = Buffer.allocUnsafe(counts.size * RECORD)
  let at = 0
  for (const [id, count] of counts) {
    bytes.writeUInt32LE(id, at)
    bytes.writeUInt32LE(count, at + 4)
    at += RECORD
  }
  return bytes
}

/** Undefined if they were not stored, as with folders of earlier versions. */
export async function readCounts(path: string): Promise<ShardCounts | undefined> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!bytes) return undefined
  const counts: ShardCounts = new Map()
  for (let at = 0; at + RECORD <= bytes.length; at += RECORD)
    counts.set(bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4))
  return counts
}
