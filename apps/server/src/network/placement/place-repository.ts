import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import type { Holder } from './choose.ts'
import type { Copy } from './demand.ts'

export interface DueContent {
  cid: string
  size: number
  stored: number
  /** The only account that has it, while only edges confirmed it. */
  sole_holder: string | null
}

/** When the first and the last of the contents that are due became due; null: none is. */
export const dueSince = (db: Db, at: Date) =>
  db.one<{ first: Date | null; last: Date | null }>(
    prepared`select min(check_at) as first, max(check_at) as last from contents where check_at <= ${at}`,
  )

export const isAnyDue = async (db: Db, at: Date): Promise<boolean> =>
  (await db.maybe(prepared`select 1 from contents where check_at <= ${at} limit 1`)) !== undefined

/** Locks contents that are due, except those that another server has locked. */
export const claimDue = (tx: Db, limit: number, at: Date) =>
  tx.rows<DueContent>(prepared`
    select cid, size, stored, sole_holder from contents where check_at <= ${at} order by check_at limit ${limit} for update skip locked`)

export const findReplicas = (tx: Db, cids: readonly string[], at: Date) =>
  tx.rows<Holder & { cid: string }>(
    prepared`select cid, node_id, state, tries, suspect, pulled, coalesce(retry_at > ${at}, false) as waits from replicas where cid = any(${cids})`,
  )

const columns = (pairs: readonly (readonly [string, string])[]) =>
  sql`unnest(${pairs.map(([cid]) => cid)}::text[], ${pairs.map(([, nodeId]) => nodeId)}::text[])`

export const insertWanted = (tx: Db, pairs: readonly (readonly [string, string])[], at: Date) =>
  tx.run(prepared`
    insert into replicas as r (cid, node_id, state, changed_at) select cid, node_id, 'wanted', ${at} from ${columns(pairs)} p (cid, node_id)
    on conflict (cid, node_id) do update set state = 'wanted', tries = case when r.suspect then 0 else r.tries end, error = '', suspect = false, pulled = false, verified = false,
      lease_until = null, retry_at = null, changed_at = excluded.changed_at
    where r.state in ('lost', 'unverified')`)

/** Deletes replicas that were only wanted, and marks the others as removed, except those that an account needs. */
export async function markRemoved(
  tx: Db,
  pairs: readonly (readonly [string, string])[],
  needed: readonly Copy[],
  at: Date,
): Promise<{ node_id: string }[]> {
  const retained = new Set(needed.map(({ cid, nodeId }) => `${cid} ${nodeId}`))
  await tx.run(prepared`
    delete from replicas r using ${columns(pairs)} p (cid, node_id)
    where r.cid = p.cid and r.node_id = p.node_id and r.state = 'wanted'`)
  return tx.rows(prepared`
    update replicas r set state = 'removed', lease_until = null, retry_at = null, suspect = false, changed_at = ${at}
    from ${columns(pairs.filter(([cid, nodeId]) => !retained.has(`${cid} ${nodeId}`)))} p (cid, node_id)
    where r.cid = p.cid and r.node_id = p.node_id and r.state <> 'removed'
    returning r.node_id`)
}

/** A content after placement. */
export interface PlacedContent {
  cid: string
  /** Replicas that the present nodes allow. */
  wanted: number
  /** More nodes would allow more replicas. */
  belowTarget: boolean
  checkAt: Date | null
}

export const updateContents = (tx: Db, contents: readonly PlacedContent[], at: Date) =>
  tx.run(prepared`
    update contents c set wanted = f.wanted, below_target = f.below_target, check_at = f.check_at, placed_at = ${at}
    from unnest(${contents.map((content) => content.cid)}::text[], ${contents.map((content) => content.wanted)}::int[],
      ${contents.map((content) => content.belowTarget)}::boolean[], ${contents.map((content) => content.checkAt)}::timestamptz[])
      f (cid, wanted, below_target, check_at)
    where c.cid = f.cid`)

/** Deletes unlisted contents without replicas on online nodes. Offline nodes learn of the removal from their next inventory. */
export const deleteUnheld = (tx: Db, cids: readonly string[]) =>
  tx.run(prepared`
    delete from contents c where c.cid = any(${cids})
      and not exists (select 1 from replicas r join nodes n on n.id = r.node_id where r.cid = c.cid and n.status <> 'offline')`)

const lastArrival = (nodes: Sql) =>
  sql`(select greatest(max(arrived_at), max(space_freed_at), max(eligible_at)) from nodes where ${nodes})`

/**
 * Makes contents with too few replicas due if a node came online, freed space or was vetted since their last placement.
 * @param edgesBefore edges matter only for contents that were placed before: they could come and go without end
 */
export const checkAfterArrivals = (db: Db, limit: number, { at, edgesBefore }: Record<'at' | 'edgesBefore', Date>) =>
  db.run(sql`
    with late as (
      select c.cid from contents c
      where (c.stored < c.wanted or c.below_target) and (c.placed_at < ${lastArrival(sql`kind <> 'edge'`)}
          or c.placed_at < ${lastArrival(sql`kind = 'edge'`)} and c.placed_at < ${edgesBefore}::timestamptz)
        and (c.check_at is null or c.check_at > ${at})
      order by c.placed_at limit ${limit} for no key update skip locked
    )
    update contents c set check_at = ${at} from late where c.cid = late.cid`)
