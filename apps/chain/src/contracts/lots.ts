/**
 * What the hours of an order were bought for. They are used in the order in which they were bought, and each is settled at what it cost:
 * hours that are bought later make none of them cheaper. `contracts/orders/src/lots.rs` reckons the same.
 */

/** Blocks of an hour, at six seconds each. */
export const BLOCKS_AN_HOUR = 600

/** Hours that were bought together, and what was paid for them. */
export interface Lot {
  hours: number
  amount: string
}

/** Hours of so many blocks, a begun one whole: what is given back is counted in them, and so is what has to be paid. */
export const hoursOf = (duration: number): number => Math.ceil(duration / BLOCKS_AN_HOUR)

/** Begun hours are used hours, and the first always is. */
export const usedHours = (startHeight: number, height: number): number =>
  Math.max(1, Math.ceil((height - startHeight) / BLOCKS_AN_HOUR))

/** What goes back after so many hours: what was paid for those that were not begun, rounded down once. */
export function refundOf(lots: readonly Lot[], used: number): bigint {
  let rest = used
  let refund = 0n
  for (const { hours, amount } of lots) {
    const taken = Math.min(rest, hours)
    rest -= taken
    refund += (BigInt(amount) * BigInt(hours - taken)) / BigInt(hours)
  }
  return refund
}

/** Whether so much for so many hours is less than seven tenths of a rate: as much less as the tariff's last hours cost than its first. */
export const isTooCheap = (rate: Lot, amount: bigint, hours: number): boolean =>
  amount * BigInt(rate.hours) * 10n < BigInt(rate.amount) * BigInt(hours) * 7n

/** The one whose hour costs more. */
export const dearer = (a: Lot, b: Lot): Lot =>
  BigInt(a.amount) * BigInt(b.hours) < BigInt(b.amount) * BigInt(a.hours) ? b : a
