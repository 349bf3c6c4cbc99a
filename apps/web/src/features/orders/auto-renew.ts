import type { TransactionFacts } from '@tidenet/chain-client/facts'
import type { Output, RouteOf } from '@tidenet/contract'

/** What holds for orders that renew themselves, as values. */

export type AutoRenewal = Output<RouteOf<'orders.details'>>['auto_renew']
export type AskedAllowance = Output<RouteOf<'orders.autoRenew'>>

/** How many renewals a cap pays for, when each costs as much as the next one. */
export const renewalsIn = (coins: number, cost: number): number =>
  cost > 0 ? Math.max(0, Math.floor(coins / cost)) : 0

/** The cap that is proposed: the one there is, or three renewals. */
export const proposedCap = ({ cap, spent, next }: AutoRenewal): number =>
  cap > spent ? cap : spent + 3 * (next?.cost ?? 1)

/** Why a cap will not do: no whole number, or not enough for one renewal. */
export function capProblem(text: string, { spent, next }: AutoRenewal): 'form' | 'low' | undefined {
  if (!/^\d{1,9}$/.test(text.trim())) return 'form'
  return Number(text) < spent + (next?.cost ?? 1) ? 'low' : undefined
}

/** How a wallet's allowance stands to what its orders need; `unknown` while the chain does not say. */
export function allowanceState({ allowed, needed }: AutoRenewal): 'unknown' | 'short' | 'fits' | 'above' {
  if (allowed === '' || needed === '') return 'unknown'
  const difference = Number(allowed) - Number(needed)
  return difference === 0 ? 'fits' : difference < 0 ? 'short' : 'above'
}

/** Whether what would be signed is the very change of an allowance that was asked for, and nothing besides. */
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
