import type { FileLayout } from '@tidenet/content'
import { DOWNLOAD_CHUNK_MAX } from '@tidenet/contract/constants'
import { checkLeaves } from '../platform/leaf-checker.ts'
import type { Platform, Target } from '../platform/platform.ts'
import { Stop, type ToFailure } from '../result.ts'
import { createConcurrencyControl, type Load } from './load.ts'
import type { NodePool, SourceNode } from './node-pool.ts'
import { type BufferPool, createBufferPool, endOf, type LeafRun, readChunk, TargetFailed } from './read-chunk.ts'
import { BadAnswer, type NodeFailure, nodeFailure, noNodeLeft } from './reasons.ts'
import { targetFailed } from './targets.ts'
import type { ChunkAsked, ChunkReport, RenewedAddresses } from './types.ts'

/** Consecutive leaves that are requested together, and their progress. */
interface Chunk extends LeafRun {
  index: number
  attempts: number
  /** How often it was moved because a node was slow. */
  moves: number
  failedBy: Set<SourceNode>
}

export interface FileFetch {
  platform: Platform
  pool: NodePool
  toFailure: ToFailure
  signal: AbortSignal
  target: Target & { capacity?: () => number; onCapacity?: (listener: () => void) => void }
  /** Ms without progress after which a chunk is requested from another node. */
  stall: number
  /** Ms to wait for nodes that went away while they were sending. Default 0. */
  outage?: number
  /** Called when that wait begins. */
  onOutage?: () => void
  addresses?: RenewedAddresses
  load?: Load | undefined
  /** Whether the target has a leaf already. */
  has?: ((leaf: number) => boolean) | undefined
  /** Largest chunk in bytes. */
  chunkMax?: number
  /** Where the bytes are kept. Without it, new memory for targets that keep it, and buffers of this download for others. */
  buffers?: BufferPool
  onBytes: (verified: number, node: SourceNode | undefined) => void
  onAsk?: ((asked: ChunkAsked) => void) | undefined
  /** Called when a node failed to send a chunk. */
  onFailed?: (node: SourceNode) => void
  onChunk?: ((report: ChunkReport) => void) | undefined
}

/** Ms between checks for slow nodes; also how long a node is measured before it counts as slow. */
const SLOW_CHECK_EVERY = 250
const SLOW_AFTER = 500
/**
 * Each move of a chunk multiplies that time. On a slow link of the client all nodes seem slow: chunks would move from node to node for ever,
 * and never receive a whole leaf.
 */
const SLOW_BACKOFF = 2
/** Ms after which nodes that went away may be at another address, such as at another relay. */
const MOVED_AFTER = 3000

/**
 * Fetches the leaves of a file from all nodes in parallel. Each leaf is hashed before it is written. What a node fails to send, sends wrong
 * or sends too slowly is requested from another one; if all went away, it waits until one is back. Throws Stop if a chunk cannot be fetched or the target fails.
 */
export function fetchFile(fetching: FileFetch, layout: FileLayout): Promise<void> {
  const { pool, toFailure, target, signal } = fetching
  // Buffers that are reused can be shared with hashing threads.
  const threads = target.buffersReusable && fetching.platform.leafThreads?.(layout.size)
  const checker = threads ? threads.checker : checkLeaves
  const buffers =
    fetching.buffers ??
    createBufferPool(target.buffersReusable && (threads ? threads.make : (size) => new ArrayBuffer(size)))
  const concurrency = createConcurrencyControl(fetching.load)
  const waiting = chunksOf(layout, pool.nodes.length, fetching)
  const attemptsMax = Math.max(3, pool.nodes.length)
  const running = new Map<Chunk, { node: SourceNode; stop: AbortController; began: number; from: number }>()
  const ended = new AbortController()

  return new Promise<void>((resolve, reject) => {
    const timer = setInterval(() => waiting.length === 0 && moveSlowChunk(), SLOW_CHECK_EVERY)
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
      () => fail(new Stop(toFailure('aborted', { phrase: 'downloadAbort', data: { abort: true } }))),
      {
        signal: ended.signal,
      },
    )

    let hasProgress = false
    let isOut = false
    let isWaiting = false
    let isRenewing = false
    const tryAgain = () => {
      isOut = false
      for (const chunk of waiting) {
        chunk.attempts = 0
        chunk.failedBy.clear()
      }
      fill()
    }
    /** Renews the addresses once nothing is arriving any more. */
    const renew = async (addresses: RenewedAddresses) => {
      if (isRenewing || isWaiting || running.size > 0) return
      isRenewing = true
      try {
        await addresses.renew()
      } catch (error) {
        return fail(error)
      }
      isRenewing = false
      if (!ended.signal.aborted) tryAgain()
    }

    /** Waits for nodes at their addresses, and then at those that the portal knows by now. */
    const comeBack = async (ms: number): Promise<boolean> => {
      const first = Math.min(ms, MOVED_AFTER)
      if (await pool.comeBack(first, ended.signal)) return true
      if (ended.signal.aborted || first === ms || !pool.hasAway()) return false
      // Once, because it may count as another download of a share.
      await fetching.addresses?.lookAgain()
      return !ended.signal.aborted && pool.comeBack(ms - first, ended.signal)
    }

    /**
     * No node is left. Waits for them once nothing is arriving any more, if bytes have arrived since the last time: so it ends when nodes
     * answer and send nothing.
     */
    const outage = async () => {
      if (fetching.addresses?.isDue()) return renew(fetching.addresses)
      isOut = true
      if (isWaiting || running.size > 0) return
      isWaiting = true
      if (hasProgress) fetching.onOutage?.()
      const isBack = hasProgress && (await comeBack(fetching.outage ?? 0))
      isOut = isWaiting = hasProgress = false
      if (ended.signal.aborted) return
      // The wait may have been longer than the tokens are valid.
      if (fetching.addresses?.isDue()) return renew(fetching.addresses)
      if (!isBack) return fail(new Stop(noNodeLeft(pool, toFailure)))
      tryAgain()
    }

    const fill = () => {
      if (isOut) return void outage()
      if (ended.signal.aborted || isRenewing) return
      if (waiting.length > 0 && fetching.addresses?.isDue()) return void renew(fetching.addresses)
      if (waiting.length === 0 && running.size === 0) {
        end()
        resolve()
        return
      }
      while (running.size < concurrency.limit) {
        const chunk = waiting[0]
        if (!chunk) {
          moveSlowChunk()
          return
        }
        if (target.capacity && layout.leafAt(chunk.next).offset >= target.capacity()) return
        const node = chunk.attempts === 0 ? pool.choose() : pool.best(chunk.failedBy)
        if (!node) {
          void outage()
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
      concurrency.note(bytes, !failure)
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
      if (bytes > 0) hasProgress = true
      if (failure) {
        chunk.failedBy.add(node)
        fetching.onFailed?.(node)
        // Only attempts without any progress count towards the limit.
        if (failure.reason !== 'slow' && chunk.next === before) chunk.attempts += 1
        else chunk.attempts ||= 1
        waiting.unshift(chunk)
        if (chunk.attempts >= attemptsMax) {
          void outage()
          return
        }
      }
      fill()
    }

    /** If no chunk waits and a slot is free, moves a slow chunk to a faster node, or to one that answered too late to be measured. */
    const moveSlowChunk = () => {
      const idle = pool.best(new Set([...running.values()].map(({ node }) => node)))
      if (!idle || idle.active > 0) return
      for (const [chunk, { stop, began, from }] of running) {
        const ms = Date.now() - began
        if (chunk.next >= chunk.last || ms < SLOW_AFTER * SLOW_BACKOFF ** chunk.moves) continue
        const at = layout.leafAt(chunk.next).offset
        const speed = ((at - from) / ms) * 1000
        const isFaster = idle.speed === 0 || speed * 4 < idle.speed
        if (isFaster && endOf(layout, chunk.last) - at > speed) {
          chunk.moves += 1
          stop.abort()
          return
        }
      }
    }

    target.onCapacity?.(fill)
    fill()
  })
}

/** Splits the missing leaves into chunks of min(10 MiB, size / (5 × nodes)). */
function chunksOf(layout: FileLayout, nodes: number, { chunkMax = DOWNLOAD_CHUNK_MAX, has }: FileFetch): Chunk[] {
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
      chunk = { index: chunks.length, next: leaf, last: leaf, attempts: 0, moves: 0, failedBy: new Set() }
      chunks.push(chunk)
      bytes = 0
    }
    chunk.last = leaf + 1
    bytes += layout.leafSize || layout.leafAt(leaf).size
  }
  return chunks
}

interface ChunkFailure extends NodeFailure {
  /** A failure that is not the node's; ends the download. */
  fatal?: Stop
}

function failureOf(error: unknown, { toFailure }: FileFetch, stop: AbortSignal): ChunkFailure {
  if (error instanceof TargetFailed) {
    const fatal = targetFailed(toFailure)(error)
    return { error: error.message, status: 0, reason: 'status', fatal }
  }
  if (stop.aborted && !(error instanceof BadAnswer)) return { error: 'slow', status: 206, reason: 'slow' }
  return nodeFailure(toFailure, error)
}
