import { type FileLayout, leavesOfRange, verifyLeaf } from '@tidenet/content'
import type { Core } from '../core.ts'
import { Stop } from '../result.ts'
import { getWithTimeout } from './get-with-timeout.ts'
import type { NodePool, SourceNode } from './node-pool.ts'
import { BadAnswer, nodeFailure, noNodeLeft, wrongBytes } from './reasons.ts'

/** Where the blocks of a file are. */
export interface Located {
  pool: NodePool
  layout: FileLayout
}

export const aborted = ({ toFailure }: Pick<Core, 'toFailure'>) =>
  new Stop(toFailure('aborted', { phrase: 'downloadAbort', data: { abort: true } }))

/** Reads the blocks of a range from the best node; one that fails or sends wrong bytes is followed by the next. */
export async function readPart(
  core: Core,
  { pool, layout }: Located,
  start: number,
  end: number,
  signal: AbortSignal,
  onBytes: (node: SourceNode, bytes: number) => void = () => {},
): Promise<Uint8Array> {
  const { toFailure } = core
  const tried = new Set<SourceNode>()
  for (let node = pool.choose(tried); node && !tried.has(node); node = pool.best(tried)) {
    tried.add(node)
    const began = Date.now()
    node.active += 1
    try {
      const { bytes, from } = await readLeaves(core, layout, node, start, end, signal)
      pool.note({ node, began, bytes: bytes.length, status: 206, error: '' })
      onBytes(node, bytes.length)
      return bytes.subarray(start - from, end - from)
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
