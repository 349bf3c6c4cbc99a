import { priceOf } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callsOf, cents } from './sample-calls.fixture.ts'
import { type Market, openMarket, SMALLEST } from './sample-orders.fixture.ts'
import { CLUSTER_AWAITED, HOUR } from './times.ts'

const MINUTE = 60_000

let market: Market
beforeAll(async () => {
  market = await openMarket()
})
afterAll(() => market?.close())

const { call, as, details, history, statusOf, created, paymentOf, subjects } = callsOf(() => market)

describe('a purchase', () => {
  it('is an order, a payment by the wallet, a hash, and a workspace', async () => {
    const buyer = await market.buyer()
    const cost = priceOf(SMALLEST)
    expect((await call('orders.price', { ...SMALLEST })).data).toEqual({ cost })
    const id = await created(buyer)
    expect(await details(buyer, id)).toMatchObject({
      order: { status: 0, label: 'created', price: cost, actions: ['pay', 'cancel'], kub_name: 'distributed' },
      timeline: [{ event: 'created' }],
    })
    const payment = await paymentOf(buyer, id)
    expect(payment).toMatchObject({ kind: 'create', cost, amount: String(cents(cost)), payer: buyer.wallet })
    expect(JSON.parse(payment.message)).toEqual({
      CreateOrder: { order_id: id, cpu: 1, memory: 1, disk: 40, duration: 1200 },
    })
    const hash = await buyer.pay(payment)
    expect((await call('orders.hash', { id, hash }, as(buyer))).code).toBe(0)
    expect(await statusOf(buyer, id)).toBe(1)
    await market.work()
    const { order, timeline, timers } = await details(buyer, id)
    expect(order).toMatchObject({
      status: 2,
      label: 'running',
      hash,
      actions: ['use', 'renew', 'upgrade', 'terminate'],
    })
    expect(timeline.map(({ event }) => event)).toEqual(['created', 'hashPosted', 'paid', 'running'])
    expect(timers.seconds_left).toBeGreaterThan(7100)
    expect(market.clusters.there.get(id)).toMatchObject({ cpu: 1, ram: 1, storage: 40, state: 'runs' })
    expect(await buyer.balance()).toBe(cents(1000 - cost))
    expect(await history(buyer)).toMatchObject({ total: 1, done: 1, expired: 0, termination: 0 })
  })

  it('whose page was closed after signing is found by itself', async () => {
    const buyer = await market.buyer()
    const id = await created(buyer)
    await buyer.pay(await paymentOf(buyer, id))
    await market.pass(11_000)
    expect(await statusOf(buyer, id)).toBe(2)
  })

  it('that is not paid in time is cancelled, stays in the history, and counts when it is paid late after all', async () => {
    const buyer = await market.buyer()
    const id = await created(buyer)
    const payment = await paymentOf(buyer, id)
    await market.pass(6 * MINUTE)
    expect(await details(buyer, id)).toMatchObject({ order: { status: 5, label: 'cancelled', actions: [] } })
    await buyer.pay(payment)
    await market.pass(2 * MINUTE)
    expect(await statusOf(buyer, id)).toBe(2)
  })

  it('that its owner cancelled is paid back whole when a payment arrives later', async () => {
    const buyer = await market.buyer()
    const id = await created(buyer)
    const payment = await paymentOf(buyer, id)
    expect((await call('orders.cancel', { id }, as(buyer))).code).toBe(0)
    await buyer.pay(payment)
    await market.pass(2 * MINUTE)
    expect(await details(buyer, id)).toMatchObject({ order: { status: 5, label: 'refunded' } })
    expect(await buyer.balance()).toBe(cents(1000))
  })

  it('that the cluster cannot provide is paid back without asking, and its owner is told', async () => {
    const buyer = await market.buyer()
    const id = await created(buyer)
    market.clusters.fail(5, 'create')
    await call('orders.hash', { id, hash: await buyer.pay(await paymentOf(buyer, id)) }, as(buyer))
    for (let round = 0; round < 7; round++) await market.pass(6 * MINUTE)
    const { order, timeline } = await details(buyer, id)
    expect(order).toMatchObject({ status: 5, label: 'refunded', refund: `${priceOf(SMALLEST)}.00` })
    expect(order.refund_hash).toMatch(/^[0-9A-F]{64}$/)
    expect(timeline.map(({ event }) => event)).toContain('allocationFailed')
    expect(await buyer.balance()).toBe(cents(1000))
    expect(market.clusters.there.has(id)).toBe(false)
    expect(await subjects(buyer)).toHaveLength(2)
    const { data: notices } = await call('orders.notices', {}, as(buyer))
    expect(notices.list.map(({ kind }) => kind)).toEqual(['refunded', 'failed'])
    expect((await call('orders.readNotices', {}, as(buyer))).data).toEqual({ unread: 0 })
  })

  it('while the cluster does not answer waits for it, and says so once', async () => {
    const buyer = await market.buyer()
    const id = await created(buyer)
    market.clusters.away = true
    await call('orders.hash', { id, hash: await buyer.pay(await paymentOf(buyer, id)) }, as(buyer))
    for (let round = 0; round < 10; round++) await market.pass(6 * MINUTE)
    const waiting = await details(buyer, id)
    expect(waiting.order).toMatchObject({ status: 1 })
    expect(waiting.timeline.filter(({ event }) => event === 'allocationFailed')).toHaveLength(1)
    market.clusters.away = false
    await market.pass(MINUTE)
    expect(await statusOf(buyer, id)).toBe(2)
    expect(market.clusters.there.get(id)?.state).toBe('runs')
  })

  it('is paid back all the same when the cluster does not come back', async () => {
    const buyer = await market.buyer()
    const id = await created(buyer)
    market.clusters.away = true
    await call('orders.hash', { id, hash: await buyer.pay(await paymentOf(buyer, id)) }, as(buyer))
    await market.pass(CLUSTER_AWAITED - HOUR)
    await buyer.signIn()
    expect(await statusOf(buyer, id)).toBe(1)
    await market.pass(2 * HOUR)
    for (let round = 0; round < 7; round++) await market.pass(6 * MINUTE)
    await buyer.signIn()
    expect((await details(buyer, id)).order).toMatchObject({ label: 'refunded' })
    expect(await buyer.balance()).toBe(cents(1000))
    market.clusters.away = false
  })
})

describe('a payment that is not the one asked for', () => {
  it.each([
    ['of less', (payment: { orders: string; msg: string; amount: string }) => ({ ...payment, amount: '1' })],
    [
      'for a bigger machine',
      (payment: { orders: string; msg: string; amount: string; message: string }) => {
        const { CreateOrder } = JSON.parse(payment.message) as { CreateOrder: object }
        const message = JSON.stringify({ CreateOrder: { ...CreateOrder, cpu: 8 } })
        return { ...payment, msg: Buffer.from(message).toString('base64') }
      },
    ],
  ])('%s buys nothing and goes back whole', async (_, change) => {
    const buyer = await market.buyer()
    const id = await created(buyer)
    const payment = await paymentOf(buyer, id)
    const { orders: contract, amount, msg } = change(payment)
    const hash = await buyer.send(payment.token, { send: { contract, amount, msg } })
    await call('orders.hash', { id, hash }, as(buyer))
    await market.work()
    const { order, payments, timeline } = await details(buyer, id)
    expect(order).toMatchObject({ status: 5, label: 'refunded' })
    expect(payments[0]).toMatchObject({ state: 'mismatch', hash })
    expect(timeline.map(({ event }) => event)).toContain('paymentMismatch')
    expect(market.clusters.there.has(id)).toBe(false)
    expect(await buyer.balance()).toBe(cents(1000))
  })

  it('because the wallet has too little fails with the sentence for it, and can be made again', async () => {
    const buyer = await market.buyer(5)
    const id = await created(buyer)
    const hash = await buyer.pay(await paymentOf(buyer, id))
    await call('orders.hash', { id, hash }, as(buyer))
    const { payments, order } = await details(buyer, id)
    expect(order.status).toBe(0)
    expect(payments[0]).toMatchObject({ state: 'failed', problem: 'Insufficient balance, payment failed' })
    expect(await paymentOf(buyer, id)).toMatchObject({ state: 'open', problem: '', hash: '' })
  })

  it('by another wallet is that wallet’s affair', async () => {
    const [buyer, other] = [await market.buyer(), await market.buyer()]
    const id = await created(buyer)
    const payment = await paymentOf(buyer, id)
    await call('orders.hash', { id, hash: await other.pay(payment) }, as(buyer))
    await market.work()
    expect(await details(buyer, id)).toMatchObject({ order: { status: 5, label: 'refunded' } })
    expect([await buyer.balance(), await other.balance()]).toEqual([cents(1000), cents(1000)])
  })
})

describe('what is sold', () => {
  it('is told to anyone, and why something is not', async () => {
    const { data } = await call('orders.offers', {}, { lang: 'cn' })
    expect(data).toMatchObject({
      chain: { ready: true, reason: '' },
      factor: 0.25,
      token: { symbol: 'cTNT', decimals: 2 },
    })
    expect(data.clusters).toEqual([
      { name: 'distributed', ready: true, reason: '' },
      { name: 'centralized', ready: false, reason: '未配置。' },
    ])
  })
})
