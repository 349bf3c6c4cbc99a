import { type AssetType, AUDIT_FAILURES, AUDIT_WINDOW } from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_AT_ONCE } from '../../platform/tasks/expired.ts'
import { failsAudits } from '../nodes/repository.ts'
import { DOUBTS } from '../placement/choose.ts'

export interface Given {
  id: string
  cid: string
  kind: AssetType
  position: number
  node_id: string
  url: string
  /** Of somebody who could download it; null for anonymous files. */
  account: string | null
  name: string | null
}

/** Gives a validator audits that wait for it. */
export const giveAudits = (db: Db, validatorId: string, limit: number, at: Date) =>
  db.rows<Given>(sql`
    with picked as (
      select id from audits where validator_id = ${validatorId} and state = 'open' and given_at is null
      order by created_at limit ${limit} for update skip locked
    )
    update audits a set given_at = ${at}
    from picked p, nodes n, contents c left join lateral (
      select u.uid as account, o.name from assets o join users u on u.id = o.user_id where o.cid = c.cid limit 1
    ) o on true
    where a.id = p.id and c.cid = a.cid and n.id = a.node_id
    returning a.id, a.cid, c.kind, a.position, a.node_id, n.url, o.account, o.name`)

/** Validators that are online, with how many audits are before each; those with too many are left out. */
export const findValidators = (tx: Db, most: number) =>
  tx.rows<{ id: string; open: number }>(sql`
    select n.id, (select count(*) from audits a where a.validator_id = n.id and a.state = 'open')::int as open
    from nodes n where n.kind = 'validator' and n.status = 'online' and n.out_since is null
      and (select count(*) from audits a where a.validator_id = n.id and a.state = 'open') < ${most}
    limit 100`)

/** Nodes whose turn it is and that were heard of lately, longest ago first; those in doubt sooner. Another server leaves them alone. */
export const takeNodes = (
  tx: Db,
  { before, doubtedBefore, heardSince }: Record<'before' | 'doubtedBefore' | 'heardSince', Date>,
  limit: number,
  at: Date,
) =>
  tx.rows<{ id: string }>(sql`
    with due as (
      select id from nodes where status <> 'offline' and reachable and seen_at > ${heardSince}
        and (audited_at is null or audited_at <= case when status = 'abnormal' then ${doubtedBefore}::timestamptz else ${before}::timestamptz end)
      order by audited_at nulls first limit ${limit} for update skip locked
    )
    update nodes n set audited_at = ${at} from due where n.id = due.id returning n.id`)

/**
 * A node whose copies were all given up has nothing left to be audited by: its next heartbeat finds it online again, and one more
 * failed audit ends that.
 */
export const restoreEmpty = (tx: Db, { failedBefore, heardSince }: Record<'failedBefore' | 'heardSince', Date>) =>
  tx.run(sql`
    update nodes n set audits = ${Array(AUDIT_FAILURES - 1).fill(0)}::smallint[]
    where n.status = 'abnormal' and ${failsAudits} and n.reachable and n.seen_at > ${heardSince}
      and coalesce(n.failed_at <= ${failedBefore}, true)
      and not exists (
        select 1 from replicas r where r.node_id = n.id and (r.state = 'stored' or r.doubted or (r.state = 'claimed' and r.pulled)))`)

/**
 * Of each node a replica that one audit put in doubt, or else the first at or after one of two CIDs among those that begin
 * like it, or else its first one.
 */
export const pickReplicas = (tx: Db, nodes: readonly { id: string; from: readonly [string, string] }[]) =>
  tx.rows<{ cid: string; nodeId: string }>(sql`
    select picked.cid, p.node_id as "nodeId"
    from unnest(${nodes.map((node) => node.id)}::text[], ${nodes.map((node) => node.from[0])}::text[],
      ${nodes.map((node) => node.from[1])}::text[]) p (node_id, one, other), lateral (
      select coalesce(
        (select r.cid from replicas r where r.node_id = p.node_id and r.doubted and r.tries < ${DOUBTS} limit 1),
        (select r.cid from replicas r where r.node_id = p.node_id and r.cid >= p.one and r.cid < left(p.one, 7) || 'zzzz'
          and (r.state = 'stored' or r.doubted) order by r.cid limit 1),
        (select r.cid from replicas r where r.node_id = p.node_id and r.cid >= p.other and r.cid < left(p.other, 7) || 'zzzz'
          and (r.state = 'stored' or r.doubted) order by r.cid limit 1),
        (select r.cid from replicas r where r.node_id = p.node_id and (r.state = 'stored' or r.doubted) order by r.cid limit 1)
      ) as cid
    ) picked
    where picked.cid is not null`)

/**
 * Replicas that wait for an audit: what edges claim, when it was pulled on our order or nobody else holds it, and what one audit
 * put in doubt. Of each node a few at a time, so that one that answers slowly keeps nobody else waiting.
 * @param nodeIds only of these; all when left out
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
        where r.node_id = n.id and r.state = 'claimed'
          and (r.pulled or not exists (select 1 from replicas o where o.cid = r.cid and o.state = 'stored'))
          and ${notAudited(doneBefore)}
        order by r.changed_at limit ${perNode})
      union all
      (select r.cid from replicas r
        where r.node_id = n.id and r.doubted and r.tries < ${DOUBTS} and ${notAudited(doneBefore)} limit ${perNode})
    ) w
    where n.status <> 'offline' and n.reachable and n.seen_at > ${heardSince}
      ${nodeIds ? sql`and n.id = any(${nodeIds})` : sql``}
      and (select count(*) from audits a where a.node_id = n.id and a.state = 'open') < ${perNode}
    limit ${limit}`)

/** Of a replica `r`: no audit of it is open, or has just ended. */
const notAudited = (doneBefore: Date) => sql`not exists (
  select 1 from audits a where a.node_id = r.node_id and a.cid = r.cid and (a.state = 'open' or a.done_at > ${doneBefore}))`

export const insertAudits = (
  tx: Db,
  audits: readonly { id: string; cid: string; nodeId: string; validatorId: string; position: number }[],
  at: Date,
) =>
  tx.rows(sql`
    with added as (
      insert into audits (id, cid, node_id, validator_id, position, state, created_at)
      select f.id, f.cid, f.node_id, f.validator_id, f.position, 'open', ${at}
      from unnest(${audits.map((audit) => audit.id)}::text[], ${audits.map((audit) => audit.cid)}::text[],
        ${audits.map((audit) => audit.nodeId)}::text[], ${audits.map((audit) => audit.validatorId)}::text[],
        ${audits.map((audit) => audit.position)}::float8[]) f (id, cid, node_id, validator_id, position)
      where not exists (select 1 from audits a where a.state = 'open' and a.cid = f.cid and a.node_id = f.node_id)
      returning validator_id
    )
    select pg_notify('node_work', validator_id) from (select distinct validator_id from added) validators`)

/** Which of these a validator was given and has still to answer. */
export const findOpen = (tx: Db, validatorId: string, ids: readonly string[]) =>
  tx.rows<{ id: string; cid: string }>(sql`
    select id, cid from audits where id = any(${ids}) and validator_id = ${validatorId} and state = 'open' and given_at is not null`)

export interface Closed {
  cid: string
  node_id: string
  state: 'passed' | 'failed' | 'late'
}

/** A failure of a node that is silent says only that it is silent. */
export const closeAudits = (
  tx: Db,
  validatorId: string,
  results: readonly { id: string; passed: boolean; error: string }[],
  heardSince: Date,
  at: Date,
) =>
  tx.rows<Closed>(sql`
    update audits a set error = f.error, done_at = ${at}, state = case when f.passed then 'passed'
      when exists (select 1 from nodes n where n.id = a.node_id and n.status <> 'offline' and n.seen_at > ${heardSince}) then 'failed'
      else 'late' end
    from unnest(${results.map((result) => result.id)}::text[], ${results.map((result) => result.passed)}::boolean[],
      ${results.map((result) => result.error)}::text[]) f (id, passed, error)
    where a.id = f.id and a.validator_id = ${validatorId} and a.state = 'open'
    returning a.cid, a.node_id, a.state`)

const pairs = (audits: readonly Closed[]) =>
  sql`unnest(${audits.map((audit) => audit.cid)}::text[], ${audits.map((audit) => audit.node_id)}::text[])`

/** @param sameSince a failure after one since then is of the same outage, and says nothing new */
export const doubtReplicas = (tx: Db, audits: readonly Closed[], sameSince: Date, at: Date) =>
  tx.run(sql`
    update replicas r set state = 'lost', doubted = true, proven = false, error = 'audit failed', lease_until = null, retry_at = null,
      tries = case when r.doubted then r.tries else 0 end + 1, changed_at = ${at}
    from ${pairs(audits)} f (cid, node_id)
    where r.cid = f.cid and r.node_id = f.node_id
      and (r.state in ('stored', 'claimed') or (r.doubted and r.changed_at <= ${sameSince}))`)

/**
 * What was found counts, or counts again; of an edge only what it pulled on our order, or what nobody else holds.
 * @returns the contents of which one replica more counts; `news` when the scheduler did not expect it
 */
export async function acceptFound(
  tx: Db,
  audits: readonly Closed[],
  at: Date,
): Promise<{ cid: string; news: boolean }[]> {
  const found = await tx.rows<{ cid: string; news: boolean }>(sql`
    with f as (
      select r.cid, r.node_id, r.state = 'lost' or not r.pulled as news
      from replicas r join ${pairs(audits)} p (cid, node_id) on r.cid = p.cid and r.node_id = p.node_id
    )
    update replicas r set state = 'stored', proven = true, doubted = false, tries = 0, error = '', changed_at = ${at}
    from f, nodes n
    where r.cid = f.cid and r.node_id = f.node_id and n.id = r.node_id and (r.state = 'claimed' or (r.state = 'lost' and r.doubted))
      and (n.kind <> 'edge' or r.pulled or not exists (select 1 from replicas o where o.cid = r.cid and o.state = 'stored'))
    returning r.cid, f.news`)
  await tx.run(sql`
    update replicas r set state = 'claimed', doubted = false, tries = 0, error = '', changed_at = ${at}
    from ${pairs(audits)} f (cid, node_id)
    where r.cid = f.cid and r.node_id = f.node_id and r.state = 'lost' and r.doubted`)
  return found
}

/**
 * Adds outcomes to what is remembered of each node's audits, and lets its standing follow.
 * @param sameSince failures after one since then are of the same outage: they count once
 */
export async function noteOutcomes(tx: Db, audits: readonly Closed[], sameSince: Date, at: Date): Promise<void> {
  await tx.rows(
    sql`select 1 from nodes where id = any(${audits.map((audit) => audit.node_id)}) order by id for no key update`,
  )
  await tx.run(sql`
    update nodes n set audits = (n.audits || f.outcomes)[greatest(1, cardinality(n.audits || f.outcomes) - ${AUDIT_WINDOW - 1}):],
      failed_at = case when f.failed then ${at} else n.failed_at end
    from (
      select o.node_id, coalesce(array_agg(1::smallint) filter (where o.state = 'passed'), '{}')
          || case when bool_or(o.state = 'failed' and not coalesce(m.failed_at > ${sameSince}, false)) then '{0}'::smallint[] else '{}'::smallint[] end
          as outcomes,
        bool_or(o.state = 'failed' and not coalesce(m.failed_at > ${sameSince}, false)) as failed
      from unnest(${audits.map((audit) => audit.node_id)}::text[], ${audits.map((audit) => audit.state)}::text[]) o (node_id, state)
      join nodes m on m.id = o.node_id
      group by o.node_id
    ) f
    where n.id = f.node_id`)
  await tx.run(sql`
    update nodes n set status = case when ${failsAudits} then 'abnormal' else 'online' end
    where n.id = any(${audits.map((audit) => audit.node_id)}) and n.status <> 'offline'`)
}

export const markLate = (db: Db, before: Date, at: Date) =>
  db.run(sql`
    update audits set state = 'late', done_at = ${at} where id in (
      select id from audits where state = 'open' and created_at <= ${before} order by created_at limit 1000 for update skip locked)`)

/** Results count for far less than this. */
export const expired = (at: Date): Sql[] => [
  sql`delete from audits where id in (
    select id from audits where created_at < ${ago(at, 30 * DAY)} limit ${EXPIRED_AT_ONCE} for update skip locked)`,
]
