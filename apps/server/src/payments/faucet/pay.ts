import type { Context } from '../../context.ts'
import { type Paying, type PayNeeds, payOut, transfersOf } from '../payouts/pay.ts'
import { forgetCounts } from './repository.ts'

/** Counts are of use for a day; two pass before they are forgotten, whatever the zone. */
const COUNTS_KEPT = 2 * 24 * 3600 * 1000

/** Forgets what nobody counts any more. Claims stay. */
export const forgetClaimCounts = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> =>
  forgetCounts(db, new Date(clock.now() - COUNTS_KEPT))

const claims: Paying = {
  kind: 'claims',
  async messages({ config, token, units }, promised) {
    const transfers = await transfersOf(token, units, promised)
    const { gas } = config.faucet
    // Without a coin for fees nobody could spend what they got.
    return gas > 0n ? [...transfers, { coins: promised.map(({ wallet }) => ({ to: wallet, amount: gas })) }] : transfers
  },
}

/** One round of paying claims. @throws what kept it from paying, everything being as it was */
export const payClaims = (context: PayNeeds, signal?: AbortSignal): Promise<void> => payOut(context, claims, signal)
