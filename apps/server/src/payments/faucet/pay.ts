import { type Paying, type PayoutDeps, payOut, transfersOf } from '../payouts/pay.ts'
import { pendingClaims } from './repository.ts'

const claims: Paying = {
  kind: 'claims',
  pending: pendingClaims,
  async messages({ config, token, units }, payouts) {
    const transfers = await transfersOf(token, units, payouts)
    const { gas } = config.faucet
    // Wallets need coins for gas fees to spend the test coins.
    return gas > 0n ? [...transfers, { coins: payouts.map(({ wallet }) => ({ to: wallet, amount: gas })) }] : transfers
  },
}

/** One round of paying claims. @throws see `payOut` */
export const payClaims = (context: PayoutDeps, signal?: AbortSignal): Promise<void> => payOut(context, claims, signal)
