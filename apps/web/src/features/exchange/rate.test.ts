import { describe, expect, it } from 'vitest'
import { CREDITS_MAX, CREDITS_MIN, formatUnits, parseCredits, quote, RATE } from './rate.ts'

const tnt4 = (amount: bigint) => formatUnits(amount, 6, 'en')

describe('credits', () => {
  // Calculated by hand: credits ÷ 400 ÷ 0.0508, × 0.75 with the discount, rounded up at the sixth decimal.
  it.each([
    [100n, '0.25', '4.921260', '3.690945'],
    [2032n, '5.08', '100.000000', '75.000000'],
    [1000n, '2.50', '49.212599', '36.909449'],
    [12_345n, '30.8625', '607.529528', '455.647146'],
    [10_000_000n, '25,000.00', '492,125.984252', '369,094.488189'],
  ])('%s have the right price, to the last digit', (credits, usd, full, due) => {
    const one = quote(credits)
    expect([formatUnits(one.usd, 4, 'en', 2), tnt4(one.full), tnt4(one.due)]).toEqual([usd, full, due])
  })

  it('are never sold below their value, and at most a millionth above it', () => {
    for (let credits = CREDITS_MIN; credits < CREDITS_MIN + 5000n; credits++) {
      const { due } = quote(credits)
      const exact = credits * 75n * 10n ** 6n
      expect(due * 2032n >= exact && (due - 1n) * 2032n < exact).toBe(true)
    }
  })

  it('are formatted without decimals, amounts with the given ones', () => {
    expect([formatUnits(1000n, 0, 'en'), formatUnits(5n, 6, 'en'), formatUnits(1_500_000n, 6, 'en', 0)]).toEqual([
      '1,000',
      '0.000005',
      '1.5',
    ])
  })

  it('follow the rate when it changes', () => {
    expect(tnt4(quote(2032n, { ...RATE, discount: 0n }).due)).toBe('100.000000')
    expect(tnt4(quote(2032n, { ...RATE, usdPerTnt4: 1016n }).due)).toBe('37.500000')
  })

  it.each([
    ['100', 100n],
    [' 1,000 ', 1000n],
    ['1 000 000', 1_000_000n],
    ['10000000', CREDITS_MAX],
    ['0100', 100n],
  ])('can be entered as %s', (text, credits) => expect(parseCredits(text)).toEqual({ credits }))

  it.each([
    ['', 'missing'],
    ['  ', 'missing'],
    ['99', 'least'],
    ['0', 'least'],
    ['10000001', 'most'],
    ['99999999999999999999', 'most'],
    ['-100', 'whole'],
    ['100.5', 'whole'],
    ['1,5', 'whole'],
    ['1,00', 'whole'],
    ['1e3', 'whole'],
    ['１００', 'whole'],
    ['a hundred', 'whole'],
  ])('are refused if entered as %j', (text, problem) => expect(parseCredits(text)).toEqual({ problem }))
})
