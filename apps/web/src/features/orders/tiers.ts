import { TARIFF } from '@tidenet/contract/price'
import type { Quantity } from './terms.ts'

/** The breakdown of a price by tier, with the server's tariff. */

/** The part of a quantity in one tier. */
export interface Part {
  /** Exclusive; `to` is inclusive. */
  from: number
  to: number
  count: number
  rate: number
}

/** All tiers of a quantity; `count` is the amount that falls into each. */
export function tiersOf(quantity: Quantity, amount: number): Part[] {
  let from = 0
  return TARIFF[quantity].map(([to, rate]) => {
    const part = { from, to, count: Math.max(0, Math.min(amount, to) - from), rate }
    from = to
    return part
  })
}

/** Coins per hour for a resource, or billable hours for a duration. */
export const sumOf = (quantity: Quantity, amount: number): number =>
  Number(
    tiersOf(quantity, amount)
      .reduce((sum, { count, rate }) => sum + count * rate, 0)
      .toFixed(6),
  )
