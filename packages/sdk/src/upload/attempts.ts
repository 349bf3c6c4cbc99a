import type { TraceDetail } from '@tidenet/contract'
import { TRACE } from '@tidenet/contract/storage-enums'

/** Attempts that failed, in the report of a transfer. */
const ATTEMPTS_KEPT = 200

/** One line per node for what it stored, and single lines for what failed: a report must not grow with the folder. */
export function addAttempts(all: TraceDetail[], tried: readonly TraceDetail[]): void {
  for (const each of tried) {
    const line =
      each.state === TRACE.ok
        ? all.find(({ state, node_id }) => state === TRACE.ok && node_id === each.node_id)
        : undefined
    if (line) {
      line.size += each.size
      line.end_at = Math.max(line.end_at, each.end_at)
    } else if (each.state === TRACE.ok || all.length < ATTEMPTS_KEPT) all.push({ ...each })
  }
}
