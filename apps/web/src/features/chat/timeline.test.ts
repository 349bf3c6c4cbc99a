import { describe, expect, it } from 'vitest'
import { dayName, gapAfter, isNewDay, mergeMessages, type Outgoing, unconfirmed } from './timeline.ts'

const numbered = (...seqs: number[]) => seqs.map((seq) => ({ seq, id: `m${seq}` }))
const outgoing = (id: string): Outgoing => ({ id, owner: '', text: 'hello', at: 0, state: 'sending' })

describe('messages', () => {
  it('are in the order of their numbers, each once, however they arrive', () => {
    const merged = [numbered(4, 5), numbered(2, 3), numbered(5, 6), numbered(3)].reduce(
      (known, added) => [...mergeMessages(known, added)],
      numbered(),
    )
    expect(merged.map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6])
  })

  it('are in order when a page overlaps, is unsorted, or repeats itself', () => {
    const merged = mergeMessages(numbered(1, 2, 5, 8), numbered(7, 6, 3, 6, 5, 9, 4))
    expect(merged.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('are added to 10,000 others without comparing all of them', () => {
    let reads = 0
    const counted = Array.from({ length: 10_000 }, (_, each) => ({
      get seq() {
        reads += 1
        return each + 1
      },
    }))
    const merged = mergeMessages<{ seq: number }>(counted, numbered(10_001))
    expect(merged).toHaveLength(10_001)
    expect(gapAfter(merged)).toBeUndefined()
    expect(reads).toBeLessThan(100)
  })

  it('are the same list when nothing is new, so that nothing is drawn again', () => {
    const known = numbered(1, 2)
    expect(mergeMessages(known, numbered(2))).toBe(known)
  })

  it('have a gap where a number is missing', () => {
    expect(gapAfter(numbered(1, 2, 3))).toBeUndefined()
    expect(gapAfter(numbered(7, 8, 11, 12))).toBe(8)
    expect(gapAfter(numbered(9))).toBeUndefined()
    expect(gapAfter([])).toBeUndefined()
  })

  it('that the stream confirmed before the answer are no longer shown as being sent', () => {
    expect(unconfirmed([outgoing('m1'), outgoing('m9')], numbered(1, 2)).map(({ id }) => id)).toEqual(['m9'])
  })
})

describe('days', () => {
  const noon = new Date(2026, 2, 1, 12).getTime()
  const evening = new Date(2026, 2, 1, 23, 59).getTime()
  const nextDay = new Date(2026, 2, 2, 0, 1).getTime()

  it('begin at midnight here', () => {
    expect(isNewDay(noon, undefined)).toBe(true)
    expect(isNewDay(evening, noon)).toBe(false)
    expect(isNewDay(nextDay, evening)).toBe(true)
  })

  it('are today, yesterday, or a date, also over the end of a month', () => {
    expect(dayName(noon, evening)).toBe('today')
    expect(dayName(evening, nextDay)).toBe('yesterday')
    expect(dayName(new Date(2026, 1, 28, 9).getTime(), noon)).toBe('yesterday')
    expect(dayName(noon, nextDay + 86_400_000)).toBeUndefined()
  })
})
