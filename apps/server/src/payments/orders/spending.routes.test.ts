import { errors, ORDER } from '@tidenet/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { orderCalls } from './sample-calls.fixture.ts'
import { type Buyer, type OrdersEnv, SMALLEST, setupOrders } from './sample-orders.fixture.ts'

let env: OrdersEnv
let buyer: Buyer
let price: number
beforeAll(async () => {
  env = await setupOrders()
  price = (await call('orders.price', { ...SMALLEST })).data.cost
})
beforeEach(async () => {
  buyer = await env.buyer()
})
afterAll(() => env?.close())

const { call, as, statusOf, paymentOf } = orderCalls(() => env)

let keys = 0
const key = async (spending_cap: number | undefined, more: object = {}) => {
  const input = { key_name: `key ${++keys}`, spending_cap, ...more }
  return (await env.base.call('apiKeys.create', input, { token: buyer.token })).data.key
}
let calls = 0
// Each from another address, because addresses have a limit of their own.
const order = (token: string) =>
  call('orders.create', { ...SMALLEST }, { token, ip: `198.51.${Math.floor(++calls / 250)}.${calls % 250}` })
const spent = async (token: string) => (await env.base.call('apiKeys.own', {}, { token })).data.spent
const refused = { code: -1, err: errors.keySpending.err }

describe('a key with a cap of spending', () => {
  it('orders up to its cap, and the wallet of the owner pays', async () => {
    const token = await key(2 * price, { perms: ['readFile'] })
    const { id } = (await order(token)).data
    expect(await spent(token)).toBe(price)
    await call('orders.hash', { id, hash: await buyer.pay(await paymentOf(buyer, id)) }, as(buyer))
    await env.work()
    expect(await statusOf(buyer, id)).toBe(ORDER.running)
    expect(await order(token)).toMatchObject({ code: 0 })
    expect(await order(token)).toMatchObject(refused)
    expect(await order(buyer.token)).toMatchObject({ code: 0 })
  })

  it('gets back what an order costs that ends unpaid, once', async () => {
    const token = await key(price)
    const { id } = (await order(token)).data
    expect(await order(token)).toMatchObject(refused)
    for (let each = 0; each < 2; each++) await call('orders.cancel', { id }, as(buyer))
    expect(await spent(token)).toBe(0)
    expect(await order(token)).toMatchObject({ code: 0 })
    expect(await order(token)).toMatchObject(refused)
  })
})

describe('a key cannot', () => {
  it('order for more than its cap with 100 calls in parallel', async () => {
    const token = await key(2 * price)
    const answers = await Promise.all(Array.from({ length: 100 }, () => order(token)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(2)
    expect(await spent(token)).toBe(2 * price)
    const count = sql`select count(*) as count from orders where user_id = ${buyer.id}`
    expect((await env.base.db.one<{ count: number }>(count)).count).toBe(2)
  })

  it('order without a cap of spending, or limited to folders', async () => {
    const forbidden = { code: -1, err: errors.forbidden.err }
    expect(await order(await key(undefined))).toMatchObject(forbidden)
    expect(await order(await env.base.key(buyer, 'admin'))).toMatchObject(forbidden)
    const folder = (await env.base.call('folders.create', { name: 'f' }, { token: buyer.token })).data.group.ID
    expect(await order(await key(10 * price, { folders: [folder] }))).toMatchObject({ err: errors.keyFolders.err })
  })

  it('cancel, end, renew or upgrade orders, or turn automatic renewal on', async () => {
    const token = await key(100 * price)
    const { id } = (await order(token)).data
    for (const answer of [
      await call('orders.cancel', { id }, { token }),
      await call('orders.terminate', { id }, { token }),
      await call('orders.payment', { id }, { token }),
      await call('orders.upgrade', { ...SMALLEST, id }, { token }),
      await call('orders.autoRenew', { id, on: true, cap: 5 }, { token }),
    ])
      expect(answer).toMatchObject({ err: errors.forbidden.err })
  })
})
