import { MiB } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { createListingMemory, type Held, pageMemory } from './listing-memory.ts'

const PAGE = pageMemory(10_000)

/** A client that stays connected. */
const client = () => new AbortController().signal

describe('large pages of folders', () => {
  it('wait while those of their client network take too much memory, and are refused after some time', async () => {
    const memory = createListingMemory({ waitMs: 20 })
    const held: Held[] = []
    let refused = 0
    for (let each = 0; each < 10; each++)
      await memory.take('203.0.113.7', PAGE, client()).then(
        (one) => held.push(one),
        (error: { status: number }) => {
          expect(error.status).toBe(503)
          refused += 1
        },
      )
    expect(held.length * PAGE).toBeLessThanOrEqual(64 * MiB)
    expect(held.length + refused).toBe(10)
    // Others are not affected.
    await memory.take('203.0.113.8', PAGE, client())
    const waiting = memory.take('203.0.113.7', PAGE, client())
    held[0]?.release()
    await waiting
  })

  it('of all clients together take a limited amount of memory', async () => {
    const memory = createListingMemory({ waitMs: 20 })
    const taken = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => memory.take(`network ${index}`, PAGE, client())),
    )
    const count = taken.filter(({ status }) => status === 'fulfilled').length
    expect(count).toBe(Math.floor((256 * MiB) / PAGE))
  })

  it('that turn out to be small make room for others', async () => {
    const memory = createListingMemory({ waitMs: 20 })
    for (let each = 0; each < 100; each++) (await memory.take('a school', PAGE, client())).shrink(50_000)
  })

  it('are forgotten when their client leaves', async () => {
    const memory = createListingMemory({ total: PAGE, waitMs: 10_000 })
    const held = await memory.take('one', PAGE, client())
    const leaving = new AbortController()
    const waiting = memory.take('two', PAGE, leaving.signal)
    leaving.abort()
    await expect(waiting).rejects.toMatchObject({ status: 503 })
    held.release()
    await memory.take('three', PAGE, client())
  })

  it('are pages of more than some hundred entries', () => {
    expect([10, 100, 400].map(pageMemory)).toEqual([0, 0, 0])
    expect(pageMemory(1000)).toBeGreaterThan(0)
  })
})
