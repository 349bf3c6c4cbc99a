import { describe, expect, it } from 'vitest'
import { createSlots } from './slots.ts'

const never = new AbortController().signal
const setup = () => createSlots({ places: 2, waiting: 2, timeoutMs: 20, aside: 1 })

describe('slots', () => {
  it('let in as many as there are places, the next when one leaves, in turn', async () => {
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

  it('refuse who has waited too long', async () => {
    const slots = setup()
    await slots.enter(never)
    const place = await slots.enter(never)
    await expect(slots.enter(never)).rejects.toMatchObject({ status: 503 })
    place.leave()
    expect(slots.busy).toBe(1)
    await slots.enter(never)
  })

  it('refuse when too many wait, and forget who went away', async () => {
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

  it('let the next in when one steps aside, and only a few do so', async () => {
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
