import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import type { Context } from '../context.ts'
import { factColumns, moreUrlsOf, type NodeFacts, urlOf } from '../nodes/node-table.ts'
import { LEASE } from '../nodes/times.ts'

/** Replicas as work of nodes: pulls and removals. */

/** Concurrent pulls of a content per source. Copies spread as a tree, so the first holder is not overloaded. */
const PULLS_PER_SOURCE = 3

/** The given nodes for which `claimReplicas` may find work. */
export const nodesWithReplicasDue = async (db: Db, nodeIds: readonly string[], at: Date): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(prepared`
      select n.id from unnest(${nodeIds}::text[]) n (id)
      where exists (select 1 from replicas r where r.node_id = n.id and r.state in ('wanted', 'removed')
        and (r.lease_until is null or r.lease_until <= ${at}) and (r.retry_at is null or r.retry_at <= ${at}))`)
  ).map(({ id }) => id)

/** Renews the leases of running pulls, also of those that have already expired. */
export const renewLeases = (db: Db, nodeId: string, cids: readonly string[], at: Date) =>
  db.run(prepared`
    update replicas set state = 'pulling', lease_until = ${new Date(at.getTime() + LEASE)}
    where node_id = ${nodeId} and cid = any(${cids}) and state in ('wanted', 'pulling')`)

/** How far a node is trusted: invited 2, vetted 1, new 0. @param node the name of its row */
const trustOf = (node: Sql): Sql =>
  sql`case when ${node}.kind <> 'edge' then 2 when ${node}.vetted_at is not null then 1 else 0 end`

/**
 * Leases pulls and removals to a node, oldest first. Pulls of less trusted nodes do not count as concurrent: an edge could pretend to
 * pull for ever.
 * '' is no state: with it, PostgreSQL finds the pulls of a content by the primary key, as for `isWanted`.
 */
export const claimReplicas = (db: Db, nodeId: string, limit: number, at: Date) =>
  db.rows<{ cid: string; state: 'pulling' | 'removed'; size: number; kind: 'file' | 'folder' }>(prepared`
    with picked as (
      select r.cid from replicas r
      where r.node_id = ${nodeId} and r.state in ('wanted', 'removed')
        and (r.lease_until is null or r.lease_until <= ${at}) and (r.retry_at is null or r.retry_at <= ${at})
        and (r.state = 'removed' or not is_withheld(r.cid) and
          (select count(*) from replicas p join nodes o on o.id = p.node_id join nodes m on m.id = r.node_id
            where p.cid = r.cid and p.state in ('pulling', '') and ${trustOf(sql`o`)} >= ${trustOf(sql`m`)}) < ${PULLS_PER_SOURCE} *
          (select coalesce(nullif(count(*) filter (where s.state = 'stored'), 0), least(1, count(*)))
            from replicas s join nodes n on n.id = s.node_id
            where s.cid = r.cid and s.state in ('stored', 'unverified') and n.status <> 'offline' and n.reachable))
      order by r.changed_at limit ${limit} for update of r skip locked
    )
    update replicas r set state = case when r.state = 'wanted' then 'pulling' else 'removed' end,
      lease_until = ${new Date(at.getTime() + LEASE)}, changed_at = ${at}
    from picked p, contents c
    where r.node_id = ${nodeId} and r.cid = p.cid and c.cid = r.cid
    returning r.cid, r.state, c.size, c.kind`)

/** A node that a content can be pulled from. */
export type SourceRow = NodeFacts & { cid: string; url: string; more_urls: string[]; state: 'stored' | 'unverified' }

/** Nodes that the contents can be pulled from now. */
export async function pullSources(
  { db, policy }: Pick<Context, 'db' | 'policy'>,
  cids: readonly string[],
): Promise<Map<string, SourceRow[]>> {
  const rows = await db.rows<SourceRow>(prepared`
    select r.cid, r.state, ${urlOf(sql`n`)} as url, ${moreUrlsOf(sql`n`)} as more_urls, ${factColumns(policy)}
    from replicas r join nodes n on n.id = r.node_id
    where r.cid = any(${cids}) and r.state in ('stored', 'unverified') and n.status <> 'offline' and n.reachable`)
  const byContent = new Map<string, SourceRow[]>()
  for (const row of rows) byContent.set(row.cid, [...(byContent.get(row.cid) ?? []), row])
  return byContent
}
