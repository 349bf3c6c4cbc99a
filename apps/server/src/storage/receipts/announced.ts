import { FREE_STORAGE_DAYS, type ReceiptClaims } from '@tidenet/contract'
import { limitsOf, lockAccountForUpdate } from '../../identity/index.ts'
import { placement } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { insertAsset, takeReservation } from '../assets/assets.ts'
import { possessionOf } from '../contents/possession.ts'
import { type Context, now } from '../context.ts'
import { storeTempFile } from '../temp-files/temp-files.ts'
import { forgetTrashed, makeRoom } from '../trash/service.ts'
import { recordStored } from '../usage/service.ts'

export const expiryFrom = (at: Date): Date => new Date(at.getTime() + FREE_STORAGE_DAYS * 24 * 3600 * 1000)

/** Called when a node's receipt was accepted: what was announced before its bytes is listed now. */
export async function onReceipt(context: Pick<Context, 'clock' | 'log'>, tx: Db, claims: ReceiptClaims): Promise<void> {
  const at = now(context)
  const possession = await possessionOf(tx, claims.cid, {
    account: claims.sub,
    visitors: claims.sub.startsWith('temp:'),
  })
  const restrictedTo = possession?.nodes ?? null
  if (claims.sub.startsWith('temp:')) {
    await storeTempFile(tx, claims, restrictedTo)
    await placement.checkContents(tx, [claims.cid], at)
    return
  }
  const account = await tx.maybe<{ id: number }>(sql`select id from users where uid = ${claims.sub}`)
  if (!account) return
  const user = await lockAccountForUpdate(tx, account.id)
  const announced = await takeReservation(tx, user.id, claims.cid)
  if (!announced) return
  const left = limitsOf(user).storage - user.used_bytes - (user.reserved_bytes - announced.size)
  if (claims.size > left) {
    context.log.warn(
      { cid: claims.cid, account: claims.sub },
      'an upload was larger than announced and does not fit the quota',
    )
    return
  }
  await forgetTrashed(tx, user.id, claims.cid)
  await insertAsset(tx, {
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
    expiresAt: expiryFrom(at),
  })
  await makeRoom(context, tx, user.id)
  await placement.checkContents(tx, [claims.cid], at)
  await recordStored(tx, user.id, at)
}
