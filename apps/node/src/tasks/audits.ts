import { parseCid } from '@tidenet/content'
import { readSample, SAMPLE_MAX, SAMPLE_SILENCE_MS } from '@tidenet/content/read-sample'
import { type Input, type NodeWork, type nodeControl, transferTimeout } from '@tidenet/contract'
import { clientGet, NotPassedOn } from '@tidenet/daemon'
import type { Reporter } from './reporter.ts'
import type { Reach } from './source.ts'

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
const LIMIT_MS = transferTimeout(SAMPLE_MAX)

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
        if (result && !stopped.signal.aborted) reporter.add(result)
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

/** Reads and verifies a few leaves of a content from one node. Never rejects. @returns undefined if another node did not pass it on */
export async function audit(work: AuditWork, reach: Reach, stop: AbortSignal): Promise<AuditResult | undefined> {
  const { id } = work
  const started = performance.now()
  const limit = AbortSignal.timeout(LIMIT_MS)
  const signal = AbortSignal.any([stop, limit])
  const { kind, position, size = 0, source } = work
  const limits = { withinMs: LIMIT_MS, silenceMs: SAMPLE_SILENCE_MS, ...reach }
  const get = clientGet({ ...limits, via: source.via, signal })
  try {
    const { url, list_url: listUrl } = source
    const bytes = await readSample({ root: parseCid(work.cid), kind, size, position, url, listUrl }, get)
    return { id, passed: true, ms: Math.round(performance.now() - started), bytes }
  } catch (failure) {
    if (failure instanceof NotPassedOn) return undefined
    const error = limit.aborted ? 'timeout' : failure instanceof Error ? failure.message : 'unknown'
    return { id, passed: false, error: error.slice(0, 300), ms: Math.round(performance.now() - started) }
  }
}
