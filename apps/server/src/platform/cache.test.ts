import { expect, it } from 'vitest'
import { createCache } from './cache.ts'

/** A cache whose clock the test moves, and what it asks for: `begun` counts the times that it was measured. */
function slowly() {
  let at = 0
  const waiting: { resolve(value: number): void; reject(error: Error): void }[] = []
  const cached = createCache({ config: { pace: 'usual' } }, { freshMs: 5000, now: () => at })
  return {
    ask: (question = 'figures') =>
      cached([question], () => new Promise<number>((resolve, reject) => waiting.push({ resolve, reject }))),
    pass(ms: number) {
      at += ms
    },
    begun: () => waiting.length,
    end: (run: number) => waiting[run]?.resolve(run),
    fail: (run: number) => waiting[run]?.reject(new Error('broken')),
  }
}

it('what takes longer than its answer stays fresh is measured once at a time', async () => {
  const world = slowly()
  const asked = [world.ask()]
  for (let ask = 0; ask < 10; ask++) {
    world.pass(4000)
    asked.push(world.ask())
  }
  expect(world.begun()).toBe(1)
  world.end(0)
  expect(new Set(await Promise.all(asked))).toEqual(new Set([0]))
})

it.each([
  ['is fresh from when it was there, not from when it was asked for', 400, 5000],
  ['that took long stays for ten times as long', 60_000, 600_000],
])('an answer %s', async (_, took, stays) => {
  const world = slowly()
  const first = world.ask()
  world.pass(took)
  world.end(0)
  await first
  world.pass(stays - 1)
  expect(await world.ask()).toBe(0)
  world.pass(1)
  void world.ask()
  expect(world.begun()).toBe(2)
})

it('other questions are other answers, and a thousand of them do not start again what is under way', async () => {
  const world = slowly()
  void world.ask()
  for (let other = 1; other <= 1000; other++) {
    const answer = world.ask(`other ${other}`)
    world.end(other)
    await answer
  }
  void world.ask()
  expect(world.begun()).toBe(1001)
})

it('what failed is measured again', async () => {
  const world = slowly()
  const failed = world.ask()
  world.fail(0)
  await expect(failed).rejects.toThrow('broken')
  void world.ask()
  expect(world.begun()).toBe(2)
})
