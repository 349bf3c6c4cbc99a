import { beforeEach, expect, it } from 'vitest'
import { QUERY_GAS } from '../state/gas.ts'
import { create, extend } from './sample-contract.fixture.ts'
import { addressOf, createTenants, GAS_OFFERED } from './sample-tenants.fixture.ts'

/** Gas: a stranger's orders make no call of others so dear that it fails. */

const HOUR = 600
const MANY = Array.from({ length: 10 }, (_, at) => `mallory${at}`)
const AMOUNT = 10n ** 18n

let world: ReturnType<typeof createTenants>
beforeEach(() => {
  world = createTenants(['alice', 'mallory', ...MANY])
})

/** Buys hour after hour, each at another price, until that is refused. @returns how often */
function fatten(id: string, payer = 'mallory'): number {
  expect(world.pay(payer, AMOUNT, create(id, HOUR))).toBeDefined()
  for (let hours = 2; hours <= 720; hours++)
    if (!world.pay(payer, AMOUNT + BigInt(hours), extend(id, hours * HOUR))) return hours
  return 721
}
const pass = (hours: number) => {
  world.context.time += hours * 3_600_000
}
const free = (limit?: number) => world.execute(addressOf('mallory'), world.orders, { free_expired: { limit } })

it('a new order gives back the capacity of large ones for little', () => {
  const alone = world.pay('alice', AMOUNT, create('a', HOUR))?.gas ?? 0n
  for (const id of ['f1', 'f2', 'f3', 'f4', 'f5']) fatten(id)
  pass(1000)
  const after = world.pay('alice', AMOUNT, create('b', HOUR))?.gas ?? 0n
  expect(after).toBeGreaterThan(0n)
  expect(after - alone).toBeLessThan(20_000n)
  // Four of the large ones, and the first.
  expect(free()?.attributes).toContainEqual({ key: 'count', value: '2' })
})

it('anybody gives back that of a hundred', () => {
  for (let at = 0; at < 120; at++) expect(world.pay('mallory', AMOUNT, create(`o${at}`, HOUR))).toBeDefined()
  pass(1000)
  const done = free()
  expect(done?.attributes).toContainEqual({ key: 'count', value: '100' })
  expect(done?.gas).toBeLessThan(GAS_OFFERED / 2n)
})

it('the largest order is extended, shown with a hundred like it, and ended', () => {
  const refused = fatten('f')
  expect(refused).toBe(51)
  // Hours at the last price make it no larger.
  const last = world.pay('mallory', AMOUNT + 50n, extend('f', 51 * HOUR))
  expect(last?.gas).toBeLessThan(GAS_OFFERED / 2n)
  const keys = Array(100).fill({ payer: addressOf('mallory'), order_id: 'f' })
  expect(world.cost(world.orders, { orders_by_key: { keys } })).toBeLessThan(QUERY_GAS)
  const release = { release_order: { order_id: 'f' } }
  expect(world.execute(addressOf('operator'), world.orders, release)?.gas).toBeLessThan(GAS_OFFERED / 2n)
})

it('twenty ids that ten others have taken with the largest orders are shown', () => {
  for (const payer of MANY) fatten('f', payer)
  const ask = (count: number) => world.cost(world.orders, { orders: { order_ids: Array(count).fill('f') } })
  expect(ask(20)).toBeLessThan(QUERY_GAS)
  // A question that costs the chain more is refused, however it is asked.
  expect(() => world.ask(world.orders, { orders: { order_ids: Array(100).fill('f') } })).toThrow('out of gas')
})
