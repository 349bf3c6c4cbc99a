import { lockAccountForUpdate } from '../../identity/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import { deleteAsset, dropOldReservation, findEnded, findOldReservations, holdEnded } from '../assets/assets.ts'
import { releaseContents } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import { recordStored } from '../usage/service.ts'

type Needs = Pick<Context, 'db' | 'clock'>

const RESERVATION_LIFE = DAY
/** Each is a transaction of its own. */
const FEW = 200

/** Assets past their end leave the account, as if their owner had deleted them. */
export async function endAssets(context: Needs): Promise<void> {
  const at = now(context)
  for (const asset of await findEnded(context.db, at, FEW))
    await context.db.transaction(async (tx) => {
      await lockAccountForUpdate(tx, asset.user_id)
      // Another server may have been here, or the owner has kept it for longer.
      if (!(await holdEnded(tx, asset.id, at))) return
      await deleteAsset(tx, asset)
      await releaseContents(context, tx, [asset.cid], asset.uid)
      await recordStored(tx, asset.user_id, at)
    })
}

/** Room that was announced and never used is given back. */
export async function endReservations(context: Needs): Promise<void> {
  const before = ago(now(context), RESERVATION_LIFE)
  for (const { user_id, cid } of await findOldReservations(context.db, before, FEW))
    await context.db.transaction(async (tx) => {
      await lockAccountForUpdate(tx, user_id)
      if ((await dropOldReservation(tx, user_id, cid, before)) > 0) await releaseContents(context, tx, [cid])
    })
}
