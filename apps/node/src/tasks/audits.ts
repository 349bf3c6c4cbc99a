import { MAX_BLOCK_SIZE, parseCid } from '@tidenet/content'
import { walkToLeaf } from '@tidenet/content/walk-to-leaf'
import { type Input, type NodeWork, type nodeControl, transferTimeout } from '@tidenet/contract'
import type { Reporter } from './reporter.ts'
import { fetchWhole, type Reach } from './source.ts'

export type AuditResult = Input<typeof nodeControl.audits>['results'][number]
export type AuditWork = Extract<NodeWork, { type: 'audit' }>

/** Audits other nodes: requests proof that they store their contents. */
export interface Audits {
  capacity(): number
  take(work: AuditWork): void
  stop(): Promise<void>
}

/** Slow nodes must not keep the others from being audited. */
const AT_A_TIME = 32
/** Inner blocks are small: all blocks of an audit are less than two of the largest. */
const LIMIT_MS = transferTimeout(2 * MAX_BLOCK_SIZE)

/** @param onCapacity called when an audit ends */
export function createAudits(options: {
  reporter: Reporter<AuditResult>
  reach: Reach
  onCapacity: () => void
}): Audits {
  const { reporter, reach, onCapacity } = options
  const stopped = new AbortController()
  const running = new Map<string, Promise<void>>()
  return {
    capacity: () => AT_A_TIME - running.size,
    take(work) {
      if (running.has(work.id)) return
      const end = audit(work, reach, stopped.signal).then((result) => {
        running.delete(work.id)
        // An audit that this node aborted says nothing about the other.
        if (!stopped.signal.aborted) reporter.add(result)
        onCapacity()
      })
      running.set(work.id, end)
    },
    async stop() {
      stopped.abort()
      await Promise.all(running.values())
    },
  }
}

/** Walks from the root to the leaf at `position`, verifying all blocks from one node. Never rejects. */
export async function audit(work: AuditWork, reach: Reach, stop: AbortSignal): Promise<AuditResult> {
  const { id } = work
  const started = performance.now()
  const limit = AbortSignal.timeout(LIMIT_MS)
  try {
    const signal = AbortSignal.any([stop, limit])
    await walkToLeaf(parseCid(work.cid), work.position, (cid) =>
      fetchWhole(work.source, { cid: cid.toString(), format: 'raw', most: MAX_BLOCK_SIZE }, reach, signal),
    )
    return { id, passed: true, ms: Math.round(performance.now() - started) }
  } catch (failure) {
    const error = limit.aborted ? 'timeout' : failure instanceof Error ? failure.message : 'unknown'
    return { id, passed: false, error: error.slice(0, 300), ms: Math.round(performance.now() - started) }
  }
}
