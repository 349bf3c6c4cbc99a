import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

/** What decides whether the traffic of a node may earn, as the server knows it. */
export interface TrafficStanding {
  owner_id: number | null
  /** Since when it has this owner. */
  owned_since: Date
  /** Since when its copies count; null: it is a new edge. */
  trusted_since: Date | null
  /** Accounts that owned it until then, of the last `FORMER_OWNERS_KEPT_MS`. */
  former: { user_id: number; until: Date }[]
}

/** Former owners are kept longer than traffic may be reported late. */
export const FORMER_OWNERS_KEPT_MS = 30 * DAY

export async function findTrafficStanding(db: Db, nodeId: string): Promise<TrafficStanding | undefined> {
  const node = await db.maybe<Omit<TrafficStanding, 'former'>>(sql`
    select owner_id, coalesce(linked_at, created_at) as owned_since, case when kind = 'edge' then vetted_at else created_at end as trusted_since
    from nodes where id = ${nodeId}`)
  if (!node) return undefined
  const former = await db.rows<{ user_id: number; until: Date }>(
    sql`select user_id, until from former_owners where node_id = ${nodeId}`,
  )
  return { ...node, former }
}

export interface AuditedHour {
  /** It failed an audit that counts, in this hour. */
  failed: boolean
  /** It passed one that counts, in the 24 hours before the end of this hour. */
  passed: boolean
}

/** The audits of a node that count, for hours by the time of their begin in ms. The conditions are those of `hindranceOf` of the formula. */
export async function findAuditedHours(
  db: Db,
  nodeId: string,
  hours: readonly Date[],
): Promise<Map<number, AuditedHour>> {
  if (hours.length === 0) return new Map()
  const rows = await db.rows<AuditedHour & { hour: Date }>(sql`
    select f.hour,
      exists (select 1 from audits a where a.node_id = ${nodeId} and a.counted and a.state <> 'passed'
        and a.done_at >= f.hour and a.done_at < f.hour + interval '1 hour') as failed,
      exists (select 1 from audits a where a.node_id = ${nodeId} and a.counted and a.state = 'passed'
        and a.done_at > f.hour - interval '23 hours' and a.done_at < f.hour + interval '1 hour') as passed
    from unnest(${hours}::timestamptz[]) f (hour)`)
  return new Map(rows.map(({ hour, ...audited }) => [hour.getTime(), audited]))
}

export const expired = (at: Date): Sql[] => [
  sql`delete from former_owners where (node_id, user_id) in (
    select node_id, user_id from former_owners where until < ${ago(at, FORMER_OWNERS_KEPT_MS)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
