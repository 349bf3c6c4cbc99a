import { describe, expect, it } from 'vitest'
import { segmentAt, timeCode } from './time.ts'

describe('time code', () => {
  it.each([
    [0, '0:00'],
    [5.999, '0:05'],
    [65, '1:05'],
    [600, '10:00'],
    [3723, '1:02:03'],
  ])('shows %d seconds', (seconds, text) => expect(timeCode(seconds)).toBe(text))

  it('shows no negative time', () => expect(timeCode(-1)).toBe('0:00'))
})

describe('the segment at a time', () => {
  const segments = [{ start: 1 }, { start: 2.5 }, { start: 2.5 }, { start: 8 }]

  it.each([
    ['the first at its start', 1, 0],
    ['the one that began last', 2.5, 2],
    ['the one before a silence', 7.9, 2],
    ['the last until the end', 600, 3],
  ])('is %s', (_, seconds, index) => expect(segmentAt(segments, seconds)).toBe(index))

  it('is none before the first', () => expect(segmentAt(segments, 0.5)).toBe(-1))
  it('is none without segments', () => expect(segmentAt([], 5)).toBe(-1))
})
