import {
  AppError,
  minimumPrice,
  priceOf,
  RESOURCE_BOUNDS,
  type Resources,
  renewalPrice,
  TARIFF,
} from '@tidenet/contract'

/** Prices of orders: pure functions. Amounts are whole coins unless named units. */

export const MAX_HOURS = RESOURCE_BOUNDS.duration.max

/** The amount paid so far, and the rate: price and hours of the first purchase, or of the replaced order's if that was dearer. */
export interface Paid {
  price: number
  rate_price: number
  rate_hours: number
}

/** The contract derives the minimum price of further hours from it. */
export const rateOf = ({ rate_price, rate_hours }: Omit<Paid, 'price'>) => ({ price: rate_price, duration: rate_hours })

/** The rate of a replacement order: the dearer of the two. */
export function rateAfter(old: Omit<Paid, 'price'>, price: number, duration: number): Omit<Paid, 'price'> {
  // The products may exceed the safe integers.
  const isDearer = BigInt(old.rate_price) * BigInt(duration) < BigInt(price) * BigInt(old.rate_hours)
  const { rate_price, rate_hours } = old
  return isDearer ? { rate_price: price, rate_hours: duration } : { rate_price, rate_hours }
}

export interface Renewal {
  /** The new total of hours. */
  duration: number
  cost: number
}

/** The least that the contract accepts for an hour: by core and by gigabyte, in millionths of a coin. */
export interface Floor {
  cpu: number
  memory: number
  disk: number
}

/** Of the cheapest hour of the tariff. The rest is for renewals whose first hours were that cheap, because they may cost 70 % of those. */
const FLOOR_SHARE = 0.7

/** Below every price of the tariff at this factor. */
export function floorOf(factor: number): Floor {
  const cheapest = (of: keyof typeof TARIFF) => Math.min(...TARIFF[of].map(([, rate]) => rate))
  // As in `priceOf`: 0.7 is not exact in binary.
  const least = (of: keyof typeof TARIFF) =>
    Math.floor(Number((cheapest(of) * cheapest('duration') * FLOOR_SHARE * factor * 1e6).toFixed(3)))
  return { cpu: least('cpu'), memory: least('ram'), disk: least('storage') }
}

/** Whole coins for these hours at the floor, rounded up. */
function floorPrice({ cpu, ram, storage }: Resources, hours: number, factor: number): number {
  const floor = floorOf(factor)
  return Math.ceil(((cpu * floor.cpu + ram * floor.memory + storage * floor.disk) * hours) / 1e6)
}

/**
 * The price of all hours minus the amount paid so far, at least what the contract accepts. The floor counts where the first hours were
 * bought at a lower factor than the present one, and later ones at a higher one. @param duration total hours
 */
export const costOfRenewal = (order: Resources & Paid, duration: number, factor: number): number =>
  Math.max(
    renewalPrice({ ...order, rate: rateOf(order) }, duration, priceOf({ ...order, duration }, factor)),
    floorPrice(order, duration - order.duration, factor),
  )

/** The price of the new order, at least the contract's minimum. */
export const costOfUpgrade = (old: Omit<Paid, 'price'>, wanted: Resources, factor: number): number =>
  Math.max(priceOf(wanted, factor), minimumPrice(rateOf(old), wanted.duration))

/**
 * @param wanted total hours; by default twice the current hours
 * @throws AppError maximumDurationReached, renewalShorter
 */
export function renewalOf(order: Resources & Paid, factor: number, wanted?: number): Renewal {
  if (order.duration >= MAX_HOURS) throw new AppError('maximumDurationReached', { max: MAX_HOURS })
  const duration = Math.min(MAX_HOURS, wanted ?? order.duration * 2)
  if (duration <= order.duration) throw new AppError('renewalShorter', { hours: order.duration })
  return { duration, cost: costOfRenewal(order, duration, factor) }
}

/** @throws AppError lowerConfiguration, sameConfiguration */
export function checkUpgrade(old: Resources, wanted: Resources): void {
  const keys = ['cpu', 'ram', 'storage', 'duration', 'gpus'] as const
  const count = (of: Resources, key: (typeof keys)[number]) => of[key] ?? 0
  if (keys.some((key) => count(wanted, key) < count(old, key))) throw new AppError('lowerConfiguration')
  if (keys.every((key) => count(wanted, key) === count(old, key))) throw new AppError('sameConfiguration')
}

/** Units as coins: `93.33`. */
export function formatUnits(units: bigint, decimals: number): string {
  if (decimals === 0) return String(units)
  const digits = String(units).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
