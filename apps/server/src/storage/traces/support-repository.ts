import type { Lang } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import { advisoryLocks } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { type TraceRow, traceColumns } from './repository.ts'

/** Traces that users sent to the operators. */

/** Serializes requests for a trace, of a sender and of its network, so that concurrent ones cannot exceed the limits. */
export const lockSending = (tx: Db, traceId: string, userId: number | null, network: string) =>
  advisoryLocks(tx, [
    `supports from ${network}`,
    ...(userId === null ? [] : [`supports of ${userId}`]),
    `support ${traceId}`,
  ])

export const countSent = (tx: Db, userId: number | null, network: string, since: Date) =>
  tx.one<{ of_account: number; from_network: number; oldest: Date | null }>(sql`
    select count(*) filter (where user_id = ${userId}) as of_account, count(*) filter (where network = ${network}) as from_network,
      min(created_at) as oldest
    from trace_supports where created_at > ${since} and (user_id = ${userId} or network = ${network})`)

export const findSupport = (db: Db, traceId: string) =>
  db.maybe<{ created_at: Date; closed_at: Date | null }>(
    sql`select created_at, closed_at from trace_supports where trace_id = ${traceId}`,
  )

/** Inserts it, or opens the closed one again. */
export const upsertSupport = (
  tx: Db,
  support: { traceId: string; userId: number | null; network: string; lang: Lang; text: string; at: Date },
) =>
  tx.run(sql`
    insert into trace_supports as s (trace_id, user_id, network, lang, text, created_at)
    values (${support.traceId}, ${support.userId}, ${support.network}, ${support.lang}, ${support.text}, ${support.at})
    on conflict (trace_id) do update set user_id = excluded.user_id, network = excluded.network, lang = excluded.lang,
      text = excluded.text, created_at = excluded.created_at, closed_at = null, closed_by = ''
    where s.closed_at is not null`)

export interface SupportRow extends TraceRow {
  id: number
  sender_id: number | null
  lang: string
  text: string
  sent_at: Date
  closed_at: Date | null
  closed_by: string
  note: string
}

const columns = sql`s.id, s.user_id as sender_id, s.lang, s.text, s.created_at as sent_at, s.closed_at, s.closed_by, s.note, t.*`
const joined = sql`trace_supports s join (select ${traceColumns} from traces) t on t.trace_id = s.trace_id`

/** Newest first. @param filter.words part of the text, the file name or the trace id, as a pattern */
export const pageOfSupports = (
  db: Db,
  { closed, words }: { closed?: boolean | undefined; words?: string | undefined },
  before: number | undefined,
  limit: number,
): Promise<SupportRow[]> =>
  db.rows(sql`
    select ${columns} from ${joined} where true
      ${closed === undefined ? none : closed ? sql`and s.closed_at is not null` : sql`and s.closed_at is null`}
      ${words ? sql`and (s.text ilike ${words} or t.name ilike ${words} or t.cid ilike ${words} or s.trace_id ilike ${words})` : none}
      ${before === undefined ? none : sql`and s.id < ${before}`}
    order by s.id desc limit ${limit}`)

export const countOpenSupports = (db: Db) =>
  db.one<{ count: number; since: Date | null }>(sql`
    select count(*) as count, min(created_at) as since from trace_supports where closed_at is null`)

export const lockSupport = (tx: Db, id: number): Promise<SupportRow | undefined> =>
  tx.maybe(sql`select ${columns} from ${joined} where s.id = ${id} for update of s`)

/** @param closed `at` null: it is open again */
export const closeSupport = (tx: Db, id: number, { at, by, note }: { at: Date | null; by: string; note: string }) =>
  tx.run(sql`update trace_supports set closed_at = ${at}, closed_by = ${by}, note = ${note} where id = ${id}`)

/** The network is only stored for the daily limit. */
export const expired = (at: Date): Sql[] => [
  sql`update trace_supports set network = null where id in (
    select id from trace_supports where created_at < ${ago(at, DAY)} and network is not null limit ${EXPIRED_BATCH} for update skip locked)`,
]

/** Cases about transfers of others. */
export const erased = (userId: number): Sql[] => [sql`delete from trace_supports where user_id = ${userId}`]

export const exported = (userId: number): Sql => sql`
  select id as row_key, trace_id, text, created_at, closed_at from trace_supports where user_id = ${userId}`
