import type { Lang } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { NotifiedNode } from './owners.ts'

/** Devices that run an outdated version, or do not work reliably: which owners were notified, and when. */

/** What the owner reads about the device. */
export type Noticed = NotifiedNode & {
  version: string
  status: string
  failed: number
  audits: number
  quality: number
}

/** Beyond these, a node is not reliable: it drains above 20 % of failed audits, and false reports alone lower its quality to 0.5. */
const FAILED_SHARE = 0.1
const AUDITS_MIN = 10
export const QUALITY_MIN = 0.75

const isAudited = sql`n.audit_good + n.audit_bad >= ${AUDITS_MIN}::float8`

/** Condition on a node `n`: a node chooses what it says about its version, so anything else than three numbers is not compared. One
 * that updates itself comes later, as its release says, unless it cannot. */
const isOutdated = (newest: readonly number[]): Sql => sql`
  coalesce(not n.updates_on or n.update_problem is not null, true) and case when n.version ~ '^\\d{1,6}\\.\\d{1,6}\\.\\d{1,6}$' then string_to_array(n.version, '.')::int[] < ${newest}::int[] else false end`

const isFalling: Sql = sql`(n.status = 'abnormal' or n.draining_since is not null or n.quality < ${QUALITY_MIN}::float8
  or ${isAudited} and n.audit_bad > ${FAILED_SHARE}::float8 * (n.audit_good + n.audit_bad))`

/** Marks devices of which the condition is true, whose owners are notified now. Another server that does the same skips them. */
const markNotified = (db: Db, column: Sql, condition: Sql, { at, before }: { at: Date; before: Date }, limit: number) =>
  db.rows<Noticed>(sql`
    with due as (
      select n.id, n.owner_id from nodes n join users u on u.id = n.owner_id
      where n.owner_mail and n.status <> 'offline' and (n.${column} is null or n.${column} <= ${before}) and u.email is not null
        and u.locked_at is null and ${condition}
      order by n.id limit ${limit} for no key update of n skip locked
    ), notified as (
      update nodes n set ${column} = ${at} from due where n.id = due.id
      returning n.id, n.name, n.owner_lang as lang, due.owner_id, n.seen_at, n.version, n.status, n.audit_bad as failed,
        n.audit_good + n.audit_bad as audits, n.quality
    )
    select * from notified order by name, id`)

/** @param newest the three numbers of the newest version @param times `before`: owners notified until then are notified again */
export const markOutdated = (db: Db, newest: readonly number[], times: { at: Date; before: Date }, limit: number) =>
  markNotified(db, sql`outdated_notified_at`, isOutdated(newest), times, limit)

export const markFalling = (db: Db, times: { at: Date; before: Date }, limit: number) =>
  markNotified(db, sql`score_notified_at`, isFalling, times, limit)

/** Nodes of these whose owners get e-mails, by name. */
export const notifiable = (db: Db, nodeIds: readonly string[]) =>
  db.rows<NotifiedNode>(sql`
    select n.id, n.name, n.owner_lang as lang, u.id as owner_id, n.seen_at from nodes n join users u on u.id = n.owner_id
    where n.id = any(${nodeIds}) and n.owner_mail and u.email is not null and u.locked_at is null order by n.name, n.id`)

/** How many nodes are online, and how many of them are not reliable. */
export const countFalling = (db: Db) =>
  db.one<{ total: number; falling: number }>(sql`
    select count(*) as total, count(*) filter (where ${isFalling}) as falling from nodes n where n.status <> 'offline'`)

/** Owners of devices in the order of their ids, with the language of the device that they linked last. */
export const ownersAfter = (db: Db, after: number, limit: number) =>
  db.rows<{ owner_id: number; lang: Lang }>(sql`
    select distinct on (owner_id) owner_id, owner_lang as lang from nodes where owner_id > ${after}
    order by owner_id, linked_at desc nulls last, id limit ${limit}`)

export type DeviceProblem = 'offline' | 'abnormal' | 'draining' | 'unreachable'

/** Devices of these owners. `problem`: the worst one; null: none. */
export const devicesOfOwners = (db: Db, ownerIds: readonly number[]) =>
  db.rows<{ owner_id: number; node_id: string; name: string; problem: DeviceProblem | null }>(sql`
    select owner_id, id as node_id, name, case when status = 'offline' then 'offline' when status = 'abnormal' then 'abnormal'
      when draining_since is not null then 'draining' when not reachable then 'unreachable' end as problem
    from nodes where owner_id = any(${ownerIds}::bigint[]) order by owner_id, name, id`)
