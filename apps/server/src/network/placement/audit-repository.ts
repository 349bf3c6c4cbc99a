import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { FAILED_AUDITS_MAX } from './choose.ts'

/** Audits of replicas: which to audit next, and how results change them. */

interface Audited {
  cid: string
  node_id: string
}

/**
 * Picks one replica per node: a suspect one; else the first one at or after one of the two CIDs with the same prefix; else the first one.
 */
export const pickReplicas = (tx: Db, nodes: readonly { id: string; from: readonly [string, string] }[]) =>
  tx.rows<{ cid: string; nodeId: string }>(sql`
    select picked.cid, p.node_id as "nodeId"
    from unnest(${nodes.map((node) => node.id)}::text[], ${nodes.map((node) => node.from[0])}::text[],
      ${nodes.map((node) => node.from[1])}::text[]) p (node_id, one, other), lateral (
      select coalesce(
        (select r.cid from replicas r where r.node_id = p.node_id and r.suspect and r.tries < ${FAILED_AUDITS_MAX} limit 1),
        (select r.cid from replicas r where r.node_id = p.node_id and r.cid >= p.one and r.cid < left(p.one, 7) || 'zzzz'
          and (r.state = 'stored' or r.suspect) order by r.cid limit 1),
        (select r.cid from replicas r where r.node_id = p.node_id and r.cid >= p.other and r.cid < left(p.other, 7) || 'zzzz'
          and (r.state = 'stored' or r.suspect) order by r.cid limit 1),
        (select r.cid from replicas r where r.node_id = p.node_id and (r.state = 'stored' or r.suspect) order by r.cid limit 1)
      ) as cid
    ) picked
    where picked.cid is not null`)

/**
 * Replicas to audit: suspect ones, and unverified ones that the server ordered or that no other node has stored. A few per node at a
 * time, so that a slow node does not delay others.
 * @param nodeIds only replicas of these nodes; default: all
 */
export const findWaiting = (
  tx: Db,
  { perNode, limit, heardSince, doneBefore }: { perNode: number; limit: number; heardSince: Date; doneBefore: Date },
  nodeIds?: readonly string[],
) =>
  tx.rows<{ cid: string; nodeId: string }>(sql`
    select w.cid, n.id as "nodeId"
    from nodes n, lateral (
      (select r.cid from replicas r
        where r.node_id = n.id and r.state = 'unverified'
          and (r.pulled or not exists (select 1 from replicas o where o.cid = r.cid and o.state = 'stored'))
          and ${notAudited(doneBefore)}
        order by r.changed_at limit ${perNode})
      union all
      (select r.cid from replicas r
        where r.node_id = n.id and r.suspect and r.tries < ${FAILED_AUDITS_MAX} and ${notAudited(doneBefore)} limit ${perNode})
    ) w
    where n.status <> 'offline' and n.reachable and n.seen_at > ${heardSince}
      ${nodeIds ? sql`and n.id = any(${nodeIds})` : sql``}
      and (select count(*) from audits a where a.node_id = n.id and a.state = 'open') < ${perNode}
    limit ${limit}`)

/** Condition on a replica `r`: no audit of it is open or has just ended. */
const notAudited = (doneBefore: Date) => sql`not exists (
  select 1 from audits a where a.node_id = r.node_id and a.cid = r.cid and (a.state = 'open' or a.done_at > ${doneBefore}))`

const pairs = (audited: readonly Audited[]) =>
  sql`unnest(${audited.map((audit) => audit.cid)}::text[], ${audited.map((audit) => audit.node_id)}::text[])`

/** @param sameSince the replica's previous failure must be older than this: failures of one outage count once */
export const markSuspect = (tx: Db, audited: readonly Audited[], sameSince: Date, at: Date) =>
  tx.run(sql`
    update replicas r set state = 'lost', suspect = true, verified = false, error = 'audit failed', lease_until = null, retry_at = null,
      tries = case when r.suspect then r.tries else 0 end + 1, changed_at = ${at}
    from ${pairs(audited)} f (cid, node_id)
    where r.cid = f.cid and r.node_id = f.node_id
      and (r.state in ('stored', 'unverified') or (r.suspect and r.changed_at <= ${sameSince}))`)

/**
 * Marks replicas that passed as stored. An edge's copy counts only if the server ordered it or no other node has it stored; otherwise it
 * becomes unverified.
 * @returns contents with one more stored replica; `unexpected`: the scheduler did not order it
 */
export async function recordPassed(
  tx: Db,
  audited: readonly Audited[],
  at: Date,
): Promise<{ cid: string; unexpected: boolean }[]> {
  const stored = await tx.rows<{ cid: string; unexpected: boolean }>(sql`
    with f as (
      select r.cid, r.node_id, r.state = 'lost' or not r.pulled as unexpected
      from replicas r join ${pairs(audited)} p (cid, node_id) on r.cid = p.cid and r.node_id = p.node_id
    )
    update replicas r set state = 'stored', verified = true, suspect = false, tries = 0, error = '', changed_at = ${at}
    from f, nodes n
    where r.cid = f.cid and r.node_id = f.node_id and n.id = r.node_id and (r.state = 'unverified' or (r.state = 'lost' and r.suspect))
      and (n.kind <> 'edge' or r.pulled or not exists (select 1 from replicas o where o.cid = r.cid and o.state = 'stored'))
    returning r.cid, f.unexpected`)
  await tx.run(sql`
    update replicas r set state = 'unverified', suspect = false, tries = 0, error = '', changed_at = ${at}
    from ${pairs(audited)} f (cid, node_id)
    where r.cid = f.cid and r.node_id = f.node_id and r.state = 'lost' and r.suspect`)
  return stored
}

/** The given nodes that have no copy an audit could check. */
export const withoutCopies = async (tx: Db, nodeIds: readonly string[]): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`
      select n.id from unnest(${nodeIds}::text[]) n (id)
      where not exists (
        select 1 from replicas r where r.node_id = n.id and (r.state = 'stored' or r.suspect or (r.state = 'unverified' and r.pulled)))`)
  ).map(({ id }) => id)
