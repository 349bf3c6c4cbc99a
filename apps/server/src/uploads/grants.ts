import { randomUUID } from 'node:crypto'
import { AppError, MiB, UPLOAD_BUDGET_PER_MB, UPLOAD_TOKEN_LIFE } from '@tidenet/contract'
import { type Context, now } from '../context.ts'
import type { Db } from '../db/db.ts'
import * as repository from './grants-repository.ts'

/** Uploads of an account that may be under way at once; people with a thousand files send them one after the other. */
export const OPEN_PER_ACCOUNT = 1000
/** Anonymous uploads from one network, which may be that of a whole school. */
export const OPEN_PER_NETWORK = 200
/** An upload that nobody hears of any more holds its room for this long, and for as long as its bytes would take. */
const QUIET = 5 * 60 * 1000
/** After this long another upload of the same size may take the place of one that nothing has come of: its client began anew. */
const BEGUN_ANEW = 2 * 60 * 1000
/** An upload of unknown size takes this part of the room that is left, and no more than a little. */
const UNSIZED_SHARE = 100
const UNSIZED_MOST = MiB
/** So many nodes may be offered one upload that is taken up again and again. */
const NODES_MOST = 20

/** What the nodes are told to take, and who wants it. */
export interface Granting {
  traceId: string
  /** A uid, or `temp:<id>`. */
  account: string
  userId?: number | undefined
  network?: string | undefined
  kind: 'file' | 'folder'
  cid?: string | undefined
  max: number
  size?: number | undefined
  /** Bytes of the quota that are set aside. */
  reserved?: number
  /** Whether bytes are expected, and the upload counts as one that is under way. */
  open?: boolean
}

/** Until when an upload of so many bytes counts as under way. Its tokens and its receipt are good for longer. */
const openUntil = (context: Pick<Context, 'clock'>, bytes: number): Date =>
  new Date(context.clock.now() + Math.min(UPLOAD_TOKEN_LIFE, QUIET + (bytes / 1_000_000) * UPLOAD_BUDGET_PER_MB))

/** Notes which nodes may take an upload; their receipts are taken for that and for nothing else. @returns the jti of each node's token */
export async function grantUpload(
  context: Pick<Context, 'clock'>,
  tx: Db,
  granting: Granting,
  nodes: readonly string[],
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
    nodes,
    tokens,
    reserved: granting.reserved ?? 0,
    openUntil: granting.open === false ? null : openUntil(context, granting.size ?? granting.max),
    at: now(context),
  })
  return tokens
}

/**
 * The same upload once more, to nodes of now: a client that asks a second time, or takes up what was broken off.
 * @param upload.free what neither files nor announcements take of the quota
 * @returns the jti for each node, or nothing when there is no such upload any more
 * @throws AppError quotaExceeded, tooManyUploads for one that had been given up
 */
export async function renewUpload(
  context: Pick<Context, 'clock'>,
  tx: Db,
  upload: { userId: number; traceId: string; size: number; free: number },
  nodes: readonly string[],
): Promise<string[] | undefined> {
  const grant = await repository.findUnused(tx, upload.userId, upload.traceId, upload.size, now(context))
  if (!grant) return undefined
  if (!grant.open) await roomFor(context, tx, upload)
  const known = new Map(grant.nodes.map((node, index) => [node, grant.tokens[index] as string]))
  for (const node of nodes) if (!known.has(node)) known.set(node, randomUUID())
  if (known.size > NODES_MOST) return undefined
  await repository.renewGrant(tx, grant.id, {
    nodes: [...known.keys()],
    tokens: [...known.values()],
    openUntil: openUntil(context, upload.size),
  })
  return nodes.map((node) => known.get(node) as string)
}

/**
 * Room for one more upload of an account, which is locked. What was granted counts as if it were stored, until it is used, given up
 * or forgotten.
 * @param free what neither files nor announcements take of the quota
 * @returns how many bytes the upload may have, and how many are set aside for it
 * @throws AppError quotaExceeded, tooManyUploads
 */
export async function roomFor(
  context: Pick<Context, 'clock'>,
  tx: Db,
  { userId, size, free }: { userId: number; size: number | undefined; free: number },
): Promise<{ most: number; reserved: number }> {
  const at = now(context)
  let open = await repository.openOfUser(tx, userId, at)
  const lacks = () => free - open.reserved < Math.max(1, size ?? 0)
  if (size !== undefined && lacks()) {
    const begun = new Date(at.getTime() - BEGUN_ANEW)
    if ((await repository.closeOne(tx, userId, size, at, begun)) > 0) open = await repository.openOfUser(tx, userId, at)
  }
  const left = free - open.reserved
  if (lacks()) throw new AppError('quotaExceeded', { free: Math.max(0, left) })
  if (open.count >= OPEN_PER_ACCOUNT) throw new AppError('tooManyUploads', { max: OPEN_PER_ACCOUNT })
  return { most: left, reserved: size ?? Math.min(UNSIZED_MOST, Math.ceil(left / UNSIZED_SHARE)) }
}

/** @throws AppError tooManyUploads */
export async function boundAccount(context: Pick<Context, 'clock'>, tx: Db, userId: number): Promise<void> {
  const { count } = await repository.openOfUser(tx, userId, now(context))
  if (count >= OPEN_PER_ACCOUNT) throw new AppError('tooManyUploads', { max: OPEN_PER_ACCOUNT })
}

/** @throws AppError tooManyUploads */
export async function boundNetwork(context: Pick<Context, 'clock'>, tx: Db, network: string): Promise<void> {
  await repository.holdNetwork(tx, network)
  if ((await repository.countOfNetwork(tx, network, now(context))) >= OPEN_PER_NETWORK)
    throw new AppError('tooManyUploads', { max: OPEN_PER_NETWORK })
}
