import type { UnearnedKind } from '@tidenet/contract'
import { type Plan, plansOf } from '../../identity/index.ts'
import { type AuditedHour, findAuditedHours, findTrafficStanding, type TrafficStanding } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { hourOf } from '../usage/series.ts'
import { SIGNED_LATE_MAX_MS } from './signed.ts'

/**
 * For whom a node sent bytes: an account that downloads with a VIP or a free plan; a visitor of its share; nobody (an anonymous file); or
 * an account that owns the node, or did shortly before. The last four: an account with a VIP plan, but the node did not deserve to earn when
 * the download was opened: it had no owner, was not vetted, failed an audit in that hour, or had passed none within a day.
 */
export type AccountKind = 'vip' | UnearnedKind

/**
 * Signed traffic of these kinds may earn. For the others, whoever signs does not pay for it, so a client that colludes with a node would
 * gain (decision 21), or the node would choose an hour for its report in which it may earn (decision 26).
 */
export const EARNING_KINDS = ['vip'] as const satisfies readonly AccountKind[]

export interface Payer {
  /** The account that the traffic counts for; null for anonymous files. */
  userId: number | null
  /** The account that downloads; null for visitors. */
  readerId: number | null
  /** When the download was opened. The server knows it; the node does not choose it. */
  openedAt: Date
}

/** The plans of the accounts that pay, and the kind of each payer's traffic from this node. */
export async function findKinds(
  tx: Db,
  nodeId: string,
  payers: readonly Payer[],
  at: Date,
): Promise<{ plans: Map<number, Plan>; kindOf: (payer: Payer) => AccountKind }> {
  const ids = payers.map(({ userId }) => userId).filter((id) => id !== null)
  if (ids.length === 0) return { plans: new Map(), kindOf: () => 'anonymous' }
  const plans = await plansOf(tx, ids)
  const standing = await findTrafficStanding(tx, nodeId)
  // Audits matter only for what somebody pays for.
  const paid = payers.filter(({ userId, readerId }) => userId !== null && userId === readerId && plans.get(userId)?.vip)
  const hours = new Set(paid.map(({ openedAt }) => hourOf(openedAt).getTime()))
  const audited = await findAuditedHours(
    tx,
    nodeId,
    [...hours].map((hour) => new Date(hour)),
  )
  return {
    plans,
    kindOf({ userId, readerId, openedAt }) {
      if (userId === null) return 'anonymous'
      if (!standing) return 'unowned'
      if (isOwn(standing, userId, openedAt)) return 'own'
      if (userId !== readerId) return 'visitor'
      if (!plans.get(userId)?.vip) return 'free'
      return unearnedKindOf(standing, audited.get(hourOf(openedAt).getTime()), openedAt, at) ?? 'vip'
    },
  }
}

/** Whether the account owns the node, or did while a report could wait. Otherwise it could unlink the node, download, and link it again. */
const isOwn = ({ owner_id, former }: TrafficStanding, userId: number, openedAt: Date): boolean =>
  userId === owner_id ||
  former.some(({ user_id, until }) => user_id === userId && until.getTime() >= openedAt.getTime() - SIGNED_LATE_MAX_MS)

/**
 * Why paid traffic does not earn. A node can report late, so it could wait for an hour in which it may earn; these are the conditions of
 * the hour in which the download was opened. The hour of the report has to fulfil those of the formula too.
 */
function unearnedKindOf(
  { owner_id, owned_since, trusted_since }: TrafficStanding,
  audited: AuditedHour | undefined,
  openedAt: Date,
  at: Date,
): UnearnedKind | undefined {
  // Since then without a break: what was lost and regained began later.
  if (owner_id === null || owned_since > openedAt) return 'unowned'
  if (trusted_since === null || trusted_since > openedAt) return 'unvetted'
  if (audited?.failed) return 'failed'
  // While the hour is running, an audit can still pass: the end of the hour decides.
  const isOver = hourOf(openedAt) < hourOf(at)
  return isOver && !audited?.passed ? 'unaudited' : undefined
}
