import { describe, expect, it } from 'vitest'
import { CREDITS_MAX, CREDITS_MIN, exchangePrice } from './exchange.ts'

describe('the price of credits', () => {
  it('is rounded up once, after the discount, to six decimals', () => {
    expect(exchangePrice(100)).toEqual({ usd: 2500n, full: 4_921_260n, due: 3_690_945n })
    expect(exchangePrice(2032).due).toBe(75_000_000n)
    expect(exchangePrice(CREDITS_MIN, { usdPerTnt4: 508, creditsPerUsd: 400, discount: 0 }).due).toBe(4_921_260n)
    expect(exchangePrice(CREDITS_MAX).due).toBe(369_094_488_189n)
  })

  it('is never below the rate, and one credit more never costs less', () => {
    let previous = 0n
    for (let credits = CREDITS_MIN; credits < CREDITS_MIN + 500; credits++) {
      const { due } = exchangePrice(credits)
      // due / 10^6 TNT4 × 0.0508 $ × 400 credits ≥ credits × 0.75
      expect(due * 508n * 400n * 100n).toBeGreaterThanOrEqual(BigInt(credits) * 10n ** 10n * 75n)
      expect(due).toBeGreaterThan(previous)
      previous = due
    }
  })

  it('follows the decimals of the token: more add zeros, fewer round up earlier', () => {
    expect(exchangePrice(100, undefined, 18).due).toBe(3_690_945n * 10n ** 12n)
    expect(exchangePrice(100, undefined, 2).due).toBe(370n)
    expect(exchangePrice(100, undefined, 0).due).toBe(4n)
  })
})
