import { priceOf } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nextBlock } from '../chain/sample-chain.fixture.ts'
import { cents, orderCalls } from './sample-calls.fixture.ts'
import { type OrdersEnv, SMALLEST, setupOrders } from './sample-orders.fixture.ts'
import { CLUSTER_TIMEOUT, HOUR } from './times.ts'

const MINUTE = 60_000

let env: OrdersEnv
beforeAll(async () => {
  env = await setupOrders()
})
afterAll(() => env?.close())

const { call, as, details, history, statusOf, created, paymentOf, subjects } = orderCalls(() => env)

describe('a purchase', () => {
  it('creates an order, is paid by the wallet, and gets a workspace', async () => {
    const buyer = await env.buyer()
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
    await env.work()
    const { order, timeline, timers } = await details(buyer, id)
    expect(order).toMatchObject({
      status: 2,
      label: 'running',
      hash,
      actions: ['use', 'renew', 'upgrade', 'terminate'],
    })
    expect(timeline.map(({ event }) => event)).toEqual(['created', 'hashPosted', 'paid', 'running'])
    expect(timers.seconds_left).toBeGreaterThan(7100)
    expect(env.clusters.workspaces.get(id)).toMatchObject({ cpu: 1, ram: 1, storage: 40, state: 'runs' })
    expect(await buyer.balance()).toBe(cents(1000 - cost))
    expect(await history(buyer)).toMatchObject({ total: 1, done: 1, expired: 0, termination: 0 })
  })

  it('is found if the page was closed after signing', async () => {
    const buyer = await env.buyer()
    const id = await created(buyer)
    await buyer.pay(await paymentOf(buyer, id))
    await env.pass(11_000)
    expect(await statusOf(buyer, id)).toBe(2)
  })

  it('is cancelled if unpaid in time, stays in the history, and takes effect if paid late', async () => {
    const buyer = await env.buyer()
    const id = await created(buyer)
    const payment = await paymentOf(buyer, id)
    await env.pass(6 * MINUTE)
    expect(await details(buyer, id)).toMatchObject({ order: { status: 5, label: 'cancelled', actions: [] } })
    await buyer.pay(payment)
    await env.pass(2 * MINUTE)
    expect(await statusOf(buyer, id)).toBe(2)
  })

  it('is refunded in full if paid after the owner cancelled it', async () => {
    const buyer = await env.buyer()
    const id = await created(buyer)
    const payment = await paymentOf(buyer, id)
    expect((await call('orders.cancel', { id }, as(buyer))).code).toBe(0)
    await buyer.pay(payment)
    await env.pass(2 * MINUTE)
    expect(await details(buyer, id)).toMatchObject({ order: { status: 5, label: 'refunded' } })
    expect(await buyer.balance()).toBe(cents(1000))
  })

  it('is refunded if the cluster cannot provide it, and the owner is notified', async () => {
    const buyer = await env.buyer()
    const id = await created(buyer)
    env.clusters.fail(5, 'create')
    await call('orders.hash', { id, hash: await buyer.pay(await paymentOf(buyer, id)) }, as(buyer))
    for (let round = 0; round < 7; round++) await env.pass(6 * MINUTE)
    const { order, timeline } = await details(buyer, id)
    expect(order).toMatchObject({ status: 5, label: 'refunded', refund: `${priceOf(SMALLEST)}.00` })
    expect(order.refund_hash).toMatch(/^[0-9A-F]{64}$/)
    expect(timeline.map(({ event }) => event)).toContain('allocationFailed')
    expect(await buyer.balance()).toBe(cents(1000))
    expect(env.clusters.workspaces.has(id)).toBe(false)
    expect(await subjects(buyer)).toHaveLength(2)
    const { data: notices } = await call('orders.notices', {}, as(buyer))
    expect(notices.list.map(({ kind }) => kind)).toEqual(['refunded', 'failed'])
    expect((await call('orders.readNotices', {}, as(buyer))).data).toEqual({ unread: 0 })
  })

  it('waits for an unavailable cluster, with one entry in the timeline', async () => {
    const buyer = await env.buyer()
    const id = await created(buyer)
    env.clusters.away = true
    await call('orders.hash', { id, hash: await buyer.pay(await paymentOf(buyer, id)) }, as(buyer))
    for (let round = 0; round < 10; round++) await env.pass(6 * MINUTE)
    const waiting = await details(buyer, id)
    expect(waiting.order).toMatchObject({ status: 1 })
    expect(waiting.timeline.filter(({ event }) => event === 'allocationFailed')).toHaveLength(1)
    env.clusters.away = false
    await env.pass(MINUTE)
    expect(await statusOf(buyer, id)).toBe(2)
    expect(env.clusters.workspaces.get(id)?.state).toBe('runs')
  })

  it('is refunded if the cluster stays unavailable', async () => {
    const buyer = await env.buyer()
    const id = await created(buyer)
    env.clusters.away = true
    await call('orders.hash', { id, hash: await buyer.pay(await paymentOf(buyer, id)) }, as(buyer))
    await env.pass(CLUSTER_TIMEOUT - HOUR)
    await buyer.signIn()
    expect(await statusOf(buyer, id)).toBe(1)
    await env.pass(2 * HOUR)
    for (let round = 0; round < 7; round++) await env.pass(6 * MINUTE)
    await buyer.signIn()
    expect((await details(buyer, id)).order).toMatchObject({ label: 'refunded' })
    expect(await buyer.balance()).toBe(cents(1000))
    env.clusters.away = false
  })
})

describe('a payment that does not match the request', () => {
  it.each([
    [
      'of a smaller amount',
      (payment: { orders: string; msg: string; amount: string }) => ({ ...payment, amount: '1' }),
    ],
    [
      'for a bigger machine',
      (payment: { orders: string; msg: string; amount: string; message: string }) => {
        const { CreateOrder } = JSON.parse(payment.message) as { CreateOrder: object }
        const message = JSON.stringify({ CreateOrder: { ...CreateOrder, cpu: 8 } })
        return { ...payment, msg: Buffer.from(message).toString('base64') }
      },
    ],
  ])('%s buys nothing and is refunded in full', async (_, change) => {
    const buyer = await env.buyer()
    const id = await created(buyer)
    const payment = await paymentOf(buyer, id)
    const { orders: contract, amount, msg } = change(payment)
    const hash = await buyer.send(payment.token, { send: { contract, amount, msg } })
    await call('orders.hash', { id, hash }, as(buyer))
    await env.work()
    const { order, payments, timeline } = await details(buyer, id)
    expect(order).toMatchObject({ status: 5, label: 'refunded' })
    expect(payments[0]).toMatchObject({ state: 'mismatch', hash })
    expect(timeline.map(({ event }) => event)).toContain('paymentMismatch')
    expect(env.clusters.workspaces.has(id)).toBe(false)
    expect(await buyer.balance()).toBe(cents(1000))
  })

  it('fails with its own message if the balance is too low, and can be repeated', async () => {
    const buyer = await env.buyer(5)
    const id = await created(buyer)
    const hash = await buyer.pay(await paymentOf(buyer, id))
    await call('orders.hash', { id, hash }, as(buyer))
    const { payments, order } = await details(buyer, id)
    expect(order.status).toBe(0)
    expect(payments[0]).toMatchObject({ state: 'failed', problem: 'Insufficient balance, payment failed' })
    expect(await paymentOf(buyer, id)).toMatchObject({ state: 'open', problem: '', hash: '' })
  })

  it('by another wallet is refunded to that wallet', async () => {
    const [buyer, other] = [await env.buyer(), await env.buyer()]
    const id = await created(buyer)
    const payment = await paymentOf(buyer, id)
    await call('orders.hash', { id, hash: await other.pay(payment) }, as(buyer))
    await env.pass(10_000)
    await env.pass(10_000)
    await nextBlock(env.chain)
    expect([await buyer.balance(), await other.balance()]).toEqual([cents(1000), cents(1000)])
    // The right wallet can still pay.
    expect((await details(buyer, id)).order.label).toBe('created')
    await call('orders.hash', { id, hash: await buyer.pay(await paymentOf(buyer, id)) }, as(buyer))
    await env.work()
    expect((await details(buyer, id)).order.label).toBe('running')
  })
})

describe('offers', () => {
  it('are public, with the reason if a cluster is not available', async () => {
    const { data } = await call('orders.offers', {}, { lang: 'cn' })
    expect(data).toMatchObject({
      chain: { ready: true, reason: '' },
      factor: 0.25,
      token: { symbol: 'cTNT', decimals: 2 },
    })
    expect(data.clusters).toEqual([
      { name: 'distributed', ready: true, reason: '', configured: true, shared_with: [], gpus: 0 },
      { name: 'centralized', ready: false, reason: '未配置。', configured: false, shared_with: [], gpus: 0 },
    ])
  })
})
