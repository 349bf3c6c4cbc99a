import { afterAll, beforeAll, expect, it } from 'vitest'
import { orderCalls } from './sample-calls.fixture.ts'
import { type OrdersEnv, SMALLEST, setupOrders } from './sample-orders.fixture.ts'

let env: OrdersEnv
beforeAll(async () => {
  env = await setupOrders()
})
afterAll(() => env?.close())

const { call, as, labelOf, paymentOf } = orderCalls(() => env)

/** A paid order that the task has not seen yet. */
async function paidOrder() {
  const buyer = await env.buyer()
  const { data } = await call('orders.create', SMALLEST, as(buyer))
  const payment = await paymentOf(buyer, data.id)
  await call('orders.hash', { id: data.id, hash: await buyer.pay(payment) }, as(buyer))
  return { id: data.id as string, label: () => labelOf(buyer, data.id) }
}

it('a workspace that takes long does not delay the orders of others', async () => {
  const [first, second, third] = [await paidOrder(), await paidOrder(), await paidOrder()]
  let finish = () => {}
  const slow = new Promise<void>((resolve) => {
    finish = resolve
  })
  const { create } = env.clusters
  env.clusters.create = async (context, order) => {
    if (order.workspaceId === first.id) await slow
    return create(context, order)
  }
  const working = env.work()
  await expect.poll(second.label).toBe('running')
  await expect.poll(third.label).toBe('running')
  expect(await first.label()).not.toBe('running')
  finish()
  await working
  expect(await first.label()).toBe('running')
})
