import { errors, ORDER_STATUSES } from '@tidenet/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeOrder } from './repository.ts'
import { orderCalls } from './sample-calls.fixture.ts'
import { type OrdersEnv, setupOrders } from './sample-orders.fixture.ts'

let env: OrdersEnv
beforeAll(async () => {
  env = await setupOrders()
})
afterAll(() => env?.close())

const { call, as, created } = orderCalls(() => env)

it('operators list the orders of all accounts, and search by account, wallet or ID', async () => {
  const early = await created(await env.buyer())
  const buyer = await env.buyer()
  const id = await created(buyer)
  const { token } = await env.base.person({ role: 'operator' })
  const all = await call('orders.all', { size: 1 }, { token })
  expect(all.data.list).toMatchObject([{ id, account: buyer.uid, payer: buyer.wallet, label: 'created', tries: 0 }])
  const rest = await call('orders.all', { after: all.data.next ?? '' }, { token })
  expect(rest.data).toMatchObject({ list: [{ id: early }], next: null })
  for (const q of [buyer.uid, buyer.wallet, id]) {
    const { data: found } = await call('orders.all', { q, status: [0] }, { token })
    expect(found.list.map((order) => order.id)).toEqual([id])
    expect((await call('orders.all', { q, status: [3] }, { token })).data.list).toEqual([])
  }
})

it('rejects all other callers and invalid cursors', async () => {
  const buyer = await env.buyer()
  expect((await call('orders.all', {}, as(buyer))).err).toBe(errors.forbidden.err)
  expect((await call('orders.all', {})).code).toBe(401)
  const { token } = await env.base.person({ role: 'operator' })
  expect((await call('orders.all', { after: 'invalid' }, { token })).err).toBe(errors.invalidParams.err)
})

it('the database accepts every status', async () => {
  const id = await created(await env.buyer())
  for (const status of ORDER_STATUSES)
    await expect(changeOrder(env.base.context.db, id, { status }), `status ${status}`).resolves.toBe(1)
})
