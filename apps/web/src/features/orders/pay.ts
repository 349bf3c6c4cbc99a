import type { TransactionFacts } from '@tidenet/chain-client/facts'
import type { OrderPayment } from '@tidenet/contract'
import { ApiError, api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'

/** Whether what would be signed is one payment, of this amount, by this wallet, to the orders contract, and nothing besides. */
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

const TRIES = 4

/** Tells the server by which transaction was paid. It is a hint: without it the server finds the payment itself, later. */
export async function postPayment(payment: OrderPayment, hash: string): Promise<void> {
  for (let tried = 1; tried <= TRIES; tried++)
    try {
      const { order_id: id, duration } = payment
      if (payment.kind === 'renewal') await api('orders.renewal', { id, duration, hash })
      else await api('orders.hash', { id, hash })
      refresh('orders.history', 'orders.details')
      return
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'refused') return
      await new Promise((resolve) => setTimeout(resolve, 1000 * tried))
    }
}
