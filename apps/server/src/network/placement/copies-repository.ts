import type { NodeKind } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import type { ReplicaState } from './choose.ts'
import type { Copy } from './demand.ts'

/** Where the copies of contents are. */

/** What is asked about, by one who may know of some nodes alone or of all. */
export interface Sought {
  cid: string
  /** The only nodes that may be told of; null: any. */
  restricted_to: readonly string[] | null
}

/** Condition on a replica `r`: it is on one of the nodes that may be told of. */
const inReach = (restrictedTo: readonly string[] | null): Sql =>
  restrictedTo === null ? sql`true` : sql`r.node_id = any(${restrictedTo})`

/** Many contents, each with its reach, as a table of `cid` and `restricted_to`. */
const table = (sought: readonly Sought[]): Sql => sql`
  jsonb_to_recordset(${JSON.stringify(sought.map(({ cid, restricted_to }) => ({ cid, restricted_to })))}::jsonb) a (cid text, restricted_to text[])`

type ShownState = Exclude<ReplicaState, 'unverified' | 'removed'>
/** What nobody has looked at yet is on its way, as far as people are nodesWithReplica. */
const shownState = sql`case when r.state = 'unverified' then 'pulling' else r.state end`

/** Ids of the nodes that hold a content, and how many should. */
export const findHolders = (db: Db, { cid, restricted_to }: Sought) =>
  db.one<{ holders: string[]; wanted: number }>(sql`
    select c.wanted, array(
        select r.node_id from replicas r where r.cid = c.cid and r.state = 'stored' and ${inReach(restricted_to)} order by r.node_id) as holders
    from contents c where c.cid = ${cid}`)

export const countReplicas = async (db: Db, { cid, restricted_to }: Sought): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) from replicas r where r.cid = ${cid} and r.state <> 'removed' and ${inReach(restricted_to)}`,
    )
  ).count

/** Replicas of a content with the areas of their nodes, those that are stored first. */
export const findReplicaPage = (db: Db, { cid, restricted_to }: Sought, limit: number, offset: number) =>
  db.rows<{ node_id: string; area_id: string; state: ShownState }>(sql`
    select r.node_id, n.area_id, ${shownState} as state from replicas r join nodes n on n.id = r.node_id
    where r.cid = ${cid} and r.state <> 'removed' and ${inReach(restricted_to)}
    order by r.state <> 'stored', r.node_id limit ${limit} offset ${offset}`)

/** Replicas of a content with the last audit of each, those that are stored first. */
export const findReplicas = (db: Db, { cid, restricted_to }: Sought) =>
  db.rows<{
    node_id: string
    state: ShownState
    suspect: boolean
    changed_at: Date
    audited_at: Date | null
    passed: boolean | null
  }>(sql`
    select r.node_id, ${shownState} as state, r.suspect, r.changed_at, a.done_at as audited_at, a.state = 'passed' as passed
    from replicas r left join lateral (
      select done_at, state from audits where cid = r.cid and node_id = r.node_id and state in ('passed', 'failed')
      order by done_at desc limit 1
    ) a on true
    where r.cid = ${cid} and r.state <> 'removed' and ${inReach(restricted_to)}
    order by r.state <> 'stored', r.node_id`)

/** Some copies, those that are stored first. */
export const findCopies = (db: Db, { cid, restricted_to }: Sought, limit: number) =>
  db.rows<{ node_id: string; state: ReplicaState; kind: NodeKind }>(sql`
    select r.node_id, r.state, n.kind from replicas r join nodes n on n.id = r.node_id
    where r.cid = ${cid} and r.state <> 'removed' and ${inReach(restricted_to)} order by (r.state = 'stored') desc, n.kind, r.node_id limit ${limit}`)

/** Countries of the nodes that hold a content. */
export const countriesHolding = (db: Db, { cid, restricted_to }: Sought) =>
  db.rows<{ country: string }>(sql`
    select distinct n.country from replicas r join nodes n on n.id = r.node_id
    where r.cid = ${cid} and r.state = 'stored' and n.status <> 'offline' and ${inReach(restricted_to)} order by n.country`)

/**
 * Nodes that a content can be read from, as far as their word counts. While edges alone have signed for it, a node that had it without
 * fetching it may be taking it from somebody else just now.
 */
export const findServing = (db: Db, cid: string) =>
  db.rows<{ node_id: string; state: 'stored' | 'unverified' | 'lost' }>(sql`
    select r.node_id, r.state from replicas r join contents c on c.cid = r.cid
    where r.cid = ${cid} and (r.state in ('stored', 'unverified') or (r.state = 'lost' and r.suspect))
      and (c.sole_holder is null or r.pulled or r.node_id = any(c.sole_holder_nodes))`)

/** Whether there are bytes to a content: what was given up is being deleted, and cannot be called back. */
export const isHeld = async (tx: Db, cid: string): Promise<boolean> =>
  (await tx.maybe(
    sql`select 1 from replicas where cid = ${cid} and state in ('stored', 'unverified', 'lost') limit 1`,
  )) !== undefined

/** Whether any node holds a content, or is about to, or has not been told yet that nobody wants it. */
export const hasCopies = async (tx: Db, cid: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from replicas where cid = ${cid} and state <> 'removed' limit 1`)) !== undefined

/** Whether an invited node fetched the content, even if it no longer holds it. */
export const wasPulledByInvited = async (tx: Db, cid: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from replicas r join nodes n on n.id = r.node_id
    where r.cid = ${cid} and n.kind <> 'edge' and r.pulled and r.state in ('stored', 'lost') limit 1`)) !== undefined

/**
 * Whether a node is an invited one while only edges say that they hold the content. An invited one that was told to fetch it and never
 * could, perhaps because edges gave a wrong size, says nothing for them.
 */
export const outranksHolders = async (tx: Db, nodeId: string, cid: string): Promise<boolean> =>
  (
    await tx.one<{ outranks: boolean }>(sql`
      select n.kind <> 'edge' and not exists (
        select 1 from replicas r join nodes o on o.id = r.node_id
        where r.cid = ${cid} and o.kind <> 'edge' and (r.state = 'stored' or (r.state = 'lost' and (r.suspect or r.tries = 0)))
      ) as outranks from nodes n where n.id = ${nodeId}`)
  ).outranks

/** Those of these nodes that have to do with a content, whatever became of it there. */
export const nodesWithReplica = async (db: Db, cid: string, nodeIds: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await db.rows<{ node_id: string }>(
        sql`select node_id from replicas where cid = ${cid} and node_id = any(${nodeIds})`,
      )
    ).map((row) => row.node_id),
  )

/** Of contents and nodes those where the node says that it holds the content. */
export const heldPairs = (tx: Db, pairs: readonly Copy[]) =>
  tx.rows<Copy>(sql`
    select distinct r.cid, r.node_id as "nodeId" from unnest(${pairs.map((pair) => pair.cid)}::text[], ${pairs.map((pair) => pair.nodeId)}::text[]) p (cid, node_id)
    join replicas r on r.cid = p.cid and r.node_id = p.node_id and r.state in ('stored', 'unverified')`)

/** Those of these contents that an invited node holds. */
export const heldByInvited = async (db: Db, cids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await db.rows<{ cid: string }>(sql`
        select distinct r.cid from replicas r join nodes n on n.id = r.node_id
        where r.cid = any(${cids}) and r.state = 'stored' and n.kind <> 'edge'`)
    ).map((row) => row.cid),
  )

/** A content and what became of it, among the nodes that may be told of. */
export interface Overview {
  cid: string
  hash: string
  size: number
  blocks: number
  wanted: number
  /** Copies on all nodes, and on those that may be told of. */
  stored: number
  reached: number
  countries: string[] | null
  /** Whether every node that holds it is offline. */
  away: boolean | null
  /** Whether a replica is on its way. */
  coming: boolean | null
}

export const findOverviews = async (db: Db, sought: readonly Sought[]): Promise<Map<string, Overview>> => {
  const rows = await db.rows<Overview>(sql`
    select c.cid, c.hash, c.size, c.blocks, c.wanted, c.stored, held.*
    from ${table(sought)} join contents c on c.cid = a.cid
    cross join lateral (
      select array_agg(distinct n.country order by n.country) filter (where r.state = 'stored') as countries,
        bool_and(n.status = 'offline') filter (where r.state = 'stored') as away,
        bool_or(r.state in ('wanted', 'pulling', 'unverified')) as coming, count(*) filter (where r.state = 'stored') as reached
      from replicas r join nodes n on n.id = r.node_id
      where r.cid = a.cid and (a.restricted_to is null or r.node_id = any(a.restricted_to))
    ) held`)
  return new Map(rows.map((row) => [row.cid, row]))
}

export interface Holdings {
  node_id: string
  country: string
  online: boolean
  copies: number
}

/** The nodes that hold any of many contents, and how many each. */
export const findHoldings = (db: Db, sought: readonly Sought[]) =>
  db.rows<Holdings>(sql`
    select n.id as node_id, n.country, n.status = 'online' as online, count(*) as copies
    from ${table(sought)} join replicas r on r.cid = a.cid and r.state = 'stored' join nodes n on n.id = r.node_id
    where a.restricted_to is null or r.node_id = any(a.restricted_to)
    group by n.id`)

/** In each country how many of these contents are held. */
export const countHeldByCountry = (db: Db, sought: readonly Sought[]) =>
  db.rows<{ country: string; contents: number }>(sql`
    select n.country, count(distinct a.cid) as contents
    from ${table(sought)} join replicas r on r.cid = a.cid and r.state = 'stored' join nodes n on n.id = r.node_id
    where a.restricted_to is null or r.node_id = any(a.restricted_to)
    group by n.country`)

/** How many contents each node holds; of these nodes, or of all. */
export const countByNode = async (db: Db, nodeIds?: readonly string[]): Promise<Map<string, number>> => {
  const rows = await db.rows<{ node_id: string; copies: number }>(sql`
    select node_id, count(*) as copies from replicas
    where state = 'stored' ${nodeIds ? sql`and node_id = any(${nodeIds})` : none} group by node_id`)
  return new Map(rows.map((row) => [row.node_id, row.copies]))
}

/** Edges, silent since before that time, that belong to nobody and have not the last copy of anything; locked. */
export const lockGoneEdges = async (tx: Db, before: Date, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`
      select n.id from nodes n
      where n.status = 'offline' and n.kind = 'edge' and n.seen_at < ${before} and n.owner_id is null and n.out_since is null
        and not exists (
          select 1 from replicas r join contents c on c.cid = r.cid
          where r.node_id = n.id and r.state in ('stored', 'unverified', 'lost') and (r.state <> 'lost' or c.stored = 0)
        )
      order by n.seen_at limit ${limit} for update of n skip locked`)
  ).map(({ id }) => id)
