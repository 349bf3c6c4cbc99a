import { expect, it } from 'vitest'
import { admission, EMPTY_LEDGER, type Ledger, type Order, pruned, type Quotas, reserved, settled } from './quotas.ts'

const HOUR_MS = 3_600_000
const QUOTAS: Quotas = {
  orders: { most: 10, withinMs: HOUR_MS },
  perDomain: { most: 6, withinMs: 24 * HOUR_MS },
  duplicates: { most: 3, withinMs: 24 * HOUR_MS },
  failures: { most: 2, withinMs: HOUR_MS },
  share: { most: 5, withinMs: HOUR_MS },
}
const orderOf = (name: string, id = name, isReplacement = false): Order => ({
  id,
  set: name,
  names: [name],
  isReplacement,
})

/** Deterministic random numbers below `max`. */
function randomOf(seed: number) {
  let state = seed
  return (max: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * max)
  }
}

it.each([1, 2, 3, 4, 5])('exceeds no quota in any time span, whatever is ordered (%i)', (seed) => {
  const random = randomOf(seed)
  const placed: number[] = []
  const issued: { at: number; name: string }[] = []
  const failed: { at: number; name: string }[] = []
  let ledger: Ledger = EMPTY_LEDGER
  let now = 1e12
  let waits = 0
  for (let step = 0; step < 3000; step++) {
    now += random(10 * 60_000)
    ledger = pruned(ledger, QUOTAS, now)
    const name = `n${random(9)}.example${random(2)}.org`
    const order = orderOf(name, `${step}`)
    const { at, quota } = admission(ledger, QUOTAS, order, now)
    if (quota) {
      expect(at).toBeGreaterThan(now)
      waits++
      continue
    }
    ledger = reserved(ledger, order, now)
    placed.push(now)
    // Some end at once, some are never heard of again: those may have been issued, or may have failed.
    const outcome = random(4)
    if (outcome === 0) failed.push({ at: now, name })
    if (outcome > 1) issued.push({ at: now, name })
    if (outcome === 0) ledger = settled(ledger, order.id, [name], now)
    if (outcome === 2) ledger = settled(ledger, order.id, 'issued', now)
  }
  const most = (times: number[], withinMs: number) =>
    Math.max(0, ...times.map((end) => times.filter((at) => at <= end && at > end - withinMs).length))
  const timesOf = (entries: { at: number; name: string }[], matches: (name: string) => boolean) =>
    entries.filter(({ name }) => matches(name)).map(({ at }) => at)
  expect(waits).toBeGreaterThan(100)
  expect(issued.length).toBeGreaterThan(50)
  expect(most(placed, HOUR_MS)).toBeLessThanOrEqual(10)
  for (const { name } of issued) {
    const domain = name.slice(3)
    expect(
      most(
        timesOf(issued, (each) => each === name),
        24 * HOUR_MS,
      ),
    ).toBeLessThanOrEqual(3)
    expect(
      most(
        timesOf(issued, (each) => each.endsWith(domain)),
        24 * HOUR_MS,
      ),
    ).toBeLessThanOrEqual(6)
    expect(
      most(
        timesOf(failed, (each) => each === name),
        HOUR_MS,
      ),
    ).toBeLessThanOrEqual(2)
  }
})

it('returns what a failed order reserved, except its failures', () => {
  let ledger = reserved(EMPTY_LEDGER, orderOf('a.example.org'), 0)
  ledger = settled(ledger, 'a.example.org', ['a.example.org'], 1)
  expect(ledger).toMatchObject({
    orders: [{ at: 0, domains: ['example.org'] }],
    certificates: [],
    attempts: [{ name: 'a.example.org' }],
  })
})

it('never takes an issued certificate back', () => {
  let ledger = reserved(EMPTY_LEDGER, orderOf('a.example.org'), 0)
  ledger = settled(ledger, 'a.example.org', 'issued', 1)
  expect(settled(ledger, 'a.example.org', [], 2).certificates).toHaveLength(1)
})

it('does not count replacements that the CA suggested, but their failures', () => {
  let ledger = EMPTY_LEDGER
  for (let count = 0; count < 20; count++)
    ledger = reserved(ledger, orderOf(`n${count}.example.org`, `${count}`, true), 0)
  expect(admission(ledger, QUOTAS, orderOf('new.example.org'), 0).quota).toBeUndefined()
  for (const id of ['x', 'y'])
    ledger = settled(reserved(ledger, orderOf('b.example.org', id, true), 0), id, ['b.example.org'], 0)
  expect(admission(ledger, QUOTAS, orderOf('b.example.org', 'z', true), 0).quota).toBe('failures')
})

it('leaves orders for others when the names of one domain fail without end', () => {
  let ledger = EMPTY_LEDGER
  const order = (name: string) => admission(ledger, QUOTAS, orderOf(name), 0).quota
  for (let count = 0; count < 100; count++) {
    const name = `n${count}.evil.example.net`
    if (order(name)) continue
    ledger = settled(reserved(ledger, orderOf(name), 0), name, [name], 0)
  }
  expect(ledger.orders).toHaveLength(5)
  expect(order('another.example.net')).toBe('share')
  expect(order('shop.example.org')).toBeUndefined()
})

it('forgets what no quota counts any more', () => {
  const ledger = reserved(EMPTY_LEDGER, orderOf('a.example.org'), 0)
  expect(pruned(ledger, QUOTAS, 30 * HOUR_MS)).toEqual(EMPTY_LEDGER)
})
