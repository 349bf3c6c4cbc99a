import { priceOf } from '@tidenet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { orderCalls } from './sample-calls.fixture.ts'
import { type OrdersEnv, SMALLEST, setupOrders } from './sample-orders.fixture.ts'

/** GPUs as an option of orders. */

let env: OrdersEnv
beforeAll(async () => {
  env = await setupOrders()
})
beforeEach(() => {
  env.clusters.gpus = 2
})
afterAll(() => env?.close())

const { call, as, details, paymentOf } = orderCalls(() => env)
const HOUR = { ...SMALLEST, duration: 1 }
const create = async (gpus: number | undefined) => {
  const buyer = await env.buyer()
  return { buyer, ...(await call('orders.create', { ...HOUR, gpus }, as(buyer))) }
}

describe('an order with GPUs', () => {
  it('costs more, and its workspace gets them', async () => {
    expect((await call('orders.offers', {})).data.clusters.map(({ gpus }) => gpus)).toEqual([2, 0])
    const cost = priceOf({ ...HOUR, gpus: 1 })
    expect((await call('orders.price', { ...HOUR, gpus: 1 })).data).toEqual({ cost })
    const { buyer, data } = await create(1)
    await call('orders.hash', { id: data.id, hash: await buyer.pay(await paymentOf(buyer, data.id)) }, as(buyer))
    await env.work()
    const { order } = await details(buyer, data.id)
    expect(order).toMatchObject({ label: 'running', gpus: 1, price: cost })
    expect(env.clusters.workspaces.get(data.id)).toMatchObject({ gpus: 1 })
    const upgrade = await call('orders.upgrade', { ...HOUR, cpu: 2, id: data.id }, as(buyer))
    expect((await details(buyer, upgrade.data.id)).order).toMatchObject({ cpu: 2, gpus: 1 })
  })

  it('has none if it does not ask for any', async () => {
    const { buyer, data } = await create(undefined)
    expect((await details(buyer, data.id)).order).toMatchObject({ gpus: 0, price: priceOf(HOUR) })
  })

  it('is refused with a reason where no GPU is offered, and for more than one program can have', async () => {
    const { msg: tooMany = '', code } = await create(3)
    expect([code, tooMany.includes('2')]).toEqual([-1, true])
    env.clusters.gpus = 0
    const { msg: none, ...refused } = await create(1)
    expect(refused).toMatchObject({ code: -1, err: 1005 })
    expect(none).not.toBe(tooMany)
    for (const gpus of [-1, 9, 0.5]) expect((await create(gpus)).err).toBe(1001)
  })
})
