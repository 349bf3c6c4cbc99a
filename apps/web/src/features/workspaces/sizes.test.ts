import { describe, expect, it, vi } from 'vitest'

vi.mock('./texts.ts', () => ({ t: {} }))
const { floored, hasRoom, partProblem } = await import('./sizes.ts')

describe('the share of a workspace that a program gets', () => {
  it('is offered in steps that are really left', () => {
    expect(floored('cpu', 0.9999999)).toBe(1)
    expect(floored('cpu', 1.09)).toBe(1)
    expect(floored('cpu', 0.3)).toBe(0.3)
    expect(floored('memory', 1023.9)).toBe(1023)
    expect(floored('storage', 39.99)).toBe(39)
  })

  it('lies between the least and what is left', () => {
    expect(partProblem('cpu', '0.5', 1)).toBeUndefined()
    expect(partProblem('cpu', '1', 1)).toBeUndefined()
    expect(partProblem('memory', '32', 32)).toBeUndefined()
    expect(partProblem('storage', '5', 9, 5)).toBeUndefined()
  })

  it('is refused below and above, and when it is no number', () => {
    for (const text of ['', ' ', 'x', '0', '-1', '0.05', 'NaN', 'Infinity'])
      expect(partProblem('cpu', text, 2), text).toBe('few')
    expect(partProblem('cpu', '2.1', 2)).toBe('many')
    expect(partProblem('memory', '31', 64)).toBe('few')
    expect(partProblem('storage', '4', 9, 5)).toBe('few')
    expect(partProblem('storage', '1', 0.5)).toBe('many')
  })

  it('cannot be had where one of the three is given out', () => {
    expect(hasRoom({ cpu: 1, memory: 512, storage: 10 })).toBe(true)
    expect(hasRoom({ cpu: 0, memory: 512, storage: 10 })).toBe(false)
    expect(hasRoom({ cpu: 1, memory: 31, storage: 10 })).toBe(false)
    expect(hasRoom({ cpu: 1, memory: 512, storage: 0.9 })).toBe(false)
  })
})
