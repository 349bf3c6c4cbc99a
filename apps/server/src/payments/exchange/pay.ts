import { AppError } from '@tidenet/contract'
import { type Paying, type PayoutDeps, payOut, transfersOf } from '../payouts/pay.ts'
import { pendingRefunds, pendingTestCoins } from './payments-repository.ts'

const refunds: Paying = {
  kind: 'exchange_refunds',
  pending: pendingRefunds,
  async messages({ tnt4 }, payouts) {
    if (!tnt4) throw new AppError('exchangeNoToken')
    return payouts.map(({ wallet, amount }) => ({
      execute: { contract: tnt4.address, msg: { transfer: { recipient: wallet, amount } } },
    }))
  },
}

const testCoins: Paying = {
  kind: 'test_coins',
  pending: pendingTestCoins,
  async messages({ tnt4, config }, payouts) {
    if (!tnt4) throw new AppError('exchangeNoToken')
    const transfers = await transfersOf(tnt4.address, tnt4.units, payouts)
    const { gas } = config.faucet
    // Wallets need coins for gas fees to spend TNT4.
    return gas > 0n ? [...transfers, { coins: payouts.map(({ wallet }) => ({ to: wallet, amount: gas })) }] : transfers
  },
}

/** One round of paying refunds and test coins; they wait if no TNT4 is configured. @throws see `payOut` */
export async function payRefunds(context: PayoutDeps, signal?: AbortSignal): Promise<void> {
  if (context.chain?.tnt4) await payOut(context, refunds, signal)
}

export async function payTestCoins(context: PayoutDeps, signal?: AbortSignal): Promise<void> {
  if (context.chain?.tnt4) await payOut(context, testCoins, signal)
}
