import { expect, it } from 'vitest'
import { createCache } from './cache.ts'

/** A cache with a manual clock, whose queries the test settles by their number. */
function setup() {
  let time = 0
  const queries: { resolve(value: number): void; reject(error: Error): void }[] = []
  const cache = createCache({ config: { pace: 'usual' } }, { minTtlMs: 5000, now: () => time })
  return {
    get: (key = 'key') =>
      cache([key], () => new Promise<number>((resolve, reject) => queries.push({ resolve, reject }))),
    advance(ms: number) {
      time += ms
    },
    started: () => queries.length,
    resolve: (query: number) => queries[query]?.resolve(query),
    reject: (query: number) => queries[query]?.reject(new Error('broken')),
  }
}

it('runs one query at a time, even if it takes longer than the TTL', async () => {
  const env = setup()
  const results = [env.get()]
  for (let call = 0; call < 10; call++) {
    env.advance(4000)
    results.push(env.get())
  }
  expect(env.started()).toBe(1)
  env.resolve(0)
  expect(new Set(await Promise.all(results))).toEqual(new Set([0]))
})

it.each([
  ['from the end of the query', 400, 5000],
  ['for ten times the duration of a slow query', 60_000, 600_000],
])('caches a result %s', async (_, duration, ttl) => {
  const env = setup()
  const first = env.get()
  env.advance(duration)
  env.resolve(0)
  await first
  env.advance(ttl - 1)
  expect(await env.get()).toBe(0)
  env.advance(1)
  void env.get()
  expect(env.started()).toBe(2)
})

it('does not evict a running query when a thousand other keys are added', async () => {
  const env = setup()
  void env.get()
  for (let other = 1; other <= 1000; other++) {
    const result = env.get(`other ${other}`)
    env.resolve(other)
    await result
  }
  void env.get()
  expect(env.started()).toBe(1001)
})

it('runs a failed query again', async () => {
  const env = setup()
  const failed = env.get()
  env.reject(0)
  await expect(failed).rejects.toThrow('broken')
  void env.get()
  expect(env.started()).toBe(2)
})
