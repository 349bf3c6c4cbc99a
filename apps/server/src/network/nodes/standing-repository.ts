import { AUDIT_FAILURES, AUDIT_WINDOW, VETTING_PERIOD } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { groupColumns, standing } from './node-table.ts'

/** Status and quality of nodes, which follow from audits and transfers. */

/** Condition on a node `n`: too many of its latest audits failed, and the last two did not both pass. */
export const failsAudits = sql`((select count(*) from unnest(n.audits) a where a = 0) >= ${AUDIT_FAILURES}
  and n.audits[greatest(1, cardinality(n.audits) - 1):] <> '{1,1}'::smallint[])`

/** Random waits are at most this many times their mean. */
const WAIT_MAX = 3

/** A random wait in ms, exponentially distributed, so that what happened before says nothing about when the next audit comes. */
export const randomWait = (mean: Sql, random = sql`random()`): Sql =>
  sql`least(${WAIT_MAX}::float8, -ln(1 - ${random})) * ${mean} * interval '1 millisecond'`

/** Condition on a node `n`: nothing depends on its copies, or they fail. */
const isDoubtful = sql`(n.status = 'abnormal' or ${standing} = 'new')`

/** Claims nodes that are due for an audit and have recent heartbeats, longest waiting first. `means`: ms until the next audit of a node. */
export const claimForAudit = (
  tx: Db,
  { heardSince, means }: { heardSince: Date; means: Record<'trusted' | 'doubtful', number> },
  limit: number,
  at: Date,
) =>
  tx.rows<{ id: string }>(sql`
    with due as (
      select id from nodes where status <> 'offline' and seen_at > ${heardSince} and (next_audit_at is null or next_audit_at <= ${at}
        or status = 'abnormal' and audited_at <= ${new Date(at.getTime() - WAIT_MAX * means.doubtful)})
      order by next_audit_at nulls first limit ${limit} for update skip locked
    )
    update nodes n set audited_at = ${at}, next_audit_at = ${at}::timestamptz + ${randomWait(
      sql`case when ${isDoubtful} then ${means.doubtful}::float8 else ${means.trusted}::float8 end`,
    )}
    from due where n.id = due.id returning n.id`)

/** A node that is audited. */
export interface AuditTarget {
  id: string
  /** For the server. */
  reachable: boolean
  network: string
  owner: string
  /** It is new or abnormal. */
  doubtful: boolean
}

const targetColumns = sql`n.id, n.reachable, ${groupColumns}, ${isDoubtful} as doubtful`

export const findAuditTargets = (tx: Db, ids: readonly string[]) =>
  tx.rows<AuditTarget>(sql`select ${targetColumns} from nodes n where n.id = any(${ids})`)

/** Condition on a node `n`: it can pass audits of others on. */
const canRelay = sql`n.relays and n.status = 'online' and n.reachable and n.out_since is null and n.draining_since is null`

/** Some random candidates that can pass audits on. Not validators: their addresses are those that a node may recognize. */
export const findInvitedRelays = (tx: Db, limit: number) =>
  tx.rows<AuditTarget>(
    sql`select ${targetColumns} from nodes n where ${canRelay} and n.kind = 'candidate' order by random() limit ${limit}`,
  )

/** The given vetted edges that can pass audits on. */
export const findEdgeRelays = (tx: Db, among: readonly string[]) =>
  tx.rows<AuditTarget>(sql`
    select ${targetColumns} from nodes n
    where ${canRelay} and ${standing} = 'vetted' and n.id = any(${among})`)

/** These nodes were reached through others. */
export const recordReachedVia = (tx: Db, ids: readonly string[], at: Date) =>
  tx.run(sql`update nodes set reachable_via_at = ${at} where id = any(${ids})`)

type Period = Record<'failedBefore' | 'heardSince', Date>

/** Condition on a node `n`: it is abnormal because of audits, and online. */
const isFailing = ({ failedBefore, heardSince }: Period) => sql`
  n.status = 'abnormal' and ${failsAudits} and n.reachable and n.seen_at > ${heardSince} and coalesce(n.failed_at <= ${failedBefore}, true)`

export const findFailing = async (db: Db, period: Period): Promise<string[]> =>
  (await db.rows<{ id: string }>(sql`select n.id from nodes n where ${isFailing(period)}`)).map(({ id }) => id)

/** These nodes are online again with their next heartbeat. One more failed audit makes them abnormal. */
export const restoreStanding = (db: Db, nodeIds: readonly string[], period: Period) =>
  db.run(sql`
    update nodes n set audits = ${Array(AUDIT_FAILURES - 1).fill(0)}::smallint[]
    where n.id = any(${nodeIds}) and ${isFailing(period)}`)

/** The factor by which the audit score of a node `n` has decayed, 0..1. @param halfLife ms after which audits count half */
export const scoreLeft = (halfLife: number, at: Date): Sql =>
  sql`power(0.5::float8, greatest(0, extract(epoch from ${at}::timestamptz - coalesce(n.audit_score_at, ${at}::timestamptz)))::float8 * 1000 / ${halfLife}::float8)`

export interface OutcomePeriods {
  /** A failure counts only if the node's previous failure is older than this: failures of one outage count once. */
  sameSince: Date
  /** A passed audit counts for vetting only if the previous one of this content on the node is older than this. */
  countedSince: Date
  /** Ms after which audits count half. */
  halfLife: number
}

/** A passed audit moves the quality of a node towards 1 by this share, so that false reports do not last. */
const QUALITY_PER_PASS = 0.05

/**
 * Appends results to each node's latest audits, adds them to its score, its quality and its vetting, and updates its status. A `first`
 * audit, which confirms a new copy, counts for vetting only: with many new copies a node could hide that it lost the old ones.
 */
export async function recordOutcomes(
  tx: Db,
  audits: readonly { node_id: string; cid: string; state: 'passed' | 'failed' | 'late'; first: boolean }[],
  { sameSince, countedSince, halfLife }: OutcomePeriods,
  at: Date,
): Promise<void> {
  const period = new Date(Math.floor(at.getTime() / VETTING_PERIOD) * VETTING_PERIOD)
  await lockNodes(
    tx,
    audits.map((audit) => audit.node_id),
  )
  await tx.run(sql`
    update nodes n set audits = (n.audits || f.outcomes)[greatest(1, cardinality(n.audits || f.outcomes) - ${AUDIT_WINDOW - 1}):],
      failed_at = case when f.failed then ${at} else n.failed_at end,
      audit_good = n.audit_good * ${scoreLeft(halfLife, at)} + f.passed, audit_bad = n.audit_bad * ${scoreLeft(halfLife, at)} + case when f.failed then 1 else 0 end,
      quality = 1 - (1 - n.quality) * power(${1 - QUALITY_PER_PASS}::float8, f.passed::float8),
      audit_score_at = ${at}, audits_passed = n.audits_passed + f.counted,
      audited_periods = n.audited_periods + case when f.counted > 0 and n.audited_period is distinct from ${period} then 1 else 0 end,
      audited_period = case when f.counted > 0 then ${period} else n.audited_period end
    from (
      select o.node_id, coalesce(array_agg(1::smallint) filter (where o.state = 'passed' and not o.first), '{}')
          || case when bool_or(o.state = 'failed' and not coalesce(m.failed_at > ${sameSince}, false)) then '{0}'::smallint[] else '{}'::smallint[] end
          as outcomes,
        bool_or(o.state = 'failed' and not coalesce(m.failed_at > ${sameSince}, false)) as failed,
        count(*) filter (where o.state = 'passed' and not o.first) as passed,
        count(distinct o.cid) filter (where o.state = 'passed' and not exists (
          select 1 from audits a where a.cid = o.cid and a.node_id = o.node_id and a.state = 'passed'
            and a.done_at > ${countedSince} and a.done_at < ${at})) as counted
      from unnest(${audits.map((audit) => audit.node_id)}::text[], ${audits.map((audit) => audit.cid)}::text[],
        ${audits.map((audit) => audit.state)}::text[], ${audits.map((audit) => audit.first)}::boolean[]) o (node_id, cid, state, first)
      join nodes m on m.id = o.node_id
      group by o.node_id
    ) f
    where n.id = f.node_id`)
  await tx.run(sql`
    update nodes n set status = case when ${failsAudits} then 'abnormal' else 'online' end
    where n.id = any(${audits.map((audit) => audit.node_id)}) and n.status <> 'offline'`)
}

/**
 * Locks nodes in an order that prevents deadlocks, before a statement that updates several. In a statement of its own: an update that sees
 * older row versions than it has locked locks them again, which can deadlock.
 */
export const lockNodes = (tx: Db, ids: readonly string[]) =>
  tx.rows(sql`select 1 from nodes where id = any(${ids}) order by id for no key update`)

export const lowerQuality = (tx: Db, nodeIds: readonly string[], by: { step: number; floor: number }) =>
  tx.run(sql`
    update nodes n set quality = greatest(least(quality, ${by.floor}), quality - ${by.step})
    where n.id in (select id from nodes where id = any(${nodeIds}) order by id for no key update)`)

/** Moves the quality of nodes towards the share of good transfers, not below `floor`. */
export async function moveQuality(
  tx: Db,
  by: { ids: readonly string[]; shares: readonly number[]; weight: number; floor: number },
): Promise<void> {
  await lockNodes(tx, by.ids)
  await tx.run(sql`
    update nodes n set quality =
      case when f.share >= n.quality then least(1, n.quality + ${by.weight} * (f.share - n.quality))
        else greatest(least(n.quality, ${by.floor}), n.quality + ${by.weight} * (f.share - n.quality)) end
    from unnest(${by.ids}::text[], ${by.shares}::float8[]) f (id, share)
    where n.id = f.id`)
}
