import { describe, expect, it } from 'vitest'
import { createSlots } from './slots.ts'

const never = new AbortController().signal
const setup = () => createSlots({ places: 2, waiting: 2, patienceMs: 20 })

describe('slots', () => {
  it('let in as many as there are places, the next when one leaves, in turn', async () => {
    const slots = createSlots({ places: 1, waiting: 2, patienceMs: 10_000 })
    const leave = await slots.enter(never)
    const order: string[] = []
    const second = slots.enter(never).then((leave) => {
      order.push('second')
      leave()
    })
    const third = slots.enter(never).then((leave) => {
      order.push('third')
      leave()
    })
    leave()
    leave()
    await Promise.all([second, third])
    expect(order).toEqual(['second', 'third'])
    expect(slots.busy).toBe(0)
  })

  it('refuse who has waited too long', async () => {
    const slots = setup()
    await slots.enter(never)
    const leave = await slots.enter(never)
    await expect(slots.enter(never)).rejects.toMatchObject({ status: 503 })
    leave()
    expect(slots.busy).toBe(1)
    await slots.enter(never)
  })

  it('refuse when too many wait, and forget who went away', async () => {
    const slots = createSlots({ places: 1, waiting: 1, patienceMs: 10_000 })
    const leave = await slots.enter(never)
    const gone = new AbortController()
    const waiting = slots.enter(gone.signal)
    await expect(slots.enter(never)).rejects.toMatchObject({ status: 503 })
    gone.abort()
    await expect(waiting).rejects.toMatchObject({ status: 503 })
    leave()
    expect(slots.busy).toBe(0)
  })
})
