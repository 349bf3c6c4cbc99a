import {
  AppError,
  type contract,
  DOWNLOAD_TOKEN_LIFE,
  type DownloadReceipt,
  type Output,
  type Parsed,
  TRACE,
  type TraceDetail,
  UPLOAD_TOKEN_LIFE,
} from '@tidenet/contract'
import { visitorNetworkOf } from '@tidenet/daemon'
import { idsOf, isTrafficCapped, leaveKeyTraffic, plansOf, reserveKeyTraffic } from '../../identity/index.ts'
import { type FirstByteSample, knownNodes, namesOfNodes, placement, recordTransferReport } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member, Visitor } from '../../platform/http/callers.ts'
import { newTraceId } from '../../platform/trace-ids.ts'
import { recordMeasurement } from '../acceleration/acceleration.ts'
import { type Context, now } from '../context.ts'
import { measureNodes, normalizeDetails, plainText, wholeNumber } from './measure.ts'
import {
  countReceiptsOfNode,
  type DownloadReceipt as DownloadReceiptRow,
  receiptsOfNode,
  receiptsOfTrace,
} from './receipts-repository.ts'
import * as repository from './repository.ts'
import { findSupport } from './support-repository.ts'

export { traceBegan } from './receipts-repository.ts'
export {
  addReported,
  addTraced,
  closeTrace,
  findImported,
  findReported,
  isOfImport,
  listOpenOfImport,
  lockReported,
  nameTrace,
  type Reported,
  type ReportedMore,
  recordOffered,
  setImport,
} from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock'>
type ReportDeps = Pick<Context, 'db' | 'clock' | 'config' | 'keys' | 'log'>
type Trace = Output<typeof contract.traces.list>['list'][number]

/**
 * Opens the trace of one transfer. @returns its unguessable id
 * @param trace.userId who may report and list it; if missing, anyone who knows the id may report it
 * @param trace.account the account that it counts for: a uid, or `temp:<id>`
 * @param trace.shownAs what node tokens call the account, if not by its uid
 * @param trace.preview its bytes count, but it is never listed
 * @param trace.receiptKey the public key with which the client signs what it receives
 * @param trace.visitor the network of a visitor of a share (`visitorOf`)
 * @param trace.offered the nodes of the transfer, if they are known already; see `recordOffered`
 */
export async function openTrace(
  tx: Db,
  trace: {
    userId?: number | undefined
    account: string
    shownAs?: string | undefined
    kind: 'upload' | 'download'
    cid: string
    name: string
    preview?: boolean
    receiptKey?: string | undefined
    visitor?: string | undefined
    offered?: readonly string[]
    at: Date
  },
): Promise<string> {
  const id = newTraceId()
  await repository.insertTrace(tx, {
    ...trace,
    id,
    userId: trace.userId ?? null,
    shownAs: trace.shownAs ?? null,
    preview: trace.preview ?? false,
    receiptKey: trace.receiptKey ?? null,
    visitor: trace.visitor ?? null,
    offered: trace.offered ?? null,
  })
  return id
}

/**
 * Opens the trace of a download that a member asked for. A key with a cap of traffic reserves its bytes, before tokens are issued.
 * @param bytes of the content
 * @throws AppError keyTraffic
 */
export const openOwnDownload = (
  db: Db,
  caller: Member,
  trace: Omit<Parameters<typeof openTrace>[1], 'kind'>,
  bytes: number,
): Promise<string> =>
  isTrafficCapped(caller)
    ? db.transaction(async (tx) => {
        const traceId = await openTrace(tx, { ...trace, kind: 'download' })
        const until = new Date(trace.at.getTime() + DOWNLOAD_TOKEN_LIFE)
        await reserveKeyTraffic(tx, caller, { traceId, bytes, until }, trace.at)
        return traceId
      })
    : openTrace(db, { ...trace, kind: 'download' })

/**
 * Records for which import an upload is, and reserves its bytes if a key with a cap of traffic asks for it. An upload that another caller goes on with is no longer the key's.
 * @param upload.bytes undefined: unknown
 * @param upload.isNew whether its trace was opened just now
 * @returns the bytes that it may have at most; undefined without a cap
 * @throws AppError keyTraffic
 */
export async function reserveUpload(
  tx: Db,
  caller: Member,
  { traceId, bytes, isNew = false }: { traceId: string; bytes: number | undefined; isNew?: boolean },
  at: Date,
): Promise<number | undefined> {
  if (caller.import) await repository.setImport(tx, traceId, caller.import.id)
  const until = new Date(at.getTime() + UPLOAD_TOKEN_LIFE)
  if (isTrafficCapped(caller)) return reserveKeyTraffic(tx, caller, { traceId, bytes, until }, at)
  if (!isNew) await leaveKeyTraffic(tx, traceId)
  return undefined
}

/** Locks an open trace of the account's uploads that has no name yet. @returns its id, if there is one */
export async function lockUnnamedUpload(tx: Db, userId: number, named: string): Promise<string | undefined> {
  const id = plainText(named)
  const trace = await repository.lockTrace(tx, id)
  const unnamed = trace?.user_id === userId && trace.kind === 'upload' && trace.name === '' && !trace.closed_at
  return unnamed ? id : undefined
}

/**
 * Locks the trace of a folder that the account is uploading.
 * @returns the nodes that were offered for it; undefined if the account has no such upload, or a report closed it
 */
export async function lockOpenUpload(tx: Db, userId: number, named: string): Promise<string[] | undefined> {
  const trace = await repository.lockTrace(tx, plainText(named))
  return trace?.user_id === userId && trace.kind === 'upload' && trace.cid === '' && !trace.closed_at
    ? (trace.offered ?? [])
    : undefined
}

/**
 * Stores a client's report. The first report that closes a trace is final; later ones are ignored.
 * @throws AppError forbidden for a trace of another account, or an unknown one
 */
export async function report(
  context: ReportDeps,
  caller: Visitor | Member,
  input: Parsed<typeof contract.traces.report>,
  ip: string,
): Promise<string> {
  const at = now(context)
  return context.db.transaction(async (tx) => {
    const traceId =
      input.trace_id === '' ? await openUnannouncedTrace(tx, caller, input, at) : plainText(input.trace_id)
    const trace = await repository.lockTrace(tx, traceId)
    if (!trace || (trace.user_id !== null && (caller.kind !== 'member' || caller.userId !== trace.user_id)))
      throw new AppError('forbidden')
    if (trace.closed_at) return traceId

    const details = normalizeDetails(input.details ?? [])
    const named = plainText(input.node_id)
      .split(',')
      .map((id) => id.trim())
    const known = new Set(await knownNodes(tx, [...named, ...details.map((detail) => detail.node_id)]))
    const tried = details.filter((detail) => known.has(detail.node_id))
    await repository.updateTrace(tx, {
      id: traceId,
      state: input.state,
      cid: trace.cid || plainText(input.cid),
      rate: rateOf(input),
      costMs: wholeNumber(input.cost_ms),
      totalSize: wholeNumber(input.total_size),
      firstByteTime: wholeNumber(input.first_byte_time),
      availableBandwidth: wholeNumber(input.available_bandwidth),
      nodeId: named.filter((id) => known.has(id)).join(','),
      log: plainText(input.log ?? ''),
      details: tried,
      closedAt: input.state === TRACE.open ? null : at,
    })
    if (input.state !== TRACE.open) {
      const nodes = await reportNodes(tx, caller, ip, { ...trace, details: tried }, at)
      await measureReader(context, tx, { caller, ip }, { trace, input, nodes }, at)
    }
    return traceId
  })
}

/** Opens a trace for a transfer that began without one. @throws AppError forbidden for visitors */
function openUnannouncedTrace(
  tx: Db,
  caller: Visitor | Member,
  input: Parsed<typeof contract.traces.report>,
  at: Date,
): Promise<string> {
  if (caller.kind !== 'member') throw new AppError('forbidden')
  return openTrace(tx, {
    userId: caller.userId,
    account: caller.uid,
    kind: input.transfer_type,
    cid: plainText(input.cid),
    name: '',
    at,
  })
}

/** Bytes per second; 0 if no time has passed. */
function rateOf({ rate, cost_ms, total_size }: { rate: number; cost_ms: number; total_size: number }): number {
  if (cost_ms < 1) return 0
  return wholeNumber(rate > 0 ? rate : (total_size * 1000) / cost_ms)
}

/** Counts only nodes that the server offered for the transfer and that have the content, so that a report cannot harm other nodes. */
async function reportNodes(
  tx: Db,
  caller: Visitor | Member,
  ip: string,
  { cid, offered, details }: { cid: string; offered: readonly string[] | null; details: readonly TraceDetail[] },
  at: Date,
): Promise<FirstByteSample[]> {
  const measured = [...measureNodes(details)].filter(([id]) => offered?.includes(id))
  if (cid === '' || measured.length === 0) return []
  const ids = measured.map(([id]) => id)
  const involved = await placement.nodesWithReplica(tx, cid, ids)
  const nodes = measured.filter(([id]) => involved.has(id)).map(([id, node]) => ({ id, ...node }))
  if (nodes.length === 0) return []
  // Not the /64 of an IPv6 address: many people have thousands of those.
  const network = `network ${visitorNetworkOf(ip)}`
  const member = caller.kind === 'member' ? caller : undefined
  const reporters = member ? [`account ${member.uid}`, network] : [network]
  await recordTransferReport(tx, { reporters, userId: member?.userId, nodes }, at)
  return nodes.map(({ id, firstByte }) => ({ nodeId: id, ms: firstByte }))
}

/** Records where a download was read and how long its reader waited, if the plan of the account includes acceleration. */
async function measureReader(
  context: ReportDeps,
  tx: Db,
  { caller, ip }: { caller: Visitor | Member; ip: string },
  {
    trace: { kind, account, cid, offered, created_at },
    input,
    nodes,
  }: {
    trace: { kind: string; account: string; cid: string; offered: readonly string[] | null; created_at: Date }
    input: Parsed<typeof contract.traces.report>
    nodes: readonly FirstByteSample[]
  },
  at: Date,
): Promise<void> {
  // The server opened it for a download, and told the client which nodes to ask.
  if (kind !== 'download' || cid === '' || offered === null) return
  const userId = (await idsOf(tx, [account])).get(account)
  if (userId === undefined || !(await plansOf(tx, [userId])).get(userId)?.vip) return
  const content = (await placement.findContents(tx, [cid])).get(cid)
  if (!content) return
  await recordMeasurement(
    context,
    tx,
    { ip, userId: caller.kind === 'member' ? caller.userId : undefined },
    {
      userId,
      cid,
      size: content.size,
      openedAt: created_at,
      state: input.state,
      firstByte: input.first_byte_time,
      bytes: input.total_size,
      ms: input.cost_ms,
      nodes,
    },
    at,
  )
}

export async function listTraces(
  context: Deps,
  caller: Member,
  { page, page_size }: { page: number; page_size: number },
): Promise<{ list: Trace[]; total: number }> {
  const { db } = context
  const at = now(context)
  const [rows, total] = await Promise.all([
    repository.findTraces(db, caller.userId, at, page_size, (page - 1) * page_size),
    repository.countTraces(db, caller.userId, at),
  ])
  return { list: rows.map(toWireTrace), total }
}

/** For operators: the last transfers of an account, newest first. */
export const lastTraces = async (
  db: Db,
  userId: number,
  at: Date,
  { failed, limit }: { failed: boolean; limit: number },
): Promise<Trace[]> =>
  (failed
    ? await repository.findFailedTraces(db, userId, limit)
    : await repository.findTraces(db, userId, at, limit, 0)
  ).map(toWireTrace)

/** Transfers of an account that failed since then and were not repeated successfully, newest first. */
export const failedTransfers = repository.findUnrepeated

/** @throws AppError notFound, also for a trace of another account */
export async function getTrace(
  { db }: Pick<Deps, 'db'>,
  caller: Visitor | Member,
  id: string,
): Promise<Output<typeof contract.traces.get>> {
  const row = await repository.findTrace(db, plainText(id))
  if (!row || (row.user_id !== null && (caller.kind !== 'member' || caller.userId !== row.user_id)))
    throw new AppError('notFound')
  const sent = await findSupport(db, row.trace_id)
  const support = sent && { sent_at: sent.created_at.toISOString(), closed_at: sent.closed_at?.toISOString() ?? null }
  const names = await namesOfNodes(
    db,
    row.details.map(({ node_id }) => node_id),
  )
  const receipts = caller.kind === 'member' ? await receiptsOfTrace(db, row.trace_id, caller.uid) : []
  return {
    ...toWireTrace(row),
    support: support ?? null,
    names: Object.fromEntries(names),
    receipts: receipts.map(toWireReceipt),
  }
}

/**
 * The receipts of downloads from a node that were issued in a period, newest first. The caller has checked who asks.
 * @param page.since when the downloads began, at the earliest
 */
export async function downloadReceiptsOfNode(
  db: Db,
  nodeId: string,
  period: { from: Date; to: Date },
  page: { since: Date; limit: number; offset: number },
): Promise<{ list: DownloadReceipt[]; total: number }> {
  const list = await receiptsOfNode(db, nodeId, period, page)
  return { list: list.map(toWireReceipt), total: await countReceiptsOfNode(db, nodeId, period, page.since) }
}

const toWireReceipt = ({ issued_at, ...row }: DownloadReceiptRow): DownloadReceipt => ({
  ...row,
  issued_at: issued_at.toISOString(),
})

const toWireTrace = ({ user_id: _, created_at, ...row }: repository.TraceRow): Trace => ({
  ...row,
  created_at: created_at.toISOString(),
})
