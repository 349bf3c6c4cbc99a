import { TEMP_FILE_LIFE, UPLOAD_TOKEN_LIFE } from '@tidenet/contract'
import { type Context, now } from './context.ts'
import { SPAN_LIFE, TRANSFER_LIFE } from './network/explorer/service.ts'
import { type Sql, sql } from './platform/db/sql.ts'
import { deleteAsset, lockUser } from './storage/assets/repository.ts'
import { releaseContents } from './storage/contents/release.ts'
import { RECEIPT_LIFE } from './storage/receipts/receipts.ts'
import { recordStored } from './storage/usage/service.ts'

/** Ends what has had its time. Each step is small and safe to repeat; several servers may do it at once. */

type Needs = Pick<Context, 'db' | 'clock'>

const DAY = 24 * 3600 * 1000
const RESERVATION_LIFE = DAY
const TRACE_LIFE = 90 * DAY
/** Nodes that were cut off may still report what was looked at. */
const PREVIEW_LIFE = 7 * DAY
/** An upload may begin when its token ends, and its receipt come when receipts end. */
const GRANT_LIFE = UPLOAD_TOKEN_LIFE + RECEIPT_LIFE + 2 * DAY
const AUDIT_LIFE = 30 * DAY
const BATCH_LIFE = 30 * DAY
/** An edge that has been silent for so long is gone. */
const GONE_LIFE = 30 * DAY
const FEW = 200
const MANY = 5000

/** Assets past their end leave the account, as if their owner had deleted them. */
export async function endAssets(context: Needs): Promise<void> {
  const at = now(context)
  const ended = await context.db.rows<{ id: number; user_id: number; uid: string; cid: string }>(sql`
    select a.id, a.user_id, u.uid, a.cid from assets a join users u on u.id = a.user_id
    where a.expires_at <= ${at} order by a.expires_at limit ${FEW}`)
  for (const asset of ended)
    await context.db.transaction(async (tx) => {
      await lockUser(tx, asset.user_id)
      // Another server may have been here, or the owner has kept it for longer.
      const still = await tx.maybe(sql`select 1 from assets where id = ${asset.id} and expires_at <= ${at} for update`)
      if (!still) return
      await deleteAsset(tx, asset)
      await releaseContents(context, tx, [asset.cid], asset.uid)
      await recordStored(tx, asset.user_id, at)
    })
}

export async function endTempFiles(context: Needs): Promise<void> {
  const at = now(context)
  await context.db.transaction(async (tx) => {
    const ended = await tx.rows<{ cid: string }>(sql`
      delete from temp_files where cid in (
        select cid from temp_files where expires_at <= ${at} order by expires_at limit ${FEW} for update skip locked)
      returning cid`)
    const cids = ended.map((row) => row.cid)
    if (cids.length === 0) return
    await tx.run(sql`
      update receipts set spent = true where cid = any(${cids}) and account like 'temp:%' and not spent
        and received_at <= ${new Date(at.getTime() - TEMP_FILE_LIFE)}`)
    await releaseContents(context, tx, cids)
  })
}

/** Room that was announced and never used is given back. */
export async function endReservations(context: Needs): Promise<void> {
  const before = new Date(context.clock.now() - RESERVATION_LIFE)
  const ended = await context.db.rows<{ user_id: number; cid: string }>(
    sql`select user_id, cid from reservations where created_at <= ${before} order by created_at limit ${FEW}`,
  )
  for (const { user_id, cid } of ended)
    await context.db.transaction(async (tx) => {
      await lockUser(tx, user_id)
      const gone = await tx.run(
        sql`delete from reservations where user_id = ${user_id} and cid = ${cid} and created_at <= ${before}`,
      )
      if (gone > 0) await releaseContents(context, tx, [cid])
    })
}

/**
 * Edges that never came back, and what hangs on them. Those stay that belong to somebody, and those that may have the last copy of
 * a content.
 */
export async function forgetGoneEdges(context: Needs): Promise<void> {
  const before = new Date(context.clock.now() - GONE_LIFE)
  await context.db.transaction(async (tx) => {
    const gone = await tx.rows<{ id: string }>(sql`
      delete from nodes where id in (
        select n.id from nodes n
        where n.status = 'offline' and n.kind = 'edge' and n.seen_at < ${before} and n.owner_id is null and n.out_since is null
          and not exists (
            select 1 from replicas r join contents c on c.cid = r.cid
            where r.node_id = n.id and r.state in ('stored', 'claimed', 'lost') and (r.state <> 'lost' or c.stored = 0)
          )
        order by n.seen_at limit ${FEW} for update of n skip locked)
      returning id`)
    const ids = gone.map((row) => row.id)
    if (ids.length === 0) return
    await tx.run(sql`delete from inventories where node_id = any(${ids})`)
    await tx.run(sql`delete from served_batches where node_id = any(${ids})`)
    await tx.run(sql`delete from node_figures where node_id = any(${ids})`)
  })
}

/** Records that nobody will ask for any more. */
export async function forgetRecords(context: Needs): Promise<void> {
  const before = (age: number) => new Date(context.clock.now() - age)
  const steps: Sql[] = [
    sql`delete from receipts where id in (
      select id from receipts where received_at < ${before(RECEIPT_LIFE + DAY)} limit ${MANY} for update skip locked)`,
    sql`delete from upload_grants where id in (
      select id from upload_grants where created_at < ${before(GRANT_LIFE)} limit ${MANY} for update skip locked)`,
    sql`delete from traces where id in (
      select id from traces where created_at < ${before(TRACE_LIFE)} limit ${MANY} for update skip locked)`,
    sql`delete from traces where id in (
      select id from traces where preview and created_at < ${before(PREVIEW_LIFE)} limit ${MANY} for update skip locked)`,
    sql`delete from audits where id in (
      select id from audits where created_at < ${before(AUDIT_LIFE)} limit ${MANY} for update skip locked)`,
    sql`delete from served_batches where (node_id, batch) in (
      select node_id, batch from served_batches where received_at < ${before(BATCH_LIFE)} limit ${MANY} for update skip locked)`,
    sql`delete from inventories where (node_id, cid) in (
      select node_id, cid from inventories where begun_at < ${before(DAY)} limit ${MANY} for update skip locked)`,
    sql`delete from proofs where id in (
      select id from proofs where created_at < ${before(DAY)} limit ${MANY} for update skip locked)`,
    sql`delete from transfers where id in (
      select id from transfers where at < ${before(TRANSFER_LIFE)} limit ${MANY} for update skip locked)`,
    sql`delete from online_spans where (node_id, began) in (
      select node_id, began from online_spans where ended < ${before(SPAN_LIFE)} limit ${MANY} for update skip locked)`,
    sql`update leads set network = null where id in (
      select id from leads where created_at < ${before(DAY)} and network is not null limit ${MANY} for update skip locked)`,
  ]
  for (const step of steps) while ((await context.db.run(step)) === MANY);
}
