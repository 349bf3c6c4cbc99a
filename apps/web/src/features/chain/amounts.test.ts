import { expect, it } from 'vitest'
import { formatCoins } from './amounts.ts'

it.each([
  ['40000', 2, '400'],
  ['7', 2, '0.07'],
  ['1234567890', 6, '1,234.56789'],
  ['123456789012345678901234567890', 0, '123,456,789,012,345,678,901,234,567,890'],
  ['0', 6, '0'],
])('%s units with %d digits are %s coins', (units, decimals, coins) =>
  expect(formatCoins({ units, decimals }, 'en')).toBe(coins),
)

it.each(['', '-1', '1.5', 'all of it'])('“%s” is not an amount and is returned unchanged', (units) =>
  expect(formatCoins({ units, decimals: 2 }, 'en')).toBe(units),
)
