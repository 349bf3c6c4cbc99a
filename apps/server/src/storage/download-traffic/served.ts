import type { contract, Parsed } from '@tidenet/contract'
import { countKeyTraffic, type Plan, quotaSince } from '../../identity/index.ts'
import { isNewEdge, publicKeyOf, recordPaidDownloads, recordTransfers } from '../../network/index.ts'
import { DAY } from '../../platform/ago.ts'
import { advisoryLocks } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { receiptTime } from '../traces/download-receipts.ts'
import { addReported, addTraced, lockReported } from '../traces/service.ts'
import { dayOf, sentToVisitors, signedByVisitors, type Visit, visitorLimit } from '../traces/visitors.ts'
import { hourOf } from '../usage/series.ts'
import { addSent, type HourSent, usedSince } from '../usage/service.ts'
import { type AccountKind, findKinds, type Payer } from './account-kinds.ts'
import { addNodeTraffic, paidIn, type Traffic } from './node-traffic-repository.ts'
import * as repository from './served-repository.ts'
import { claimsOf, moreSigned, type Proven, verifyClaims } from './signed.ts'

type Opened = repository.Credible['trace']
type Served = Parsed<typeof contract.nodeControl.served>

/** Late reports are dated back by at most this time. */
const LATE_MAX_MS = DAY
/** Overhead of one answer, in bytes. */
const ANSWER_OVERHEAD = 65_536
/**
 * Full reads counted per trace, of all nodes together: players seek, and failed transfers start again. More bytes are not counted; clients
 * that need more ask for new addresses, which open a new trace.
 */
export const READS_PER_TRACE = 4
/** Full reads counted per trace and new edge, which nobody knows yet. */
const READS_OF_NEW_EDGE = 1
/** Full reads counted per trace of a visitor, of all nodes together: visitors and nodes that collude pay nothing for what they report. */
const READS_OF_VISITOR = 1
/** 100 Gbit/s in bytes per second. */
const RATE_MAX = 12_500_000_000

/** What one report adds to a trace. */
interface TraceSum {
  payer: Payer
  visit: VisitLeft | undefined
  fullRead: number
  /** Bytes that the node sent, at most the limit of the trace: signatures are compared with it. */
  bytes: number
  /** The part of `bytes` that counts: other nodes may have used up the limit. */
  counted: number
  /** What client and node have signed, of this node and trace in total. */
  received: number
  sent: number
  /** Bytes that both signed and that count. */
  signed: number
  /** The signatures that were verified for this report. */
  proven: Proven
}

/**
 * Counts the bytes that a node reports as sent, once per batch. Only plausible transfers count: the node was offered for this trace,
 * account and content, and the bytes fit the number of requests and the limit per trace. They are charged to the account up to its monthly
 * quota. Bytes that both client and node signed are counted as signed too.
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
      return transfer ? [{ ...one, transfer, claims: claimsOf(transfer, one.trace, at) }] : []
    })
    if (credible.length === 0) return
    // Before the traces are locked, because it takes time.
    const proven = await verifyClaims(
      tx,
      { id: nodeId, publicKey: (await publicKeyOf(tx, nodeId)) ?? '' },
      credible.flatMap(({ claims }) => claims),
    )
    const before = await lockReported(
      tx,
      nodeId,
      credible.map(({ transfer }) => transfer.trace_id),
    )
    const { plans, kindOf } = await findKinds(tx, nodeId, credible.map(payerOf), at)
    const left = await lockQuotas(tx, plans, at)
    const ofNode = (await isNewEdge(tx, nodeId)) ? READS_OF_NEW_EDGE : READS_PER_TRACE
    const visits = await visitsLeft(tx, credible, plans)
    const sums = new Map<string, TraceSum>()
    const sent: Sent[] = []
    for (const { transfer, size, account, ...payer } of credible) {
      const { userId, trace: opened } = payer
      const { trace_id: trace } = transfer
      const fullRead = size * 1.125 + ANSWER_OVERHEAD
      const together = opened.visitor === null ? READS_PER_TRACE : READS_OF_VISITOR
      const reads = Math.min(ofNode, together)
      const known = before.get(trace)
      const visit = visits(account, opened)
      const sum = sums.get(trace) ?? {
        payer: payerOf(payer),
        visit,
        fullRead,
        bytes: 0,
        counted: 0,
        received: Math.max(known?.received ?? 0, proven.get(trace)?.received?.bytes ?? 0),
        sent: Math.max(known?.sent ?? 0, proven.get(trace)?.sent?.bytes ?? 0),
        signed: 0,
        proven: proven.get(trace) ?? { signatures: 0 },
      }
      sums.set(trace, sum)
      // A request that is still running was counted in an earlier report, hence one more.
      const most = Math.min(
        transfer.bytes,
        (transfer.requests + 1) * fullRead,
        Math.max(0, reads * fullRead - (known?.bytes ?? 0) - sum.bytes),
      )
      // A node that reports more than it sent must not take the signed bytes of others, so these have a limit of their own.
      sum.bytes += Math.floor(most)
      const bytes = Math.floor(Math.min(most, together * fullRead - (known?.total ?? 0) - sum.counted))
      if (bytes <= 0) continue
      sum.counted += bytes
      const quota = userId === null ? undefined : left.get(userId)
      const charged = Math.min(bytes, quota?.sent ?? 0, visit?.sent ?? Number.POSITIVE_INFINITY)
      if (visit) visit.sent -= bytes
      if (userId === null || quota === undefined || charged <= 0) continue
      quota.sent -= charged
      // A month that is over does not change.
      const earliest = Math.max(at.getTime() - LATE_MAX_MS, quota.since.getTime())
      const time = Math.min(at.getTime(), Math.max(earliest, transfer.time))
      sent.push({
        userId,
        hour: hourOf(new Date(time)),
        bytes: charged,
        peak: Math.min(RATE_MAX, transfer.peak),
        trace,
      })
    }
    for (const [trace, sum] of sums) {
      const { bytes = 0, signed = 0, elsewhere = 0 } = before.get(trace) ?? {}
      const { received, sent } = sum
      sum.signed = moreSigned({ received, sent, bytes: bytes + sum.bytes, signed, elsewhere }, sum.fullRead)
    }
    const signed = limitSigned([...sums.values()], left)
    const traffic = trafficByKind([...sums.values()], kindOf)
    await addNodeTraffic(tx, nodeId, hourOf(at), traffic)
    await recordPaidDownloads(tx, nodeId, paidIn(traffic), at)
    await addReported(
      tx,
      nodeId,
      [...sums]
        .filter(([, sum]) => sum.bytes > 0 || sum.signed > 0 || sum.proven.signatures > 0)
        .map(([trace, { bytes, signed, proven }]) => ({ trace, bytes, signed, ...proven })),
      receiptTime(at),
    )
    const traced = new Map([...sums].flatMap(([trace, { counted }]) => (counted > 0 ? [[trace, counted]] : [])))
    const started = new Set(await addTraced(tx, traced))
    await countKeyTraffic(
      tx,
      [...traced].map(([trace, bytes]) => ({ trace, bytes })),
    )
    await recordTransfers(
      tx,
      [...traced].map(([trace, size]) => ({ kind: 'download', size, from: nodeId, trace, begins: started.has(trace) })),
      at,
    )
    await addSent(tx, byHour(sent, started, { hour: hourOf(at), bytes: signed }))
  })
  return true
}

const payerOf = ({ userId, readerId, trace }: Pick<repository.Credible, 'userId' | 'readerId' | 'trace'>): Payer => ({
  userId,
  readerId,
  openedAt: trace.created_at,
})

/** What visitors of one network may still use up, in bytes. */
interface VisitLeft {
  sent: number
  signed: number
}

/** What is left of an account's quota in this month of its plan, in bytes. */
interface QuotaLeft {
  since: Date
  sent: number
  signed: number
}

/** Locks the traffic of these accounts, so that reports of two nodes do not use the same quota. */
async function lockQuotas(tx: Db, plans: ReadonlyMap<number, Plan>, at: Date): Promise<Map<number, QuotaLeft>> {
  const ids = [...plans.keys()]
  if (ids.length === 0) return new Map()
  await advisoryLocks(
    tx,
    ids.map((id) => `download traffic of ${id}`),
  )
  const months = new Map([...plans].map(([id, plan]) => [id, quotaSince(plan, at)]))
  const used = await usedSince(tx, [...months])
  return new Map(
    [...plans].map(([id, { downloadTraffic }]) => {
      const since = months.get(id) ?? at
      const { sent = 0, signed = 0 } = used.get(id) ?? {}
      return [id, { since, sent: downloadTraffic - sent, signed: downloadTraffic - signed }]
    }),
  )
}

/**
 * What visitors of one network may still use up of the sharer's quota with what they opened on one day. Call it with the accounts' traffic
 * locked.
 */
async function visitsLeft(tx: Db, credible: readonly repository.Credible[], plans: ReadonlyMap<number, Plan>) {
  const keyOf = (account: string, { visitor, created_at }: Opened) =>
    `${account} ${visitor} ${dayOf(created_at).getTime()}`
  const visits = new Map<string, Visit & { quota: number }>()
  for (const { account, trace, userId } of credible) {
    const { visitor, created_at } = trace
    const quota = userId === null ? undefined : plans.get(userId)?.downloadTraffic
    if (visitor === null || quota === undefined) continue
    visits.set(keyOf(account, trace), { account, visitor, day: dayOf(created_at), quota })
  }
  const sent = await sentToVisitors(tx, [...visits.values()])
  const signed = await signedByVisitors(tx, [...visits.values()])
  const left = new Map<string, VisitLeft>(
    [...visits].map(([key, { quota }], index) => {
      const limit = visitorLimit(quota)
      return [key, { sent: limit - (sent[index] ?? 0), signed: limit - (signed[index] ?? 0) }]
    }),
  )
  return (account: string, trace: Opened) => left.get(keyOf(account, trace))
}

/**
 * Reduces `signed` of each sum to what is left of the account's quota, so that a client cannot sign more than its account may download, and
 * visitors cannot sign away what its own downloads could earn for others.
 * Signed bytes count in the hour of the report: a dated one could use the quota of a month that is over.
 * @returns signed bytes by account
 */
function limitSigned(sums: readonly TraceSum[], left: ReadonlyMap<number, QuotaLeft>): Map<number, number> {
  const signedBy = new Map<number, number>()
  for (const sum of sums) {
    const { userId } = sum.payer
    if (userId === null || sum.signed <= 0) continue
    const quota = left.get(userId)
    sum.signed = Math.max(0, Math.min(sum.signed, quota?.signed ?? 0, sum.visit?.signed ?? Number.POSITIVE_INFINITY))
    if (quota) quota.signed -= sum.signed
    if (sum.visit) sum.visit.signed -= sum.signed
    signedBy.set(userId, (signedBy.get(userId) ?? 0) + sum.signed)
  }
  return signedBy
}

function trafficByKind(sums: readonly TraceSum[], kindOf: (payer: Payer) => AccountKind): Map<AccountKind, Traffic> {
  const traffic = new Map<AccountKind, Traffic>()
  for (const sum of sums) {
    const kind = kindOf(sum.payer)
    const row = traffic.get(kind) ?? { sent: 0, signed: 0 }
    traffic.set(kind, {
      sent: Math.min(Number.MAX_SAFE_INTEGER, row.sent + sum.counted),
      signed: Math.min(Number.MAX_SAFE_INTEGER, row.signed + sum.signed),
    })
  }
  return traffic
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
