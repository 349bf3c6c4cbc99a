import type { ReceiptClaims } from '@tidenet/contract'
import { freeStorageOf, lockAccountForUpdate, lockUidForUpdate } from '../../identity/index.ts'
import { placement } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { type AssetRow, deleteReservationsOf, findAsset, listAsset, type ReservationRow } from '../assets/assets.ts'
import { LINK_VISITOR, possessionOf } from '../contents/possession.ts'
import { type Context, now } from '../context.ts'
import { assetExpiry } from '../lifetimes.ts'
import { markTempFileStored } from '../temp-files/temp-files.ts'
import { deleteTrashedAsset, freeQuota } from '../trash/service.ts'
import { resolveConflict } from '../tree/tree.ts'
import { recordStored } from '../usage/service.ts'
import { replaceContent } from '../versions/replace.ts'

/** Called when a node's receipt was accepted: lists the asset or anonymous file that was announced before its bytes. */
export async function listAnnouncedAsset(
  context: Pick<Context, 'clock' | 'log'>,
  tx: Db,
  claims: ReceiptClaims,
): Promise<void> {
  const at = now(context)
  const possession = await possessionOf(tx, claims.cid, {
    account: claims.sub,
    visitors: claims.sub.startsWith('temp:'),
  })
  const restrictedTo = possession?.nodes ?? null
  if (claims.sub.startsWith('temp:')) {
    if (!claims.sub.startsWith(LINK_VISITOR)) await markTempFileStored(tx, claims, restrictedTo)
    await placement.checkContents(tx, [claims.cid], at)
    return
  }
  const user = await lockUidForUpdate(tx, claims.sub)
  if (!user) return
  const reservations = await deleteReservationsOf(tx, user.id, claims.cid)
  for (const announced of reservations) await listOne(context, tx, claims, announced, restrictedTo, at)
  if (reservations.length === 0) return
  await freeQuota(context, tx, user.id)
  await placement.checkContents(tx, [claims.cid], at)
  await recordStored(tx, user.id, at)
}

/** Lists one announced asset, or nothing if it does not fit. The bytes are there, so a name that was taken meanwhile is numbered. */
async function listOne(
  context: Pick<Context, 'clock' | 'log'>,
  tx: Db,
  claims: ReceiptClaims,
  { folder_id: folderId, on_conflict: onConflict, ...announced }: ReservationRow,
  restrictedTo: string[] | null,
  at: Date,
): Promise<void> {
  const user = await lockAccountForUpdate(tx, announced.user_id)
  const { cid } = claims
  let { name } = announced
  let replaced: AssetRow | undefined
  if (onConflict === null) {
    // For example restored from the trash during the upload: it stays as it is.
    if (await findAsset(tx, user.id, { cid })) return
  } else {
    const place = { userId: user.id, folderId, name, cid }
    const resolved = await resolveConflict(tx, place, onConflict === 'fail' ? 'keep_both' : onConflict)
    if (resolved.listed) return
    name = resolved.name
    if (resolved.replaced) replaced = await findAsset(tx, user.id, { assetId: resolved.replaced })
  }
  const left = freeStorageOf(user)
  if (claims.size > left + (replaced?.size ?? 0)) {
    context.log.warn(
      { cid: claims.cid, account: claims.sub },
      'an upload was larger than announced and does not fit the quota',
    )
    return
  }
  if (onConflict === null) await deleteTrashedAsset(tx, user.id, cid)
  const asset = {
    userId: user.id,
    folderId,
    cid,
    kind: claims.kind,
    name,
    size: claims.size,
    md5: announced.md5,
    encrypted: announced.encrypted,
    areas: announced.areas,
    restrictedTo,
    createdAt: at,
    expiresAt: assetExpiry(at),
  }
  const sender = { uid: user.uid, node: claims.iss }
  if (replaced) await replaceContent(context, tx, replaced, asset, sender)
  else await listAsset(tx, asset, sender)
}
