import type { TransactionFacts } from '@tidenet/chain-client/facts'
import { parseAmount } from '../wallet/amounts.ts'
import type { ToPay } from './use-quote.ts'

/** Whether a transaction does exactly this: it transfers the TNT4 that was shown, with the order as memo, from the linked wallet. */
export function isPaymentFor(
  { messages, sender, memo }: TransactionFacts,
  { order, payment }: Pick<ToPay, 'order' | 'payment'>,
  decimals: number,
): boolean {
  const [only] = messages
  if (!only || messages.length !== 1 || only.kind !== 'transfer') return false
  const { recipient, amount } = payment.msg.transfer
  return (
    memo === order.id &&
    sender === order.wallet &&
    only.from === order.wallet &&
    only.to === recipient &&
    only.amount?.units === amount &&
    amount === String(parseAmount(order.tnt4, decimals)) &&
    typeof only.amount.of === 'object' &&
    only.amount.of.denom === `cw20:${payment.contract}`
  )
}
