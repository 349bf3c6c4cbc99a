import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, sql } from '../../platform/db/sql.ts'

export interface DisputeRow {
  id: number
  user_id: number | null
  node_id: string
  day: string
  stated_traffic: number
  stated_storage: number
  computed_traffic: number
  computed_storage: number
  hours: { hour: number; traffic: number; storage: number }[]
  text: string
  lang: string
  created_at: Date
  closed_at: Date | null
  closed_by: string
  note: string
}

const columns = sql`id, user_id, node_id, day::text as day, stated_traffic, stated_storage, computed_traffic, computed_storage, hours, text, lang,
  created_at, closed_at, closed_by, note`

export const findOpen = (tx: Db, userId: number, nodeId: string, day: string) =>
  tx.maybe<DisputeRow>(sql`
    select ${columns} from earning_disputes
    where user_id = ${userId} and node_id = ${nodeId} and day = ${day}::date and closed_at is null`)

/** When the account opened its `max`-th latest dispute of a day. */
export const disputesBeyond = (tx: Db, userId: number, max: number, at: Date) =>
  tx.maybe<{ created_at: Date }>(sql`
    select created_at from earning_disputes where user_id = ${userId} and created_at > ${ago(at, DAY)}
    order by created_at desc offset ${max - 1} limit 1`)

export const insertDispute = (
  tx: Db,
  dispute: Pick<DisputeRow, 'node_id' | 'day' | 'hours' | 'text' | 'lang'> & {
    userId: number
    stated: { traffic: number; storage: number }
    computed: { traffic: number; storage: number }
    at: Date
  },
) =>
  tx.one<DisputeRow>(sql`
    insert into earning_disputes (user_id, node_id, day, stated_traffic, stated_storage, computed_traffic, computed_storage, hours, text, lang, created_at)
    values (${dispute.userId}, ${dispute.node_id}, ${dispute.day}::date, ${dispute.stated.traffic}, ${dispute.stated.storage},
      ${dispute.computed.traffic}, ${dispute.computed.storage}, ${JSON.stringify(dispute.hours)}::jsonb, ${dispute.text}, ${dispute.lang}, ${dispute.at})
    returning ${columns}`)

export const disputesOf = (db: Db, userId: number, limit: number, offset: number) =>
  db.rows<DisputeRow>(
    sql`select ${columns} from earning_disputes where user_id = ${userId} order by id desc limit ${limit} offset ${offset}`,
  )

export const countDisputes = async (db: Db, userId: number): Promise<number> =>
  (await db.one<{ total: number }>(sql`select count(*) as total from earning_disputes where user_id = ${userId}`)).total

/** Newest first. */
export const pageOfDisputes = (db: Db, closed: boolean | undefined, before: number | undefined, limit: number) =>
  db.rows<DisputeRow>(sql`
    select ${columns} from earning_disputes where true
      ${closed === undefined ? none : closed ? sql`and closed_at is not null` : sql`and closed_at is null`}
      ${before === undefined ? none : sql`and id < ${before}`}
    order by id desc limit ${limit}`)

export const countOpenDisputes = (db: Db) =>
  db.one<{ count: number; since: Date | null }>(sql`
    select count(*) as count, min(created_at) as since from earning_disputes where closed_at is null`)

export const lockDispute = (tx: Db, id: number) =>
  tx.maybe<DisputeRow>(sql`select ${columns} from earning_disputes where id = ${id} for update`)

/** @param at null: it is open again */
export const closeDispute = (tx: Db, id: number, { at, by, note }: { at: Date | null; by: string; note: string }) =>
  tx.run(sql`update earning_disputes set closed_at = ${at}, closed_by = ${by}, note = ${note} where id = ${id}`)
