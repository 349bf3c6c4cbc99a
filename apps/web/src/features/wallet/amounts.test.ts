import { describe, expect, test } from 'vitest'
import { amountProblem, formatAmount, parseAmount } from './amounts.ts'

describe('amounts', () => {
  test('parses whole coins into base units', () => {
    expect(parseAmount('1', 6)).toBe(1_000_000n)
    expect(parseAmount(' 12.5 ', 6)).toBe(12_500_000n)
    expect(parseAmount('0.000001', 6)).toBe(1n)
    expect(parseAmount('7.', 6)).toBe(7_000_000n)
    expect(parseAmount('0.1000000000', 6)).toBe(100_000n)
  })

  test('formats base units without trailing zeros', () => {
    expect(formatAmount(0n, 6)).toBe('0')
    expect(formatAmount(1n, 6)).toBe('0.000001')
    expect(formatAmount(100_000_000n, 6)).toBe('100')
    expect(formatAmount(12_500_000n, 6)).toBe('12.5')
    expect(formatAmount(9300n, 2)).toBe('93')
    expect(formatAmount(120n, 0)).toBe('120')
  })

  const wallet = { balance: 10_000_000n, fee: 500n, decimals: 6 }

  test('accepts up to the balance minus the fee', () => {
    expect(amountProblem('9.9995', wallet)).toBeUndefined()
    expect(amountProblem('0.000001', wallet)).toBeUndefined()
  })

  test('rejects amounts that exceed the balance with the fee', () => {
    expect(amountProblem('10', wallet)).toBe('above')
    expect(amountProblem('9.999501', wallet)).toBe('above')
    expect(amountProblem('999999999999999999999999999', wallet)).toBe('above')
  })

  test('rejects zero, fractions of a base unit and malformed amounts', () => {
    expect(amountProblem('0', wallet)).toBe('zero')
    expect(amountProblem('0.0000001', wallet)).toBe('digits')
    for (const text of ['', '-1', '1e3', '0x10', '1,000', '１', 'all']) expect(amountProblem(text, wallet)).toBe('form')
  })
})
