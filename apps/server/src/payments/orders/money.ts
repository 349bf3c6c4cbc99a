import { AppError, minimumPrice, priceOf, RESOURCE_BOUNDS, type Resources, renewalPrice } from '@tidenet/contract'

/** What orders cost and give back, as values. Whole coins, or units of the token where it says so. */

export const LONGEST = RESOURCE_BOUNDS.duration.max

/** What was paid so far, and what the first hours cost, here or in an order in whose place it came, if they were dearer. */
export interface Paid {
  price: number
  rate_price: number
  rate_hours: number
}

/** What the contract holds the price of further hours against. */
export const rateOf = ({ rate_price, rate_hours }: Omit<Paid, 'price'>) => ({ price: rate_price, duration: rate_hours })

/** The rate of an order that takes the place of another: of the two the dearer. */
export function rateAfter(old: Omit<Paid, 'price'>, price: number, duration: number): Omit<Paid, 'price'> {
  // Exact: both products may be larger than a number holds.
  const isDearer = BigInt(old.rate_price) * BigInt(duration) < BigInt(price) * BigInt(old.rate_hours)
  const { rate_price, rate_hours } = old
  return isDearer ? { rate_price: price, rate_hours: duration } : { rate_price, rate_hours }
}

export interface Renewal {
  /** The new total of hours. */
  duration: number
  cost: number
}

/** What a renewal to so many hours in total costs: their price less what was paid so far, and no less than the contract takes. */
export const costOfRenewal = (order: Resources & Paid, duration: number, factor: number): number =>
  renewalPrice({ ...order, rate: rateOf(order) }, duration, priceOf({ ...order, duration }, factor))

/** What an upgrade costs: the price of the new order, and no less than the contract takes. */
export const costOfUpgrade = (old: Omit<Paid, 'price'>, wanted: Resources, factor: number): number =>
  Math.max(priceOf(wanted, factor), minimumPrice(rateOf(old), wanted.duration))

/**
 * A renewal to `wanted` hours in total; left out, to the double.
 * @throws AppError maximumDurationReached, renewalShorter
 */
export function renewalOf(order: Resources & Paid, factor: number, wanted?: number): Renewal {
  if (order.duration >= LONGEST) throw new AppError('maximumDurationReached', { max: LONGEST })
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
