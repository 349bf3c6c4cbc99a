import type { Cid } from '@tidenet/content/cid'
import { checkFilePart, fileParts, readBlock } from '@tidenet/content/dag'
import { readNode } from '@tidenet/content/unixfs'
import type { GetBlock } from '@tidenet/content/verify'
import { RAW } from './read-cid.ts'

/** Blocks that are read before they are sent, for all answers together, and for one. */
const AHEAD_OF_ALL = 48
const AHEAD_MAX = 8

/** Links that are remembered for one walk. */
const UPCOMING_MAX = 50_000

let streams = 0
const ahead = () => Math.max(1, Math.min(AHEAD_MAX, Math.floor(AHEAD_OF_ALL / Math.max(1, streams))))

/** The bytes [start, end) of a file. Leaves are read ahead. Throws ContentError, and errors of `getBlock`. */
export async function* readFile(
  cid: Cid,
  getBlock: GetBlock,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void> {
  const cut = (bytes: Uint8Array, offset: number) =>
    bytes.subarray(Math.max(0, start - offset), Math.max(0, Math.min(bytes.length, end - offset)))
  const leaf = async (part: { cid: Cid; offset: number; size: number; depth: number }): Promise<Uint8Array> => {
    const { node } = await readBlock(part.cid, getBlock)
    checkFilePart(node, part.size, part.depth)
    return cut(node.data, part.offset)
  }
  async function* parts(): AsyncGenerator<Promise<Uint8Array> | Uint8Array, void> {
    const { node } = await readBlock(cid, getBlock)
    yield cut(node.data, 0)
    const waiting = fileParts(node, 0, 0).toReversed()
    for (let part = waiting.pop(); part; part = waiting.pop()) {
      if (part.offset >= end || part.offset + part.size <= start) continue
      if (part.cid.code === RAW) {
        const bytes = leaf(part)
        bytes.catch(() => {})
        yield bytes
        continue
      }
      const { node: inner } = await readBlock(part.cid, getBlock)
      checkFilePart(inner, part.size, part.depth)
      yield cut(inner.data, part.offset)
      waiting.push(...fileParts(inner, part.offset, part.depth).toReversed())
    }
  }
  streams += 1
  const queue: (Promise<Uint8Array> | Uint8Array)[] = []
  try {
    for await (const part of parts()) {
      queue.push(part)
      while (queue.length >= ahead()) {
        const bytes = await queue.shift()
        if (bytes && bytes.length > 0) yield bytes
      }
    }
    for (const part of queue) {
      const bytes = await part
      if (bytes.length > 0) yield bytes
    }
  } finally {
    streams -= 1
  }
}

/**
 * As `getBlock`, for a walk that reads depth first: what follows is read ahead. A block that the walk leaves out was read in vain.
 */
export function readAhead(getBlock: GetBlock): { getBlock: GetBlock; end(): void } {
  streams += 1
  /** What the walk will ask for, the next one last. */
  let upcoming: Cid[] = []
  const started = new Map<string, Promise<Uint8Array>>()
  const keyOf = (cid: Cid) => cid.toString()
  const start = () => {
    for (let at = upcoming.length - 1; at >= 0 && upcoming.length - at <= ahead(); at--) {
      const cid = upcoming[at] as Cid
      if (started.has(keyOf(cid))) continue
      const bytes = getBlock(cid)
      bytes.catch(() => {})
      started.set(keyOf(cid), bytes)
    }
  }
  return {
    async getBlock(cid) {
      const key = keyOf(cid)
      const at = upcoming.findLastIndex((next) => keyOf(next) === key)
      if (at >= 0) {
        for (const skipped of upcoming.slice(at + 1)) started.delete(keyOf(skipped))
        upcoming = upcoming.slice(0, at)
      } else {
        // The walk went elsewhere: it leaves out what it has had before.
        upcoming = []
        for (const other of started.keys()) if (other !== key) started.delete(other)
      }
      const bytes = await (started.get(key) ?? getBlock(cid))
      started.delete(key)
      if (cid.code !== RAW) {
        const { kind, links } = readNode(cid, bytes)
        // Folders may be listed without what they contain.
        if (kind === 'file') for (const link of links.toReversed()) upcoming.push(link.cid)
        upcoming = upcoming.slice(-UPCOMING_MAX)
      }
      start()
      return bytes
    },
    end() {
      streams -= 1
    },
  }
}
