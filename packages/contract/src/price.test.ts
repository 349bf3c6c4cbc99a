import { expect, test } from 'vitest'
import { priceOf, RESOURCE_BOUNDS, type Resources } from './price.ts'

const smallest: Resources = { cpu: 1, ram: 1, storage: 40, duration: 1 }

test.each<[Resources, number]>([
  [smallest, 280],
  [{ cpu: 2, ram: 4, storage: 50, duration: 3 }, 2100],
  [{ cpu: 4, ram: 4, storage: 100, duration: 24 }, 24_000],
  // 490 for five cores, 490 for five gigabytes, 216 for disk; 24.9 hour-units.
  [{ cpu: 5, ram: 5, storage: 110, duration: 25 }, Math.ceil((490 + 490 + 216) * 24.9)],
])('%j costs %i at the full tariff', (resources, price) => {
  expect(priceOf(resources, 1)).toBe(price)
})

test('one claim of 400 buys more than four hours of the smallest machine on the test network', () => {
  expect(priceOf({ ...smallest, duration: 4 })).toBeLessThanOrEqual(400)
})

test('more never costs less', () => {
  for (const key of ['cpu', 'ram', 'storage', 'duration'] as const) {
    const { least, most, step } = RESOURCE_BOUNDS[key]
    let last = 0
    for (let value: number = least; value <= most; value += step) {
      const price = priceOf({ cpu: 3, ram: 7, storage: 90, duration: 20, [key]: value })
      expect(price).toBeGreaterThan(last)
      last = price
    }
  }
})
