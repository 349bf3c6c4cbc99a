import { compareBytes } from './byte-order.ts'
import type { Block } from './cid.ts'
import { ContentError } from './errors.ts'
import { murmur3x64 } from './murmur3.ts'
import { dagPbBlock, type LinkToWrite, shardData } from './unixfs.ts'

/** Children per shard, as in Kubo. */
export const SHARD_FANOUT = 256
/** The 64-bit hash of a name covers eight levels of 256. */
const MAX_SHARD_DEPTH = 8

const encoder = new TextEncoder()

/** A directory entry and the data for its link. */
export interface ShardEntry {
  name: string
  cidBytes: Uint8Array
  cumulativeSize: number
}

/** A built shard: its block, and the entries and child shards in the order of its links. */
export interface Shard<T extends ShardEntry> {
  block: Block
  cumulativeSize: number
  items: (T | Shard<T>)[]
}

/** Child index at each level: groups of bits of the name's hash, from the top. */
export function shardPath(name: string, fanout: number): number[] {
  const bits = Math.log2(fanout)
  const digest = murmur3x64(encoder.encode(name))
  const path: number[] = []
  for (let at = 0; at + bits <= 64; at += bits) {
    let index = 0
    for (let bit = at; bit < at + bits; bit++) index = index * 2 + ((digest[bit >> 3]! >> (7 - (bit & 7))) & 1)
    path.push(index)
  }
  return path
}

/** Hex digits before each name in a shard: two for 256 children. */
export function prefixLength(fanout: number): number {
  return (fanout - 1).toString(16).length
}

/** Builds the shards of a directory. The order of entries does not matter. */
export async function buildShards<T extends ShardEntry>(entries: Iterable<T>): Promise<Shard<T>> {
  const hashed = Array.from(entries, (entry) => ({ entry, digest: murmur3x64(encoder.encode(entry.name)) }))
  hashed.sort((a, b) => compareBytes(a.digest, b.digest))
  return buildShard(hashed, 0)
}

async function buildShard<T extends ShardEntry>(
  placed: { entry: T; digest: Uint8Array }[],
  depth: number,
): Promise<Shard<T>> {
  if (depth >= MAX_SHARD_DEPTH) throw new ContentError('bad-path', 'two names have the same hash')
  const links: LinkToWrite[] = []
  const items: (T | Shard<T>)[] = []
  const bits = new Uint8Array(SHARD_FANOUT / 8)
  for (let start = 0; start < placed.length; ) {
    const index = placed[start]!.digest[depth]!
    let end = start + 1
    while (end < placed.length && placed[end]!.digest[depth] === index) end++
    const label = index.toString(16).toUpperCase().padStart(2, '0')
    if (end - start === 1) {
      const { entry } = placed[start]!
      items.push(entry)
      links.push({ cidBytes: entry.cidBytes, name: label + entry.name, cumulativeSize: entry.cumulativeSize })
    } else {
      const shard = await buildShard(placed.slice(start, end), depth + 1)
      items.push(shard)
      links.push({ cidBytes: shard.block.cid.bytes, name: label, cumulativeSize: shard.cumulativeSize })
    }
    bits[bits.length - 1 - (index >> 3)]! |= 1 << (index & 7)
    start = end
  }
  const used = bits.findIndex((byte) => byte !== 0)
  const block = await dagPbBlock(links, shardData(bits.subarray(used < 0 ? bits.length : used), SHARD_FANOUT))
  const cumulativeSize = links.reduce((total, link) => total + link.cumulativeSize, block.bytes.length)
  return { block, cumulativeSize, items }
}
