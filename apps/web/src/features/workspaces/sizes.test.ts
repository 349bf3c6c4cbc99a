import { describe, expect, it } from 'vitest'
import { floorToStep, hasFreeResources, partProblem } from './sizes.ts'

describe('share of a workspace', () => {
  it('rounds down to steps that are available', () => {
    expect(floorToStep('cpu', 0.9999999)).toBe(1)
    expect(floorToStep('cpu', 1.09)).toBe(1)
    expect(floorToStep('cpu', 0.3)).toBe(0.3)
    expect(floorToStep('memory', 1023.9)).toBe(1023)
    expect(floorToStep('storage', 39.99)).toBe(39)
  })

  it('accepts values between the minimum and what is available', () => {
    expect(partProblem('cpu', '0.5', 1)).toBeUndefined()
    expect(partProblem('cpu', '1', 1)).toBeUndefined()
    expect(partProblem('memory', '32', 32)).toBeUndefined()
    expect(partProblem('storage', '5', 9, 5)).toBeUndefined()
  })

  it('rejects too small and too large values and non-numbers', () => {
    for (const text of ['', ' ', 'x', '0', '-1', '0.05', 'NaN', 'Infinity'])
      expect(partProblem('cpu', text, 2), text).toBe('few')
    expect(partProblem('cpu', '2.1', 2)).toBe('many')
    expect(partProblem('memory', '31', 64)).toBe('few')
    expect(partProblem('storage', '4', 9, 5)).toBe('few')
    expect(partProblem('storage', '1', 0.5)).toBe('many')
  })

  it('needs all three resources', () => {
    expect(hasFreeResources({ cpu: 1, memory: 512, storage: 10 })).toBe(true)
    expect(hasFreeResources({ cpu: 0, memory: 512, storage: 10 })).toBe(false)
    expect(hasFreeResources({ cpu: 1, memory: 31, storage: 10 })).toBe(false)
    expect(hasFreeResources({ cpu: 1, memory: 512, storage: 0.9 })).toBe(false)
  })
})
