import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { randomWait } from '../nodes/nodes.ts'
import { FAILED_AUDITS_MAX } from './choose.ts'
import type { Copy } from './demand.ts'
import { OFFLINE } from './replica-states.ts'

/** Audits of replicas: which to audit next, and how results change them. */

interface Audited {
  cid: string
  node_id: string
}

/** A replica to audit. */
export interface ReplicaToAudit extends Copy {
  /** Its last audit failed: who made it, and through which node ('': none). */
  suspectedBy: string
  suspectedVia: string
  /** What its last failed audit read. */
  position: number | null
}

/** What an audit of each of these copies must know, in their order; none of blocked contents and those that contain some: honest nodes refuse them. */
export const findToAudit = (tx: Db, copies: readonly Copy[]) =>
  tx.rows<ReplicaToAudit>(prepared`
    select r.cid, r.node_id as "nodeId", case when r.suspect then r.suspected_by else '' end as "suspectedBy",
      r.suspected_via as "suspectedVia", case when r.suspect then (
        select a.position from audits a
        where a.cid = r.cid and a.node_id = r.node_id and (a.state = 'failed' or a.state = 'late' and a.error <> '') order by a.done_at desc limit 1
      ) end as position
    from unnest(${copies.map(({ cid }) => cid)}::text[], ${copies.map(({ nodeId }) => nodeId)}::text[])
      with ordinality c (cid, node_id, place) join replicas r on r.cid = c.cid and r.node_id = c.node_id
    where not is_withheld(r.cid)
    order by c.place`)

/**
 * Picks one replica per node: a suspect one; else the first one at or after one of the two CIDs with the same prefix; else the first one.
 */
export const pickReplicas = (tx: Db, nodes: readonly { id: string; from: readonly [string, string] }[]) =>
  tx.rows<Copy>(prepared`
    select r.cid, r.node_id as "nodeId"
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
    ) picked, replicas r
    where r.cid = picked.cid and r.node_id = p.node_id`)

export interface WaitingAsk {
  perNode: number
  limit: number
  heardSince: Date
  /** Mean of the random time until the first audit of a copy, ms. */
  first: number
  /** Most ms until the next audit of a suspect copy. */
  again: number
  at: Date
}

/**
 * Replicas to audit: suspect ones, and unverified ones that the server ordered or that no other node has stored. A few per node at a
 * time, so that a slow node does not delay others.
 * @param nodeIds only replicas of these nodes; default: all
 */
export const findWaiting = (tx: Db, ask: WaitingAsk, nodeIds?: readonly string[]) =>
  tx.rows<Copy>(prepared`
    select r.cid, r.node_id as "nodeId"
    from ${nodesToAudit(ask, nodeIds ? sql`n.id = any(${nodeIds})` : sql`true`)}, lateral (
      (select r.* from replicas r
        where r.node_id = n.id and r.state = 'unverified'
          and (r.pulled or not exists (select 1 from replicas o where o.cid = r.cid and o.state = 'stored'))
          and ${hasWaited(ask)} and ${notAudited(ask)}
        order by r.changed_at limit ${ask.perNode})
      union all
      (select r.* from replicas r
        where r.node_id = n.id and r.suspect and r.tries < ${FAILED_AUDITS_MAX} and ${notAudited(ask)} limit ${ask.perNode})
    ) r
    limit ${ask.limit}`)

/**
 * Of these replicas, those that can be audited together: see `isFreshSmall`.
 * @param most bytes of a content
 * @param except not those of these nodes
 */
export const findWaitingFresh = (tx: Db, ask: WaitingAsk, most: number, except: readonly string[]) =>
  tx.rows<Copy>(prepared`
    select r.cid, r.node_id as "nodeId"
    from ${nodesToAudit(ask, sql`n.id <> all(${except})`)}, lateral (
      select r.* from replicas r join contents c on c.cid = r.cid
      where r.node_id = n.id and ${isFreshSmall(most)} and ${hasWaited(ask)} and ${notAudited(ask)}
      order by r.changed_at limit ${ask.perNode}
    ) r
    limit ${ask.limit}`)

/** Those of the copies that can be audited together. @param most bytes of a content */
export const findFreshSmall = (tx: Db, copies: readonly Copy[], most: number) =>
  tx.rows<Copy>(prepared`
    select r.cid, r.node_id as "nodeId"
    from unnest(${copies.map(({ cid }) => cid)}::text[], ${copies.map(({ nodeId }) => nodeId)}::text[]) f (cid, node_id)
      join replicas r on r.cid = f.cid and r.node_id = f.node_id join contents c on c.cid = r.cid
    where ${isFreshSmall(most)}`)

/** Condition on a replica `r` and its content `c`: one leaf of at most `most` bytes, pulled by order and never audited. */
const isFreshSmall = (
  most: number,
) => sql`(r.state = 'unverified' and r.pulled and not r.suspect and r.suspected_by = ''
  and c.kind = 'file' and c.blocks = 1 and c.size between 1 and ${most})`

/** Nodes `n` that can be audited, in random order: those with many copies must not keep others from their turn. */
const nodesToAudit = ({ heardSince, perNode }: WaitingAsk, condition: Sql) => sql`(
  select n.id from nodes n
  where n.status <> 'offline' and n.seen_at > ${heardSince} and ${condition}
    and (select count(*) from audits a where a.node_id = n.id and a.state = 'open') < ${perNode}
  order by random()) n`

/** Condition on an unverified replica `r`: the random time until its first audit is over. */
const hasWaited = ({ first, at }: Pick<WaitingAsk, 'first' | 'at'>) =>
  sql`r.changed_at + ${randomWait(sql`${first}::float8`, sql`coalesce(r.patience::float8, 0)`)} <= ${at}`

/** Condition on a replica `r`: no audit of it is open or has just ended. */
const notAudited = ({ again, at }: Pick<WaitingAsk, 'again' | 'at'>) => sql`not exists (
  select 1 from audits a where a.node_id = r.node_id and a.cid = r.cid and (a.state = 'open'
    or a.done_at > ${at}::timestamptz - ${again}::float8 * (0.5 + coalesce(r.patience, 1) / 2) * interval '1 millisecond'))`

const pairs = (audited: readonly Audited[]) =>
  sql`unnest(${audited.map((audit) => audit.cid)}::text[], ${audited.map((audit) => audit.node_id)}::text[])`

/** A failed audit. */
export interface FailedAudit extends Audited {
  auditor: string
  /** The node that passed it on; '': none. */
  via: string
  /** When the auditor could begin. */
  began: Date
  /** The node may just have gone offline: this failure is only a hint. */
  excused: boolean
}

/** Condition: two nodes are of one network or owner. */
const areTogether = (one: Sql, other: Sql): Sql => sql`exists (
  select 1 from nodes a join nodes b on a.network <> '' and a.network = b.network or a.owner_id = b.owner_id
  where a.id = ${one} and b.id = ${other})`

/** Condition on a replica `r` and a failed audit `f`: both failures came through invited nodes, of different networks and owners. */
const bothThroughInvited = sql`((select count(*) from nodes v where v.id in (f.via, r.suspected_via) and v.kind <> 'edge') = 2
  and not ${areTogether(sql`r.suspected_via`, sql`f.via`)})`

/**
 * Condition on a replica `r` and a failed audit `f`: the node said during the audit that it has no copy. That confirms the failure: otherwise
 * a node could say so whenever it is asked for something that it deleted, and no failure would count.
 */
const isAdmitted = sql`(r.state = 'lost' and not r.suspect and r.error <> ${OFFLINE} and r.changed_at >= f.began)`

/**
 * Records failed audits. One is a hint: the copy becomes suspect, and stays. A failure counts, and the copy is lost, if
 * - the last audit of the copy failed too, by an auditor of another network and owner, and
 * - this audit asked the node itself, or both came through invited nodes of different networks and owners. An unreachable node cannot be
 *   asked itself; for it, any two different nodes are enough.
 *
 * It counts too if the node itself said during the audit that it has no copy.
 *
 * So neither one validator, nor one node that passes audits on, nor any number of edges can blame a node.
 * @param trusted an auditor that may confirm its own failures: the server
 * @param sameSince the previous failure that counted must be older than this: failures of one outage count once
 * @returns the failures that count
 */
export async function recordFailed(
  tx: Db,
  failed: readonly FailedAudit[],
  { trusted, sameSince }: { trusted: string; sameSince: Date },
  at: Date,
): Promise<Audited[]> {
  const given = sql`unnest(${failed.map((audit) => audit.cid)}::text[], ${failed.map((audit) => audit.node_id)}::text[],
    ${failed.map((audit) => audit.auditor)}::text[], ${failed.map((audit) => audit.via)}::text[],
    ${failed.map((audit) => audit.began)}::timestamptz[], ${failed.map((audit) => audit.excused)}::boolean[])
    f (cid, node_id, auditor, via, began, excused)`
  const counted = await tx.rows<Audited>(prepared`
    select r.cid, r.node_id from replicas r join ${given} on f.cid = r.cid and f.node_id = r.node_id join nodes n on n.id = r.node_id
    where ${isAdmitted} or not f.excused
      and r.suspect and (r.suspected_by not in ('', f.auditor) and not ${areTogether(sql`r.suspected_by`, sql`f.auditor`)} or (r.suspected_by = f.auditor and f.auditor = ${trusted}))
      and (f.via = '' or (r.suspected_via not in ('', f.via) and (not n.reachable or ${bothThroughInvited})))`)
  await tx.run(prepared`
    update replicas r set suspect = true, tries = case when r.suspect then r.tries else 0 end, suspected_by = f.auditor, suspected_via = f.via
    from ${given} where r.cid = f.cid and r.node_id = f.node_id and (r.state in ('stored', 'unverified') or r.suspect)`)
  await tx.run(prepared`
    update replicas r set state = 'lost', verified = false, error = 'audit failed', lease_until = null, retry_at = null,
      tries = r.tries + 1, changed_at = ${at}
    from ${pairs(counted)} f (cid, node_id)
    where r.cid = f.cid and r.node_id = f.node_id and (r.state in ('stored', 'unverified') or r.suspect and r.tries = 0 or r.changed_at <= ${sameSince})`)
  return counted
}

/** Those of the copies that the node has by what it says itself, or that failed an audit. */
export const findClaimed = (tx: Db, audited: readonly Audited[]) =>
  tx.rows<Audited>(prepared`
    select r.cid, r.node_id from replicas r join ${pairs(audited)} f (cid, node_id) on r.cid = f.cid and r.node_id = f.node_id
    where r.state in ('stored', 'unverified') or r.suspect`)

const NOT_SUSPECT = sql`suspect = false, suspected_by = '', suspected_via = '', tries = 0, error = ''`

/**
 * Marks replicas that passed as stored. An edge's copy counts only if the server ordered it or no other node has it stored; otherwise it
 * becomes unverified.
 * @returns contents with one more stored replica; `unexpected`: the scheduler did not order it; `first`: no audit had confirmed it
 */
export async function recordPassed(
  tx: Db,
  audited: readonly Audited[],
  at: Date,
): Promise<{ cid: string; node_id: string; unexpected: boolean; first: boolean }[]> {
  const stored = await tx.rows<{ cid: string; node_id: string; unexpected: boolean; first: boolean }>(prepared`
    with f as (
      select r.cid, r.node_id, r.state = 'lost' or not r.pulled as unexpected, r.state = 'unverified' as first
      from replicas r join ${pairs(audited)} p (cid, node_id) on r.cid = p.cid and r.node_id = p.node_id
    )
    update replicas r set state = 'stored', verified = true, ${NOT_SUSPECT}, changed_at = ${at}
    from f, nodes n
    where r.cid = f.cid and r.node_id = f.node_id and n.id = r.node_id and (r.state = 'unverified' or (r.state = 'lost' and r.suspect))
      and (n.kind <> 'edge' or r.pulled or not exists (select 1 from replicas o where o.cid = r.cid and o.state = 'stored'))
    returning r.cid, r.node_id, f.unexpected, f.first`)
  await tx.run(prepared`
    update replicas r set state = 'unverified', ${NOT_SUSPECT}, changed_at = ${at}
    from ${pairs(audited)} f (cid, node_id)
    where r.cid = f.cid and r.node_id = f.node_id and r.state = 'lost' and r.suspect`)
  await tx.run(prepared`
    update replicas r set ${NOT_SUSPECT} from ${pairs(audited)} f (cid, node_id)
    where r.cid = f.cid and r.node_id = f.node_id and r.suspect`)
  return stored
}

/** Some random nodes that pulled a content by order and have it stored. */
export const someHolders = (tx: Db, cids: readonly string[], perContent: number) =>
  tx.rows<Audited>(prepared`
    select c.cid, h.node_id from unnest(${[...new Set(cids)]}::text[]) c (cid), lateral (
      select r.node_id from replicas r where r.cid = c.cid and r.state = 'stored' and r.pulled and not r.suspect
      order by random() limit ${perContent}
    ) h`)

/** The given nodes that have no copy an audit could check. */
export const withoutCopies = async (tx: Db, nodeIds: readonly string[]): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(prepared`
      select n.id from unnest(${nodeIds}::text[]) n (id)
      where not exists (
        select 1 from replicas r where r.node_id = n.id and (r.state = 'stored' or r.suspect or (r.state = 'unverified' and r.pulled)))`)
  ).map(({ id }) => id)
