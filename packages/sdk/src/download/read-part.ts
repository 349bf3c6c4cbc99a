import { type Cid, type FileLayout, leavesOfRange, verifyLeaf } from '@tidenet/content'
import { blockUrl } from '@tidenet/content/client-requests'
import type { Core } from '../core.ts'
import { Stop } from '../result.ts'
import { getWithTimeout } from './get-with-timeout.ts'
import type { NodePool, SourceNode } from './node-pool.ts'
import { readBlock } from './read-block.ts'
import { BadAnswer, nodeFailure, noNodeLeft, wrongBytes } from './reasons.ts'

/** Where the blocks of a file are. */
export interface Located {
  pool: NodePool
  layout: FileLayout
}

export const aborted = ({ toFailure }: Pick<Core, 'toFailure'>) =>
  new Stop(toFailure('aborted', { phrase: 'downloadAbort', data: { abort: true } }))

/** Reads the blocks of a range from the best node; one that fails or sends wrong bytes is followed by the next. */
export function readPart(
  core: Core,
  { pool, layout }: Located,
  start: number,
  end: number,
  signal: AbortSignal,
  onBytes: (node: SourceNode, bytes: number) => void = () => {},
): Promise<Uint8Array> {
  return fromBestNode(core, pool, signal, async (node) => {
    const { bytes, from } = await readLeaves(core, layout, node, start, end, signal)
    onBytes(node, bytes.length)
    return { bytes: bytes.subarray(start - from, end - from), received: bytes.length, status: 206 }
  })
}

/** Reads one block as `readPart`. */
export function readWholeBlock(core: Core, pool: NodePool, cid: Cid, signal: AbortSignal): Promise<Uint8Array> {
  const { platform, limits } = core
  return fromBestNode(core, pool, signal, async (node) => {
    const answer = await getWithTimeout({ platform, signal }, { url: blockUrl(node.url, cid) }, limits.stall)
    if (answer.status !== 200) {
      answer.discard()
      throw new BadAnswer('status', `HTTP ${answer.status}`, answer.status)
    }
    const bytes = await readBlock(cid, answer.body)
    return { bytes, received: bytes.length, status: 200 }
  })
}

async function fromBestNode(
  core: Core,
  pool: NodePool,
  signal: AbortSignal,
  read: (node: SourceNode) => Promise<{ bytes: Uint8Array; received: number; status: number }>,
): Promise<Uint8Array> {
  const { toFailure } = core
  const tried = new Set<SourceNode>()
  for (let node = pool.choose(tried); node && !tried.has(node); node = pool.best(tried)) {
    tried.add(node)
    const began = Date.now()
    node.active += 1
    try {
      const { bytes, received, status } = await read(node)
      pool.note({ node, began, bytes: received, status, error: '' })
      return bytes
    } catch (error) {
      if (signal.aborted) throw aborted(core)
      pool.note({ node, began, bytes: 0, ...nodeFailure(toFailure, error) })
    } finally {
      node.active -= 1
    }
  }
  throw new Stop(noNodeLeft(pool, toFailure))
}

async function readLeaves(
  { platform, limits, toFailure }: Core,
  layout: FileLayout,
  node: SourceNode,
  start: number,
  end: number,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; from: number }> {
  const range = leavesOfRange(layout, start, end)
  const headers = { Range: `bytes=${range.start}-${range.end - 1}` }
  const answer = await getWithTimeout({ platform, signal }, { url: node.url, headers }, limits.stall)
  const { status } = answer
  const whole = status === 200 && range.start === 0 && range.end === layout.size
  const part =
    status === 206 && (answer.header('content-range') ?? '').startsWith(`bytes ${range.start}-${range.end - 1}/`)
  if (!whole && !part) {
    answer.discard()
    throw new BadAnswer('status', `HTTP ${status}`, status)
  }
  const bytes = new Uint8Array(range.end - range.start)
  let filled = 0
  for await (const piece of answer.body) {
    if (filled + piece.length > bytes.length) throw new BadAnswer('wrong', wrongBytes(toFailure), status)
    bytes.set(piece, filled)
    filled += piece.length
  }
  if (filled !== bytes.length)
    throw new BadAnswer('network', toFailure('fetchError', { phrase: 'nodeNetwork' }).msg, status)
  for (let leaf = range.first; leaf < range.first + range.count; leaf++) {
    const { offset, size } = layout.leafAt(leaf)
    const from = offset - range.start
    if (!(await verifyLeaf(layout, leaf, bytes.subarray(from, from + size))))
      throw new BadAnswer('wrong', wrongBytes(toFailure), status)
  }
  return { bytes, from: range.start }
}
