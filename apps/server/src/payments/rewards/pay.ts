import { AppError } from '@tidenet/contract'
import { type Paying, type PayoutDeps, payOut, transfersOf } from '../payouts/pay.ts'
import { pendingRedemptions } from './repository.ts'

const redemptions: Paying = {
  kind: 'redemptions',
  pending: pendingRedemptions,
  async messages({ rewards }, payouts) {
    if (!rewards) throw new AppError('redeemUnavailable')
    return transfersOf(rewards.address, rewards.units, payouts)
  },
}

/** One round of paying redemptions; they wait if no reward coin is configured. @throws see `payOut` */
export async function payRedemptions(context: PayoutDeps, signal?: AbortSignal): Promise<void> {
  if (context.chain?.rewards) await payOut(context, redemptions, signal)
}
