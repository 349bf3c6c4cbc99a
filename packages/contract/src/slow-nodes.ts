import type { TraceDetail } from './objects.ts'
import { TRACE } from './storage-enums.ts'

/** A node that slowed a transfer. Times in ms, rates in bytes per second. */
export interface SlowNode {
  node_id: string
  /**
   * `slow`: its rate was far below that of the other nodes; `unanswered`: it left requests without an answer; `single`: it was the only
   * source, and slow, so there is no rate to compare with.
   */
  kind: 'slow' | 'unanswered' | 'single'
  /** How long the transfer used it, or waited for it. */
  ms: number
  rate: number
  /** Its rate as a share of the median rate of the other nodes, 0 to 1; only for `slow`. */
  share: number
}

/** A node below this share of the median rate of the others is slow. */
const SLOW_SHARE = 0.5
/** A node is named if it took this much longer than a median node would have, and this share of the transfer. */
const EXTRA_MIN_MS = 400
const EXTRA_MIN_SHARE = 0.1
/** A request counts as unanswered if it failed without a status after this time. */
const UNANSWERED_MIN_MS = 1000
/** A single source is named below this rate, if the transfer took longer than this. */
const SINGLE_RATE = 1024 * 1024
const SINGLE_MIN_MS = 2000
/** Why the SDK gave a part to another node: the same text in every language. */
const MOVED = 'slow'

interface Source {
  bytes: number
  ms: number
  spans: [number, number][]
}

type Attempt = Pick<
  TraceDetail,
  'node_id' | 'state' | 'transfer_type' | 'size' | 'start_at' | 'end_at' | 'status_code' | 'error'
>

/** The nodes that slowed a transfer, the worst first, from its attempts as the client reported them. */
export function slowNodes(details: readonly Attempt[]): SlowNode[] {
  const timed = details.filter(({ start_at, end_at }) => start_at > 0 && end_at > start_at)
  const sources = new Map<string, Source>()
  const waits = new Map<string, [number, number][]>()
  for (const detail of timed) {
    const { node_id, state, size, start_at, end_at, status_code, error, transfer_type } = detail
    const ms = end_at - start_at
    if (state === TRACE.failed && error !== MOVED) {
      if (status_code === 0 && ms >= UNANSWERED_MIN_MS)
        waits.set(node_id, [...(waits.get(node_id) ?? []), [start_at, end_at]])
      continue
    }
    // An upload goes to one node; there is nothing to compare.
    if (transfer_type === 'upload') continue
    const source = sources.get(node_id) ?? { bytes: 0, ms: 0, spans: [] }
    source.bytes += size
    source.ms += ms
    source.spans.push([start_at, end_at])
    sources.set(node_id, source)
  }
  const duration = covered(timed.map(({ start_at, end_at }) => [start_at, end_at]))
  const rates = new Map([...sources].map(([id, { bytes, ms }]) => [id, (bytes / ms) * 1000]))
  const found: SlowNode[] = []
  for (const [node_id, { bytes, ms, spans }] of sources) {
    const rate = rates.get(node_id) ?? 0
    const others = [...rates].filter(([id, value]) => id !== node_id && value > 0).map(([, value]) => value)
    const used = covered(spans)
    const median = medianOf(others)
    if (median === undefined) {
      const throughput = (bytes / used) * 1000
      if (throughput < SINGLE_RATE && used >= SINGLE_MIN_MS)
        found.push({ node_id, kind: 'single', ms: used, rate: throughput, share: 0 })
      continue
    }
    // Parallel parts share the node's connection time, so compare the time of the parts, not of the clock.
    const extra = (ms - (bytes / median) * 1000) * (used / ms)
    const slow = rate < SLOW_SHARE * median && extra >= Math.max(EXTRA_MIN_MS, EXTRA_MIN_SHARE * duration)
    if (slow) found.push({ node_id, kind: 'slow', ms: used, rate, share: rate / median })
  }
  for (const [node_id, spans] of waits) {
    if (found.some((node) => node.node_id === node_id && node.kind === 'slow')) continue
    const rate = rates.get(node_id) ?? 0
    found.push({ node_id, kind: 'unanswered', ms: covered(spans), rate, share: 0 })
  }
  return found.sort((a, b) => b.ms - a.ms || (a.node_id < b.node_id ? -1 : 1))
}

/** The time that at least one of these spans covers. */
function covered(spans: readonly (readonly [number, number])[]): number {
  let sum = 0
  let until = 0
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    sum += Math.max(0, end - Math.max(start, until))
    until = Math.max(until, end)
  }
  return sum
}

function medianOf(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2
}
