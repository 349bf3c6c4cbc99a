import { expect, it } from 'vitest'
import { reconnecting } from './reconnecting.ts'

/** Searches with given outcomes, and their number. */
function searches() {
  const outcomes: (string | Error)[] = []
  let at = 0
  let count = 0
  const connection = reconnecting(
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
    connection,
    outcomes,
    count: () => count,
    pass(ms: number) {
      at += ms
    },
  }
}

it('a found resource is not searched for again', async () => {
  const { connection, count, pass } = searches()
  for (let day = 0; day < 3; day++) {
    expect(await connection.get()).toBe('there')
    pass(86_400_000)
  }
  expect(count()).toBe(1)
})

it('a missing resource is searched for again automatically, with growing waits of at most 30 seconds', async () => {
  const { connection, outcomes, count, pass } = searches()
  outcomes.push(...Array.from({ length: 40 }, (_, index) => (index % 2 ? 'absent' : new Error('it broke'))))
  const within = async (ms: number) => {
    const before = count()
    for (let passed = 0; passed < ms; passed += 500) {
      await connection.get().catch(() => {})
      pass(500)
    }
    return count() - before
  }
  expect(await within(10_000)).toBeGreaterThan(2)
  expect(await within(600_000)).toBeLessThan(22)
  await within(600_000)
  expect(await connection.get()).toBe('there')
})

it('a lost resource is searched for at once, by one search', async () => {
  const { connection, count } = searches()
  await connection.get()
  connection.reportLost(connection.attempt())
  await Promise.all([connection.get(), connection.get(), connection.retry(), connection.get()])
  expect(count()).toBe(2)
})

it('a late report of a loss does not discard a newer result', async () => {
  const { connection, count } = searches()
  await connection.get()
  const before = connection.attempt()
  connection.reportLost(before)
  const next = connection.get()
  connection.reportLost(before)
  connection.reportLost(connection.attempt())
  await next
  connection.reportLost(before)
  await connection.get()
  expect(count()).toBe(2)
})
