import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** After so long, two programs do not use the key any more. */
export const FORGET_MS = 7 * DAY

export const findNodesOfLabels = (db: Db, labels: readonly string[]) =>
  db.rows<{ node_id: string }>(
    sql`select n.id as node_id from node_certificates c join nodes n on n.id = c.node_id where c.label = any(${labels})`,
  )

export const setCloned = (db: Db, nodeId: string, at: Date) =>
  db.run(sql`
    insert into cloned_keys (node_id, seen_at) values (${nodeId}, ${at})
    on conflict (node_id) do update set seen_at = excluded.seen_at`)

export const findClonedTimes = (db: Db, nodeIds: readonly string[], since: Date) =>
  db.rows<{ node_id: string; seen_at: Date }>(
    sql`select node_id, seen_at from cloned_keys where node_id = any(${nodeIds}) and seen_at > ${since}`,
  )

/**
 * Marks keys whose owners are notified now.
 * @param before owners notified until then are notified again
 * @returns ids of the nodes
 */
export const markClonedNotified = async (db: Db, { at, before }: { at: Date; before: Date }, limit: number) => {
  const rows = await db.rows<{ node_id: string }>(sql`
    with due as (
      select c.node_id from cloned_keys c join nodes n on n.id = c.node_id
      where c.seen_at > ${ago(at, FORGET_MS)} and (c.notified_at is null or c.notified_at <= ${before} and c.seen_at > c.notified_at)
        and n.owner_id is not null and n.owner_mail
      order by c.node_id limit ${limit} for update of c skip locked
    )
    update cloned_keys c set notified_at = ${at} from due where c.node_id = due.node_id returning due.node_id`)
  return rows.map(({ node_id }) => node_id)
}
