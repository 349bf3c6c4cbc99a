import { errors, priceOf } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callsOf, cents } from './sample-calls.fixture.ts'
import { type Market, openMarket, runningOrder, SMALLEST } from './sample-orders.fixture.ts'
import { HOUR } from './times.ts'

const MINUTE = 60_000

let market: Market
beforeAll(async () => {
  market = await openMarket()
})
afterAll(() => market?.close())

const { call, as, details, statusOf, paymentOf, onChain } = callsOf(() => market)

describe('a renewal', () => {
  it('doubles the hours for the difference, charged once', async () => {
    const buyer = await market.buyer(20_000)
    const id = await runningOrder(market, buyer, { duration: 10 })
    const before = await buyer.balance()
    const payment = await paymentOf(buyer, id)
    const cost = priceOf({ ...SMALLEST, duration: 20 }) - priceOf({ ...SMALLEST, duration: 10 })
    expect(payment).toMatchObject({ kind: 'renewal', duration: 20, cost })
    const { expired_at } = (await details(buyer, id)).order
    const hash = await buyer.pay(payment)
    expect((await call('orders.renewal', { id }, as(buyer))).code).toBe(0)
    const { order } = await details(buyer, id)
    expect(order).toMatchObject({ status: 2, duration: 20, price: priceOf({ ...SMALLEST, duration: 20 }) })
    expect(Date.parse(order.expired_at) - Date.parse(expired_at)).toBe(10 * HOUR)
    expect((await onChain(id))?.duration).toBe(20 * 600)
    expect(await buyer.balance()).toBe(before - cents(cost))
    // Told twice, it counts once.
    expect((await call('orders.renewal', { id, hash }, as(buyer))).code).toBe(0)
    expect((await details(buyer, id)).order.duration).toBe(20)
  })

  it('and an upgrade are asked for no less than the contract takes, when prices have fallen', async () => {
    const { config } = market.context
    const before = config.priceFactor
    const buyer = await market.buyer(20_000)
    let id = await runningOrder(market, buyer, { duration: 10 })
    try {
      config.priceFactor = before / 10
      for (const duration of [20, 40]) {
        const payment = await paymentOf(buyer, id, duration)
        // Seven tenths of what the first hours cost, each time.
        expect(payment.cost).toBe((49 * duration) / 2)
        await call('orders.renewal', { id, duration, hash: await buyer.pay(payment) }, as(buyer))
        expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration })
      }
      const { data } = await call('orders.upgrade', { ...SMALLEST, id, cpu: 2, duration: 40 }, as(buyer))
      id = data.id
      const upgrade = await paymentOf(buyer, id)
      expect(upgrade.cost).toBe(49 * 40)
      await call('orders.hash', { id, hash: await buyer.pay(upgrade) }, as(buyer))
      await market.work()
      const renewal = await paymentOf(buyer, id, 41)
      expect(renewal.cost).toBe(49)
      await call('orders.renewal', { id, duration: 41, hash: await buyer.pay(renewal) }, as(buyer))
      expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration: 41 })
    } finally {
      config.priceFactor = before
    }
  })

  it('of a client that asked nobody counts as it costs', async () => {
    const buyer = await market.buyer(20_000)
    const id = await runningOrder(market, buyer, { duration: 10 })
    const cost = priceOf({ ...SMALLEST, duration: 20 }) - priceOf({ ...SMALLEST, duration: 10 })
    const msg = Buffer.from(JSON.stringify({ ExtendOrder: { order_id: id, duration: 12_000 } })).toString('base64')
    await buyer.send(market.port.token, { send: { contract: market.port.orders, amount: String(cents(cost)), msg } })
    await call('orders.renewal', { id }, as(buyer))
    expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration: 20 })
  })

  it('that is not paid is withdrawn after ten minutes, and counts when it is paid later', async () => {
    const buyer = await market.buyer(20_000)
    const id = await runningOrder(market, buyer, { duration: 10 })
    const payment = await paymentOf(buyer, id)
    await call('orders.renewal', { id }, as(buyer))
    expect(await details(buyer, id)).toMatchObject({ order: { status: 7, label: 'renewing', actions: ['use'] } })
    await market.pass(11 * MINUTE)
    expect(await statusOf(buyer, id)).toBe(2)
    await buyer.pay(payment)
    await market.pass(2 * MINUTE)
    expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration: 20 })
  })

  it('paid with too little lengthens nothing, and is no way to more money back', async () => {
    const buyer = await market.buyer(60_000)
    const id = await runningOrder(market, buyer, { duration: 10 })
    const pay = (amount: bigint) => {
      const msg = Buffer.from(JSON.stringify({ ExtendOrder: { order_id: id, duration: 720 * 600 } })).toString('base64')
      return buyer.send(market.port.token, { send: { contract: market.port.orders, amount: String(amount), msg } })
    }
    const { cost } = await paymentOf(buyer, id, 720)
    // So little the contract itself refuses.
    await pay(1n)
    expect(await onChain(id)).toMatchObject({ duration: 6000, locked_funds: 70_000 })
    await pay(cents(cost) - 1n)
    await market.pass(11 * MINUTE)
    expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration: 10 })
    expect((await details(buyer, id)).payments[0]).toMatchObject({ state: 'mismatch' })
    const before = await buyer.balance()
    await call('orders.terminate', { id }, as(buyer))
    // What was not asked for goes back, and no more: the first hour costs what it was bought for.
    expect((await onChain(id))?.locked_funds).toBe(0)
    expect(await buyer.balance()).toBe(before + cents(9 * 70) + cents(cost) - 1n)
    expect(market.clusters.there.has(id)).toBe(false)
  })
})

describe('an order that renews itself', () => {
  const renewing = async (allowed: boolean, cap: number) => {
    const buyer = await market.buyer(20_000)
    const id = await runningOrder(market, buyer, { duration: 10 })
    const { data } = await call('orders.autoRenew', { id, on: true, cap }, as(buyer))
    if (allowed) await buyer.send(data.token, JSON.parse(data.execute) as object)
    return { buyer, id, cost: priceOf({ ...SMALLEST, duration: 20 }) - priceOf({ ...SMALLEST, duration: 10 }) }
  }

  it('is lengthened an hour before its end by what its wallet allows, once', async () => {
    const { buyer, id, cost } = await renewing(true, 1000)
    const before = await buyer.balance()
    await market.pass(9 * HOUR + MINUTE)
    const { order, auto_renew } = await details(buyer, id)
    expect(order).toMatchObject({ status: 2, duration: 20 })
    const left = `${1000 - cost}.00`
    expect(auto_renew).toMatchObject({ on: true, cap: 1000, spent: cost, possible: true, allowed: left, needed: left })
    expect(auto_renew.next?.duration).toBe(30)
    expect(await buyer.balance()).toBe(before - cents(cost))
    await market.pass(2 * MINUTE)
    expect((await details(buyer, id)).order.duration).toBe(20)
    const { data } = await call('orders.notices', {}, as(buyer))
    expect(data.list.map(({ kind }) => kind)).toContain('renewed')
  })

  it.each([
    ['above its cap', true, 1],
    ['without the allowance', false, 1000],
  ])('is not lengthened %s, and its owner is told', async (_, allowed, cap) => {
    const { buyer, id } = await renewing(allowed, cap)
    const before = await buyer.balance()
    await market.pass(9 * HOUR + MINUTE)
    expect(await details(buyer, id)).toMatchObject({ order: { status: 2, duration: 10 }, auto_renew: { on: false } })
    expect(await buyer.balance()).toBe(before)
    const { data } = await call('orders.notices', {}, as(buyer))
    expect(data.list.map(({ kind }) => kind)).toContain('autoRenewFailed')
  })

  it('is lengthened within its cap altogether, though its wallet allows more for another order', async () => {
    const once = priceOf({ ...SMALLEST, duration: 20 }) - priceOf({ ...SMALLEST, duration: 10 })
    const { buyer, id } = await renewing(true, once + 1)
    const other = await runningOrder(market, buyer, { duration: 40 })
    const { data } = await call('orders.autoRenew', { id: other, on: true, cap: 5000 }, as(buyer))
    await buyer.send(data.token, JSON.parse(data.execute) as object)
    await market.pass(9 * HOUR + MINUTE)
    expect(await details(buyer, id)).toMatchObject({ order: { duration: 20 }, auto_renew: { on: true, spent: once } })
    await market.pass(10 * HOUR)
    await buyer.signIn()
    expect(await details(buyer, id)).toMatchObject({ order: { duration: 20 }, auto_renew: { on: false, spent: once } })
    for (const each of [id, other]) await call('orders.terminate', { id: each }, as(buyer))
  })

  it('has its wallet allow what all its orders need, and take back what they do not', async () => {
    const { buyer, id } = await renewing(true, 1000)
    const second = await runningOrder(market, buyer, { duration: 10 })
    const set = async (of: string, on: boolean, cap = 0) => {
      const { data } = await call('orders.autoRenew', { id: of, on, cap }, as(buyer))
      if (data.execute) await buyer.send(data.token, JSON.parse(data.execute) as object)
    }
    const read = async (of = id) => (await details(buyer, of)).auto_renew
    await set(second, true, 500)
    expect(await read(second)).toMatchObject({ on: true, allowed: '1500.00', needed: '1500.00' })
    await set(id, true, 300)
    expect(await read()).toMatchObject({ on: true, cap: 300, allowed: '800.00', needed: '800.00' })
    await set(id, false)
    expect(await read()).toMatchObject({ on: false, allowed: '500.00', needed: '500.00' })
    expect(await read(second)).toMatchObject({ on: true })
    await set(second, false)
    expect(await read(second)).toMatchObject({ on: false, allowed: '0.00', needed: '0.00' })
    for (const each of [id, second]) await call('orders.terminate', { id: each }, as(buyer))
  })

  it('tells what its wallet would sign before it is switched, and switches nothing by that', async () => {
    const { buyer, id } = await renewing(true, 1000)
    const { data } = await call('orders.autoRenew', { id, on: true, cap: 1200, dry_run: true }, as(buyer))
    expect(JSON.parse(data.execute)).toMatchObject({ increase_allowance: { spender: data.spender, amount: '20000' } })
    expect((await details(buyer, id)).auto_renew).toMatchObject({ on: true, cap: 1000 })
    await call('orders.terminate', { id }, as(buyer))
  })

  it('goes on renewing itself once it is larger, within the same cap', async () => {
    const { buyer, id } = await renewing(true, 1000)
    const { data } = await call('orders.upgrade', { ...SMALLEST, id, cpu: 2, duration: 10 }, as(buyer))
    await call('orders.hash', { id: data.id, hash: await buyer.pay(await paymentOf(buyer, data.id)) }, as(buyer))
    await market.work()
    expect((await details(buyer, id)).auto_renew).toMatchObject({ on: false })
    const needed = { allowed: '1000.00', needed: '1000.00' }
    expect((await details(buyer, data.id)).auto_renew).toMatchObject({ on: true, cap: 1000, spent: 0, ...needed })
    await call('orders.terminate', { id: data.id }, as(buyer))
  })

  it('can be switched off after its end, and not on', async () => {
    const { buyer, id } = await renewing(true, 1000)
    await call('orders.terminate', { id }, as(buyer))
    const { data } = await call('orders.autoRenew', { id, on: false }, as(buyer))
    expect(JSON.parse(data.execute)).toMatchObject({ decrease_allowance: { amount: '100000' } })
    const again = await call('orders.autoRenew', { id, on: true, cap: 1000, dry_run: true }, as(buyer))
    expect(again.err).toBe(errors.orderStatus.err)
  })
})
