import type { Obligation } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { countUnfinished } from '../exchange/service.ts'
import { countUnpaidClaims } from '../faucet/service.ts'
import { countOpenOrders, countUnpaidCredits } from '../orders/read.ts'
import { countUnpaidRedemptions } from '../rewards/service.ts'

/** What would be lost or remain unclear if an account were deleted now. */
export async function countObligations(
  db: Db,
  userId: number,
): Promise<Record<Exclude<Obligation, 'teams' | 'workspaces'>, number>> {
  const { exchanges, payouts } = await countUnfinished(db, userId)
  return {
    orders: await countOpenOrders(db, userId),
    exchanges,
    payouts:
      payouts +
      (await countUnpaidClaims(db, userId)) +
      (await countUnpaidRedemptions(db, userId)) +
      (await countUnpaidCredits(db, userId)),
  }
}
