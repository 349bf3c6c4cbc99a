import { describe, expect, it } from 'vitest'
import { kept, nothing, only, ranged, toggled } from './selection.ts'

const rows = ['a', 'b', 'c', 'd', 'e', 'f']
const keyAt = (index: number) => rows[index]
const keys = (selection: { keys: ReadonlySet<string> }) => [...selection.keys].sort().join('')

describe('a selection', () => {
  it('is of one row, of some more, and of less again', () => {
    const one = only('b', 1)
    expect(keys(one)).toBe('b')
    const two = toggled(one, 'e', 4)
    expect(keys(two)).toBe('be')
    expect(keys(toggled(two, 'b', 1))).toBe('e')
  })

  it('reaches from where it began to any row, both ways, and shrinks again', () => {
    const begun = only('c', 2)
    expect(keys(ranged(begun, 4, keyAt, false))).toBe('cde')
    const longer = ranged(begun, 5, keyAt, false)
    expect(keys(ranged(longer, 1, keyAt, false))).toBe('bc')
    expect(keys(ranged(nothing, 3, keyAt, false))).toBe('d')
  })

  it('keeps what was chosen before when it is extended', () => {
    const some = toggled(only('a', 0), 'd', 3)
    expect(keys(ranged(some, 5, keyAt, true))).toBe('adef')
    expect(keys(ranged(some, 5, keyAt, false))).toBe('def')
  })

  it('passes over rows that are not there', () => {
    expect(keys(ranged(only('a', 0), 9, keyAt, false))).toBe('abcdef')
  })

  it('loses what has gone, and then its beginning', () => {
    const some = toggled(only('a', 0), 'd', 3)
    expect(keys(kept(some, new Set(['a'])))).toBe('d')
    expect(kept(some, new Set(['a', 'd']))).toEqual(nothing)
  })
})
