import { expect, it } from 'vitest'
import { createSharedBuffers } from './shared-buffers.ts'

const LEAF = 256 * 1024

it('gives what one reading released to another', () => {
  const shared = createSharedBuffers(4 * LEAF)
  const [one, other] = [shared.open(), shared.open()]
  const bytes = one.acquire(LEAF)
  expect(other.acquire(LEAF).buffer).not.toBe(bytes.buffer)
  one.release(bytes.subarray(0, 10))
  expect(other.acquire(LEAF - 1).buffer).toBe(bytes.buffer)
})

it('counts what readings hold, until they end', () => {
  const shared = createSharedBuffers(4 * LEAF)
  const [one, other] = [shared.open(), shared.open()]
  const bytes = one.acquire(LEAF + 1)
  other.acquire(1)
  expect(shared.held()).toBe(3 * LEAF)
  one.release(bytes)
  expect(shared.held()).toBe(LEAF)
  other.end()
  expect(shared.held()).toBe(0)
})

it('keeps no more than its limit', () => {
  const shared = createSharedBuffers(2 * LEAF)
  const own = shared.open()
  const all = [own.acquire(LEAF), own.acquire(LEAF), own.acquire(LEAF)]
  for (const bytes of all) own.release(bytes)
  const again = [own.acquire(LEAF), own.acquire(LEAF), own.acquire(LEAF)].map(({ buffer }) => buffer)
  expect(all.filter(({ buffer }) => again.includes(buffer))).toHaveLength(2)
})

it('never gives a buffer twice: not one that was released twice, of another reading, or left when a reading ended', () => {
  const shared = createSharedBuffers(4 * LEAF)
  const [one, other] = [shared.open(), shared.open()]
  const [twice, left] = [one.acquire(LEAF), one.acquire(LEAF)]
  other.release(twice)
  one.release(twice)
  one.release(twice)
  one.end()
  one.release(left)
  const given = [other.acquire(LEAF), other.acquire(LEAF), other.acquire(LEAF)].map(({ buffer }) => buffer)
  expect(new Set(given).size).toBe(3)
  expect(given).not.toContain(left.buffer)
  expect(shared.held()).toBe(3 * LEAF)
})

it('does not count what a reading acquires after its end, nor what it drops', () => {
  const shared = createSharedBuffers(4 * LEAF)
  const own = shared.open()
  const dropped = own.acquire(LEAF)
  own.drop(dropped)
  own.drop(dropped)
  expect(shared.held()).toBe(0)
  own.end()
  const late = own.acquire(LEAF)
  expect(shared.held()).toBe(0)
  own.release(late)
  own.end()
  const next = shared.open().acquire(LEAF)
  expect([dropped.buffer, late.buffer]).not.toContain(next.buffer)
  expect(shared.held()).toBe(LEAF)
})
