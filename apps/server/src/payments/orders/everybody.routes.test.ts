import { errors, ORDER_STATUSES } from '@tidenet/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeOrder } from './repository.ts'
import { callsOf } from './sample-calls.fixture.ts'
import { type Market, openMarket } from './sample-orders.fixture.ts'

let market: Market
beforeAll(async () => {
  market = await openMarket()
})
afterAll(() => market?.close())

const { call, as, created } = callsOf(() => market)

it('operators see the orders of all accounts, page by page, and find one by its account, its wallet or its id', async () => {
  const early = await created(await market.buyer())
  const buyer = await market.buyer()
  const id = await created(buyer)
  const { token } = await market.world.person({ role: 'operator' })
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

it('nobody else does', async () => {
  const buyer = await market.buyer()
  expect((await call('orders.all', {}, as(buyer))).err).toBe(errors.forbidden.err)
  expect((await call('orders.all', {})).code).toBe(401)
  const { token } = await market.world.person({ role: 'operator' })
  expect((await call('orders.all', { after: 'what is no cursor' }, { token })).err).toBe(errors.invalidParams.err)
})

it('the database holds every status', async () => {
  const id = await created(await market.buyer())
  for (const status of ORDER_STATUSES)
    await expect(changeOrder(market.world.context.db, id, { status }), `status ${status}`).resolves.toBe(1)
})
