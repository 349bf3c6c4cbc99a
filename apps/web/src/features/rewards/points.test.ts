import { describe, expect, it } from 'vitest'
import { pointsIn, problemOf } from './points.ts'

const has = { min: 10, left: 250 }

describe('redemption form', () => {
  it('parses whole numbers with spaces and commas', () => {
    expect(['10', ' 250 ', '1,000'].map(pointsIn)).toEqual([10, 250, 1000])
  })

  it('accepts from the minimum up to the available points', () => {
    expect(['10', '250'].map((text) => problemOf(text, has))).toEqual([undefined, undefined])
  })
})

describe('redemption form rejects', () => {
  it('anything but a positive whole number', () => {
    for (const text of ['', ' ', '0', '-10', '10.5', '1e3', 'ten', '9'.repeat(16)])
      expect(problemOf(text, has)).toBe('whole')
  })

  it('less than the minimum and more than available', () => {
    expect(problemOf('9', has)).toBe('min')
    expect(problemOf('251', has)).toBe('more')
  })
})
