import { describe, expect, it } from 'vitest'
import { emptySelection, only, selectRange, toggleRow, withoutRows } from './selection.ts'

const rows = ['a', 'b', 'c', 'd', 'e', 'f']
const keyAt = (index: number) => rows[index]
const keys = (selection: { keys: ReadonlySet<string> }) => [...selection.keys].sort().join('')

describe('a selection', () => {
  it('starts with one row, and rows can be toggled', () => {
    const one = only('b', 1)
    expect(keys(one)).toBe('b')
    const two = toggleRow(one, 'e', 4)
    expect(keys(two)).toBe('be')
    expect(keys(toggleRow(two, 'b', 1))).toBe('e')
  })

  it('extends from its anchor to any row in both directions, and shrinks again', () => {
    const start = only('c', 2)
    expect(keys(selectRange(start, 4, keyAt, false))).toBe('cde')
    const longer = selectRange(start, 5, keyAt, false)
    expect(keys(selectRange(longer, 1, keyAt, false))).toBe('bc')
    expect(keys(selectRange(emptySelection, 3, keyAt, false))).toBe('d')
  })

  it('can keep the rows selected before when it is extended', () => {
    const some = toggleRow(only('a', 0), 'd', 3)
    expect(keys(selectRange(some, 5, keyAt, true))).toBe('adef')
    expect(keys(selectRange(some, 5, keyAt, false))).toBe('def')
  })

  it('skips rows that are not loaded', () => {
    expect(keys(selectRange(only('a', 0), 9, keyAt, false))).toBe('abcdef')
  })

  it('loses removed rows, and its anchor when it is empty', () => {
    const some = toggleRow(only('a', 0), 'd', 3)
    expect(keys(withoutRows(some, new Set(['a'])))).toBe('d')
    expect(withoutRows(some, new Set(['a', 'd']))).toEqual(emptySelection)
  })
})
