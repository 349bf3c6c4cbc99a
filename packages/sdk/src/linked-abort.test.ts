import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { withLinkedAbort } from './linked-abort.ts'

describe('work that follows a signal', () => {
  it('aborts with it, and ignores later events', async () => {
    const caller = new AbortController()
    const stop = new AbortController()
    const work = () => new Promise((resolve) => stop.signal.addEventListener('abort', resolve))
    const running = withLinkedAbort(caller.signal, stop, work)
    caller.abort()
    await running
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0)
  })

  it('removes its listener from a shared signal', async () => {
    const { signal } = new AbortController()
    for (let count = 0; count < 20; count++) await withLinkedAbort(signal, new AbortController(), async () => {})
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    const failing = withLinkedAbort(signal, new AbortController(), async () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })
})
