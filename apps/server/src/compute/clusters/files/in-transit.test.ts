import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { noteOf } from '../notes.ts'
import { limit } from './in-transit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const MINUTE = 60_000
const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

async function* source(count: number, bytes: number, everyMs: number) {
  for (let at = 0; at < count; at++) {
    await pass(everyMs)
    yield new Uint8Array(bytes)
  }
}

/** @returns how many bytes arrive @param takesMs how long each part is used */
async function read(from: AsyncIterable<Uint8Array>, takesMs = 0): Promise<number> {
  const reading = (async () => {
    let bytes = 0
    for await (const part of limit(from, 1 << 30, () => {})) {
      bytes += part.length
      if (takesMs > 0) await pass(takesMs)
    }
    return bytes
  })()
  reading.catch(() => {})
  await vi.advanceTimersByTimeAsync(24 * 60 * MINUTE)
  return reading
}

it('an archive is read to its end, however long its parts are used', async () => {
  expect(await read(source(20, 1024, 10), 10 * MINUTE)).toBe(20 * 1024)
})

it('a large archive may take as long as a slow disk needs for its bytes', async () => {
  expect(await read(source(100, 1 << 20, 5000))).toBe(100 << 20)
})

it('a program that sends nothing is refused', async () => {
  await expect(read(source(1, 1, 2 * MINUTE))).rejects.toThrow(noteOf('silent'))
})

it('a program that sends a byte now and then is refused, too', async () => {
  await expect(read(source(1000, 1, 30_000))).rejects.toThrow(noteOf('silent'))
})
