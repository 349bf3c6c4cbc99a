import type { Cid } from './cid.ts'
import { checkChildShard, checkDirectory, readBlock, shardIndex } from './dag.ts'
import { ContentError } from './errors.ts'
import type { DirectoryEntry } from './graph.ts'
import { prefixLength, shardPath } from './hamt.ts'
import type { UnixfsNode } from './unixfs.ts'
import type { GetBlock } from './verify.ts'

/** Number of entries in a shard and the shards below it. */
export type CountEntries = (shard: Cid) => Promise<number>

/**
 * Entries `first` to `first + count` of a directory in link order, and the total number. Of a sharded directory only the shards that
 * contain these entries are read.
 */
export async function listPage(
  cid: Cid,
  getBlock: GetBlock,
  page: { first: number; count: number },
  countEntries: CountEntries,
): Promise<{ entries: DirectoryEntry[]; total: number }> {
  const { node } = await readBlock(cid, getBlock)
  checkDirectory(node)
  const { first, count } = page
  if (node.kind === 'directory') {
    const links = node.links.slice(first, first + count)
    return {
      entries: links.map(({ name, cid, cumulativeSize }) => ({ name, cid, size: cumulativeSize })),
      total: node.links.length,
    }
  }
  const total = await countEntries(cid)
  const entries: DirectoryEntry[] = []
  let at = 0
  const digits = prefixLength(node.fanout)
  const read = async (shard: UnixfsNode, position: number[]): Promise<void> => {
    if (position.length * Math.log2(shard.fanout) > 64)
      throw new ContentError('bad-dag', 'a directory of too many levels')
    for (const link of shard.links) {
      if (at >= first + count) return
      const inner = [...position, shardIndex(link.name, digits, shard.fanout)]
      if (link.name.length === digits) {
        const below = await countEntries(link.cid)
        if (at + below <= first) {
          at += below
          continue
        }
        const { node: child } = await readBlock(link.cid, getBlock)
        checkChildShard(child, shard.fanout)
        await read(child, inner)
        continue
      }
      at += 1
      if (at <= first) continue
      const name = link.name.slice(digits)
      const place = shardPath(name, shard.fanout)
      if (inner.some((index, depth) => place[depth] !== index))
        throw new ContentError('bad-dag', 'a shard contains a name of another shard')
      entries.push({ name, cid: link.cid, size: link.cumulativeSize })
    }
  }
  await read(node, [])
  return { entries, total }
}

/** The links of a shard: its own entries, and the shards below it. */
export function linksOfShard(node: UnixfsNode): { own: number; below: Cid[] } {
  const digits = prefixLength(node.fanout)
  const below = node.links.filter(({ name }) => name.length === digits).map(({ cid }) => cid)
  return { own: node.links.length - below.length, below }
}
