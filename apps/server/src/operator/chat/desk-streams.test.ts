import { describe, expect, it } from 'vitest'
import { type DeskStream, newDeskStream, sendEvents } from './desk-streams.ts'

const agent = { uid: 'u1', userId: 1, credential: 's1' }
const open = (onRead = () => {}): DeskStream => newDeskStream(agent, onRead)
const events = Array.from({ length: 100 }, (_, each) => `data: ${each} ${'x'.repeat(10_000)}\n\n`)

describe('a flood of changes', () => {
  it('cuts nobody off: a client that reads gets all of it, one that does not is behind', async () => {
    const [slow, quick] = [open(), open()]
    let got = ''
    quick.readable.on('data', (part) => {
      got += part
    })
    await sendEvents(new Set([slow, quick]), events)
    expect(got).toBe(events.join(''))
    expect(quick.behind).toBe(false)
    expect(slow.behind).toBe(true)
    expect(slow.readable.destroyed).toBe(false)
    expect(slow.readable.readableLength).toBeLessThan(100 * 1024)
  })

  it('leaves nothing out once the client has read and was told to load what it lacks', async () => {
    let reads = 0
    const stream = open(() => {
      reads += 1
    })
    await sendEvents(new Set([stream]), events)
    reads = 0
    stream.readable.on('data', () => {})
    await expect.poll(() => reads).toBeGreaterThan(0)
    stream.behind = false
    await sendEvents(new Set([stream]), ['data: next\n\n'])
    expect(stream.behind).toBe(false)
  })
})
