import { AppError } from '@tidenet/contract'
import { type Paying, type PayNeeds, payOut, transfersOf } from '../payouts/pay.ts'
import { promises } from './repository.ts'

const redemptions: Paying = {
  kind: 'redemptions',
  promises,
  async messages({ rewards }, promised) {
    if (!rewards) throw new AppError('redeemUnavailable')
    return transfersOf(rewards.address, rewards.units, promised)
  },
}

/**
 * One round of paying redemptions. Where the coin was taken from the settings they wait for it.
 * @throws what kept it from paying, everything being as it was
 */
export async function payRedemptions(context: PayNeeds, signal?: AbortSignal): Promise<void> {
  if (context.chain?.rewards) await payOut(context, redemptions, signal)
}
