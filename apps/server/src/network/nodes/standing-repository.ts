import { AUDIT_FAILURES, AUDIT_WINDOW } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** What audits and transfers make of a node. */

/** Of a node `n`: too many of its latest audits failed, and the last two were not clean. */
export const failsAudits = sql`((select count(*) from unnest(n.audits) a where a = 0) >= ${AUDIT_FAILURES}
  and n.audits[greatest(1, cardinality(n.audits) - 1):] <> '{1,1}'::smallint[])`

/** Nodes whose turn it is and that were heard of lately, longest ago first; those in doubt sooner. Another server leaves them alone. */
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

type Patience = Record<'failedBefore' | 'heardSince', Date>

/** Of a node `n`: it fails its audits, though it is there. */
const isFailing = ({ failedBefore, heardSince }: Patience) => sql`
  n.status = 'abnormal' and ${failsAudits} and n.reachable and n.seen_at > ${heardSince} and coalesce(n.failed_at <= ${failedBefore}, true)`

export const findFailing = async (db: Db, patience: Patience): Promise<string[]> =>
  (await db.rows<{ id: string }>(sql`select n.id from nodes n where ${isFailing(patience)}`)).map(({ id }) => id)

/** The next heartbeat of these nodes finds them online again, and one more failed audit ends that. */
export const restoreStanding = (db: Db, nodeIds: readonly string[], patience: Patience) =>
  db.run(sql`
    update nodes n set audits = ${Array(AUDIT_FAILURES - 1).fill(0)}::smallint[]
    where n.id = any(${nodeIds}) and ${isFailing(patience)}`)

/**
 * Adds outcomes to what is remembered of each node's audits, and lets its standing follow.
 * @param sameSince failures after one since then are of the same outage: they count once
 */
export async function recordOutcomes(
  tx: Db,
  audits: readonly { node_id: string; state: 'passed' | 'failed' | 'late' }[],
  sameSince: Date,
  at: Date,
): Promise<void> {
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

export const lowerQuality = (tx: Db, nodeIds: readonly string[], by: { step: number; floor: number }) =>
  tx.run(sql`
    update nodes n set quality = greatest(least(quality, ${by.floor}), quality - ${by.step})
    where n.id in (select id from nodes where id = any(${nodeIds}) order by id for no key update)`)

/** Moves the quality of nodes towards what a transfer found, not below `floor`. */
export async function moveQuality(
  tx: Db,
  by: { ids: readonly string[]; shares: readonly number[]; weight: number; floor: number },
): Promise<void> {
  // Two statements: an update that sees rows older than those it has locked locks them once more, which can deadlock.
  await tx.rows(sql`select 1 from nodes n where n.id = any(${by.ids}) order by n.id for no key update`)
  await tx.run(sql`
    update nodes n set quality =
      case when f.share >= n.quality then least(1, n.quality + ${by.weight} * (f.share - n.quality))
        else greatest(least(n.quality, ${by.floor}), n.quality + ${by.weight} * (f.share - n.quality)) end
    from unnest(${by.ids}::text[], ${by.shares}::float8[]) f (id, share)
    where n.id = f.id`)
}
