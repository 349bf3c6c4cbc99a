import { describe, expect, it } from 'vitest'
import { createSlots } from './slots.ts'

const never = new AbortController().signal
const setup = () => createSlots({ places: 2, waiting: 2, timeoutMs: 20, aside: 1 })

describe('slots', () => {
  it('admit up to the limit, then the next in order when one is released', async () => {
    const slots = createSlots({ places: 1, waiting: 2, timeoutMs: 10_000, aside: 1 })
    const place = await slots.enter(never)
    const order: string[] = []
    const second = slots.enter(never).then((place) => {
      order.push('second')
      place.leave()
    })
    const third = slots.enter(never).then((place) => {
      order.push('third')
      place.leave()
    })
    place.leave()
    place.leave()
    await Promise.all([second, third])
    expect(order).toEqual(['second', 'third'])
    expect(slots.busy).toBe(0)
  })

  it('reject requests that have waited too long', async () => {
    const slots = setup()
    await slots.enter(never)
    const place = await slots.enter(never)
    await expect(slots.enter(never)).rejects.toMatchObject({ status: 503 })
    place.leave()
    expect(slots.busy).toBe(1)
    await slots.enter(never)
  })

  it('reject requests if too many wait, and drop disconnected ones', async () => {
    const slots = createSlots({ places: 1, waiting: 1, timeoutMs: 10_000, aside: 1 })
    const place = await slots.enter(never)
    const gone = new AbortController()
    const waiting = slots.enter(gone.signal)
    await expect(slots.enter(never)).rejects.toMatchObject({ status: 503 })
    gone.abort()
    await expect(waiting).rejects.toMatchObject({ status: 503 })
    place.leave()
    expect(slots.busy).toBe(0)
  })

  it('admit the next when a slow one gives up its slot, up to a limit', async () => {
    const slots = createSlots({ places: 1, waiting: 2, timeoutMs: 10_000, aside: 1 })
    const slow = await slots.enter(never)
    const next = slots.enter(never)
    expect(slow.stepAside()).toBe(true)
    const slower = await next
    expect([slots.busy, slower.stepAside()]).toEqual([1, false])
    slow.leave()
    expect([slots.busy, slower.stepAside()]).toEqual([1, true])
    expect(slots.busy).toBe(0)
  })
})
