/** What a container order costs, in whole test coins. Tiers apply to the part of a quantity that lies in them, so more never costs less. */

export interface Resources {
  /** Cores. */
  cpu: number
  /** Gigabytes of memory. */
  ram: number
  /** Gigabytes of disk. */
  storage: number
  /** Hours. */
  duration: number
}

/** Spec 9: bounds and steps of an order. */
export const RESOURCE_BOUNDS = {
  cpu: { least: 1, most: 32, step: 1 },
  ram: { least: 1, most: 64, step: 1 },
  storage: { least: 40, most: 4000, step: 10 },
  duration: { least: 1, most: 720, step: 1 },
} as const satisfies Record<keyof Resources, { least: number; most: number; step: number }>

/** The regions on sale: one world-wide, one in Hong Kong. */
export const CLUSTERS = ['distributed', 'centralized'] as const
export type ClusterName = (typeof CLUSTERS)[number]

/** Decisions 9: the test network's factor, by which one claim buys at least four hours of the smallest machine. */
export const TESTNET_FACTOR = 0.25

type Tiers = readonly (readonly [upTo: number, rate: number])[]

/** Decisions 8: coins an hour for each unit, by how many there are; of the hours the share that is asked for. */
export const TARIFF: Record<keyof Resources, Tiers> = {
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

/** Each unit at the rate of the tier that it lies in. */
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
export function priceOf({ cpu, ram, storage, duration }: Resources, factor = TESTNET_FACTOR): number {
  const hour = marginal(cpu, TARIFF.cpu) + marginal(ram, TARIFF.ram) + marginal(storage, TARIFF.storage)
  // Rates of a tenth are not exact in binary: a price of 70.00000000000001 is 70.
  return Math.ceil(Number((hour * marginal(duration, TARIFF.duration) * factor).toFixed(6)))
}

interface Bought {
  /** Hours in total. */
  duration: number
  /** Whole coins that they cost together. */
  price: number
}

/**
 * The least that the contract of orders takes for so many hours more, or for as many of a larger order: for each, seven tenths of what
 * the first hours of the order cost. The tariff's cheapest hour costs that share of its dearest, so it binds only where the factor has
 * fallen meanwhile, or makes an hour cost less than a coin. Whole coins, rounded up.
 */
export const leastFor = ({ duration, price }: Bought, hours: number): number =>
  Math.ceil((price * hours * 7) / (duration * 10))

/**
 * Whole coins for a renewal to a new total of hours, which costs `listed`: the difference, at least one.
 * @param order `rate`: what its first hours cost, or those of an order in whose place it came, if they were dearer
 */
export const renewalPrice = (order: Bought & { rate: Bought }, total: number, listed: number): number =>
  Math.max(1, listed - order.price, leastFor(order.rate, total - order.duration))
