import { type Plan, plansOf } from '../../identity/index.ts'
import { ownerOf } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'

/**
 * For whom a node sent bytes: an account that downloads with a VIP or a free plan; a visitor of its share; nobody (an anonymous file); or
 * the account that owns the node.
 */
export type AccountKind = 'vip' | 'free' | 'visitor' | 'anonymous' | 'own'

/**
 * Signed traffic of these kinds may earn. For all others, whoever signs does not pay for it, so a client that colludes with a node would
 * gain (decision 21).
 */
export const EARNING_KINDS: readonly AccountKind[] = ['vip']

export interface Payer {
  /** The account that the traffic counts for; null for anonymous files. */
  userId: number | null
  /** The account that downloads; null for visitors. */
  readerId: number | null
}

/** The plans of the accounts that pay, and the kind of each payer's traffic from this node. */
export async function findKinds(
  tx: Db,
  nodeId: string,
  payers: readonly Payer[],
): Promise<{ plans: Map<number, Plan>; kindOf: (payer: Payer) => AccountKind }> {
  const ids = payers.map(({ userId }) => userId).filter((id) => id !== null)
  if (ids.length === 0) return { plans: new Map(), kindOf: () => 'anonymous' }
  const [plans, owner] = [await plansOf(tx, ids), await ownerOf(tx, nodeId)]
  return {
    plans,
    kindOf({ userId, readerId }) {
      if (userId === null) return 'anonymous'
      if (userId === owner) return 'own'
      if (userId !== readerId) return 'visitor'
      return plans.get(userId)?.vip ? 'vip' : 'free'
    },
  }
}
