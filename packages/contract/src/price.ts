import { REPLICA_TARGET } from './constants.ts'

/** Prices of orders in whole test coins. Each tier applies only to the units in it, so that more never costs less. */

export interface Resources {
  /** Cores. */
  cpu: number
  /** Gigabytes of memory. */
  ram: number
  /** Gigabytes of disk. */
  storage: number
  /** Hours. */
  duration: number
  /** Only where they are offered. Default: none. */
  gpus?: number | undefined
}

/** What is sold in tiers. */
type Quantity = Exclude<keyof Resources, 'gpus'>

/** Spec 9. */
export const RESOURCE_BOUNDS = {
  cpu: { min: 1, max: 32, step: 1 },
  ram: { min: 1, max: 64, step: 1 },
  storage: { min: 40, max: 4000, step: 10 },
  duration: { min: 1, max: 720, step: 1 },
} as const satisfies Record<Quantity, { min: number; max: number; step: number }>
/** In one order. */
export const GPUS_MAX = 8
/** Coins of an hour of one GPU. */
export const GPU_RATE = 2000

/** One region world-wide, one in Hong Kong. */
export const CLUSTERS = ['distributed', 'centralized'] as const
export type ClusterName = (typeof CLUSTERS)[number]

/** Decisions 9: with this factor, one faucet claim buys at least four hours of the smallest workspace. */
export const TESTNET_FACTOR = 0.25

type Tiers = readonly (readonly [upTo: number, rate: number])[]

/** Decisions 8: coins per hour and unit, by tier; for the duration, the factor on each hour. */
export const TARIFF: Record<Quantity, Tiers> = {
  cpu: [
    [4, 100],
    [8, 90],
    [16, 80],
    [32, 70],
  ],
  ram: [
    [4, 100],
    [16, 90],
    [32, 80],
    [64, 70],
  ],
  storage: [
    [100, 2],
    [500, 1.6],
    [2000, 1.2],
    [4000, 1],
  ],
  duration: [
    [24, 1],
    [72, 0.9],
    [168, 0.8],
    [720, 0.7],
  ],
}

/** The sum of all units, each at the rate of its tier. */
function marginal(quantity: number, tiers: Tiers): number {
  let sum = 0
  let from = 0
  for (const [upTo, rate] of tiers) {
    sum += Math.max(0, Math.min(quantity, upTo) - from) * rate
    from = upTo
  }
  return sum
}

/** Coins for the whole duration, rounded up. @param factor of the tariff */
export function priceOf({ cpu, ram, storage, duration, gpus = 0 }: Resources, factor = TESTNET_FACTOR): number {
  const hour =
    marginal(cpu, TARIFF.cpu) + marginal(ram, TARIFF.ram) + marginal(storage, TARIFF.storage) + gpus * GPU_RATE
  // 0.1 is not exact in binary: 70.00000000000001 must not be rounded up to 71.
  return Math.ceil(Number((hour * marginal(duration, TARIFF.duration) * factor).toFixed(6)))
}

interface Bought {
  /** Total hours. */
  duration: number
  /** Whole coins for all of them. */
  price: number
}

/**
 * The minimum that the orders contract accepts for additional hours, or for the hours of a larger order: 70% of the hourly price of the
 * order's first hours. The tariff's cheapest hour costs 70% of its most expensive one, so this minimum only applies if the factor was
 * lowered, or an hour costs less than a coin. Whole coins, rounded up.
 */
export const minimumPrice = ({ duration, price }: Bought, hours: number): number =>
  Math.ceil((price * hours * 7) / (duration * 10))

/**
 * Whole coins for a renewal to `total` hours: the difference to the listed price, at least one coin.
 * @param order `rate`: see `order.rate`
 * @param listed price of `total` hours
 */
export const renewalPrice = (order: Bought & { rate: Bought }, total: number, listed: number): number =>
  Math.max(1, listed - order.price, minimumPrice(order.rate, total - order.duration))

/**
 * In whole coins per GB (10^9 bytes): the least that a plan may charge for its quotas, and the most that nodes may earn by them. A client that
 * colludes with nodes signs and stores only what its account paid for, so it must lose by it (decisions 21 and 26). Storage is per 720 hours;
 * all copies of a content earn, so its price is that of `REPLICA_TARGET` copies.
 */
export const PRICE_PER_GB = 2
export const EARNING_PER_GB_MAX = 1
export const STORAGE_PRICE_PER_GB_MONTH = 100
export const STORAGE_EARNING_PER_GB_MONTH_MAX = 1

const GB = 1_000_000_000
/** The longest month, in months of 720 hours. */
const MONTH_MAX = (31 * 24) / 720

/** The most that nodes can earn in a month by the quotas of a plan, in whole points. @param quotas in bytes */
export const earningsMaxOf = (quotas: { storage: number; downloadTraffic: number }): number =>
  Math.ceil(
    (quotas.downloadTraffic / GB) * EARNING_PER_GB_MAX +
      (quotas.storage / GB) * REPLICA_TARGET * STORAGE_EARNING_PER_GB_MONTH_MAX * MONTH_MAX,
  )

/** The least that a plan with these quotas may cost for a month, in whole coins. @param quotas in bytes */
export const planPriceMin = (quotas: { storage: number; downloadTraffic: number }): number =>
  Math.ceil((quotas.downloadTraffic / GB) * PRICE_PER_GB + (quotas.storage / GB) * STORAGE_PRICE_PER_GB_MONTH)
