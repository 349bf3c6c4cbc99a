import type { contract, Parsed } from '@tidenet/contract'
import { recordTransfers } from '../../network/index.ts'
import { DAY } from '../../platform/ago.ts'
import { advisoryLocks } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { addReported, addTraced, lockReported } from '../traces/service.ts'
import { hourOf, monthOf } from '../usage/series.ts'
import { addSent, type HourSent, signedSince } from '../usage/service.ts'
import { type AccountKind, findKinds, type Payer } from './account-kinds.ts'
import { addNodeTraffic, type Traffic } from './node-traffic-repository.ts'
import * as repository from './served-repository.ts'
import { claimOf, moreSigned, verifyClaims } from './signed.ts'

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

/** What one report adds to a trace. */
interface TraceSum {
  payer: Payer
  fullRead: number
  bytes: number
  /** What the client has signed, of this node and trace in total. */
  received: number
  /** Bytes that the client signed and that count. */
  signed: number
  /** Signatures that were verified. */
  signatures: number
}

/**
 * Counts the bytes that a node reports as sent, once per batch. Only plausible transfers count: the node was offered for this trace,
 * account and content, and the bytes fit the number of requests and the limit per trace. Bytes that the client signed are counted as signed
 * too.
 */
export async function reportServed(
  context: Pick<Context, 'db' | 'clock'>,
  nodeId: string,
  { batch, transfers }: Served,
): Promise<boolean> {
  const at = now(context)
  await context.db.transaction(async (tx) => {
    if ((await repository.insertBatch(tx, nodeId, batch, at)) === 0) return
    const credible = (
      await repository.findCredible(
        tx,
        nodeId,
        transfers.map((transfer, index) => ({ ...transfer, index })),
      )
    ).flatMap((one) => {
      const transfer = transfers[one.index]
      return transfer ? [{ ...one, transfer, claim: claimOf(transfer, one.trace, at) }] : []
    })
    if (credible.length === 0) return
    // Before the traces are locked, because it takes time.
    const proven = await verifyClaims(
      tx,
      nodeId,
      credible.map(({ claim }) => claim).filter((claim) => claim !== undefined),
    )
    const before = await lockReported(
      tx,
      nodeId,
      credible.map(({ transfer }) => transfer.trace_id),
    )
    const sums = new Map<string, TraceSum>()
    const sent: Sent[] = []
    for (const { transfer, size, userId, readerId } of credible) {
      const { trace_id: trace } = transfer
      const fullRead = size * 1.125 + ANSWER_OVERHEAD
      const known = before.get(trace)
      const sum = sums.get(trace) ?? {
        payer: { userId, readerId },
        fullRead,
        bytes: 0,
        received: Math.max(known?.received ?? 0, proven.get(trace) ?? 0),
        signed: 0,
        signatures: proven.has(trace) ? 1 : 0,
      }
      sums.set(trace, sum)
      // A request that is still running was counted in an earlier report, hence one more.
      const left = READS_PER_TOKEN * fullRead - (known?.bytes ?? 0) - sum.bytes
      const bytes = Math.floor(Math.min(transfer.bytes, (transfer.requests + 1) * fullRead, left))
      if (bytes <= 0) continue
      sum.bytes += bytes
      if (userId === null) continue
      const time = Math.min(at.getTime(), Math.max(at.getTime() - LATE_MAX_MS, transfer.time))
      sent.push({ userId, hour: hourOf(new Date(time)), bytes, peak: Math.min(RATE_MAX, transfer.peak), trace })
    }
    for (const [trace, sum] of sums) {
      const { bytes = 0, signed = 0, elsewhere = 0 } = before.get(trace) ?? {}
      sum.signed = moreSigned({ received: sum.received, bytes: bytes + sum.bytes, signed, elsewhere }, sum.fullRead)
    }
    const signed = await countTraffic(tx, nodeId, [...sums.values()], at)
    await addReported(
      tx,
      nodeId,
      [...sums]
        .filter(([, sum]) => sum.bytes > 0 || sum.signed > 0 || sum.signatures > 0)
        .map(([trace, sum]) => ({ trace, ...sum })),
    )
    const traced = new Map([...sums].flatMap(([trace, { bytes }]) => (bytes > 0 ? [[trace, bytes]] : [])))
    const started = new Set(await addTraced(tx, traced))
    await recordTransfers(
      tx,
      [...traced].map(([trace, size]) => ({ kind: 'download', size, from: nodeId, trace, begins: started.has(trace) })),
      at,
    )
    await addSent(tx, byHour(sent, started, { hour: hourOf(at), bytes: signed }))
  })
  return true
}

/**
 * Counts the traffic of the node. Reduces `signed` of each sum to what is left of the account's monthly quota, so that a client cannot sign
 * more than its account may download. Signed bytes count in the hour of the report: a dated one could use the quota of a month that is over.
 * @returns signed bytes by account
 */
async function countTraffic(
  tx: Db,
  nodeId: string,
  sums: readonly TraceSum[],
  at: Date,
): Promise<ReadonlyMap<number, number>> {
  const { plans, kindOf } = await findKinds(
    tx,
    nodeId,
    sums.map(({ payer }) => payer),
  )
  const payers = new Set(sums.flatMap(({ signed, payer }) => (signed > 0 && payer.userId !== null ? payer.userId : [])))
  const ids = [...payers]
  if (ids.length > 0)
    await advisoryLocks(
      tx,
      ids.map((id) => `signed traffic of ${id}`),
    )
  const before = ids.length > 0 ? await signedSince(tx, ids, monthOf(at)) : new Map<number, number>()
  const signedBy = new Map<number, number>()
  const traffic = new Map<AccountKind, Traffic>()
  for (const sum of sums) {
    const { userId } = sum.payer
    if (userId !== null && sum.signed > 0) {
      const signed = signedBy.get(userId) ?? 0
      const left = (plans.get(userId)?.downloadTraffic ?? 0) - (before.get(userId) ?? 0) - signed
      sum.signed = Math.max(0, Math.min(sum.signed, left))
      signedBy.set(userId, signed + sum.signed)
    }
    const kind = kindOf(sum.payer)
    const row = traffic.get(kind) ?? { sent: 0, signed: 0 }
    traffic.set(kind, {
      sent: Math.min(Number.MAX_SAFE_INTEGER, row.sent + sum.bytes),
      signed: Math.min(Number.MAX_SAFE_INTEGER, row.signed + sum.signed),
    })
  }
  await addNodeTraffic(tx, nodeId, hourOf(at), traffic)
  return signedBy
}

interface Sent {
  userId: number
  hour: Date
  bytes: number
  peak: number
  trace: string
}

/** Sums per account and hour; a download counts in the hour of its first bytes. */
function byHour(
  sent: readonly Sent[],
  started: Set<string>,
  signed: { hour: Date; bytes: ReadonlyMap<number, number> },
): HourSent[] {
  const hours = new Map<string, HourSent>()
  const rowOf = (userId: number, hour: Date): HourSent => {
    const key = `${userId} ${hour.getTime()}`
    const row = hours.get(key) ?? { userId, hour, bytes: 0, signed: 0, peak: 0, downloads: 0 }
    hours.set(key, row)
    return row
  }
  for (const [userId, bytes] of signed.bytes) rowOf(userId, signed.hour).signed = bytes
  for (const { userId, hour, bytes, peak, trace } of sent) {
    const row = rowOf(userId, hour)
    row.bytes = Math.min(Number.MAX_SAFE_INTEGER, row.bytes + bytes)
    row.peak = Math.max(row.peak, peak)
    if (started.delete(trace)) row.downloads += 1
  }
  return [...hours.values()].sort((a, b) => a.userId - b.userId || a.hour.getTime() - b.hour.getTime())
}
