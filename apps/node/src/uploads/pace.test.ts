import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPace, WINDOW_MS } from './pace.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new AbortController().signal

/** Sends `bytes` every `ms`, for several windows. */
function send(pace: ReturnType<typeof createPace>, bytes: number, ms: number, windows = 3) {
  for (let at = 0; at < windows * WINDOW_MS && !pace.signal.aborted; at += ms) {
    pace.received(bytes)
    vi.advanceTimersByTime(ms)
  }
  return pace.signal.aborted
}

describe('the pace of a sender', () => {
  it('may be that of a 64 kbit/s link, also with five uploads, and may pause', () => {
    const pace = createPace(never)
    expect(send(pace, 8000, 1000)).toBe(false)
    expect(send(pace, 1600, 1000)).toBe(false)
    expect(send(pace, 400_000, WINDOW_MS - 10_000)).toBe(false)
    pace.stop()
  })

  it('ignores the time in which the sender waits for this node', async () => {
    const pace = createPace(never)
    let written = () => {}
    pace.received(10, new Promise<void>((resolve) => (written = resolve)))
    vi.advanceTimersByTime(5 * WINDOW_MS)
    expect(pace.signal.aborted).toBe(false)
    written()
    await vi.advanceTimersByTimeAsync(2 * WINDOW_MS)
    expect(pace.signal.reason).toMatchObject({ status: 408 })
  })

  it('below the slow limit gives up the slot, as long as slots for slow uploads are free', () => {
    let hasSlot = true
    let asked = 0
    const pace = createPace(never, () => {
      asked += 1
      return hasSlot
    })
    expect(send(pace, 500_000, 5000)).toBe(false)
    expect(asked).toBe(0)
    expect(send(pace, 8000, 1000)).toBe(false)
    expect(asked).toBeGreaterThan(0)
    hasSlot = false
    expect(send(pace, 8000, 1000)).toBe(true)
  })

  it('ends the upload for single bytes, for silence, and when the sender disconnects', () => {
    expect(send(createPace(never), 1, 10_000)).toBe(true)
    expect(send(createPace(never), 0, 10_000)).toBe(true)
    const gone = new AbortController()
    const pace = createPace(gone.signal)
    gone.abort(new Error('gone'))
    expect(pace.signal.reason).toMatchObject({ message: 'gone' })
  })
})
