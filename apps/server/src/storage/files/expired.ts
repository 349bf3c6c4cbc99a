import { lockAccountForUpdate } from '../../identity/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import {
  deleteAsset,
  deleteOldReservations,
  emitDeleted,
  findExpired,
  findOldReservations,
  lockExpired,
  versions,
} from '../assets/assets.ts'
import { releaseContents } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import { recordStored } from '../usage/service.ts'

type Deps = Pick<Context, 'db' | 'clock'>

const RESERVATION_LIFE = DAY
/** Rows per query; each is handled in its own transaction. */
const BATCH = 200

/** Deletes expired assets that `announceEndings` has announced. */
export async function expireAssets(context: Deps): Promise<void> {
  const at = now(context)
  for (const asset of await findExpired(context.db, at, BATCH))
    await context.db.transaction(async (tx) => {
      const account = await lockAccountForUpdate(tx, asset.user_id)
      // Another server may have deleted it, or its expiry changed.
      if (!(await lockExpired(tx, asset.id, at))) return
      await deleteAsset(tx, asset)
      const earlier = await versions.deleteVersionsOf(tx, asset.user_id, [asset.id])
      await releaseContents(context, tx, [asset.cid, ...earlier], { userId: asset.user_id, uid: account.uid })
      await emitDeleted(tx, asset.user_id, [asset], { trashed: false, at })
      await recordStored(tx, asset.user_id, at)
    })
}

/** Deletes reservations of uploads that never came. */
export async function expireReservations(context: Deps): Promise<void> {
  const before = ago(now(context), RESERVATION_LIFE)
  for (const { user_id, cid } of await findOldReservations(context.db, before, BATCH))
    await context.db.transaction(async (tx) => {
      await lockAccountForUpdate(tx, user_id)
      if ((await deleteOldReservations(tx, user_id, cid, before)) > 0) await releaseContents(context, tx, [cid])
    })
}
