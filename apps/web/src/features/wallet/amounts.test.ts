import { describe, expect, test } from 'vitest'
import { amountProblem, readAmount, writeAmount } from './amounts.ts'

describe('amounts', () => {
  test('are read in whole coins and kept in the smallest unit', () => {
    expect(readAmount('1', 6)).toBe(1_000_000n)
    expect(readAmount(' 12.5 ', 6)).toBe(12_500_000n)
    expect(readAmount('0.000001', 6)).toBe(1n)
    expect(readAmount('7.', 6)).toBe(7_000_000n)
    expect(readAmount('0.1000000000', 6)).toBe(100_000n)
  })

  test('are written without what is not needed', () => {
    expect(writeAmount(0n, 6)).toBe('0')
    expect(writeAmount(1n, 6)).toBe('0.000001')
    expect(writeAmount(100_000_000n, 6)).toBe('100')
    expect(writeAmount(12_500_000n, 6)).toBe('12.5')
    expect(writeAmount(9300n, 2)).toBe('93')
    expect(writeAmount(120n, 0)).toBe('120')
  })

  const wallet = { balance: 10_000_000n, fee: 500n, decimals: 6 }

  test('may be the whole balance less the fee', () => {
    expect(amountProblem('9.9995', wallet)).toBeUndefined()
    expect(amountProblem('0.000001', wallet)).toBeUndefined()
  })

  test('refused: above the balance, by the fee alone as well', () => {
    expect(amountProblem('10', wallet)).toBe('above')
    expect(amountProblem('9.999501', wallet)).toBe('above')
    expect(amountProblem('999999999999999999999999999', wallet)).toBe('above')
  })

  test('refused: nothing, less than the smallest unit, what is no amount', () => {
    expect(amountProblem('0', wallet)).toBe('zero')
    expect(amountProblem('0.0000001', wallet)).toBe('digits')
    for (const text of ['', '-1', '1e3', '0x10', '1,000', '１', 'all']) expect(amountProblem(text, wallet)).toBe('form')
  })
})
