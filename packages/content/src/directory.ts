import { compareBytes } from './byte-order.ts'
import type { Block } from './cid.ts'
import { buildShards, type ShardEntry } from './hamt.ts'
import { dagPbBlock, directoryData } from './unixfs.ts'

/** A directory of more entries than this is sharded. */
export const MAX_ENTRIES = 1000
/** Directories whose names and CIDs take more bytes than this are sharded, as in Kubo. */
export const MAX_LINK_BYTES = 262_144

/** A built directory: its block, and the entries and shards in the order of its links. */
export interface Directory<T extends ShardEntry> {
  block: Block
  /** Bytes of this block and all blocks below it. */
  cumulativeSize: number
  items: (T | Directory<T>)[]
}

const encoder = new TextEncoder()

/**
 * Builds the block or the shards of a directory. Names must be unique; their order does not matter. Sharding follows Kubo with
 * `Import.UnixFSDirectoryMaxLinks` set to 1000: more than 1000 entries, or more than 262144 bytes of names and CIDs. Kubo by default has no
 * limit of entries, so CIDs of directories between both limits match only with that setting.
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
