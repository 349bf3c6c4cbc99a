import { AppError, type ReceiptClaims } from '@tidenet/contract'
import { countKeyTraffic, lockUidForUpdate } from '../../identity/index.ts'
import { isReceiptOf, placement, publicKeyOf, readReceipt, recordTransfers } from '../../network/index.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import { findReservedContents, liftRestrictions } from '../assets/assets.ts'
import { isEdge } from '../contents/possession.ts'
import { findReceipts, insertReceipts } from '../contents/receipts.ts'
import { now } from '../context.ts'
import { closeGrantsOf, findGranted } from '../grants/grants.ts'
import { hourOf } from '../usage/series.ts'
import { addReceived } from '../usage/service.ts'
import { listAnnouncedAsset } from './announced.ts'
import { canonical, type Deps, isSameReceipt, isTimely, storeReceipt } from './receipts.ts'
import { enforceUnlistedLimit } from './unlisted.ts'

/**
 * Accepts the receipts that a node delivers; repeated ones have no effect.
 * @returns how many were accepted; receipts of uploads without a grant, and contradicting ones, are not
 * @throws AppError nodeSignature if one is not signed by the node; then none is accepted
 */
export async function acceptReceipts(context: Deps, nodeId: string, receipts: readonly string[]): Promise<number> {
  const read = receipts.map((jws) => ({ jws, claims: readReceipt(jws) }))
  const key = await publicKeyOf(context.db, nodeId)
  const genuine: ReceiptClaims[] = []
  for (const { jws, claims } of read) {
    if (!key || claims?.iss !== nodeId || !isReceiptOf(key, jws)) throw new AppError('nodeSignature')
    genuine.push(canonical(claims))
  }
  return storeReceipts(context, genuine)
}

/**
 * Stores receipts with few statements: those of invited nodes for one account in one transaction, others one by one.
 * @returns how many were accepted
 */
export async function storeReceipts(context: Deps, all: readonly ReceiptClaims[]): Promise<number> {
  let accepted = 0
  const byAccount = new Map<string, ReceiptClaims[]>()
  for (const claims of all) {
    const list = byAccount.get(claims.sub)
    if (list) list.push(claims)
    else byAccount.set(claims.sub, [claims])
  }
  for (const [account, receipts] of byAccount) {
    const together = receipts.length > 1 && !account.startsWith('temp:')
    const stored = together ? await storeOfAccount(context, account, receipts) : { accepted: 0, left: receipts }
    accepted += stored.accepted
    for (const claims of stored.left) if (await storeReceipt(context, claims)) accepted += 1
  }
  return accepted
}

/** Stores what needs no decision: the receipt was granted, an invited node signed it, and the content's record agrees. @returns the others */
async function storeOfAccount(
  context: Deps,
  uid: string,
  receipts: readonly ReceiptClaims[],
): Promise<{ accepted: number; left: ReceiptClaims[] }> {
  const at = now(context)
  return context.db.transaction(async (tx) => {
    const account = await lockUidForUpdate(tx, uid)
    // The rules for one account that has ended, or is unknown, are in one place.
    if (!account || account.locked || account.closing) return { accepted: 0, left: [...receipts] }
    const known = await findReceipts(
      tx,
      receipts.map(({ jti }) => jti),
    )
    const repeated = receipts.filter((claims) => known.has(claims.jti))
    const same = repeated.filter((claims) => isSameReceipt(known.get(claims.jti), claims))
    const fresh = receipts.filter(({ jti }) => !known.has(jti))
    const granted = await findGranted(tx, fresh)
    const seen = new Set<string>()
    // A content that occurs twice is decided one after the other.
    const plain = fresh
      .filter((claims) => granted.has(claims.jti) && !isEdge(claims.iss) && isTimely(claims, at))
      .filter(({ cid }) => !seen.has(cid) && seen.add(cid))
    const contents = await placement.upsertContents(
      tx,
      plain.map((claims) => ({ ...claims, hash: readCid(claims.cid).hash })),
      at,
    )
    const agreed = plain.filter(({ cid, size, kind }) => {
      const content = contents.get(cid)
      return content?.size === size && content.kind === kind && content.sole_holder === null
    })
    await storeAgreed(context, tx, account, agreed, at)
    const handled = new Set<ReceiptClaims>([...repeated, ...agreed])
    return { accepted: same.length + agreed.length, left: receipts.filter((claims) => !handled.has(claims)) }
  })
}

async function storeAgreed(
  context: Deps,
  tx: Db,
  account: NonNullable<Awaited<ReturnType<typeof lockUidForUpdate>>>,
  receipts: readonly ReceiptClaims[],
  at: Date,
): Promise<void> {
  if (receipts.length === 0) return
  await insertReceipts(tx, receipts, at)
  await closeGrantsOf(tx, receipts)
  await recordTransfers(
    tx,
    receipts.map(({ size, iss }) => ({ kind: 'upload' as const, size, to: iss })),
    at,
  )
  await placement.addCopies(
    tx,
    receipts.map(({ cid, iss }) => ({ cid, nodeId: iss })),
    at,
  )
  const received = receipts.reduce((sum, { size }) => sum + size, 0)
  await addReceived(tx, account.id, hourOf(at), received)
  await countKeyTraffic(
    tx,
    receipts.map(({ tid, size }) => ({ trace: tid, bytes: size })),
  )
  await liftRestrictions(tx, receipts, account.id)
  const reserved = await findReservedContents(
    tx,
    account.id,
    receipts.map(({ cid }) => cid),
  )
  for (const claims of receipts) if (reserved.has(claims.cid)) await listAnnouncedAsset(context, tx, claims)
  await enforceUnlistedLimit(context, tx, account, received)
}
