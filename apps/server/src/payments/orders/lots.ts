import { BLOCKS_PER_HOUR } from '@tidenet/chain-client/orders'
import type { OnChain } from './on-chain.ts'

/**
 * The price of each hour of an order, in token units. Hours are used in the order in which they were bought and settled at their own price,
 * rounded as the contract does.
 */

/** Hours bought in one payment. */
export interface Lot {
  hours: number
  units: bigint
}

/** A started hour counts as used, the first one always. */
export const usedHours = (startHeight: number, height: number): number =>
  Math.max(1, Math.ceil((height - startHeight) / BLOCKS_PER_HOUR))

/** The refund after `used` hours: what was paid for hours that have not started, rounded down per lot. */
export function refundOf(lots: readonly Lot[], used: number): bigint {
  let rest = used
  let refund = 0n
  for (const { hours, units } of lots) {
    const usedOfLot = Math.min(rest, hours)
    rest -= usedOfLot
    refund += (units * BigInt(hours - usedOfLot)) / BigInt(hours)
  }
  return refund
}

export const sumOf = (lots: readonly Lot[]): bigint => lots.reduce((sum, { units }) => sum + units, 0n)

/** Lots from payments; each payment has the total hours including it. */
export function lotsOf(payments: readonly { duration: number; amount: string }[]): Lot[] {
  let before = 0
  return payments.map(({ duration, amount }) => {
    const hours = duration - before
    before = duration
    return { hours, units: BigInt(amount) }
  })
}

/** The amount that the contract has locked for an order. Earlier contracts have no exact `locked`. */
export const lockedOf = ({ locked, locked_funds }: Pick<OnChain, 'locked' | 'locked_funds'>): bigint =>
  BigInt(locked ?? locked_funds)

export const contractLots = (order: Pick<OnChain, 'locked' | 'locked_funds' | 'lots' | 'duration'>): Lot[] =>
  order.lots?.map(({ hours, amount }) => ({ hours, units: BigInt(amount) })) ?? [
    { hours: Math.ceil(order.duration / BLOCKS_PER_HOUR), units: lockedOf(order) },
  ]

/**
 * Merges our lots where the contract has one lot for several payments: those were made before the contract kept lots, and have one price
 * there.
 */
export function mergeLotsAs(lots: readonly Lot[], contract: readonly Lot[]): Lot[] {
  const ends = new Set<number>()
  let end = 0
  for (const { hours } of contract) {
    end += hours
    ends.add(end)
  }
  const result: Lot[] = []
  let open: Lot | undefined
  end = 0
  for (const { hours, units } of lots) {
    end += hours
    open = { hours: (open?.hours ?? 0) + hours, units: (open?.units ?? 0n) + units }
    if (!ends.has(end)) continue
    result.push(open)
    open = undefined
  }
  return open ? [...result, open] : result
}
