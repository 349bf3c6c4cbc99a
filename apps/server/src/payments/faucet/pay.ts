import { type Paying, type PayNeeds, payOut, transfersOf } from '../payouts/pay.ts'
import { promises } from './repository.ts'

const claims: Paying = {
  kind: 'claims',
  promises,
  async messages({ config, token, units }, promised) {
    const transfers = await transfersOf(token, units, promised)
    const { gas } = config.faucet
    // Without a coin for fees nobody could spend what they got.
    return gas > 0n ? [...transfers, { coins: promised.map(({ wallet }) => ({ to: wallet, amount: gas })) }] : transfers
  },
}

/** One round of paying claims. @throws what kept it from paying, everything being as it was */
export const payClaims = (context: PayNeeds, signal?: AbortSignal): Promise<void> => payOut(context, claims, signal)
