import { DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { NotifiedNode } from '../nodes/owners.ts'

/** After so long, two programs do not use the key any more. */
const FORGET_MS = 7 * DAY

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

/** Marks keys whose owners are notified now. @param before owners notified until then are notified again */
export const markClonedNotified = (db: Db, { at, before }: { at: Date; before: Date }, limit: number) =>
  db.rows<NotifiedNode>(sql`
    with due as (
      select c.node_id, n.owner_id from cloned_keys c join nodes n on n.id = c.node_id join users u on u.id = n.owner_id
      where c.seen_at > ${new Date(at.getTime() - FORGET_MS)} and (c.notified_at is null or c.notified_at <= ${before} and c.seen_at > c.notified_at)
        and n.owner_mail and u.email is not null and u.locked_at is null
      order by c.node_id limit ${limit} for update of c skip locked
    ), notified as (
      update cloned_keys c set notified_at = ${at} from due where c.node_id = due.node_id returning due.node_id, due.owner_id
    )
    select n.id, n.name, n.owner_lang as lang, notified.owner_id, n.seen_at from notified join nodes n on n.id = notified.node_id
    order by n.name, n.id`)

export { FORGET_MS }
