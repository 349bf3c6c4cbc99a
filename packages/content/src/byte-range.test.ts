import { describe, expect, it } from 'vitest'
import { matches, readRange } from './byte-range.ts'

describe('a Range header', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 1 }],
    ['bytes=5-', { start: 5, end: 10 }],
    ['bytes=0-99', { start: 0, end: 10 }],
    ['bytes=-3', { start: 7, end: 10 }],
    ['bytes=-99', { start: 0, end: 10 }],
    ['Bytes= 2-3 ', { start: 2, end: 4 }],
  ])('%s of ten bytes', (header, range) => expect(readRange(header, 10)).toEqual(range))

  it.each([undefined, '', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=5-2', 'items=0-1', 'bytes=0-1,3-4'])(
    '%s means everything',
    (header) => expect(readRange(header, 10)).toBeUndefined(),
  )

  it.each([
    ['bytes=10-', 10],
    ['bytes=-0', 10],
    ['bytes=0-0', 0],
    ['bytes=-1', 0],
  ])('%s of %i bytes cannot be satisfied', (header, size) => expect(readRange(header, size)).toBe('unsatisfiable'))
})

describe('If-None-Match', () => {
  it.each(['*', '"a"', 'W/"a"', '"b", "a"'])('%s names "a"', (header) => expect(matches(header, '"a"')).toBe(true))
  it.each([undefined, '', '"b"', 'a'])('%s does not', (header) => expect(matches(header, '"a"')).toBe(false))
})
