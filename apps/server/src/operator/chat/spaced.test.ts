import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSpaced } from './spaced.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('work that is asked for often', () => {
  it('runs at once, and then once per interval', async () => {
    let runs = 0
    const spaced = createSpaced(1000, async () => {
      runs += 1
    })
    spaced.ask()
    await vi.advanceTimersByTimeAsync(1)
    expect(runs).toBe(1)
    for (let each = 0; each < 500; each++) {
      spaced.ask()
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(runs).toBeGreaterThanOrEqual(5)
    expect(runs).toBeLessThanOrEqual(6)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(runs).toBeLessThanOrEqual(7)
  })

  it('runs again after a failure, and never after it was stopped', async () => {
    let tries = 0
    const spaced = createSpaced(1000, async () => {
      tries += 1
      if (tries < 3) throw new Error('no database')
    })
    spaced.ask()
    await vi.advanceTimersByTimeAsync(5000)
    expect(tries).toBe(3)
    spaced.stop()
    spaced.ask()
    await vi.advanceTimersByTimeAsync(5000)
    expect(tries).toBe(3)
  })
})
