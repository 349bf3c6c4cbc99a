import { FREE_STORAGE_DAYS, type ReceiptClaims } from '@tidenet/contract'
import { limitsOf, lockUidForUpdate } from '../../identity/index.ts'
import { placement } from '../../network/index.ts'
import { DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { deleteReservation, listAsset } from '../assets/assets.ts'
import { possessionOf } from '../contents/possession.ts'
import { type Context, now } from '../context.ts'
import { markTempFileStored } from '../temp-files/temp-files.ts'
import { deleteTrashedAsset, freeQuota } from '../trash/service.ts'
import { recordStored } from '../usage/service.ts'

export const assetExpiry = (at: Date): Date => new Date(at.getTime() + FREE_STORAGE_DAYS * DAY)

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
    await markTempFileStored(tx, claims, restrictedTo)
    await placement.checkContents(tx, [claims.cid], at)
    return
  }
  const user = await lockUidForUpdate(tx, claims.sub)
  if (!user) return
  const announced = await deleteReservation(tx, user.id, claims.cid)
  if (!announced) return
  const left = limitsOf(user).storage - user.used_bytes - (user.reserved_bytes - announced.size)
  if (claims.size > left) {
    context.log.warn(
      { cid: claims.cid, account: claims.sub },
      'an upload was larger than announced and does not fit the quota',
    )
    return
  }
  await deleteTrashedAsset(tx, user.id, claims.cid)
  const asset = {
    userId: user.id,
    folderId: announced.folder_id,
    cid: claims.cid,
    kind: claims.kind,
    name: announced.name,
    size: claims.size,
    md5: announced.md5,
    encrypted: announced.encrypted,
    areas: announced.areas,
    restrictedTo,
    createdAt: at,
    expiresAt: assetExpiry(at),
  }
  await listAsset(tx, asset, { uid: user.uid, node: claims.iss })
  await freeQuota(context, tx, user.id)
  await placement.checkContents(tx, [claims.cid], at)
  await recordStored(tx, user.id, at)
}
