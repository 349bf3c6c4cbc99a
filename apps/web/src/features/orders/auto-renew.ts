import type { TransactionFacts } from '@tidenet/chain-client/facts'
import type { Output, RouteOf } from '@tidenet/contract'

/** Rules of auto-renewal, as pure functions. */

export type AutoRenewal = Output<RouteOf<'orders.details'>>['auto_renew']
export type AskedAllowance = Output<RouteOf<'orders.autoRenew'>>

/** Renewals that `coins` pay for, at the cost of the next one. */
export const renewalsIn = (coins: number, cost: number): number =>
  cost > 0 ? Math.max(0, Math.floor(coins / cost)) : 0

/** The proposed cap: the current one if it is not used up, otherwise three more renewals. */
export const proposedCap = ({ cap, spent, next }: AutoRenewal): number =>
  cap > spent ? cap : spent + 3 * (next?.cost ?? 1)

/** Validates a cap: `form` if it is not a whole number, `low` if it does not cover one renewal. */
export function capProblem(text: string, { spent, next }: AutoRenewal): 'form' | 'low' | undefined {
  if (!/^\d{1,9}$/.test(text.trim())) return 'form'
  return Number(text) < spent + (next?.cost ?? 1) ? 'low' : undefined
}

/** Compares the wallet's allowance with what its orders need; `unknown` while the chain does not answer. */
export function allowanceState({ allowed, needed }: AutoRenewal): 'unknown' | 'short' | 'fits' | 'above' {
  if (allowed === '' || needed === '') return 'unknown'
  const difference = Number(allowed) - Number(needed)
  return difference === 0 ? 'fits' : difference < 0 ? 'short' : 'above'
}

/** Whether a transaction consists of exactly the requested change of the allowance. */
export function isAllowance({ messages, sender }: TransactionFacts, asked: AskedAllowance): boolean {
  const [only] = messages
  const difference = BigInt(asked.needed) - BigInt(asked.allowance)
  return (
    only !== undefined &&
    messages.length === 1 &&
    only.kind === (difference > 0n ? 'allow' : 'disallow') &&
    sender === asked.payer &&
    only.from === asked.payer &&
    only.to === asked.spender &&
    only.amount?.of === 'token' &&
    only.amount.units === String(difference > 0n ? difference : -difference)
  )
}
