import { type Block, type Cid, RAW } from './cid.ts'
import { checkChildShard, checkFilePart, fileParts, isFile, type ReadBlock, readBlock } from './dag.ts'
import { ContentError } from './errors.ts'
import { prefixLength } from './hamt.ts'
import { resolvePath } from './path.ts'
import type { UnixfsNode } from './unixfs.ts'
import type { GetBlock } from './verify.ts'

/** `dag-scope` of trustless gateways: one block; a whole file or directory listing; everything below. */
export type WalkScope = 'block' | 'entity' | 'all'

/** `entity-bytes` of trustless gateways: inclusive, negative numbers count from the end; default of `to`: the end. */
export interface ByteRange {
  from: number
  to?: number
}

export interface WalkOptions {
  /** A path below the root; the blocks that prove it come first. */
  path?: string
  /** Default 'all'. */
  scope?: WalkScope
  /** With scope 'entity' and a file: only the blocks of this range. */
  bytes?: ByteRange
  /** Yields repeated blocks each time. Default false: each once, which takes about 100 bytes of memory per block. */
  duplicates?: boolean
  signal?: AbortSignal
}

/** Most levels of folders; also ends malicious chains. */
const MAX_DEPTH = 1024

type Task =
  | { as: 'entry'; cid: Cid; depth: number }
  | { as: 'shard'; cid: Cid; depth: number; fanout: number }
  | { as: 'part'; cid: Cid; depth: number; offset: number; size: number }

/**
 * All blocks of a DAG, depth first, each before its children: the order of a CAR that can be verified while streaming. Throws ContentError
 * 'not-found' for a missing path (before any block) and 'bad-dag'.
 */
export async function* walk(root: Cid, getBlock: GetBlock, options: WalkOptions = {}): AsyncIterable<Block> {
  const { path = '', scope = 'all', duplicates = false, signal } = options
  const yielded = new Set<string>()
  /** Roots of completely yielded subtrees; with a byte range a node may be needed again for other children. */
  const completed = new Set<string>()
  const isNew = (cid: Cid) => duplicates || addCid(yielded, cid)

  signal?.throwIfAborted()
  const resolved = await resolvePath(root, path, getBlock)
  for (const { cid, bytes } of resolved) if (isNew(cid)) yield { cid, bytes }
  if (scope === 'block') return

  const target = resolved[resolved.length - 1]!
  const range =
    scope === 'entity' && isFile(target.node) ? absoluteRange(options.bytes, target.node.fileSize) : undefined
  const stack = children(target, scope, 0).toReversed()
  for (let task = stack.pop(); task; task = stack.pop()) {
    signal?.throwIfAborted()
    const needed = coverage(task, range)
    if (needed === 'none') continue
    if (needed === 'whole' && !duplicates && !addCid(completed, task.cid)) continue
    if (task.depth > MAX_DEPTH) throw new ContentError('bad-dag', 'the folder is too deep')
    const block = await readBlock(task.cid, getBlock)
    check(task, block.node)
    if (isNew(task.cid)) yield { cid: block.cid, bytes: block.bytes }
    for (const child of children(block, scope, task.depth, task).toReversed()) stack.push(child)
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
    // Levels restart where a file begins.
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

/** True the first time. A digest as a string of one character per byte is the smallest Set key. */
function addCid(seen: Set<string>, cid: Cid): boolean {
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

/** Parses `entity-bytes`, such as `0:*`, `100:199` or `-10:*`; undefined if invalid. */
export function parseEntityBytes(text: string): ByteRange | undefined {
  const match = /^(-?\d{1,15}):(?:\*|(-?\d{1,15}))$/.exec(text)
  if (!match) return undefined
  const from = Number(match[1])
  const to = match[2] === undefined ? undefined : Number(match[2])
  if (to === undefined) return { from }
  // If both count from the same end, they can be compared without the file size.
  if (from < 0 === to < 0 && to < from) return undefined
  return { from, to }
}
