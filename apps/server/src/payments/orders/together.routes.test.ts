import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Db, Pool } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { advanceDue } from './advance.ts'
import { cents, orderCalls } from './sample-calls.fixture.ts'
import { type Buyer, type OrdersEnv, setupOrders } from './sample-orders.fixture.ts'

/** Orders of the same blocks are confirmed, and provisioned, in the same transactions. */

let env: OrdersEnv
let buyers: Buyer[]
beforeAll(async () => {
  env = await setupOrders()
  buyers = [await env.buyer(10_000), await env.buyer(10_000), await env.buyer(10_000)]
})
afterAll(() => env?.close())

const { call, as, details, created, paymentOf, labelOf } = orderCalls(() => env)

let database: Pool
beforeEach(() => {
  database = env.context.db as Pool
})

/** Paid at the same time, and not seen by the server: its owner posted no hash. */
async function paidOrders(): Promise<{ buyer: Buyer; id: string }[]> {
  const orders = await Promise.all(buyers.map(async (buyer) => ({ buyer, id: await created(buyer) })))
  await Promise.all(orders.map(async ({ buyer, id }) => buyer.pay(await paymentOf(buyer, id))))
  return orders
}

const labelsOf = (orders: { buyer: Buyer; id: string }[]) =>
  Promise.all(orders.map(({ buyer, id }) => labelOf(buyer, id)))

/** What was recorded about these orders, each once. */
async function recordsOf(orders: { id: string }[]) {
  const ids = orders.map(({ id }) => id)
  const { events } = await database.one<{ events: string[] }>(sql`
    select array_agg(event order by event) as events from order_events where order_id = any(${ids}) and event in ('paid', 'running')`)
  const { receipts } = await database.one<{ receipts: number }>(sql`
    select count(distinct receipt_id) as receipts from order_payments where order_id = any(${ids}) and state = 'confirmed'`)
  return { events, receipts }
}
const ONCE = { events: ['paid', 'paid', 'paid', 'running', 'running', 'running'], receipts: 3 }

it('orders that were paid at the same time run after one look, each with its receipt', async () => {
  const orders = await paidOrders()
  await env.work()
  expect(await labelsOf(orders)).toEqual(['running', 'running', 'running'])
  expect(await recordsOf(orders)).toEqual(ONCE)
  for (const { id } of orders) expect(env.clusters.workspaces.get(id)?.state).toBe('runs')
})

it('several servers that look at the same time confirm each of them once', async () => {
  const orders = await paidOrders()
  await Promise.all(Array.from({ length: 4 }, () => advanceDue(env.context)))
  await env.pass(60_000)
  expect(await labelsOf(orders)).toEqual(['running', 'running', 'running'])
  expect(await recordsOf(orders)).toEqual(ONCE)
})

/** Stops with an error at a transaction: before it, or after its commit. */
function crashAt(count: number, when: 'before' | 'after'): Db {
  let left = count
  const crash = () => {
    throw new Error('the server was killed')
  }
  return {
    ...database,
    async transaction(work) {
      left -= 1
      if (left < 0 || (left === 0 && when === 'before')) crash()
      const result = await database.transaction(work)
      if (left === 0) crash()
      return result
    },
  }
}

it.each([
  [1, 'before'],
  [1, 'after'],
  [2, 'before'],
  [2, 'after'],
  [3, 'before'],
  [3, 'after'],
] as const)('a server that is killed at transaction %i, %s it, is continued by another', async (count, when) => {
  const orders = await paidOrders()
  const before = await Promise.all(buyers.map((buyer) => buyer.balance()))
  await advanceDue({ ...env.context, db: { ...database, ...crashAt(count, when) } as Pool }).catch(() => {})
  // Longer than a lease.
  await env.pass(150_000)
  await env.pass(60_000)
  expect(await labelsOf(orders)).toEqual(['running', 'running', 'running'])
  expect(await recordsOf(orders)).toEqual(ONCE)
  expect(await Promise.all(buyers.map((buyer) => buyer.balance()))).toEqual(before)
})

it('orders beside one that cannot be provisioned run', async () => {
  const orders = await paidOrders()
  env.clusters.fail(1, 'create')
  await env.work()
  expect((await labelsOf(orders)).sort()).toEqual(['paid', 'running', 'running'])
  await env.pass(10_000)
  expect(await labelsOf(orders)).toEqual(['running', 'running', 'running'])
})

it('refunds the one that was paid with too little, and runs the others', async () => {
  const orders = await Promise.all(buyers.map(async (buyer) => ({ buyer, id: await created(buyer) })))
  const [cheat, ...others] = orders as [(typeof orders)[0], ...typeof orders]
  const before = await cheat.buyer.balance()
  await Promise.all(
    orders.map(async ({ buyer, id }) => {
      const payment = await paymentOf(buyer, id)
      if (id !== cheat.id) return buyer.pay(payment)
      const { send } = JSON.parse(payment.execute) as { send: object }
      return buyer.send(payment.token, { send: { ...send, amount: String(BigInt(payment.amount) - cents(1)) } })
    }),
  )
  await env.work()
  expect(await labelOf(cheat.buyer, cheat.id)).toBe('refunded')
  expect(await cheat.buyer.balance()).toBe(before)
  expect(env.clusters.workspaces.has(cheat.id)).toBe(false)
  expect(await labelsOf(others)).toEqual(['running', 'running'])
})

it('refunds the one that its owner cancels while the server looks at the chain', async () => {
  const orders = await paidOrders()
  const [cancelled, ...others] = orders as [(typeof orders)[0], ...typeof orders]
  const port = { ...env.port.port }
  const search: typeof port.search = async (query) => {
    const found = await env.port.port.search(query)
    await call('orders.cancel', { id: cancelled.id }, as(cancelled.buyer))
    return found
  }
  const { chain } = env.context
  if (!chain) throw new Error('there is no chain')
  await advanceDue({ ...env.context, chain: { ...chain, port: { ...chain.port, search } } })
  await env.pass(60_000)
  expect((await details(cancelled.buyer, cancelled.id)).order).toMatchObject({ label: 'refunded' })
  expect(env.clusters.workspaces.has(cancelled.id)).toBe(false)
  expect(await labelsOf(others)).toEqual(['running', 'running'])
})
