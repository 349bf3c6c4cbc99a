import { expect, it } from 'vitest'
import { createGate } from './gate.ts'

it('runs a limited number of functions at once, all of them, and in order', async () => {
  const gate = createGate(3)
  let running = 0
  let most = 0
  const done: number[] = []
  const work = async (each: number) => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running -= 1
    done.push(each)
    if (each % 5 === 0) throw new Error('failed')
    return each
  }
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, each) => gate(() => work(each))))
  expect(most).toBe(3)
  expect(done).toEqual(Array.from({ length: 20 }, (_, each) => each))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(4)
  expect(await gate(() => work(21))).toBe(21)
})
