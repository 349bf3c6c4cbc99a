import type { OnChain } from './on-chain.ts'

/**
 * What the hours of an order were bought for. They are used in the order in which they were bought, and each is settled at what it cost.
 * Units of the token; rounded as the contract does it.
 */

/** Blocks of an hour of the chain. */
export const BLOCKS_AN_HOUR = 600

/** Hours that were bought together. */
export interface Lot {
  hours: number
  units: bigint
}

/** Hours of which each begun one counts, and the first always does. */
export const usedHours = (startHeight: number, height: number): number =>
  Math.max(1, Math.ceil((height - startHeight) / BLOCKS_AN_HOUR))

/** What goes back after so many hours: what was paid for those that were not begun, rounded down once. */
export function refundOf(lots: readonly Lot[], used: number): bigint {
  let rest = used
  let refund = 0n
  for (const { hours, units } of lots) {
    const taken = Math.min(rest, hours)
    rest -= taken
    refund += (units * BigInt(hours - taken)) / BigInt(hours)
  }
  return refund
}

export const sumOf = (lots: readonly Lot[]): bigint => lots.reduce((sum, { units }) => sum + units, 0n)

/** The lots of what was paid: each payment says how many hours there are with it in total. */
export function lotsOf(payments: readonly { duration: number; amount: string }[]): Lot[] {
  let before = 0
  return payments.map(({ duration, amount }) => {
    const hours = duration - before
    before = duration
    return { hours, units: BigInt(amount) }
  })
}

/** What the contract has locked for an order, and says of what its hours were bought for; earlier contracts say that of all together. */
export const lockedOf = ({ locked, locked_funds }: Pick<OnChain, 'locked' | 'locked_funds'>): bigint =>
  BigInt(locked ?? locked_funds)

export const keptLots = (order: Pick<OnChain, 'locked' | 'locked_funds' | 'lots' | 'duration'>): Lot[] =>
  order.lots?.map(({ hours, amount }) => ({ hours, units: BigInt(amount) })) ?? [
    { hours: Math.ceil(order.duration / BLOCKS_AN_HOUR), units: lockedOf(order) },
  ]

/**
 * Our lots, together where the contract keeps one for the hours of several: those were bought before it told them apart, and have one price
 * there.
 */
export function asKept(lots: readonly Lot[], kept: readonly Lot[]): Lot[] {
  const ends = new Set<number>()
  let end = 0
  for (const { hours } of kept) {
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
