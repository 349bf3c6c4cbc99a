import { AppError, type ReceiptClaims } from '@tidenet/contract'
import { type AccountUsage, countKeyTraffic, lockUidForUpdate } from '../../identity/index.ts'
import { isReceiptOf, placement, publicKeyOf, readReceipt, recordTransfers } from '../../network/index.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import { findReservedContents, liftRestrictions } from '../assets/assets.ts'
import { isEdge } from '../contents/possession.ts'
import { findReceipts, insertReceipts } from '../contents/receipts.ts'
import { now } from '../context.ts'
import { closeGrantsOf, closeItemGrants, findGranted, type Granted } from '../grants/grants.ts'
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
  const [key, known] = await Promise.all([
    publicKeyOf(context.db, nodeId),
    findReceipts(
      context.db,
      read.flatMap(({ claims }) => claims?.jti ?? []),
    ),
  ])
  const genuine: ReceiptClaims[] = []
  let repeated = 0
  for (const { jws, claims } of read) {
    if (!key || claims?.iss !== nodeId) throw new AppError('nodeSignature')
    // The client has delivered most of them before. They change nothing, so their signature does not matter.
    if (isSameReceipt(known.get(claims.jti), claims)) repeated += 1
    else if (isReceiptOf(key, jws)) genuine.push(canonical(claims))
    else throw new AppError('nodeSignature')
  }
  return repeated + (await storeReceipts(context, genuine))
}

/**
 * Stores receipts with few statements: those of invited nodes for one account in one transaction, others one by one.
 * @param locked an account that the transaction of the caller has locked
 * @returns how many were accepted
 */
export async function storeReceipts(
  context: Deps,
  all: readonly ReceiptClaims[],
  locked?: AccountUsage,
): Promise<number> {
  let accepted = 0
  const byAccount = new Map<string, ReceiptClaims[]>()
  for (const claims of all) {
    const list = byAccount.get(claims.sub)
    if (list) list.push(claims)
    else byAccount.set(claims.sub, [claims])
  }
  for (const [account, receipts] of byAccount) {
    const stored = account.startsWith('temp:')
      ? { accepted: 0, left: receipts }
      : await storeOfAccount(context, account, receipts, locked)
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
  locked: AccountUsage | undefined,
): Promise<{ accepted: number; left: ReceiptClaims[] }> {
  const at = now(context)
  return context.db.transaction(async (tx) => {
    const ids = receipts.map(({ jti }) => jti)
    const [account, known, granted] = await Promise.all([
      locked?.uid === uid ? locked : lockUidForUpdate(tx, uid),
      findReceipts(tx, ids),
      findGranted(tx, receipts),
    ])
    // The rules for one account that has ended, or is unknown, are in one place.
    if (!account || account.locked || account.closing) return { accepted: 0, left: [...receipts] }
    const repeated = receipts.filter((claims) => known.has(claims.jti))
    const same = repeated.filter((claims) => isSameReceipt(known.get(claims.jti), claims))
    const fresh = receipts.filter(({ jti }) => !known.has(jti))
    const seen = new Set<string>()
    // Receipts with the same content or token are decided one after the other; a token is valid for one receipt.
    const plain = fresh
      .filter((claims) => granted.has(claims.jti) && !isEdge(claims.iss) && isTimely(claims, at))
      .filter(({ cid, jti }) => !seen.has(cid) && !seen.has(jti) && seen.add(cid).add(jti))
    const contents = await placement.upsertContents(
      tx,
      plain.map((claims) => ({ ...claims, hash: readCid(claims.cid).hash })),
      at,
    )
    const agreed = plain.filter(({ cid, size, kind }) => {
      const content = contents.get(cid)
      return content?.size === size && content.kind === kind && content.sole_holder === null
    })
    const grants = agreed.map((claims) => ({ ...claims, grant: granted.get(claims.jti) as Granted }))
    await storeAgreed(context, tx, account, grants, at)
    const handled = new Set<ReceiptClaims>([...repeated, ...agreed])
    return { accepted: same.length + agreed.length, left: receipts.filter((claims) => !handled.has(claims)) }
  })
}

async function storeAgreed(
  context: Deps,
  tx: Db,
  account: AccountUsage,
  receipts: readonly (ReceiptClaims & { grant: Granted })[],
  at: Date,
): Promise<void> {
  if (receipts.length === 0) return
  const cids = receipts.map(({ cid }) => cid)
  const received = receipts.reduce((sum, { size }) => sum + size, 0)
  const items = receipts.filter(({ grant }) => grant.isItem)
  const others = receipts.filter(({ grant }) => !grant.isItem)
  const [reserved] = await Promise.all([
    findReservedContents(tx, account.id, cids),
    insertReceipts(tx, receipts, at),
    items.length > 0 &&
      closeItemGrants(
        tx,
        items.map(({ grant }) => grant.id),
      ),
    others.length > 0 && closeGrantsOf(tx, others),
    recordTransfers(
      tx,
      receipts.map(({ size, iss }) => ({ kind: 'upload' as const, size, to: iss })),
      at,
    ),
    placement.addCopies(
      tx,
      receipts.map(({ cid, iss }) => ({ cid, nodeId: iss })),
      at,
    ),
    addReceived(tx, account.id, hourOf(at), received),
    countKeyTraffic(
      tx,
      receipts.map(({ tid, size }) => ({ trace: tid, bytes: size })),
    ),
    liftRestrictions(tx, receipts, account.id),
  ])
  for (const claims of receipts) if (reserved.has(claims.cid)) await listAnnouncedAsset(context, tx, claims)
  await enforceUnlistedLimit(context, tx, account, received)
}
