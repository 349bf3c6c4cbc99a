import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { standing, standingOf } from './node-table.ts'
import { failsAudits, scoreLeft } from './standing-repository.ts'
import type { Times } from './times.ts'

/** Changes of a node's standing: whether it is vetted, whether it drains, and whether its copies count. */

/** A node drains above this share of failed audits, until it is below the other; fewer audits than `AUDITS_MIN` prove nothing. */
const DRAIN_ABOVE = 0.2
const DRAIN_UNTIL = 0.1
const AUDITS_MIN = 10
/** Below this weight, all audits of a node are too old to count: it may try again. */
const AUDITS_FORGOTTEN = 1
/** How long an audit through another node shows that a node is reachable. */
export const VIA_MS = 24 * 3600 * 1000

/**
 * At most this share of the invited nodes, and of the vetted edges, begins to drain or loses its vetting within this time. If more fail at
 * once, auditors lie, or the network or the server's clock is at fault.
 */
const DRAINS_MAX = 0.2
const DRAINS_WITHIN = 3600 * 1000

/** In the order in which they are reviewed. */
export const STANDING_CHANGES = ['unvetted', 'vetted', 'draining', 'drained', 'out of reach', 'in reach'] as const
export type StandingChange = (typeof STANDING_CHANGES)[number]

const before = (at: Date, ms: number): Sql => sql`${new Date(at.getTime() - ms)}::timestamptz`

/** The present weight of all audits of a node `n`. */
const auditsLeft = ({ auditHalfLife }: Times, at: Date): Sql =>
  sql`(n.audit_good + n.audit_bad) * ${scoreLeft(auditHalfLife, at)}`

/** Condition on a node `n`: an audit through another node reached it recently. */
const isNear = (at: Date): Sql => sql`coalesce(n.reachable_via_at > ${before(at, VIA_MS)}, false)`

/** Condition on a node `n`: it may begin to drain. New edges always may: nothing depends on them. */
function mayDrain(at: Date): Sql {
  const isSame = sql`${standingOf(sql`o`)} = ${standing}`
  return sql`(n.kind = 'edge' and n.vetted_at is null
    or (select count(*) from nodes o where ${isSame} and o.draining_since > ${before(at, DRAINS_WITHIN)})
      < greatest(1, floor(${DRAINS_MAX}::float8 * (select count(*) from nodes o where ${isSame} and o.status <> 'offline'))))`
}

/** Condition on a node `n`: its last audits failed, so its vetting ends or begins again. */
const failsVetting: Sql = sql`n.kind = 'edge' and n.status = 'abnormal' and ${failsAudits}`

/** Condition on an edge `n`: its vetting may end because of failed audits. */
const mayLoseVetting = (at: Date): Sql => {
  const lost = sql`o.vetted_at is null and o.unvetted_at > ${before(at, DRAINS_WITHIN)}`
  return sql`(n.vetted_at is null or (select count(*) filter (where ${lost})
    < greatest(1, floor(${DRAINS_MAX}::float8 * count(*) filter (where ${lost} or o.vetted_at is not null and o.status <> 'offline')))
    from nodes o where o.kind = 'edge'))`
}

/** Condition on a node `n`: its audits failed too often, or it was abnormal for too long. */
const isBad = (times: Times, at: Date): Sql => sql`n.draining_since is null and (
  n.audit_bad > ${DRAIN_ABOVE}::float8 * (n.audit_good + n.audit_bad) and ${auditsLeft(times, at)} >= ${AUDITS_MIN}::float8
  or n.status = 'abnormal' and n.abnormal_since <= ${before(at, times.drainAfter)})`

/** Condition on a node `n`: the change is due. */
function isDue(change: StandingChange, times: Times, at: Date): Sql {
  switch (change) {
    case 'unvetted':
      return sql`n.kind = 'edge' and (n.vetted_at is not null or n.audits_passed > 0)
        and (${failsVetting} and ${mayLoseVetting(at)} or n.status = 'offline' and n.offline_at <= ${before(at, times.vettingEndsAfter)})`
    case 'vetted':
      return sql`n.kind = 'edge' and n.vetted_at is null and n.status = 'online' and n.reachable and n.draining_since is null
        and n.audits_passed >= ${times.vettingAudits} and n.audited_periods >= ${times.vettingPeriods} and coalesce(n.vetting_since, n.created_at) <= ${before(at, times.vettingTime)}`
    case 'draining':
      return sql`${isBad(times, at)} and ${mayDrain(at)}`
    case 'drained':
      return sql`n.draining_since is not null and n.status <> 'abnormal'
        and (n.audit_bad < ${DRAIN_UNTIL}::float8 * (n.audit_good + n.audit_bad) or ${auditsLeft(times, at)} < ${AUDITS_FORGOTTEN}::float8)`
    case 'out of reach':
      return sql`n.uncounted_since is null and not n.reachable and n.status <> 'offline'
        and coalesce(n.unreachable_since, n.created_at) <= ${before(at, times.lostAfter)} and not ${isNear(at)}`
    case 'in reach':
      return sql`n.uncounted_since is not null and (n.reachable or ${isNear(at)})`
  }
}

const newValues = (change: StandingChange, at: Date): Sql => {
  switch (change) {
    case 'unvetted':
      return sql`vetted_at = null, vetting_since = ${at}, audits_passed = 0, audited_periods = 0, audited_period = null,
        unvetted_at = case when n.vetted_at is not null and n.status <> 'offline' then ${at} else n.unvetted_at end`
    case 'vetted':
      return sql`vetted_at = ${at}, eligible_at = ${at}`
    case 'draining':
      return sql`draining_since = ${at}`
    case 'drained':
      return sql`draining_since = null, eligible_at = ${at}`
    case 'out of reach':
      return sql`uncounted_since = ${at}`
    case 'in reach':
      return sql`uncounted_since = null, eligible_at = ${at}`
  }
}

/** Records since when nodes are abnormal. */
export const trackAbnormal = (db: Db, at: Date) =>
  db.run(sql`
    update nodes set abnormal_since = case when status = 'abnormal' then ${at}::timestamptz end
    where (status = 'abnormal') <> (abnormal_since is not null) and status <> 'offline'`)

/** Nodes for which a change is due. */
export const findDueChanges = async (
  db: Db,
  change: StandingChange,
  times: Times,
  limit: number,
  at: Date,
): Promise<string[]> =>
  (await db.rows<{ id: string }>(sql`select n.id from nodes n where ${isDue(change, times, at)} limit ${limit}`)).map(
    ({ id }) => id,
  )

/** How many nodes should drain, or lose their vetting, and do not, because too many others did within the last hour. */
export const countHeldBack = async (db: Db, times: Times, at: Date): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count from nodes n
        where ${isBad(times, at)} and not ${mayDrain(at)} or ${failsVetting} and not ${mayLoseVetting(at)}`,
    )
  ).count

/** @returns whether the change was still due */
export const applyChange = async (
  tx: Db,
  nodeId: string,
  change: StandingChange,
  times: Times,
  at: Date,
): Promise<boolean> =>
  (await tx.run(
    sql`update nodes n set ${newValues(change, at)} where n.id = ${nodeId} and ${isDue(change, times, at)}`,
  )) === 1
