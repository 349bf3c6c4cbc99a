import type { TransactionFacts } from '@tidenet/chain-client/facts'
import type { OrderPayment } from '@tidenet/contract'
import { ApiError, api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'

/** Whether a transaction consists of exactly this payment: amount, payer and order. */
export function isPayment({ messages, sender }: TransactionFacts, payment: OrderPayment): boolean {
  const [only] = messages
  if (!only || messages.length !== 1 || only.kind !== 'pay' || !only.order) return false
  const { id, newId } = only.order
  return (
    sender === payment.payer &&
    only.from === payment.payer &&
    only.amount?.of === 'token' &&
    only.amount.units === payment.amount &&
    (newId || id) === payment.order_id
  )
}

const MAX_ATTEMPTS = 4

/** Reports the payment's transaction to the server. Best effort: the server also finds payments itself, later. */
export async function reportPayment(payment: OrderPayment, hash: string): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++)
    try {
      const { order_id: id, duration } = payment
      if (payment.kind === 'renewal') await api('orders.renewal', { id, duration, hash })
      else await api('orders.hash', { id, hash })
      refresh('orders.history', 'orders.details')
      return
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'refused') return
      await new Promise((resolve) => setTimeout(resolve, 1000 * attempt))
    }
}
