/**
 * Quotas are counted in months. Those of a VIP plan begin with the plan, so that nobody gets two quotas for one paid month; those of free
 * plans, which earn nothing for nodes, are calendar months (UTC).
 */

export interface PlanDates {
  vip: boolean
  /** When the VIP plan began; null: with the account. */
  plan_since: Date | null
  created_at: Date
}

const HOUR = 3_600_000
/** Download traffic is counted by the hour, so months begin with one. */
const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR) * HOUR)
const CALENDAR = new Date(0)

/** `months` after a time, on the last day of the month if it is too short. */
function monthsAfter(from: Date, months: number): Date {
  const to = new Date(from)
  to.setUTCMonth(from.getUTCMonth() + months, 1)
  const days = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate()
  to.setUTCDate(Math.min(from.getUTCDate(), days))
  return to
}

/** The month that contains `at`: from ≤ at < to, at most 31 days. */
export function planMonth(plan: PlanDates, at: Date): { from: Date; to: Date } {
  const first = plan.vip ? hourOf(plan.plan_since ?? plan.created_at) : CALENDAR
  const months = (at.getUTCFullYear() - first.getUTCFullYear()) * 12 + at.getUTCMonth() - first.getUTCMonth()
  const begun = monthsAfter(first, months) <= at ? months : months - 1
  return { from: monthsAfter(first, begun), to: monthsAfter(first, begun + 1) }
}

/** When quotas at a time are counted from. */
export const quotaSince = (plan: PlanDates, at: Date): Date => planMonth(plan, at).from

/**
 * The dates of a plan that is granted or ended. A plan that is granted again in a month that was begun goes on with it: ending and granting
 * it would otherwise give a new quota each time.
 */
export function changePlanDates(
  before: PlanDates & { plan_paid_until: Date | null },
  vip: boolean,
  at: Date,
): { plan_since: Date | null; plan_paid_until: Date | null } {
  const { plan_since, plan_paid_until } = before
  if (vip === before.vip) return { plan_since, plan_paid_until }
  if (!vip) return { plan_since: plan_since ?? before.created_at, plan_paid_until: planMonth(before, at).to }
  const goesOn = plan_since !== null && plan_paid_until !== null && at < plan_paid_until
  return { plan_since: goesOn ? plan_since : hourOf(at), plan_paid_until: null }
}
