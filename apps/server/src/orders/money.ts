import { AppError, leastFor, priceOf, RESOURCE_BOUNDS, type Resources, renewalPrice } from '@tidenet/contract'

/** What orders cost and give back, as values. Whole coins, or units of the token where it says so. */

/** Blocks of an hour of the chain. */
export const BLOCKS_AN_HOUR = 600
export const LONGEST = RESOURCE_BOUNDS.duration.most

/** Hours of which each begun one counts, and the first always does. */
export const usedHours = (startHeight: number, height: number): number =>
  Math.max(1, Math.ceil((height - startHeight) / BLOCKS_AN_HOUR))

/**
 * What goes back when an order ends: the share of the hours that were not begun, of what was paid for all of them. Units, rounded down, as
 * the contract does it.
 */
export function refundOf(paid: bigint, totalHours: number, used: number): bigint {
  const left = BigInt(Math.max(0, totalHours - Math.max(1, used)))
  return (paid * left) / BigInt(totalHours)
}

export interface Renewal {
  /** The new total of hours. */
  duration: number
  cost: number
}

/** What a renewal to so many hours in total costs: their price less what was paid so far, and no less than the contract takes. */
export const costOfRenewal = (order: Resources & { price: number }, duration: number, factor: number): number =>
  renewalPrice(order, duration, priceOf({ ...order, duration }, factor))

/** What an upgrade costs: the price of the new order, and no less than the contract takes. */
export const costOfUpgrade = (
  old: Pick<Resources, 'duration'> & { price: number },
  wanted: Resources,
  factor: number,
) => Math.max(priceOf(wanted, factor), leastFor(old, wanted.duration))

/**
 * A renewal to `wanted` hours in total; left out, to the double.
 * @throws AppError longestOrder, renewalShorter
 */
export function renewalOf(order: Resources & { price: number }, factor: number, wanted?: number): Renewal {
  if (order.duration >= LONGEST) throw new AppError('longestOrder', { max: LONGEST })
  const duration = Math.min(LONGEST, wanted ?? order.duration * 2)
  if (duration <= order.duration) throw new AppError('renewalShorter', { hours: order.duration })
  return { duration, cost: costOfRenewal(order, duration, factor) }
}

/** @throws AppError lowerConfiguration, sameConfiguration */
export function checkUpgrade(old: Resources, wanted: Resources): void {
  const keys = ['cpu', 'ram', 'storage', 'duration'] as const
  if (keys.some((key) => wanted[key] < old[key])) throw new AppError('lowerConfiguration')
  if (keys.every((key) => wanted[key] === old[key])) throw new AppError('sameConfiguration')
}

/** Units as coins with the token's decimals: `93.33`. */
export function coinsText(units: bigint, decimals: number): string {
  if (decimals === 0) return String(units)
  const digits = String(units).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
