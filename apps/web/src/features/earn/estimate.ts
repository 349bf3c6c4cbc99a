import { type Earned, earningsOf, type NodeHour } from '@tidenet/receipts/earnings/index'

/** What the calculator asks. */
export interface Assumption {
  /** GB (10⁹ bytes). */
  held: number
  servedPerDay: number
  /** Shares, 0 to 1. */
  online: number
  paid: number
  /** Devices at the address, with this one. */
  crowd: number
}

const GB = 1e9
const HOUR = 3600
const DAYS = 30

/** An hour that can earn. @param at unix seconds: the version of the formula depends on it */
const hourOf = (at: number, more: Partial<NodeHour>): NodeHour => {
  const hour = at - (at % HOUR)
  return {
    ...{ sub: 'estimate', hour, trusted: true, failed: 0, audited: hour + 1 },
    ...{ held: 0, online: HOUR, crowd: 1, signed: 0, paid_share: 0, ...more },
  }
}

/** What such a device would earn in 30 days, in millionths of a point. */
export function estimateMonth({ held, servedPerDay, online, paid, crowd }: Assumption, at: number): Earned {
  const hour = hourOf(at, {
    held: Math.round(held * GB),
    online: Math.round(online * HOUR),
    paid_share: Math.round(paid * 1_000_000),
    crowd,
  })
  const day = hourOf(at, { signed: Math.round(servedPerDay * GB) })
  return { storage: earningsOf(hour).storage * 24 * DAYS, traffic: earningsOf(day).traffic * DAYS }
}

/** The part of the earnings for storage that each of several devices at one address gets. */
export function crowdFactor(crowd: number, at: number): number {
  const storageOf = (devices: number) =>
    earningsOf(hourOf(at, { held: 1e15, paid_share: 1_000_000, crowd: devices })).storage
  return storageOf(crowd) / storageOf(1)
}

/** The version of the formula that applies now. */
export const versionAt = (at: number): number => earningsOf(hourOf(at, {})).version
