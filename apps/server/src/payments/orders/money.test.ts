import { AppError, GPU_RATE, priceOf, type Resources, TESTNET_FACTOR } from '@tidenet/contract'
import { describe, expect, it, test } from 'vitest'
import { checkUpgrade, costOfUpgrade, floorOf, formatUnits, rateAfter, renewalOf } from './money.ts'

const smallest: Resources = { cpu: 1, ram: 1, storage: 40, duration: 10 }
const refusal = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError) return error.key
  }
  return ''
}

describe('a renewal', () => {
  /** Bought in one payment. */
  const bought = <T extends Resources & { price: number }>(order: T) => ({
    ...order,
    rate_price: order.price,
    rate_hours: order.duration,
  })
  const order = bought({ ...smallest, price: priceOf(smallest) })

  it.each([
    [{}, undefined, 20],
    [{}, 11, 11],
    [{ duration: 400 }, undefined, 720],
    [{ duration: 719 }, undefined, 720],
  ])('of %j to %s hours makes %i in total, for the difference of the prices', (more, wanted, duration) => {
    const old = bought({ ...order, ...more, price: priceOf({ ...smallest, ...more }) })
    const cost = priceOf({ ...old, duration }) - old.price
    expect(renewalOf(old, TESTNET_FACTOR, wanted)).toEqual({ duration, cost })
  })

  it('costs at least the contract minimum, even if prices have fallen', () => {
    expect(renewalOf(bought({ ...order, price: 1_000_000 }), TESTNET_FACTOR).cost).toBe(700_000)
    expect(renewalOf(bought({ ...order, price: 1 }), 0.000001).cost).toBe(1)
    // Based on the first hours, even if later hours were cheaper.
    const again = { ...order, duration: 20, price: 1_700_000, rate_price: 1_000_000 }
    expect(renewalOf(again, TESTNET_FACTOR).cost).toBe(1_400_000)
  })

  it('is rejected at the maximum duration, and for fewer hours', () => {
    expect(refusal(() => renewalOf({ ...order, duration: 720 }, TESTNET_FACTOR))).toBe('maximumDurationReached')
    expect(refusal(() => renewalOf(order, TESTNET_FACTOR, 10))).toBe('renewalShorter')
    expect(refusal(() => renewalOf(order, TESTNET_FACTOR, 3))).toBe('renewalShorter')
  })
})

describe('the floor of the contract', () => {
  /** As the contract calculates it, in millionths of a coin. */
  const floorPrice = ({ cpu, ram, storage, duration }: Resources, factor: number) => {
    const floor = floorOf(factor)
    return (cpu * floor.cpu + ram * floor.memory + storage * floor.disk) * duration
  }
  const sizes = [
    { cpu: 1, ram: 1, storage: 40 },
    { cpu: 32, ram: 64, storage: 4000 },
    { cpu: 32, ram: 1, storage: 40 },
    { cpu: 1, ram: 64, storage: 4000 },
  ]
  const factors = [0.001, 0.1, 0.25, 1, 1000]

  it('is below every price of the tariff, and not far below', () => {
    for (const factor of factors)
      for (const size of sizes)
        for (const duration of [1, 24, 168, 719, 720]) {
          const order = { ...size, duration }
          const [price, floor] = [priceOf(order, factor) * 1e6, floorPrice(order, factor)]
          expect(price).toBeGreaterThanOrEqual(floor)
          if (factor >= 0.1) expect(floor).toBeGreaterThan(price / 5)
        }
  })

  it('is below every renewal, whatever earlier hours cost', () => {
    for (const first of factors)
      for (const later of factors)
        for (const factor of factors)
          for (const size of sizes) {
            const bought = { ...size, duration: 168 }
            const rate = { rate_price: priceOf(bought, first), rate_hours: 168 }
            const price = rate.rate_price + priceOf({ ...size, duration: 100 }, later)
            const { cost } = renewalOf({ ...bought, ...rate, price }, factor, 169)
            expect(cost * 1e6).toBeGreaterThanOrEqual(floorPrice({ ...size, duration: 1 }, factor))
          }
  })
})

test.each([
  [0.25, 1160],
  // Prices have fallen below the contract minimum.
  [0.01, 490],
])('an upgrade at a factor of %s costs %i', (factor, cost) => {
  expect(costOfUpgrade({ rate_hours: 10, rate_price: 700 }, { ...smallest, storage: 140 }, factor)).toBe(cost)
})

test('an upgrade keeps the rate of what it replaces, unless its own is dearer', () => {
  const old = { rate_price: 700, rate_hours: 10 }
  expect(rateAfter(old, 490, 10)).toEqual(old)
  expect(rateAfter(old, 1401, 20)).toEqual({ rate_price: 1401, rate_hours: 20 })
})

test.each<[Partial<Resources>, string]>([
  [{ cpu: 2 }, ''],
  [{ duration: 11 }, ''],
  [{ ram: 4, storage: 50 }, ''],
  [{}, 'sameConfiguration'],
  [{ duration: 9 }, 'lowerConfiguration'],
  [{ cpu: 32, storage: 30 }, 'lowerConfiguration'],
])('an upgrade to %j is refused with "%s"', (more, key) => {
  expect(refusal(() => checkUpgrade(smallest, { ...smallest, ...more }))).toBe(key)
})

test('GPUs have a price of their own, and an upgrade keeps them', () => {
  const withGpus = { ...smallest, gpus: 2 }
  expect(priceOf(withGpus, 1) - priceOf(smallest, 1)).toBe(2 * GPU_RATE * smallest.duration)
  expect(refusal(() => checkUpgrade(withGpus, { ...smallest, cpu: 2 }))).toBe('lowerConfiguration')
  expect(refusal(() => checkUpgrade(smallest, { ...smallest, gpus: 0 }))).toBe('sameConfiguration')
  expect(refusal(() => checkUpgrade(smallest, withGpus))).toBe('')
})

test.each([
  [9333n, 2, '93.33'],
  [7n, 2, '0.07'],
  [0n, 6, '0.000000'],
  [12n, 0, '12'],
])('%i units of %i decimals are %s coins', (units, decimals, text) => {
  expect(formatUnits(units, decimals)).toBe(text)
})
