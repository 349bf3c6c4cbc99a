import { CREDITS_MAX, EXCHANGE_RATE, exchangePrice } from '@tidenet/contract/exchange'
import { describe, expect, it } from 'vitest'
import { formatAmount } from '../wallet/amounts.ts'
import { formatDecimal, parseCredits, rateOf } from './credits.ts'

const tnt4 = (units: bigint) => formatDecimal(formatAmount(units, 6), 'en')

describe('credits', () => {
  // Calculated by hand: credits ÷ 400 ÷ 0.0508, × 0.75 with the discount, rounded up at the sixth decimal.
  it.each([
    [100, '0.25', '4.92126', '3.690945'],
    [2032, '5.08', '100', '75'],
    [1000, '2.5', '49.212599', '36.909449'],
    [12_345, '30.8625', '607.529528', '455.647146'],
    [10_000_000, '25,000', '492,125.984252', '369,094.488189'],
  ])('%s are shown with the right price, to the last digit', (credits, dollars, full, due) => {
    const price = exchangePrice(credits)
    expect([formatDecimal(formatAmount(price.usd, 4), 'en'), tnt4(price.full), tnt4(price.due)]).toEqual([
      dollars,
      full,
      due,
    ])
  })

  it.each([
    ['100', 100],
    [' 1,000 ', 1000],
    ['1 000 000', 1_000_000],
    ['10000000', CREDITS_MAX],
    ['0100', 100],
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

describe('the rate', () => {
  const given = { usd_per_tnt4: '0.1016', credits_per_usd: 500, discount: 0 }

  it('is the one of the server', () => {
    expect(rateOf(given)).toEqual({ usdPerTnt4: 1016, creditsPerUsd: 500, discount: 0 })
    expect(rateOf({ ...given, usd_per_tnt4: '2' }).usdPerTnt4).toBe(20_000)
  })

  it('is the one of new networks until the server has answered', () => {
    expect(rateOf(undefined)).toEqual(EXCHANGE_RATE)
  })
})

describe('decimal numbers', () => {
  it.each([
    ['1234567.000001', '1,234,567.000001'],
    ['0', '0'],
    ['0.5', '0.5'],
    ['12345678901234567890', '12,345,678,901,234,567,890'],
    ['unknown', 'unknown'],
  ])('%s keep all digits', (text, shown) => expect(formatDecimal(text, 'en')).toBe(shown))
})
