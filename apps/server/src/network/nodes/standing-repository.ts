import { AUDIT_FAILURES, AUDIT_WINDOW } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

/** Status and quality of nodes, which follow from audits and transfers. */

/** Condition on a node `n`: too many of its latest audits failed, and the last two did not both pass. */
export const failsAudits = sql`((select count(*) from unnest(n.audits) a where a = 0) >= ${AUDIT_FAILURES}
  and n.audits[greatest(1, cardinality(n.audits) - 1):] <> '{1,1}'::smallint[])`

/** Claims nodes that are due for an audit and have recent heartbeats, longest waiting first; abnormal nodes are due sooner. */
export const claimForAudit = (
  tx: Db,
  { before, suspectBefore, heardSince }: Record<'before' | 'suspectBefore' | 'heardSince', Date>,
  limit: number,
  at: Date,
) =>
  tx.rows<{ id: string }>(sql`
    with due as (
      select id from nodes where status <> 'offline' and reachable and seen_at > ${heardSince}
        and (audited_at is null or audited_at <= case when status = 'abnormal' then ${suspectBefore}::timestamptz else ${before}::timestamptz end)
      order by audited_at nulls first limit ${limit} for update skip locked
    )
    update nodes n set audited_at = ${at} from due where n.id = due.id returning n.id`)

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

/** What is left of the audit score of a node `n`, 0..1. @param halfLife ms after which audits count half */
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

/** Appends results to each node's latest audits, adds them to its score and its vetting, and updates its status. */
export async function recordOutcomes(
  tx: Db,
  audits: readonly { node_id: string; cid: string; state: 'passed' | 'failed' | 'late' }[],
  { sameSince, countedSince, halfLife }: OutcomePeriods,
  at: Date,
): Promise<void> {
  await tx.rows(
    sql`select 1 from nodes where id = any(${audits.map((audit) => audit.node_id)}) order by id for no key update`,
  )
  await tx.run(sql`
    update nodes n set audits = (n.audits || f.outcomes)[greatest(1, cardinality(n.audits || f.outcomes) - ${AUDIT_WINDOW - 1}):],
      failed_at = case when f.failed then ${at} else n.failed_at end,
      audit_good = n.audit_good * ${scoreLeft(halfLife, at)} + f.passed, audit_bad = n.audit_bad * ${scoreLeft(halfLife, at)} + case when f.failed then 1 else 0 end,
      audit_score_at = ${at}, audits_passed = n.audits_passed + f.counted
    from (
      select o.node_id, coalesce(array_agg(1::smallint) filter (where o.state = 'passed'), '{}')
          || case when bool_or(o.state = 'failed' and not coalesce(m.failed_at > ${sameSince}, false)) then '{0}'::smallint[] else '{}'::smallint[] end
          as outcomes,
        bool_or(o.state = 'failed' and not coalesce(m.failed_at > ${sameSince}, false)) as failed,
        count(*) filter (where o.state = 'passed') as passed,
        count(distinct o.cid) filter (where o.state = 'passed' and not exists (
          select 1 from audits a where a.cid = o.cid and a.node_id = o.node_id and a.state = 'passed'
            and a.done_at > ${countedSince} and a.done_at < ${at})) as counted
      from unnest(${audits.map((audit) => audit.node_id)}::text[], ${audits.map((audit) => audit.cid)}::text[],
        ${audits.map((audit) => audit.state)}::text[]) o (node_id, cid, state)
      join nodes m on m.id = o.node_id
      group by o.node_id
    ) f
    where n.id = f.node_id`)
  await tx.run(sql`
    update nodes n set status = case when ${failsAudits} then 'abnormal' else 'online' end
    where n.id = any(${audits.map((audit) => audit.node_id)}) and n.status <> 'offline'`)
}

export const lowerQuality = (tx: Db, nodeIds: readonly string[], by: { step: number; floor: number }) =>
  tx.run(sql`
    update nodes n set quality = greatest(least(quality, ${by.floor}), quality - ${by.step})
    where n.id in (select id from nodes where id = any(${nodeIds}) order by id for no key update)`)

/** Moves the quality of nodes towards the share of good transfers, not below `floor`. */
export async function moveQuality(
  tx: Db,
  by: { ids: readonly string[]; shares: readonly number[]; weight: number; floor: number },
): Promise<void> {
  // Two statements: an update that sees older row versions than it has locked locks them again, which can deadlock.
  await tx.rows(sql`select 1 from nodes n where n.id = any(${by.ids}) order by n.id for no key update`)
  await tx.run(sql`
    update nodes n set quality =
      case when f.share >= n.quality then least(1, n.quality + ${by.weight} * (f.share - n.quality))
        else greatest(least(n.quality, ${by.floor}), n.quality + ${by.weight} * (f.share - n.quality)) end
    from unnest(${by.ids}::text[], ${by.shares}::float8[]) f (id, share)
    where n.id = f.id`)
}
