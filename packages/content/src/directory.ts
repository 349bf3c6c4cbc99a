import { compareBytes } from './byte-order.ts'
import type { Block } from './cid.ts'
import { buildShards, type ShardEntry } from './hamt.ts'
import { dagPbBlock, directoryData } from './unixfs.ts'

/** A directory of more entries than this is sharded. */
export const MAX_ENTRIES = 1000
/** And so is one whose names and CIDs take more bytes than this, as in Kubo. */
export const MAX_LINK_BYTES = 262_144

/** A directory that was built: its block, and in the order of its links either an entry or a shard. */
export interface Directory<T extends ShardEntry> {
  block: Block
  /** Bytes of this block and all below it. */
  cumulativeSize: number
  items: (T | Directory<T>)[]
}

const encoder = new TextEncoder()

/**
 * Builds the block or the shards of a directory. Names must differ; their order does not matter.
 * The rule for sharding is Kubo's with `Import.UnixFSDirectoryMaxLinks` at 1000: more than 1000 entries, or more than 262144 bytes of
 * names and CIDs. Kubo's default has no limit of entries, so CIDs of directories between both limits need that setting to agree.
 */
export async function buildDirectory<T extends ShardEntry>(entries: readonly T[]): Promise<Directory<T>> {
  const named = entries.map((entry) => ({ entry, bytes: encoder.encode(entry.name) }))
  const linkBytes = named.reduce((total, { entry, bytes }) => total + bytes.length + entry.cidBytes.length, 0)
  if (entries.length > MAX_ENTRIES || linkBytes > MAX_LINK_BYTES) return buildShards(entries)
  named.sort((a, b) => compareBytes(a.bytes, b.bytes))
  const items = named.map(({ entry }) => entry)
  const block = await dagPbBlock(items, directoryData())
  const cumulativeSize = items.reduce((total, item) => total + item.cumulativeSize, block.bytes.length)
  return { block, cumulativeSize, items }
}
