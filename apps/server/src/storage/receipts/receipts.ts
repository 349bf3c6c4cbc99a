import { AppError, CLOCK_SKEW_MAX, type ReceiptClaims } from '@tidenet/contract'
import { countKeyTraffic, lockUidForUpdate } from '../../identity/index.ts'
import { isReceiptOf, placement, publicKeyOf, readReceipt, recordTransfers } from '../../network/index.ts'
import { ago } from '../../platform/ago.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import { liftRestriction } from '../assets/assets.ts'
import { isEdge, soleHolderOf } from '../contents/possession.ts'
import { findReceipt, insertReceipt, spendReceipts } from '../contents/receipts.ts'
import { type Context, now } from '../context.ts'
import { closeGrants, isGranted } from '../grants/grants.ts'
import { GRANT_LIFE, RECEIPT_LIFE } from '../lifetimes.ts'
import { hourOf } from '../usage/series.ts'
import { addReceived } from '../usage/service.ts'
import { listAnnouncedAsset } from './announced.ts'
import * as repository from './repository.ts'
import { clearSoleHolder } from './sole-holder.ts'
import { enforceUnlistedLimit } from './unlisted.ts'

export type Deps = Pick<Context, 'clock' | 'log'> & { db: Db }

/**
 * Accepts a receipt from a client, which often delivers it before the node does.
 * @throws AppError nodeSignature
 */
export async function acceptReceipt(context: Deps, jws: string): Promise<void> {
  await storeReceipt(context, await verifyReceipt(context, jws))
}

/** @returns what the receipt says. @throws AppError nodeSignature */
export async function verifyReceipt(context: Pick<Deps, 'db'>, jws: string): Promise<ReceiptClaims> {
  const claims = readReceipt(jws)
  const key = claims && (await publicKeyOf(context.db, claims.iss))
  return requireGenuine(jws, () => key)
}

/** @param keyOf the public key of a node. @returns what the receipt says. @throws AppError nodeSignature */
export function requireGenuine(jws: string, keyOf: (nodeId: string) => string | undefined): ReceiptClaims {
  const claims = readReceipt(jws)
  const key = claims && keyOf(claims.iss)
  if (!claims || !key || !isReceiptOf(key, jws)) throw new AppError('nodeSignature')
  return canonical(claims)
}

export function canonical(claims: ReceiptClaims): ReceiptClaims {
  try {
    return { ...claims, cid: readCid(claims.cid).text }
  } catch {
    throw new AppError('nodeSignature')
  }
}

export function isTimely(claims: ReceiptClaims, at: Date): boolean {
  const age = at.getTime() - claims.iat * 1000
  return age <= RECEIPT_LIFE && age >= -2 * CLOCK_SKEW_MAX
}

/** Stores receipt, content, replica and usage, and lists the announced asset, in one transaction. */
export async function storeReceipt(context: Deps, claims: ReceiptClaims): Promise<boolean> {
  const at = now(context)
  if (!isTimely(claims, at)) return false
  return context.db.transaction(async (tx) => {
    const account = claims.sub.startsWith('temp:') ? undefined : await lockUidForUpdate(tx, claims.sub)
    // A repeated receipt changes nothing: its content may have been deleted since.
    const known = await findReceipt(tx, claims.jti)
    if (known) return isSameReceipt(known, claims)
    // Nodes know for hours that an account has ended, and its upload tokens are valid for a day.
    if (account?.locked || account?.closing) return false
    if (!(await isGranted(tx, claims)) && !(await predatesGrants(tx, claims, at))) {
      context.log.warn({ node: claims.iss, account: claims.sub }, 'a receipt names an upload that was not granted')
      return false
    }
    const outcome = await reconcileContent(context, tx, claims, at)
    if (outcome === 'rejected') return false
    if (!(await insertReceipt(tx, claims, at))) return true
    await closeGrants(tx, claims.tid, claims.jti)
    await recordTransfers(tx, [{ kind: 'upload', size: claims.size, to: claims.iss }], at)
    if (outcome === 'accepted') await placement.addCopy(tx, claims.cid, claims.iss, at)
    if (account) await addReceived(tx, account.id, hourOf(at), claims.size)
    if (account) await countKeyTraffic(tx, [{ trace: claims.tid, bytes: claims.size }])
    if (account && !isEdge(claims.iss)) await liftRestriction(tx, claims, account.id)
    await listAnnouncedAsset(context, tx, claims)
    if (account) await enforceUnlistedLimit(context, tx, account, claims.size)
    return true
  })
}

export const isSameReceipt = (known: Awaited<ReturnType<typeof findReceipt>>, claims: ReceiptClaims): boolean =>
  known !== undefined &&
  known.account === claims.sub &&
  known.node_id === claims.iss &&
  known.cid === claims.cid &&
  known.kind === claims.kind &&
  known.size === claims.size

/**
 * Release 0.1.0 did not record grants: for uploads that it began, a receipt of an invited node is accepted without one, for as long as
 * a grant would be kept.
 */
const predatesGrants = async (tx: Db, claims: ReceiptClaims, at: Date): Promise<boolean> =>
  !isEdge(claims.iss) && (await repository.isUngranted(tx, claims.tid, claims.sub, ago(at, GRANT_LIFE)))

/** Whether anything refers to the content, or a node still holds it. */
const isReferenced = async (tx: Db, cid: string): Promise<boolean> =>
  (await repository.isReferenced(tx, cid)) || (await placement.hasCopies(tx, cid))

/**
 * Compares a receipt with the content's record. A CID has one size, so an invited node that contradicts the record is rejected. What
 * only edges reported is replaced by what an invited node reports. An edge's report about a content that others have counts for its own
 * account only; the answer must not reveal whether it was right.
 * @returns `accepted`: the node gets a replica; `accountOnly`: the receipt is stored, without a replica; `rejected`
 */
async function reconcileContent(
  context: Deps,
  tx: Db,
  claims: ReceiptClaims,
  at: Date,
): Promise<'accepted' | 'accountOnly' | 'rejected'> {
  const content = await placement.upsertContent(tx, { ...claims, hash: readCid(claims.cid).hash }, at)
  const same = content.size === claims.size && content.kind === claims.kind
  if (isEdge(claims.iss)) {
    const holder = soleHolderOf(claims.sub)
    if (content.fresh || !(await isReferenced(tx, claims.cid))) {
      await placement.setSoleHolder(tx, claims, holder)
      return 'accepted'
    }
    await clearSoleHolder(tx, claims.cid, claims.sub)
    if (content.sole_holder !== holder || !same) return 'accountOnly'
    await placement.addSoleHolderNode(tx, claims.cid, claims.iss)
    return 'accepted'
  }
  await clearSoleHolder(tx, claims.cid)
  if (same) return 'accepted'
  if (await placement.outranksHolders(tx, claims.iss, claims.cid)) {
    await placement.correctContent(tx, claims)
    // Their size or kind is wrong.
    await spendReceipts(tx, [claims.cid])
    await placement.removeCopies(tx, claims.cid, at)
    return 'accepted'
  }
  context.log.warn(
    { node: claims.iss, cid: claims.cid, size: claims.size, known: content.size },
    'a receipt contradicts what is known of the content',
  )
  return 'rejected'
}
