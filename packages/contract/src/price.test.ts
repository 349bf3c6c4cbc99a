import { expect, test } from 'vitest'
import { REPLICA_TARGET, VIP_DOWNLOAD_TRAFFIC, VIP_STORAGE } from './constants.ts'
import {
  EARNING_PER_GB_MAX,
  earningsMaxOf,
  minimumPrice,
  planPriceMin,
  priceOf,
  RESOURCE_BOUNDS,
  type Resources,
  renewalPrice,
  STORAGE_EARNING_PER_GB_MONTH_MAX,
} from './price.ts'

const smallest: Resources = { cpu: 1, ram: 1, storage: 40, duration: 1 }

test.each<[Resources, number]>([
  [smallest, 280],
  [{ cpu: 2, ram: 4, storage: 50, duration: 3 }, 2100],
  [{ cpu: 4, ram: 4, storage: 100, duration: 24 }, 24_000],
  // 490 for five cores, 490 for five gigabytes, 216 for disk; the duration factors add up to 24.9.
  [{ cpu: 5, ram: 5, storage: 110, duration: 25 }, Math.ceil((490 + 490 + 216) * 24.9)],
])('%j costs %i at the full tariff', (resources, price) => {
  expect(priceOf(resources, 1)).toBe(price)
})

test('one claim of 400 coins pays four hours of the smallest workspace', () => {
  expect(priceOf({ ...smallest, duration: 4 })).toBeLessThanOrEqual(400)
})

test('more resources never cost less', () => {
  for (const key of ['cpu', 'ram', 'storage', 'duration'] as const) {
    const { min, max, step } = RESOURCE_BOUNDS[key]
    let last = 0
    for (let value: number = min; value <= max; value += step) {
      const price = priceOf({ cpu: 3, ram: 7, storage: 90, duration: 20, [key]: value })
      expect(price).toBeGreaterThan(last)
      last = price
    }
  }
})

test('the tariff for a renewal or an upgrade is never below the minimum of the orders contract', () => {
  const durations = [1, 2, 23, 24, 25, 47, 71, 72, 73, 167, 168, 169, 360, 719, 720]
  const machines = [smallest, { ...smallest, cpu: 9, ram: 17, storage: 510 }, { cpu: 32, ram: 64, storage: 4000 }]
  for (const machine of machines)
    for (const factor of [0.1, 0.25, 1, 10])
      for (const duration of durations) {
        const price = priceOf({ ...machine, duration }, factor)
        for (const total of durations) {
          const listed = priceOf({ ...machine, duration: total }, factor)
          if (total > duration)
            expect(renewalPrice({ duration, price, rate: { duration, price } }, total, listed)).toBe(listed - price)
          if (total >= duration) expect(listed).toBeGreaterThanOrEqual(minimumPrice({ duration, price }, total))
        }
      }
})

test('a renewal costs at least the minimum of the orders contract after prices have fallen', () => {
  const first = { duration: 10, price: 700 }
  const order = { ...first, rate: first }
  expect(renewalPrice(order, 20, 800)).toBe(490)
  expect(renewalPrice(order, 11, 0)).toBe(49)
  expect(renewalPrice({ duration: 3, price: 1, rate: { duration: 3, price: 1 } }, 4, 1)).toBe(1)
  // Repeated renewals do not lower the minimum.
  expect(renewalPrice({ duration: 20, price: 1190, rate: first }, 40, 0)).toBe(980)
})

test('a client that colludes with nodes pays more for its quotas than the nodes earn by them, for traffic, for storage and for both', () => {
  expect(earningsMaxOf({ storage: 0, downloadTraffic: 10 ** 12 })).toBe(1000 * EARNING_PER_GB_MAX)
  expect(earningsMaxOf({ storage: 10 ** 12, downloadTraffic: 0 })).toBeGreaterThanOrEqual(
    1000 * REPLICA_TARGET * STORAGE_EARNING_PER_GB_MONTH_MAX,
  )
  const vip = { storage: VIP_STORAGE, downloadTraffic: VIP_DOWNLOAD_TRAFFIC }
  const quotas = [10 ** 9, 5 * 10 ** 12, 2 ** 50]
  const sold = [
    vip,
    ...quotas.flatMap((bytes) => [
      { storage: bytes, downloadTraffic: 0 },
      { storage: 0, downloadTraffic: bytes },
      { storage: bytes, downloadTraffic: bytes },
    ]),
  ]
  for (const plan of sold) {
    expect(earningsMaxOf(plan)).toBeGreaterThan(0)
    expect(earningsMaxOf(plan)).toBeLessThan(planPriceMin(plan))
  }
})
