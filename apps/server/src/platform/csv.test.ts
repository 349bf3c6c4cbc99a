import { describe, expect, it } from 'vitest'
import { csvCell, csvLine } from './csv.ts'

describe('a cell', () => {
  it.each([
    ['plain', '"plain"'],
    ['a, b "c"\nd', '"a, b ""c""\nd"'],
    [42, '"42"'],
    [-42, '"-42"'],
    ['', '""'],
    ['中文', '"中文"'],
  ])('%j is quoted', (value, cell) => {
    expect(csvCell(value)).toBe(cell)
  })

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    ' =1',
    '\t=1',
    '\r1',
    '\n=1',
    '\u00a0=1',
    '\ufeff=1',
    '\uff1d1',
    '|calc',
    '%0',
  ])('%j is made plain text: no spreadsheet runs it', (text) => {
    expect(csvCell(text).startsWith('"\'')).toBe(true)
  })
})

it('ends a line as RFC 4180 requires', () => {
  expect(csvLine(['a', 1])).toBe('"a","1"\r\n')
})
