import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** How long it is known what a link received. */
const LIFE = 90 * DAY

export const findUpload = (tx: Db, traceId: string) =>
  tx.maybe<{ link_id: string }>(sql`select link_id from link_uploads where trace_id = ${traceId}`)

export const insertUpload = (
  tx: Db,
  upload: { traceId: string; linkId: string; userId: number; name: string; size: number; at: Date },
) =>
  tx.run(sql`
    insert into link_uploads (trace_id, link_id, user_id, name, size, at)
    values (${upload.traceId}, ${upload.linkId}, ${upload.userId}, ${upload.name}, ${upload.size}, ${upload.at})`)

/** What a link received since its owner was told last. */
export interface Received {
  link_id: string
  user_id: number
  files: number
  bytes: number
  /** Some of the names, the first first. */
  names: string[]
}

const NAMES = 10

/**
 * Claims what the owners of links are told next: no file came for `quiet`, or the first one came before `longest`; and nothing was told of the link
 * since `last`.
 */
export const claimReceived = (
  tx: Db,
  { quiet, longest, last, at, limit }: { quiet: Date; longest: Date; last: Date; at: Date; limit: number },
): Promise<Received[]> =>
  tx.rows(sql`
    with due as (
      select u.link_id from link_uploads u where u.notified_at is null
        and not exists (select 1 from link_uploads told where told.link_id = u.link_id and told.notified_at > ${last})
      group by u.link_id having max(u.at) <= ${quiet} or min(u.at) <= ${longest} order by min(u.at) limit ${limit}
    ), claimed as (
      update link_uploads u set notified_at = ${at} from due where u.link_id = due.link_id and u.notified_at is null
      returning u.link_id, u.user_id, u.name, u.size, u.at
    )
    select link_id, user_id, count(*) as files, sum(size)::float8 as bytes,
      coalesce((array_agg(name order by at, name))[1:${NAMES}::int], '{}') as names
    from claimed group by link_id, user_id`)

export const erased = (userId: number): Sql[] => [
  sql`delete from link_uploads where trace_id in (select trace_id from link_uploads where user_id = ${userId} limit ${EXPIRED_BATCH})`,
]

export const exported = (userId: number): Sql => sql`
  select trace_id as row_key, link_id, name, size, at from link_uploads where user_id = ${userId}`

export const expired = (at: Date): Sql[] => [
  sql`delete from link_uploads where trace_id in (
    select trace_id from link_uploads where at < ${ago(at, LIFE)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
