import { expect, it } from 'vitest'
import { keptFound } from './kept.ts'

/** Looks that end as they are told to, and how many there were. */
function looks() {
  const outcomes: (string | Error)[] = []
  let at = 0
  let count = 0
  const kept = keptFound(
    async () => {
      const outcome = outcomes[count] ?? 'there'
      count += 1
      if (outcome instanceof Error) throw outcome
      return outcome
    },
    (found) => found === 'there',
    () => at,
  )
  return {
    kept,
    outcomes,
    count: () => count,
    pass(ms: number) {
      at += ms
    },
  }
}

it('a found resource is not searched for again', async () => {
  const { kept, count, pass } = looks()
  for (let day = 0; day < 3; day++) {
    expect(await kept.get()).toBe('there')
    pass(86_400_000)
  }
  expect(count()).toBe(1)
})

it('a missing resource is searched for again automatically, with growing waits of at most 30 seconds', async () => {
  const { kept, outcomes, count, pass } = looks()
  outcomes.push(...Array.from({ length: 40 }, (_, index) => (index % 2 ? 'absent' : new Error('it broke'))))
  const within = async (ms: number) => {
    const before = count()
    for (let passed = 0; passed < ms; passed += 500) {
      await kept.get().catch(() => {})
      pass(500)
    }
    return count() - before
  }
  expect(await within(10_000)).toBeGreaterThan(2)
  expect(await within(600_000)).toBeLessThan(22)
  await within(600_000)
  expect(await kept.get()).toBe('there')
})

it('a lost resource is searched for at once, by one search', async () => {
  const { kept, count } = looks()
  await kept.get()
  kept.lost(kept.turn())
  await Promise.all([kept.get(), kept.get(), kept.again(), kept.get()])
  expect(count()).toBe(2)
})

it('a late report of a loss does not discard a newer result', async () => {
  const { kept, count } = looks()
  await kept.get()
  const before = kept.turn()
  kept.lost(before)
  const next = kept.get()
  kept.lost(before)
  kept.lost(kept.turn())
  await next
  kept.lost(before)
  await kept.get()
  expect(count()).toBe(2)
})
