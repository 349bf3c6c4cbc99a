import type { NodeKind } from '@tidenet/contract'
import { ago } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, prepared, type Sql, sql } from '../../platform/db/sql.ts'
import type { ReplicaState } from './choose.ts'
import type { Copy } from './demand.ts'
import { OFFLINE } from './replica-states.ts'

/** Queries about the copies of contents. */

/** A content, restricted to the nodes that the caller may read it from. */
export interface ContentQuery {
  cid: string
  /** The only nodes in the result; null: any. */
  restricted_to: readonly string[] | null
}

/** Condition on a replica `r`: the caller may read from its node. */
const isAllowed = (restrictedTo: readonly string[] | null): Sql =>
  restrictedTo === null ? sql`true` : sql`r.node_id = any(${restrictedTo})`

/** Many queries as a table of `cid` and `restricted_to`. */
const table = (queries: readonly ContentQuery[]): Sql => sql`
  jsonb_to_recordset(${JSON.stringify(queries.map(({ cid, restricted_to }) => ({ cid, restricted_to })))}::jsonb) a (cid text, restricted_to text[])`

type PublicState = Exclude<ReplicaState, 'unverified' | 'removed'>
/** Callers see an unverified copy as pulling. */
const publicState = sql`case when r.state = 'unverified' then 'pulling' else r.state end`

/** Ids of the nodes that store a content, and the wanted number. */
export const findHolders = (db: Db, { cid, restricted_to }: ContentQuery) =>
  db.one<{ holders: string[]; wanted: number }>(sql`
    select c.wanted, array(
        select r.node_id from replicas r where r.cid = c.cid and r.state = 'stored' and ${isAllowed(restricted_to)} order by r.node_id) as holders
    from contents c where c.cid = ${cid}`)

export const countReplicas = async (db: Db, { cid, restricted_to }: ContentQuery): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) from replicas r where r.cid = ${cid} and r.state <> 'removed' and ${isAllowed(restricted_to)}`,
    )
  ).count

/** Replicas of a content with the areas of their nodes, stored ones first. */
export const findReplicaPage = (db: Db, { cid, restricted_to }: ContentQuery, limit: number, offset: number) =>
  db.rows<{ node_id: string; area_id: string; state: PublicState }>(sql`
    select r.node_id, n.area_id, ${publicState} as state from replicas r join nodes n on n.id = r.node_id
    where r.cid = ${cid} and r.state <> 'removed' and ${isAllowed(restricted_to)}
    order by r.state <> 'stored', r.node_id limit ${limit} offset ${offset}`)

/** Replicas of a content with the last audit of each, stored ones first. */
export const findReplicas = (db: Db, { cid, restricted_to }: ContentQuery) =>
  db.rows<{
    node_id: string
    state: PublicState
    exact: ReplicaState
    suspect: boolean
    changed_at: Date
    audited_at: Date | null
    passed: boolean | null
  }>(sql`
    select r.node_id, ${publicState} as state, r.state as exact, r.suspect, r.changed_at, a.done_at as audited_at, a.state = 'passed' as passed
    from replicas r left join lateral (
      select done_at, state from audits where cid = r.cid and node_id = r.node_id and state in ('passed', 'failed')
      order by done_at desc limit 1
    ) a on true
    where r.cid = ${cid} and r.state <> 'removed' and ${isAllowed(restricted_to)}
    order by r.state <> 'stored', r.node_id`)

export interface Copied {
  state: ReplicaState
  suspect: boolean
  changed_at: Date
}

/** A copy of a content on one node, in any state. */
export const findCopy = (db: Db, { cid, restricted_to }: ContentQuery, nodeId: string) =>
  db.maybe<Copied>(sql`
    select r.state, r.suspect, r.changed_at from replicas r
    where r.cid = ${cid} and r.node_id = ${nodeId} and ${isAllowed(restricted_to)}`)

/** Copies, stored ones first. */
export const findCopies = (db: Db, { cid, restricted_to }: ContentQuery, limit: number) =>
  db.rows<{ node_id: string; state: ReplicaState; kind: NodeKind }>(sql`
    select r.node_id, r.state, n.kind from replicas r join nodes n on n.id = r.node_id
    where r.cid = ${cid} and r.state <> 'removed' and ${isAllowed(restricted_to)} order by (r.state = 'stored') desc, n.kind, r.node_id limit ${limit}`)

/** Countries of the nodes that store a content. */
export const countriesHolding = (db: Db, { cid, restricted_to }: ContentQuery) =>
  db.rows<{ country: string }>(sql`
    select distinct n.country from replicas r join nodes n on n.id = r.node_id
    where r.cid = ${cid} and r.state = 'stored' and n.status <> 'offline' and ${isAllowed(restricted_to)} order by n.country`)

/**
 * Nodes that a content can be read from. While it has a sole holder, only edges that confirmed it and nodes that pulled it by order
 * count: another node that reports it may be copying it from a reader right now.
 */
export const findServing = (db: Db, cid: string) =>
  db.rows<{ node_id: string; state: 'stored' | 'unverified' | 'lost' }>(sql`
    select r.node_id, r.state from replicas r join contents c on c.cid = r.cid
    where r.cid = ${cid} and (r.state in ('stored', 'unverified') or (r.state = 'lost' and r.suspect))
      and (c.sole_holder is null or r.pulled or r.node_id = any(c.sole_holder_nodes))`)

/** Whether a node has the bytes. Removed replicas do not count: their deletion cannot be cancelled. */
export const isHeld = async (tx: Db, cid: string): Promise<boolean> =>
  (await tx.maybe(
    sql`select 1 from replicas where cid = ${cid} and state in ('stored', 'unverified', 'lost') limit 1`,
  )) !== undefined

/** The contents among these that `isHeld`. */
export const findHeld = async (tx: Db, cids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await tx.rows<{ cid: string }>(
        prepared`select distinct cid from replicas where cid = any(${cids}) and state in ('stored', 'unverified', 'lost')`,
      )
    ).map((row) => row.cid),
  )

/** Whether a node should have the bytes, even if it is offline for a moment. */
export const isAvailable = async (db: Db, cid: string): Promise<boolean> =>
  (await db.maybe(sql`select 1 from replicas where cid = ${cid} and state in ('stored', 'unverified') limit 1`)) !==
  undefined

/** Whether the content has a replica in any state but removed. */
export const hasCopies = async (tx: Db, cid: string): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from replicas where cid = ${cid} and state <> 'removed' limit 1`)) !== undefined

/** Whether an invited node pulled the content, even if it lost it later. */
export const wasPulledByInvited = async (tx: Db, cid: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from replicas r join nodes n on n.id = r.node_id
    where r.cid = ${cid} and n.kind <> 'edge' and r.pulled and r.state in ('stored', 'lost') limit 1`)) !== undefined

/**
 * Whether the node is invited while only edges have the content, so that its measurement wins. An invited node that could not pull the
 * content does not count as having it: the size that edges reported may be wrong.
 */
export const outranksHolders = async (tx: Db, nodeId: string, cid: string): Promise<boolean> =>
  (
    await tx.one<{ outranks: boolean }>(sql`
      select n.kind <> 'edge' and not exists (
        select 1 from replicas r join nodes o on o.id = r.node_id
        where r.cid = ${cid} and o.kind <> 'edge' and (r.state = 'stored' or (r.state = 'lost' and (r.suspect or r.tries = 0)))
      ) as outranks from nodes n where n.id = ${nodeId}`)
  ).outranks

/** The given nodes that have a replica of the content in any state. */
export const nodesWithReplica = async (db: Db, cid: string, nodeIds: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await db.rows<{ node_id: string }>(
        sql`select node_id from replicas where cid = ${cid} and node_id = any(${nodeIds})`,
      )
    ).map((row) => row.node_id),
  )

/** The given pairs where the node reports that it has the content. */
export const heldPairs = (tx: Db, pairs: readonly Copy[]) =>
  tx.rows<Copy>(sql`
    select distinct r.cid, r.node_id as "nodeId" from unnest(${pairs.map((pair) => pair.cid)}::text[], ${pairs.map((pair) => pair.nodeId)}::text[]) p (cid, node_id)
    join replicas r on r.cid = p.cid and r.node_id = p.node_id and r.state in ('stored', 'unverified')`)

/** The given contents that an invited node stores. */
export const heldByInvited = async (db: Db, cids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await db.rows<{ cid: string }>(sql`
        select distinct r.cid from replicas r join nodes n on n.id = r.node_id
        where r.cid = any(${cids}) and r.state = 'stored' and n.kind <> 'edge'`)
    ).map((row) => row.cid),
  )

/** A content with a summary of its replicas on the nodes that the caller may read from. */
export interface Overview {
  cid: string
  hash: string
  size: number
  blocks: number
  wanted: number
  /** Copies on all nodes, and on those that the caller may read from. */
  stored: number
  reached: number
  countries: string[] | null
  /** Every node that stores it is offline. */
  away: boolean | null
  /** A replica is wanted, pulling or unverified. */
  coming: boolean | null
}

export const findOverviews = async (db: Db, queries: readonly ContentQuery[]): Promise<Map<string, Overview>> => {
  const rows = await db.rows<Overview>(sql`
    select c.cid, c.hash, c.size, c.blocks, c.wanted, c.stored, held.*
    from ${table(queries)} join contents c on c.cid = a.cid
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

/** Nodes that store any of the contents, with the number of contents on each. */
export const findHoldings = (db: Db, queries: readonly ContentQuery[]) =>
  db.rows<Holdings>(sql`
    select n.id as node_id, n.country, n.status = 'online' as online, count(*) as copies
    from ${table(queries)} join replicas r on r.cid = a.cid and r.state = 'stored' join nodes n on n.id = r.node_id
    where a.restricted_to is null or r.node_id = any(a.restricted_to)
    group by n.id`)

/** Number of these contents stored in each country. */
export const countHeldByCountry = (db: Db, queries: readonly ContentQuery[]) =>
  db.rows<{ country: string; contents: number }>(sql`
    select n.country, count(distinct a.cid) as contents
    from ${table(queries)} join replicas r on r.cid = a.cid and r.state = 'stored' join nodes n on n.id = r.node_id
    where a.restricted_to is null or r.node_id = any(a.restricted_to)
    group by n.country`)

/** Copies in the given countries: stored ones, and those of them that their nodes fetched since then. */
export const countStoredIn = (db: Db, areas: readonly { cid: string; country: string; since: Date }[]) =>
  db.rows<{ cid: string; country: string; size: number; stored: number; fetched: number }>(sql`
    select a.cid, a.country, c.size, count(*)::int as stored, count(*) filter (where r.pulled and r.changed_at >= a.since)::int as fetched
    from unnest(${areas.map(({ cid }) => cid)}::text[], ${areas.map(({ country }) => country)}::text[], ${areas.map(({ since }) => since)}::timestamptz[])
      a (cid, country, since)
    join contents c on c.cid = a.cid join replicas r on r.cid = a.cid and r.state = 'stored' join nodes n on n.id = r.node_id and n.country = a.country
    where n.status <> 'offline' and (n.kind <> 'edge' or n.vetted_at is not null)
    group by a.cid, a.country, c.size`)

/** Size and stored copies of contents. */
export const countStored = (db: Db, cids: readonly string[]) =>
  db.rows<{ cid: string; size: number; stored: number }>(
    sql`select cid, size, stored from contents where cid = any(${cids})`,
  )

/** Number of contents on each of the nodes; default: all nodes. */
export const countByNode = async (db: Db, nodeIds?: readonly string[]): Promise<Map<string, number>> => {
  const rows = await db.rows<{ node_id: string; copies: number }>(sql`
    select node_id, count(*) as copies from replicas
    where state = 'stored' ${nodeIds ? sql`and node_id = any(${nodeIds})` : none} group by node_id`)
  return new Map(rows.map((row) => [row.node_id, row.copies]))
}

/** Bytes of the copies on each node that count, and of those that only do not because the node went offline. */
export const bytesHeld = async (db: Db, nodeIds: readonly string[]): Promise<Map<string, number>> => {
  if (nodeIds.length === 0) return new Map()
  const rows = await db.rows<{ node_id: string; bytes: number }>(sql`
    select r.node_id, sum(c.size)::bigint as bytes from replicas r join contents c on c.cid = r.cid
    where r.node_id = any(${nodeIds}) and not r.suspect and (r.state = 'stored' or (r.state = 'lost' and r.error = ${OFFLINE}))
    group by r.node_id`)
  return new Map(rows.map(({ node_id, bytes }) => [node_id, bytes]))
}

/** Locks edges that are gone, those first that were gone first. */
export const lockGoneEdges = async (
  tx: Db,
  at: Date,
  after: { unused: number; gone: number; forgotten: number },
  limit: number,
): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`
      select n.id from nodes n
      where n.status = 'offline' and n.kind = 'edge' and (n.seen_at < ${ago(at, after.forgotten)}
        or n.owner_id is null and n.out_since is null and (
          n.seen_at < ${ago(at, after.gone)} and not exists (
            select 1 from replicas r join contents c on c.cid = r.cid
            where r.node_id = n.id and r.state in ('stored', 'unverified', 'lost') and (r.state <> 'lost' or c.stored = 0))
          or n.seen_at < least(${ago(at, after.unused)}, n.created_at + interval '1 day')
            and not exists (select 1 from replicas r where r.node_id = n.id)))
      order by n.seen_at limit ${limit} for update of n skip locked`)
  ).map(({ id }) => id)

/** Deletes replicas of these nodes. @returns how many; `limit` if there may be more */
export const deleteReplicasOf = (tx: Db, nodeIds: readonly string[], limit: number): Promise<number> =>
  tx.run(sql`
    delete from replicas where (cid, node_id) in (
      select cid, node_id from replicas where node_id = any(${nodeIds}) order by cid limit ${limit})`)
