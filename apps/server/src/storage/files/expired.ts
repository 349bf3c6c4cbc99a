import { lockAccount } from '../../identity/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import { sql } from '../../platform/db/sql.ts'
import { deleteAsset } from '../assets/assets.ts'
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
  const ended = await context.db.rows<{ id: number; user_id: number; uid: string; cid: string }>(sql`
    select a.id, a.user_id, u.uid, a.cid from assets a join users u on u.id = a.user_id
    where a.expires_at <= ${at} order by a.expires_at limit ${FEW}`)
  for (const asset of ended)
    await context.db.transaction(async (tx) => {
      await lockAccount(tx, asset.user_id)
      // Another server may have been here, or the owner has kept it for longer.
      const still = await tx.maybe(sql`select 1 from assets where id = ${asset.id} and expires_at <= ${at} for update`)
      if (!still) return
      await deleteAsset(tx, asset)
      await releaseContents(context, tx, [asset.cid], asset.uid)
      await recordStored(tx, asset.user_id, at)
    })
}

/** Room that was announced and never used is given back. */
export async function endReservations(context: Needs): Promise<void> {
  const before = ago(now(context), RESERVATION_LIFE)
  const ended = await context.db.rows<{ user_id: number; cid: string }>(
    sql`select user_id, cid from reservations where created_at <= ${before} order by created_at limit ${FEW}`,
  )
  for (const { user_id, cid } of ended)
    await context.db.transaction(async (tx) => {
      await lockAccount(tx, user_id)
      const gone = await tx.run(
        sql`delete from reservations where user_id = ${user_id} and cid = ${cid} and created_at <= ${before}`,
      )
      if (gone > 0) await releaseContents(context, tx, [cid])
    })
}
