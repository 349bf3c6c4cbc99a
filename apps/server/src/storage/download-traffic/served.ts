import type { contract, Parsed } from '@tidenet/contract'
import { recordTransfers } from '../../network/index.ts'
import { DAY } from '../../platform/ago.ts'
import { type Context, now } from '../context.ts'
import { addReported, addTraced, lockReported } from '../traces/service.ts'
import { hourOf } from '../usage/series.ts'
import { addSent, type HourSent } from '../usage/service.ts'
import * as repository from './served-repository.ts'

type Served = Parsed<typeof contract.nodeControl.served>

/** Late reports are dated back by at most this time. */
const LATE_MAX_MS = DAY
/** Bytes of one answer besides the content. */
const ANSWER_OVERHEAD = 65_536
/**
 * Full reads counted per trace and node: players seek, and failed transfers start again. More bytes are not counted; clients that need
 * more ask for new addresses, which open a new trace.
 */
export const READS_PER_TOKEN = 4
/** 100 Gbit/s in bytes per second. */
const RATE_MAX = 12_500_000_000

/**
 * Counts the bytes that a node reports as sent, once per batch. Only plausible transfers count: the node was offered for this trace,
 * account and content, and the bytes fit the number of requests and the limit per trace.
 */
export async function reportServed(
  context: Pick<Context, 'db' | 'clock'>,
  nodeId: string,
  { batch, transfers }: Served,
): Promise<boolean> {
  const at = now(context)
  await context.db.transaction(async (tx) => {
    if ((await repository.insertBatch(tx, nodeId, batch, at)) === 0) return
    const credible = await repository.findCredible(
      tx,
      nodeId,
      transfers.map((transfer, index) => ({ ...transfer, index })),
    )
    const before = await lockReported(
      tx,
      nodeId,
      credible.map(({ index }) => transfers[index]?.trace_id ?? ''),
    )
    const sent: Sent[] = []
    const traced = new Map<string, number>()
    for (const { index, size, userId } of credible) {
      const transfer = transfers[index]
      if (!transfer) continue
      const fullRead = size * 1.125 + ANSWER_OVERHEAD
      const reported = traced.get(transfer.trace_id) ?? 0
      // A request that is still running was counted in an earlier report, hence one more.
      const left = READS_PER_TOKEN * fullRead - (before.get(transfer.trace_id) ?? 0) - reported
      const bytes = Math.floor(Math.min(transfer.bytes, (transfer.requests + 1) * fullRead, left))
      if (bytes <= 0) continue
      traced.set(transfer.trace_id, reported + bytes)
      if (userId === null) continue
      const time = Math.min(at.getTime(), Math.max(at.getTime() - LATE_MAX_MS, transfer.time))
      sent.push({
        userId,
        hour: hourOf(new Date(time)),
        bytes,
        peak: Math.min(RATE_MAX, transfer.peak),
        trace: transfer.trace_id,
      })
    }
    await addReported(tx, nodeId, traced)
    const started = new Set(await addTraced(tx, traced))
    await recordTransfers(
      tx,
      [...traced].map(([trace, size]) => ({ kind: 'download', size, from: nodeId, trace, begins: started.has(trace) })),
      at,
    )
    await addSent(tx, byHour(sent, started))
  })
  return true
}

interface Sent {
  userId: number
  hour: Date
  bytes: number
  peak: number
  trace: string
}

/** Sums per account and hour; a download counts in the hour of its first bytes. */
function byHour(sent: readonly Sent[], started: Set<string>): HourSent[] {
  const hours = new Map<string, HourSent>()
  for (const { userId, hour, bytes, peak, trace } of sent) {
    const key = `${userId} ${hour.getTime()}`
    const row = hours.get(key) ?? { userId, hour, bytes: 0, peak: 0, downloads: 0 }
    row.bytes = Math.min(Number.MAX_SAFE_INTEGER, row.bytes + bytes)
    row.peak = Math.max(row.peak, peak)
    if (started.delete(trace)) row.downloads += 1
    hours.set(key, row)
  }
  return [...hours.values()].sort((a, b) => a.userId - b.userId || a.hour.getTime() - b.hour.getTime())
}
