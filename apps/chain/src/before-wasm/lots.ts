/** Prices of hours, as `contracts/orders/src/lots.rs`. */

/** Blocks per hour, at six seconds each. */
export const BLOCKS_PER_HOUR = 600

/** Hours bought in one payment, and its amount. */
export interface Lot {
  hours: number
  amount: string
}

/** Blocks as hours, rounded up; refunds and minimum prices count these. */
export const hoursOf = (duration: number): number => Math.ceil(duration / BLOCKS_PER_HOUR)

/** A started hour counts as used, and the first one always does. */
export const usedHours = (startHeight: number, height: number): number =>
  Math.max(1, Math.ceil((height - startHeight) / BLOCKS_PER_HOUR))

/** The refund after `used` hours: what was paid for hours that have not started, rounded down per lot. */
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

/** Whether the price is below 70 % of the rate: the tariff's largest discount for long orders. */
export const isTooCheap = (rate: Lot, amount: bigint, hours: number): boolean =>
  amount * BigInt(rate.hours) * 10n < BigInt(rate.amount) * BigInt(hours) * 7n

/** The lot with the higher price per hour. */
export const higherPrice = (a: Lot, b: Lot): Lot =>
  BigInt(a.amount) * BigInt(b.hours) < BigInt(b.amount) * BigInt(a.hours) ? b : a
