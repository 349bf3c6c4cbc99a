import { describe, expect, it } from 'vitest'
import { pointsIn, problemOf } from './redeeming.ts'

const has = { min: 10, left: 250 }

describe('points that are typed', () => {
  it('are whole, in whichever spelling', () => {
    expect(['10', ' 250 ', '1,000'].map(pointsIn)).toEqual([10, 250, 1000])
  })

  it('are redeemed from the minimum up to what is left', () => {
    expect(['10', '250'].map((text) => problemOf(text, has))).toEqual([undefined, undefined])
  })
})

describe('refused are', () => {
  it('what is no whole number', () => {
    for (const text of ['', ' ', '0', '-10', '10.5', '1e3', 'ten', '9'.repeat(16)])
      expect(problemOf(text, has)).toBe('whole')
  })

  it('too few, and more than there are', () => {
    expect(problemOf('9', has)).toBe('min')
    expect(problemOf('251', has)).toBe('more')
  })
})
