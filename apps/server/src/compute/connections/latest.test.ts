import { expect, it } from 'vitest'
import { latest } from './sockets.ts'

it('what is asked for a thousand times while it is done is done once more, with the last value', async () => {
  const done: number[] = []
  let most = 0
  let running = 0
  const act = latest(async (value: number) => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    done.push(value)
    running -= 1
    if (value === 0) throw new Error('ignored')
  })
  for (let value = 0; value < 1000; value++) act(value)
  await expect.poll(() => done).toEqual([0, 999])
  expect(most).toBe(1)
  act(7)
  await expect.poll(() => done).toEqual([0, 999, 7])
})
