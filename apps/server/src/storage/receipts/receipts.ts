import { AppError, CLOCK_SKEW_MAX, GiB, type ReceiptClaims } from '@tidenet/contract'
import { limitsOf } from '../../identity/index.ts'
import { isReceiptOf, placement, publicKeyOf, readReceipt, recordTransfers } from '../../network/index.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import { clearSoleHolder, isEdge, openFully, soleHolderOf } from '../contents/possession.ts'
import { releaseContents } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import { closeGrants, isGranted } from '../grants/grants.ts'
import { RECEIPT_LIFE } from '../lifetimes.ts'
import { hourOf } from '../usage/series.ts'
import { addReceived } from '../usage/service.ts'
import { onReceipt } from './announced.ts'
import * as repository from './repository.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'log'>

/** So much more than its quota an account may send before its assets name it: several uploads at once that not all fit. */
export const UNNAMED_MORE = GiB

/**
 * Takes the receipts that a node delivers; one known already is taken again without effect.
 * @returns how many stand: those of uploads that were not granted, or of other contents than before, do not
 * @throws AppError nodeSignature when any is not the node's own, and then takes none
 */
export async function acceptReceipts(context: Needs, nodeId: string, receipts: readonly string[]): Promise<number> {
  const read = receipts.map((jws) => ({ jws, claims: readReceipt(jws) }))
  const key = await publicKeyOf(context.db, nodeId)
  const genuine: ReceiptClaims[] = []
  for (const { jws, claims } of read) {
    if (!key || claims?.iss !== nodeId || !isReceiptOf(key, jws)) throw new AppError('nodeSignature')
    genuine.push(canonical(claims))
  }
  let accepted = 0
  for (const claims of genuine) if (await enter(context, claims)) accepted += 1
  return accepted
}

/**
 * Takes a receipt from whoever brings it: the uploader often comes before the node.
 * @throws AppError nodeSignature
 */
export async function acceptReceipt(context: Needs, jws: string): Promise<void> {
  const claims = readReceipt(jws)
  const key = claims && (await publicKeyOf(context.db, claims.iss))
  if (!claims || !key || !isReceiptOf(key, jws)) throw new AppError('nodeSignature')
  await enter(context, canonical(claims))
}

function canonical(claims: ReceiptClaims): ReceiptClaims {
  try {
    return { ...claims, cid: readCid(claims.cid).text }
  } catch {
    throw new AppError('nodeSignature')
  }
}

/** One transaction: the receipt, the content, the replica, the usage, and what waited for the bytes. */
async function enter(context: Needs, claims: ReceiptClaims): Promise<boolean> {
  const at = now(context)
  const age = at.getTime() - claims.iat * 1000
  if (age > RECEIPT_LIFE || age < -2 * CLOCK_SKEW_MAX) return false
  return context.db.transaction(async (tx) => {
    const account = claims.sub.startsWith('temp:') ? undefined : await repository.lockAccountForUpdate(tx, claims.sub)
    // One that was taken before says nothing new: its content may have been deleted since.
    const known = await repository.findReceipt(tx, claims.jti)
    if (known) return saysTheSame(known, claims)
    if (!(await isGranted(tx, claims)) && !(await isOfBefore(tx, claims))) {
      context.log.warn({ node: claims.iss, account: claims.sub }, 'a receipt names an upload that was not granted')
      return false
    }
    const content = await upsertContent(context, tx, claims, at)
    if (content === 'contradicted') return false
    if (!(await repository.insertReceipt(tx, claims, at))) return true
    await closeGrants(tx, claims.tid)
    await recordTransfers(tx, [{ kind: 'upload', size: claims.size, to: claims.iss }], at)
    if (content === 'held') await placement.addCopy(tx, claims.cid, claims.iss, at)
    if (account) await addReceived(tx, account.id, hourOf(at), claims.size)
    if (account && !isEdge(claims.iss)) await openFully(tx, claims, account.id)
    await onReceipt(context, tx, claims)
    if (account) await boundUnnamed(context, tx, claims.sub, limitsOf(account).storage + UNNAMED_MORE)
    return true
  })
}

const saysTheSame = (known: NonNullable<Awaited<ReturnType<typeof repository.findReceipt>>>, claims: ReceiptClaims) =>
  known.account === claims.sub &&
  known.node_id === claims.iss &&
  known.cid === claims.cid &&
  known.kind === claims.kind &&
  known.size === claims.size

/** Earlier releases did not note their tokens: of what was begun then, an invited node is believed as it was. */
const isOfBefore = async (tx: Db, claims: ReceiptClaims): Promise<boolean> =>
  !isEdge(claims.iss) && (await repository.isUngranted(tx, claims.tid, claims.sub))

/** Bytes that no asset names are room beside the quota: there is so much of that and no more, and what is older goes. */
async function boundUnnamed(context: Needs, tx: Db, account: string, most: number): Promise<void> {
  let bytes = 0
  const surplus = (await repository.findUnnamed(tx, account)).filter(({ size }) => {
    bytes += size
    return bytes > most
  })
  if (surplus.length === 0) return
  context.log.warn({ account, contents: surplus.length }, 'an account sends more than it stores')
  await releaseContents(
    context,
    tx,
    surplus.map(({ cid }) => cid),
    account,
  )
}

/** Whether anybody has to do with the content, or a node holds it though nobody wants it any more. */
const isClaimed = async (tx: Db, cid: string): Promise<boolean> =>
  (await repository.isClaimed(tx, cid)) || (await placement.hasCopies(tx, cid))

/**
 * A CID has one size: an invited node that says otherwise is not believed. Anybody may run an edge, so what edges alone have said
 * gives way to an invited node, and what an edge says of a content that others have stands beside it, for its own account only: the
 * answer must not tell whether it was right.
 */
async function upsertContent(
  context: Needs,
  tx: Db,
  claims: ReceiptClaims,
  at: Date,
): Promise<'held' | 'said' | 'contradicted'> {
  const content = await placement.upsertContent(tx, { ...claims, hash: readCid(claims.cid).hash }, at)
  const same = content.size === claims.size && content.kind === claims.kind
  if (isEdge(claims.iss)) {
    const holder = soleHolderOf(claims.sub)
    if (content.fresh || !(await isClaimed(tx, claims.cid))) {
      await placement.setSoleHolder(tx, claims, holder)
      return 'held'
    }
    await clearSoleHolder(tx, claims.cid, claims.sub)
    if (content.sole_holder !== holder || !same) return 'said'
    await placement.addSoleHolderNode(tx, claims.cid, claims.iss)
    return 'held'
  }
  await clearSoleHolder(tx, claims.cid)
  if (same) return 'held'
  if (await placement.outranksHolders(tx, claims.iss, claims.cid)) {
    await placement.correctContent(tx, claims)
    await repository.spendReceipts(tx, claims.cid)
    await placement.removeCopies(tx, claims.cid, at)
    return 'held'
  }
  context.log.warn(
    { node: claims.iss, cid: claims.cid, size: claims.size, known: content.size },
    'a receipt contradicts what is known of the content',
  )
  return 'contradicted'
}
