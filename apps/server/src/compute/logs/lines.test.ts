import { describe, expect, it } from 'vitest'
import type { LogLine } from '../clusters/driver.ts'
import { endOf, type LogEnd, newLines } from './lines.ts'

const SECOND = '2026-11-27T19:10:37'

/** Lines by the nanoseconds of their second. */
const lines = (...all: [nanoseconds: number, text: string][]): LogLine[] =>
  all.map(([nanoseconds, text]) => {
    const fraction = String(nanoseconds).padStart(9, '0')
    return { at: new Date(`${SECOND}.${fraction.slice(0, 3)}Z`), written: `${SECOND}.${fraction}Z`, text }
  })
const textsOf = ({ lines, gap }: ReturnType<typeof newLines>) => ({ texts: lines.map(({ text }) => text), gap })
const NOTHING: LogEnd = { last_written: null, last_count: 0 }
const endAfter = (found: LogLine[], before = NOTHING) => endOf(found, before) ?? before

describe('what is new in a log', () => {
  it('is everything at first, and nothing when nothing was printed', () => {
    const found = lines([1, 'a'], [1, 'b'])
    expect(textsOf(newLines(found, NOTHING))).toEqual({ texts: ['a', 'b'], gap: false })
    expect(textsOf(newLines(found, endAfter(found)))).toEqual({ texts: [], gap: false })
    expect(endOf([], NOTHING)).toBeUndefined()
  })

  it('is counted among lines that were written at once', () => {
    const known = endAfter(lines([1, 'a'], [1, 'b']))
    expect(textsOf(newLines(lines([1, 'a'], [1, 'b'], [1, 'c']), known))).toEqual({ texts: ['c'], gap: false })
    expect(endAfter(lines([1, 'c']), known)).toEqual({ ...known, last_count: 3 })
  })

  it('is all that is left when the cluster has deleted what is kept', () => {
    const known = endAfter(lines([1, 'a'], [1, 'b'], [1, 'c']))
    const same = newLines(lines([1, 'd'], [1, 'e']), known)
    expect(textsOf(same)).toEqual({ texts: ['d', 'e'], gap: true })
    const next = endOf(same.lines, same.before)!
    expect(textsOf(newLines(lines([1, 'd'], [1, 'e'], [1, 'f']), next))).toEqual({ texts: ['f'], gap: false })
    expect(textsOf(newLines(lines([2, 'later']), known))).toEqual({ texts: ['later'], gap: true })
  })

  it('includes a line that was begun before the last kept one and ended after it', () => {
    const known = endAfter(lines([5, 'quick']))
    const [slow] = lines([7, 'slow'])
    const found = [...lines([5, 'quick']), { ...slow!, at: new Date(`${SECOND}Z`) }, ...lines([9, 'next'])]
    expect(textsOf(newLines(found, known)).texts).toEqual(['slow', 'next'])
  })
})
