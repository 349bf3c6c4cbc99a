import { describe, expect, it } from 'vitest'
import { nextInterval } from './poll.ts'

const waiting = { state: 'processing', position: 2, waits_for_engine: false } as const

describe('the interval of questions about a task', () => {
  it('grows while nothing changes, to ten seconds', () => {
    let interval = nextInterval(undefined, waiting, 0)
    const intervals = [interval]
    for (let round = 0; round < 12; round++) {
      interval = nextInterval(waiting, waiting, interval)
      intervals.push(interval)
    }
    expect(intervals).toEqual([...intervals].sort((one, other) => one - other))
    expect([intervals[0], intervals.at(-1)]).toEqual([1000, 10_000])
  })

  it.each([
    ['it moved up', { ...waiting, position: 1 }],
    ['the engine has it', { ...waiting, state: 'transcribing' as const, position: 0 }],
    ['it waits for the engine', { ...waiting, waits_for_engine: true }],
  ])('is short again after %s', (_, now) => expect(nextInterval(waiting, now, 10_000)).toBe(1000))
})
