import type { FileLayout } from '@tidenet/content'
import { DOWNLOAD_CHUNK_MAX } from '@tidenet/contract/constants'
import { checkLeaves } from '../platform/leaf-checker.ts'
import type { Platform, Target } from '../platform/platform.ts'
import { type Say, Stop } from '../result.ts'
import { createGovernor, type Load } from './load.ts'
import type { NodePool, SourceNode } from './node-pool.ts'
import { createBuffers, endOf, type LeafRun, readChunk, TargetFailed } from './read-chunk.ts'
import { BadAnswer, lost, type NodeFailure, nodeFailure } from './reasons.ts'
import { targetFailed } from './targets.ts'
import type { ChunkAsked, ChunkReport } from './types.ts'

/** Consecutive leaves that are fetched together, and how that went so far. */
interface Chunk extends LeafRun {
  index: number
  tries: number
  failedBy: Set<SourceNode>
}

export interface Fetching {
  platform: Platform
  pool: NodePool
  say: Say
  signal: AbortSignal
  target: Target & { room?: () => number; onRoom?: (listener: () => void) => void }
  /** Ms without progress after which a chunk is asked of another node. */
  stall: number
  load?: Load | undefined
  /** Leaves that the target has already. */
  has?: ((leaf: number) => boolean) | undefined
  /** Largest chunk in bytes. */
  chunkMax?: number
  onBytes: (verified: number, node: SourceNode | undefined) => void
  onAsk?: ((asked: ChunkAsked) => void) | undefined
  onChunk?: ((report: ChunkReport) => void) | undefined
}

/** Ms between looks at who is slow, and that a node has to show its speed. */
const STEAL_EVERY = 250
const STEAL_AFTER = 500

/**
 * Fetches the leaves of a file from all nodes at once. Each leaf is hashed before it is written; what a node failed to send, sent
 * wrong or sends too slowly is asked of another. Throws Stop when a chunk cannot be got or the target does not take it.
 */
export function fetchFile(fetching: Fetching, layout: FileLayout): Promise<void> {
  const { pool, say, target, signal } = fetching
  // Memory that is used again may be shared with threads that hash.
  const threads = target.releases && fetching.platform.leafThreads?.(layout.size)
  const checker = threads ? threads.checker : checkLeaves
  const buffers = createBuffers(target.releases && (threads ? threads.make : (size) => new ArrayBuffer(size)))
  const governor = createGovernor(fetching.load)
  const waiting = chunksOf(layout, pool.nodes.length, fetching)
  const most = Math.max(3, pool.nodes.length)
  const running = new Map<Chunk, { node: SourceNode; stop: AbortController; began: number; from: number }>()
  const ended = new AbortController()

  return new Promise<void>((resolve, reject) => {
    const timer = setInterval(() => waiting.length === 0 && steal(), STEAL_EVERY)
    const end = () => {
      clearInterval(timer)
      ended.abort()
    }
    const fail = (error: unknown) => {
      if (ended.signal.aborted) return
      end()
      for (const { stop } of running.values()) stop.abort()
      reject(error)
    }
    signal.addEventListener(
      'abort',
      () => fail(new Stop(say('aborted', { phrase: 'downloadAbort', data: { abort: true } }))),
      {
        signal: ended.signal,
      },
    )

    const fill = () => {
      if (ended.signal.aborted) return
      if (waiting.length === 0 && running.size === 0) {
        end()
        resolve()
        return
      }
      while (running.size < governor.limit) {
        const chunk = waiting[0]
        if (!chunk) {
          steal()
          return
        }
        if (target.room && layout.leafAt(chunk.next).offset >= target.room()) return
        const node = chunk.tries === 0 ? pool.choose() : pool.best(chunk.failedBy)
        if (!node) {
          fail(new Stop(lost(pool, say)))
          return
        }
        waiting.shift()
        void start(chunk, node)
      }
    }

    const start = async (chunk: Chunk, node: SourceNode) => {
      const stop = new AbortController()
      const first = layout.leafAt(chunk.next).offset
      const began = Date.now()
      running.set(chunk, { node, stop, began, from: first })
      node.active += 1
      const to = endOf(layout, chunk.last)
      fetching.onAsk?.({ index: chunk.index, start: first, end: to, nodeId: node.id })
      const before = chunk.next
      let failure: ChunkFailure | undefined
      try {
        await readChunk({ ...fetching, buffers, checker, layout, signal: stop.signal }, chunk, node)
      } catch (error) {
        failure = failureOf(error, fetching, stop.signal)
      }
      node.active -= 1
      running.delete(chunk)
      if (ended.signal.aborted) return
      if (failure?.fatal) {
        fail(failure.fatal)
        return
      }
      const bytes = (chunk.next < layout.leafCount ? layout.leafAt(chunk.next).offset : layout.size) - first
      const error = failure?.error ?? ''
      pool.note({
        node,
        began,
        bytes,
        status: failure?.status ?? 206,
        error,
        ...(failure && { reason: failure.reason }),
      })
      governor.note(bytes, !failure)
      fetching.onChunk?.({
        index: chunk.index,
        start: first,
        end: to,
        nodeId: node.id,
        ok: !failure,
        bytes,
        ms: Date.now() - began,
        error,
      })
      if (failure) {
        chunk.failedBy.add(node)
        // What a slow node has given counts: only tries that brought nothing wear a chunk out.
        if (failure.reason !== 'slow' && chunk.next === before) chunk.tries += 1
        else chunk.tries ||= 1
        if (chunk.tries >= most) {
          fail(new Stop(lost(pool, say)))
          return
        }
        waiting.unshift(chunk)
      }
      fill()
    }

    /** Nothing waits and there is room: what comes slowly is taken from its node and given to a faster one. */
    const steal = () => {
      const idle = pool.best(new Set([...running.values()].map(({ node }) => node)))
      if (!idle || idle.active > 0 || idle.speed === 0) return
      for (const [chunk, { stop, began, from }] of running) {
        const ms = Date.now() - began
        if (chunk.next >= chunk.last || ms < STEAL_AFTER) continue
        const at = layout.leafAt(chunk.next).offset
        const speed = ((at - from) / ms) * 1000
        if (speed * 4 < idle.speed && endOf(layout, chunk.last) - at > speed) {
          stop.abort()
          return
        }
      }
    }

    target.onRoom?.(fill)
    fill()
  })
}

/** Pieces of min(10 MiB, size / (5 × nodes)), in whole leaves, of what the target does not have. */
function chunksOf(layout: FileLayout, nodes: number, { chunkMax = DOWNLOAD_CHUNK_MAX, has }: Fetching): Chunk[] {
  const wanted = Math.min(DOWNLOAD_CHUNK_MAX, chunkMax, layout.size / (5 * Math.max(nodes, 1)))
  const chunks: Chunk[] = []
  let chunk: Chunk | undefined
  let bytes = 0
  for (let leaf = 0; leaf < layout.leafCount; leaf++) {
    if (has?.(leaf)) {
      chunk = undefined
      continue
    }
    if (!chunk || bytes >= wanted) {
      chunk = { index: chunks.length, next: leaf, last: leaf, tries: 0, failedBy: new Set() }
      chunks.push(chunk)
      bytes = 0
    }
    chunk.last = leaf + 1
    bytes += layout.leafSize || layout.leafAt(leaf).size
  }
  return chunks
}

interface ChunkFailure extends NodeFailure {
  /** Not the node's fault: ends the download. */
  fatal?: Stop
}

function failureOf(error: unknown, { say }: Fetching, stop: AbortSignal): ChunkFailure {
  if (error instanceof TargetFailed) {
    const fatal = targetFailed(say)(error)
    return { error: error.message, status: 0, reason: 'status', fatal }
  }
  if (stop.aborted && !(error instanceof BadAnswer)) return { error: 'slow', status: 206, reason: 'slow' }
  return nodeFailure(say, error)
}
