import { type Block, type Cid, RAW } from './cid.ts'
import { checkChildShard, checkFilePart, fileParts, isFile, type ReadBlock, readBlock } from './dag.ts'
import { ContentError } from './errors.ts'
import { prefixLength } from './hamt.ts'
import { resolvePath } from './path.ts'
import type { UnixfsNode } from './unixfs.ts'
import type { GetBlock } from './verify.ts'

/** `dag-scope` of the trustless gateway: the block alone; the whole file or the listing of a directory; everything below. */
export type WalkScope = 'block' | 'entity' | 'all'

/** `entity-bytes` of the trustless gateway: both inclusive, negative numbers count from the end; `to` left out is the end. */
export interface ByteRange {
  from: number
  to?: number
}

export interface WalkOptions {
  /** A path below the root; the blocks that prove it come first. */
  path?: string
  /** Default 'all'. */
  scope?: WalkScope
  /** With scope 'entity' and a file: only the blocks that this part needs. */
  bytes?: ByteRange
  /** Give a block as often as it occurs. Default false: each once, at the cost of about 100 bytes of memory for each. */
  duplicates?: boolean
  signal?: AbortSignal
}

/** Folders in folders beyond this are refused; it also ends chains that were made to waste work. */
const MAX_DEPTH = 1024

type Task =
  | { as: 'entry'; cid: Cid; depth: number }
  | { as: 'shard'; cid: Cid; depth: number; fanout: number }
  | { as: 'part'; cid: Cid; depth: number; offset: number; size: number }

/**
 * All blocks of a DAG in depth-first order, each before its children: the order of a CAR that can be checked as it arrives.
 * Throws ContentError 'not-found' for a path that leads nowhere (before any block) and 'bad-dag'.
 */
export async function* walk(root: Cid, getBlock: GetBlock, options: WalkOptions = {}): AsyncIterable<Block> {
  const { path = '', scope = 'all', duplicates = false, signal } = options
  const given = new Set<string>()
  /** Roots of subtrees that were given whole; with a byte range a node may be needed again for other children. */
  const whole = new Set<string>()
  const isNew = (cid: Cid) => duplicates || remember(given, cid)

  signal?.throwIfAborted()
  const trail = await resolvePath(root, path, getBlock)
  for (const { cid, bytes } of trail) if (isNew(cid)) yield { cid, bytes }
  if (scope === 'block') return

  const target = trail[trail.length - 1]!
  const range =
    scope === 'entity' && isFile(target.node) ? absoluteRange(options.bytes, target.node.fileSize) : undefined
  const waiting = children(target, scope, 0).toReversed()
  for (let task = waiting.pop(); task; task = waiting.pop()) {
    signal?.throwIfAborted()
    const needed = coverage(task, range)
    if (needed === 'none') continue
    if (needed === 'whole' && !duplicates && !remember(whole, task.cid)) continue
    if (task.depth > MAX_DEPTH) throw new ContentError('bad-dag', 'the folder is too deep')
    const block = await readBlock(task.cid, getBlock)
    check(task, block.node)
    if (isNew(task.cid)) yield { cid: block.cid, bytes: block.bytes }
    for (const child of children(block, scope, task.depth, task).toReversed()) waiting.push(child)
  }
}

function coverage(task: Task, range: { start: number; end: number } | undefined): 'none' | 'part' | 'whole' {
  if (!range || task.as !== 'part') return 'whole'
  const end = task.offset + task.size
  if (task.offset >= range.end || end <= range.start) return 'none'
  return task.offset >= range.start && end <= range.end ? 'whole' : 'part'
}

function check(task: Task, node: UnixfsNode): void {
  if (task.as === 'shard') checkChildShard(node, task.fanout)
  else if (task.as === 'part') checkFilePart(node, task.size, task.depth)
}

function children({ node }: ReadBlock, scope: WalkScope, depth: number, task?: Task): Task[] {
  if (isFile(node)) {
    // Levels are counted anew where a file begins.
    const inFile = task?.as === 'part'
    return fileParts(node, inFile ? task.offset : 0, inFile ? depth : 0).map((part) => ({ as: 'part', ...part }))
  }
  if (node.kind === 'symlink') return []
  const digits = node.kind === 'shard' ? prefixLength(node.fanout) : 0
  return node.links.flatMap((link): Task[] => {
    if (digits > 0 && link.name.length === digits) {
      return [{ as: 'shard', cid: link.cid, depth: depth + 1, fanout: node.fanout }]
    }
    return scope === 'all' ? [{ as: 'entry', cid: link.cid, depth: depth + 1 }] : []
  })
}

/** True the first time. Digests as text of one byte a letter are the smallest key that a Set takes. */
function remember(seen: Set<string>, cid: Cid): boolean {
  const key = (cid.code === RAW ? 'r' : 'p') + String.fromCharCode(...cid.multihash.digest)
  if (seen.has(key)) return false
  seen.add(key)
  return true
}

function absoluteRange(range: ByteRange | undefined, size: number): { start: number; end: number } | undefined {
  if (!range) return undefined
  const fromEnd = (at: number) => (at < 0 ? size + at : at)
  return { start: Math.max(0, fromEnd(range.from)), end: range.to === undefined ? size : fromEnd(range.to) + 1 }
}

/** Reads `entity-bytes`, such as `0:*`, `100:199` or `-10:*`; undefined when it is not that. */
export function parseEntityBytes(text: string): ByteRange | undefined {
  const match = /^(-?\d{1,15}):(?:\*|(-?\d{1,15}))$/.exec(text)
  if (!match) return undefined
  const from = Number(match[1])
  const to = match[2] === undefined ? undefined : Number(match[2])
  if (to === undefined) return { from }
  // Both ends on the same side can be compared without knowing the file.
  if (from < 0 === to < 0 && to < from) return undefined
  return { from, to }
}
