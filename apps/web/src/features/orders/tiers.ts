import { TARIFF } from '@tidenet/contract/price'
import type { Quantity } from './terms.ts'

/** How a price comes about, tier by tier, as the server and this page reckon it. */

/** A part of a quantity that one rate applies to. */
export interface Part {
  /** Units above `from` and up to `to` are meant. */
  from: number
  to: number
  count: number
  rate: number
}

/** All tiers of a quantity; `count` is how much of what is wanted lies in each. */
export function tiersOf(quantity: Quantity, wanted: number): Part[] {
  let from = 0
  return TARIFF[quantity].map(([to, rate]) => {
    const part = { from, to, count: Math.max(0, Math.min(wanted, to) - from), rate }
    from = to
    return part
  })
}

/** Coins an hour for a quantity, or hours that are counted for a duration. */
export const sumOf = (quantity: Quantity, wanted: number): number =>
  Number(
    tiersOf(quantity, wanted)
      .reduce((sum, { count, rate }) => sum + count * rate, 0)
      .toFixed(6),
  )
