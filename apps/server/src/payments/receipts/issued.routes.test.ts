import { priceOf } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { nextBlock } from '../chain/sample-chain.fixture.ts'
import { payClaims } from '../faucet/pay.ts'
import { advanceDue } from '../orders/advance.ts'
import { orderCalls } from '../orders/sample-calls.fixture.ts'
import { type Buyer, type OrdersEnv, runningOrder, SMALLEST, setupOrders } from '../orders/sample-orders.fixture.ts'
import { payRedemptions } from '../rewards/pay.ts'
import { countReceipts, readClaims, receiptOf } from './sample-receipts.fixture.ts'

let env: OrdersEnv
beforeAll(async () => {
  env = await setupOrders()
})
afterAll(() => env?.close())

const { call, as, details, paymentOf } = orderCalls(() => env)
const claimsOf = async (buyer: Buyer, id: number | null | undefined) =>
  readClaims(await receiptOf(env.base, buyer, id ?? null))
const count = (buyer: Buyer, kind: 'order' | 'refund' | 'claim') => countReceipts(env.base, buyer.uid, kind)
const DECIMALS = 2

/** Several servers work on the same orders. */
const workTogether = () => Promise.all(Array.from({ length: 4 }, () => advanceDue(env.context)))

async function end(buyer: Buyer, id: string): Promise<void> {
  await call('orders.terminate', { id }, as(buyer))
  for (let round = 0; (await details(buyer, id)).order.refund === '' && round < 50; round++) {
    env.base.pass(60_000 * round)
    await workTogether()
  }
}

describe('a payment of an order', () => {
  it('has one receipt, with the transaction that the chain has', async () => {
    const buyer = await env.buyer()
    const id = await runningOrder(env, buyer)
    await workTogether()
    const { order, payments } = await details(buyer, id)
    expect(await claimsOf(buyer, payments[0]?.receipt_id)).toMatchObject({
      kind: 'order',
      sub: buyer.uid,
      order: id,
      purpose: 'create',
      wallet: buyer.wallet,
      amount: priceOf(SMALLEST),
      hours: SMALLEST.duration,
      tx: order.hash,
    })
    expect(await count(buyer, 'order')).toBe(1)
  })

  it('has none until it is found on the chain', async () => {
    const buyer = await env.buyer()
    const { data } = await call('orders.create', SMALLEST, as(buyer))
    expect((await paymentOf(buyer, data.id)).receipt_id).toBeNull()
    await call('orders.hash', { id: data.id, hash: 'A'.repeat(64) }, as(buyer))
    await workTogether()
    expect(await count(buyer, 'order')).toBe(0)
  })

  it('for more hours, or for an upgrade, has its own receipt; the replaced order has one of its refund', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
    const renewal = await paymentOf(buyer, id)
    const hash = await buyer.pay(renewal)
    await Promise.all([1, 2, 3].map(() => call('orders.renewal', { id, hash }, as(buyer))))
    const renewed = (await details(buyer, id)).payments.find(({ kind }) => kind === 'renewal')
    expect(await claimsOf(buyer, renewed?.receipt_id)).toMatchObject({ purpose: 'extend', hours: 20, tx: hash })

    const { data } = await call('orders.upgrade', { ...SMALLEST, id, cpu: 2, duration: 20 }, as(buyer))
    const payment = await paymentOf(buyer, data.id)
    const paid = await buyer.pay(payment)
    await call('orders.hash', { id: data.id, hash: paid }, as(buyer))
    await workTogether()
    const upgraded = (await details(buyer, data.id)).payments[0]
    expect(await claimsOf(buyer, upgraded?.receipt_id)).toMatchObject({ purpose: 'update', order: data.id, tx: paid })
    const { refund, refund_receipt_id } = (await details(buyer, id)).order
    const units = String(BigInt(refund.replace('.', '')))
    expect(await claimsOf(buyer, refund_receipt_id)).toMatchObject({ kind: 'refund', order: id, units, tx: paid })
    expect([await count(buyer, 'order'), await count(buyer, 'refund')]).toEqual([3, 1])
  })
})

describe('a refund', () => {
  it('has one receipt, to the last unit', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
    await end(buyer, id)
    const { refund, refund_hash, refund_receipt_id } = (await details(buyer, id)).order
    expect(await claimsOf(buyer, refund_receipt_id)).toMatchObject({
      kind: 'refund',
      order: id,
      wallet: buyer.wallet,
      units: refund.replace('.', ''),
      decimals: DECIMALS,
      tx: refund_hash,
    })
    expect(await count(buyer, 'refund')).toBe(1)
  })
})

describe('coins that the network paid', () => {
  const pay = async (task: typeof payClaims) => {
    const context = { ...env.context, chain: env.port }
    for (let round = 0; round < 10; round++) {
      await Promise.all([task(context), task(context), task(context)])
      await nextBlock(env.chain)
    }
  }

  it('have one receipt per claim, once they are in a block', async () => {
    const buyer = await env.buyer()
    await call('faucet.receive', {}, as(buyer))
    const claim = async () => (await call('faucet.history', {}, as(buyer))).data.list[0]
    expect(await claim()).toMatchObject({ receipt_id: null })
    await pay(payClaims)
    const { receipt_id, hash } = (await claim()) ?? {}
    expect(await claimsOf(buyer, receipt_id)).toMatchObject({
      kind: 'claim',
      purpose: 'faucet',
      sub: buyer.uid,
      wallet: buyer.wallet,
      tx: hash,
    })
    expect(await count(buyer, 'claim')).toBe(1)
  })

  it('have one receipt per redemption', async () => {
    const buyer = await env.buyer()
    const operator = await env.base.person({ role: 'operator' })
    await call('admin.grantPoints', { uid: buyer.uid, points: 500, reason: 'test' }, as(operator as Buyer))
    const { data } = await call('rewards.redeem', { points: 500 }, as(buyer))
    await pay(payRedemptions)
    const { list } = (await call('rewards.history', {}, as(buyer))).data
    expect(await claimsOf(buyer, list[0]?.receipt_id)).toMatchObject({
      purpose: 'redemption',
      amount: data.redemption.coins,
      tx: list[0]?.hash,
    })
    expect(await count(buyer, 'claim')).toBe(1)
  })

  it('have none if the account was deleted', async () => {
    const buyer = await env.buyer()
    await call('faucet.receive', {}, as(buyer))
    await env.base.db.run(sql`update claims set user_id = null where user_id = ${buyer.id}`)
    await pay(payClaims)
    expect(await count(buyer, 'claim')).toBe(0)
  })
})
