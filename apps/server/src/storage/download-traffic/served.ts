import type { contract, Parsed } from '@tidenet/contract'
import { recordTransfers } from '../../network/index.ts'
import { type Context, now } from '../context.ts'
import { addReported, addTraced, holdReported } from '../traces/service.ts'
import { hourOf } from '../usage/series.ts'
import { addSent, type HourSent } from '../usage/service.ts'
import * as repository from './served-repository.ts'

type Served = Parsed<typeof contract.nodeControl.served>

/** A node that was cut off reports late; what is older counts as of then. */
const LATE_MAX = 24 * 3600 * 1000
/** What an answer carries beside the content. A request under way that was reported before comes with no further request. */
const ANSWER_OVERHEAD = 65_536
/**
 * A token lets its bearer read the content, and much of it again: players seek, and what broke off begins anew. What goes beyond that
 * on one token of one node counts for nobody; who needs more asks for new addresses, and those count anew.
 */
export const READS_PER_TOKEN = 4
/** 100 Gbit/s */
const RATE_MAX = 12_500_000_000

/**
 * Counts bytes that a node has sent, once for each batch. Only what it could have sent counts: somebody was given its address of the
 * content on the account, and the amount fits the number of requests and what the token was given for.
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
    const before = await holdReported(
      tx,
      nodeId,
      credible.map(({ index }) => transfers[index]?.trace_id ?? ''),
    )
    const sent: Sent[] = []
    const traced = new Map<string, number>()
    for (const { index, size, userId } of credible) {
      const transfer = transfers[index]
      if (!transfer) continue
      const reading = size * 1.125 + ANSWER_OVERHEAD
      const reported = traced.get(transfer.trace_id) ?? 0
      const left = READS_PER_TOKEN * reading - (before.get(transfer.trace_id) ?? 0) - reported
      const bytes = Math.floor(Math.min(transfer.bytes, (transfer.requests + 1) * reading, left))
      if (bytes <= 0) continue
      traced.set(transfer.trace_id, reported + bytes)
      if (userId === null) continue
      const time = Math.min(at.getTime(), Math.max(at.getTime() - LATE_MAX, transfer.time))
      sent.push({
        userId,
        hour: hourOf(new Date(time)),
        bytes,
        peak: Math.min(RATE_MAX, transfer.peak),
        trace: transfer.trace_id,
      })
    }
    await addReported(tx, nodeId, traced)
    const begun = new Set(await addTraced(tx, traced))
    await recordTransfers(
      tx,
      [...traced].map(([trace, size]) => ({ kind: 'download', size, from: nodeId, trace, begins: begun.has(trace) })),
      at,
    )
    await addSent(tx, byHour(sent, begun))
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

/** One row for each account and hour; a download counts in the hour of its first bytes. */
function byHour(sent: readonly Sent[], begun: Set<string>): HourSent[] {
  const hours = new Map<string, HourSent>()
  for (const { userId, hour, bytes, peak, trace } of sent) {
    const key = `${userId} ${hour.getTime()}`
    const row = hours.get(key) ?? { userId, hour, bytes: 0, peak: 0, downloads: 0 }
    row.bytes = Math.min(Number.MAX_SAFE_INTEGER, row.bytes + bytes)
    row.peak = Math.max(row.peak, peak)
    if (begun.delete(trace)) row.downloads += 1
    hours.set(key, row)
  }
  return [...hours.values()].sort((a, b) => a.userId - b.userId || a.hour.getTime() - b.hour.getTime())
}
