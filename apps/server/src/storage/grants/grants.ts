import { randomUUID } from 'node:crypto'
import {
  AppError,
  type AssetType,
  MiB,
  type ReportedUpload,
  UPLOAD_TIMEOUT_PER_MB,
  UPLOAD_TOKEN_LIFE,
} from '@tidenet/contract'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { isEdge } from '../contents/possession.ts'
import { type Context, now } from '../context.ts'
import { recordOffered } from '../traces/service.ts'
import * as repository from './repository.ts'

export {
  closeGrants,
  closeGrantsOf,
  closeItemGrants,
  closeOldestGrant,
  endGrants,
  findGranted,
  findUploadAccount,
  type Granted,
  hasReceipt,
  isGranted,
  sumGranted,
} from './repository.ts'

/** Uploads in progress per account. Clients send large sets of files one after the other. */
export const OPEN_PER_ACCOUNT = 1000
/** Anonymous uploads in progress per client network, which a whole school may share. */
export const OPEN_PER_CLIENT_NETWORK = 200
/** How long an upload keeps its reservation without bytes. */
const IDLE_MS = 5 * 60 * 1000
/** After this time, a new upload of the same size may replace an unfinished one: its client started over. */
const RESTART_AFTER_MS = 2 * 60 * 1000
/** An upload of unknown size reserves 1/100 of the remaining quota, at most 1 MiB. */
const UNSIZED_SHARE = 100
const UNSIZED_MAX_BYTES = MiB
/** The most nodes offered for one upload that is resumed repeatedly. */
const NODES_MAX = 20

/** The upload that nodes may accept, and its account. */
export interface UploadGrant {
  traceId: string
  /** A uid, or `temp:<id>`. */
  account: string
  userId?: number | undefined
  network?: string | undefined
  kind: AssetType
  cid?: string | undefined
  max: number
  size?: number | undefined
  /** Reserved bytes of the quota. */
  reserved?: number
  /** Whether the upload counts as in progress. */
  open?: boolean
}

/** A node that may accept an upload. */
export interface UploadNode {
  id: string
  reports_uploads?: boolean
}

/** The longest reservation without reports of bytes, in ms. */
const unreportedLife = (bytes: number): number =>
  Math.min(UPLOAD_TOKEN_LIFE, IDLE_MS + (bytes / 1_000_000) * UPLOAD_TIMEOUT_PER_MB)

/**
 * Until when an upload counts as in progress. Its tokens and its receipt are valid for longer. Nodes renew it while bytes arrive; for nodes
 * that do not report bytes, it includes the transfer time.
 */
const openUntil = (context: Pick<Context, 'clock'>, bytes: number, nodes: readonly UploadNode[]): Date =>
  new Date(context.clock.now() + (nodes.every((node) => node.reports_uploads) ? IDLE_MS : unreportedLife(bytes)))

/**
 * Records which nodes may accept an upload; its trace names them too (`openTrace`). Only receipts that match are accepted.
 * @returns the jti of each node's token
 */
export async function grantUpload(
  context: Pick<Context, 'clock'>,
  tx: Db,
  granting: UploadGrant,
  nodes: readonly UploadNode[],
): Promise<string[]> {
  const tokens = nodes.map(() => randomUUID())
  await repository.insertGrant(tx, {
    traceId: granting.traceId,
    account: granting.account,
    userId: granting.userId ?? null,
    network: granting.network ?? null,
    kind: granting.kind,
    cid: granting.cid ?? null,
    max: granting.size ?? granting.max,
    size: granting.size ?? null,
    nodes: nodes.map(({ id }) => id),
    tokens,
    reserved: granting.reserved ?? 0,
    openUntil: granting.open === false ? null : openUntil(context, granting.size ?? granting.max, nodes),
    at: now(context),
  })
  return tokens
}

/** A file of an uploaded folder, and the nodes that may accept it. */
export interface ItemUpload {
  /** The number that the client gave it. */
  item: number
  size: number
  /** It may be smaller. */
  upTo: boolean
  nodes: readonly UploadNode[]
}

/**
 * Grants the uploads of several files of a folder, which have one trace. A file that was granted before and has no receipt is renewed. A file
 * that does not fit the quota, or is one too many, is refused; the others are not affected.
 * @param upload.free quota not used by files and announced uploads
 * @returns for each file the jti for each of its nodes, or the refusal
 */
export async function grantItems(
  context: Pick<Context, 'clock'>,
  tx: Db,
  upload: { userId: number; account: string; traceId: string; free: number },
  files: readonly ItemUpload[],
): Promise<(string[] | AppError)[]> {
  const { userId, account, traceId, free } = upload
  const at = now(context)
  const before = new Map(
    (
      await repository.lockUnusedItems(
        tx,
        userId,
        traceId,
        files.map(({ item }) => item),
        at,
      )
    ).map((grant) => [grant.item, grant]),
  )
  let open = await repository.countOpenOfAccount(tx, userId, at)
  const added: repository.NewItemGrant[] = []
  const results: (string[] | AppError)[] = []
  let largest = 0
  // What may never be sent must not take the quota from what is.
  const ahead = files.reduce((sum, { size, upTo }) => sum + (upTo ? size : 0), 0)
  const aheadFits = ahead <= (free - open.reserved) / UNSIZED_SHARE
  for (const { item, size, upTo, nodes } of files) {
    const found = before.get(item)
    const known = found?.size === size ? found : undefined
    if (!known?.open) {
      const fits = () => size <= free - open.reserved
      if (!fits()) {
        // Its client started over; see `requireQuota`.
        const restarted = new Date(at.getTime() - RESTART_AFTER_MS)
        if ((await repository.closeOldestGrant(tx, userId, size, at, restarted)) > 0)
          open = addOpen(await repository.countOpenOfAccount(tx, userId, at), added)
      }
      const refusal =
        !fits() || (upTo && !aheadFits)
          ? new AppError('quotaExceeded', { free: Math.max(0, free - open.reserved) })
          : open.count >= (upTo ? OPEN_PER_ACCOUNT / 2 : OPEN_PER_ACCOUNT)
            ? new AppError('tooManyUploads', { max: OPEN_PER_ACCOUNT })
            : undefined
      if (refusal) {
        results.push(refusal)
        continue
      }
      open = { count: open.count + 1, reserved: open.reserved + size }
    }
    const tokens = new Map(known?.nodes.map((node, index) => [node, known.tokens[index] as string]))
    for (const { id } of nodes) if (!tokens.has(id)) tokens.set(id, randomUUID())
    if (known)
      await repository.renewGrant(tx, known.id, {
        nodes: [...tokens.keys()],
        tokens: [...tokens.values()],
        openUntil: openUntil(context, size, nodes),
        at,
      })
    else {
      added.push({
        item,
        max: size,
        size: upTo ? null : size,
        nodes: [...tokens.keys()],
        tokens: [...tokens.values()],
      })
      largest = Math.max(largest, size)
    }
    results.push(nodes.map(({ id }) => tokens.get(id) as string))
  }
  const everywhere = files.flatMap(({ nodes }) => nodes)
  if (added.length > 0)
    await repository.insertItemGrants(
      tx,
      { traceId, account, userId, openUntil: openUntil(context, largest, everywhere), at },
      added,
    )
  return results
}

/** What is open in the database, and what is about to be inserted. */
const addOpen = (open: { count: number; reserved: number }, added: readonly { max: number }[]) => ({
  count: open.count + added.length,
  reserved: open.reserved + added.reduce((sum, { max }) => sum + max, 0),
})

/**
 * Grants an upload again, to the current nodes, when a client repeats or resumes it.
 * @param upload.free quota not used by files and announced uploads
 * @returns the jti for each node, or undefined if the upload no longer exists
 * @throws AppError quotaExceeded, tooManyUploads for an upload that had been cancelled
 */
export async function renewUpload(
  context: Pick<Context, 'clock'>,
  tx: Db,
  upload: { userId: number; account: string; traceId: string; size: number; free: number },
  nodes: readonly UploadNode[],
): Promise<string[] | undefined> {
  const grant = await repository.lockUnusedGrant(tx, upload.account, upload.traceId, upload.size, now(context))
  if (!grant) return undefined
  if (!grant.open) await requireQuota(context, tx, upload)
  return renew(context, tx, grant, upload, nodes)
}

/** The same for an upload without an account. @throws AppError tooManyUploads */
export async function renewVisitorUpload(
  context: Pick<Context, 'clock'>,
  tx: Db,
  upload: { account: string; network: string; traceId: string; size: number },
  nodes: readonly UploadNode[],
): Promise<string[] | undefined> {
  const grant = await repository.lockUnusedGrant(tx, upload.account, upload.traceId, upload.size, now(context))
  if (!grant) return undefined
  if (!grant.open) await enforceClientNetworkLimit(context, tx, upload.network)
  return renew(context, tx, grant, upload, nodes)
}

async function renew(
  context: Pick<Context, 'clock'>,
  tx: Db,
  grant: repository.UnusedGrant,
  upload: { traceId: string; size: number },
  nodes: readonly UploadNode[],
): Promise<string[] | undefined> {
  const known = new Map(grant.nodes.map((node, index) => [node, grant.tokens[index] as string]))
  for (const { id } of nodes) if (!known.has(id)) known.set(id, randomUUID())
  if (known.size > NODES_MAX) return undefined
  await recordOffered(tx, upload.traceId, [...known.keys()])
  await repository.renewGrant(tx, grant.id, {
    nodes: [...known.keys()],
    tokens: [...known.values()],
    openUntil: openUntil(context, upload.size, nodes),
    at: now(context),
  })
  return nodes.map(({ id }) => known.get(id) as string)
}

/**
 * Renews the reservations of uploads whose bytes arrive, if they grew at least at the minimum rate. A node can renew only what was granted
 * to it, so it holds quota only of the account that began the upload. What an edge reports is not proven: it renews at most as long as the
 * bytes take at the usual minimum rate.
 */
export const reportUploads = (
  context: Pick<Context, 'db' | 'clock'>,
  nodeId: string,
  uploads: readonly ReportedUpload[],
): Promise<void> =>
  repository.renewArriving(context.db, nodeId, uploads, {
    at: now(context),
    idle: IDLE_MS,
    perMegabyte: isEdge(nodeId) ? UPLOAD_TIMEOUT_PER_MB : undefined,
  })

/**
 * Checks the quota for one more upload of a locked account. Reserved bytes count as stored until the reservation ends.
 * @param free quota not used by files and announced uploads
 * @returns the maximum size of the upload, and the bytes to reserve
 * @throws AppError quotaExceeded, tooManyUploads
 */
export async function requireQuota(
  context: Pick<Context, 'clock'>,
  tx: Db,
  { userId, size, free }: { userId: number; size: number | undefined; free: number },
): Promise<{ max: number; reserved: number }> {
  const at = now(context)
  let open = await repository.countOpenOfAccount(tx, userId, at)
  const exceedsQuota = () => free - open.reserved < Math.max(1, size ?? 0)
  if (size !== undefined && exceedsQuota()) {
    const before = new Date(at.getTime() - RESTART_AFTER_MS)
    if ((await repository.closeOldestGrant(tx, userId, size, at, before)) > 0)
      open = await repository.countOpenOfAccount(tx, userId, at)
  }
  const left = free - open.reserved
  if (exceedsQuota()) throw new AppError('quotaExceeded', { free: Math.max(0, left) })
  if (open.count >= OPEN_PER_ACCOUNT) throw new AppError('tooManyUploads', { max: OPEN_PER_ACCOUNT })
  return { max: left, reserved: size ?? Math.min(UNSIZED_MAX_BYTES, Math.ceil(left / UNSIZED_SHARE)) }
}

/** @throws AppError tooManyUploads */
export async function enforceAccountLimit(context: Pick<Context, 'clock'>, tx: Db, userId: number): Promise<void> {
  const { count } = await repository.countOpenOfAccount(tx, userId, now(context))
  if (count >= OPEN_PER_ACCOUNT) throw new AppError('tooManyUploads', { max: OPEN_PER_ACCOUNT })
}

/** @throws AppError tooManyUploads */
export async function enforceClientNetworkLimit(
  context: Pick<Context, 'clock'>,
  tx: Db,
  network: string,
): Promise<void> {
  await advisoryLock(tx, `upload ${network}`)
  if ((await repository.countOpenOfNetwork(tx, network, now(context))) >= OPEN_PER_CLIENT_NETWORK)
    throw new AppError('tooManyUploads', { max: OPEN_PER_CLIENT_NETWORK })
}
