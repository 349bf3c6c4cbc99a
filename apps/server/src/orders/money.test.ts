import { AppError, priceOf, type Resources, TESTNET_FACTOR } from '@tidenet/contract'
import { describe, expect, it, test } from 'vitest'
import { checkUpgrade, coinsText, costOfUpgrade, refundOf, renewalOf, usedHours } from './money.ts'

const smallest: Resources = { cpu: 1, ram: 1, storage: 40, duration: 10 }
const refusal = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError) return error.key
  }
  return ''
}

test.each([
  ['in the block of the payment', 0, 1],
  ['a block later', 1, 1],
  ['after an hour', 600, 1],
  ['when the second hour has begun', 601, 2],
  ['after ten hours', 6000, 10],
])('%s hours that were begun count, and the first always does', (_, blocks, hours) => {
  expect(usedHours(1000, 1000 + blocks)).toBe(hours)
})

describe('what goes back', () => {
  it.each([
    [28_000n, 4, 1, 21_000n],
    [28_000n, 4, 3, 7000n],
    [28_000n, 4, 4, 0n],
    [28_000n, 4, 9, 0n],
    // The first hour is used in any case.
    [28_000n, 4, 0, 21_000n],
    [28_000n, 1, 1, 0n],
    // Rounded down to what the token can say.
    [10_000n, 3, 1, 6666n],
    // Beyond the longest time, too.
    [28_000n, 720, 800, 0n],
  ])('of %i for %i hours when %i are used is %i', (paid, total, used, refund) => {
    expect(refundOf(paid, total, used)).toBe(refund)
  })

  it('is never more than was paid, and less the more is used', () => {
    let last = 100_001n
    for (let used = 1; used <= 730; used++) {
      const refund = refundOf(100_000n, 720, used)
      expect(refund).toBeGreaterThanOrEqual(0n)
      expect(refund <= last).toBe(true)
      last = refund
    }
  })
})

describe('a renewal', () => {
  const order = { ...smallest, price: priceOf(smallest) }

  it.each([
    [{}, undefined, 20],
    [{}, 11, 11],
    [{ duration: 400 }, undefined, 720],
    [{ duration: 719 }, undefined, 720],
  ])('of %j to %s hours makes %i in total, for the difference of the prices', (more, wanted, duration) => {
    const old = { ...order, ...more, price: priceOf({ ...smallest, ...more }) }
    const cost = priceOf({ ...old, duration }) - old.price
    expect(renewalOf(old, TESTNET_FACTOR, wanted)).toEqual({ duration, cost })
  })

  it('costs what the contract takes at least, even when prices have fallen', () => {
    expect(renewalOf({ ...order, price: 1_000_000 }, TESTNET_FACTOR).cost).toBe(700_000)
    expect(renewalOf({ ...order, price: 1 }, 0.000001).cost).toBe(1)
  })

  it('is refused at the longest time, and to fewer hours', () => {
    expect(refusal(() => renewalOf({ ...order, duration: 720 }, TESTNET_FACTOR))).toBe('longestOrder')
    expect(refusal(() => renewalOf(order, TESTNET_FACTOR, 10))).toBe('renewalShorter')
    expect(refusal(() => renewalOf(order, TESTNET_FACTOR, 3))).toBe('renewalShorter')
  })
})

test.each([
  [0.25, 1160],
  // Prices have fallen since, further than the contract goes along.
  [0.01, 490],
])('an upgrade at a factor of %s costs %i', (factor, cost) => {
  expect(costOfUpgrade({ duration: 10, price: 700 }, { ...smallest, storage: 140 }, factor)).toBe(cost)
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

test.each([
  [9333n, 2, '93.33'],
  [7n, 2, '0.07'],
  [0n, 6, '0.000000'],
  [12n, 0, '12'],
])('%i units of %i decimals are %s coins', (units, decimals, text) => {
  expect(coinsText(units, decimals)).toBe(text)
})
