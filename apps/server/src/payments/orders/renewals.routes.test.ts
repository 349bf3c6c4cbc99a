import { errors, priceOf } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { advanceDue } from './advance.ts'
import { cents, orderCalls } from './sample-calls.fixture.ts'
import { type OrdersEnv, runningOrder, SMALLEST, setupOrders } from './sample-orders.fixture.ts'
import { HOUR } from './times.ts'

const MINUTE = 60_000

let env: OrdersEnv
beforeAll(async () => {
  env = await setupOrders()
})
afterAll(() => env?.close())

const { call, as, created, details, statusOf, paymentOf, onChain } = orderCalls(() => env)

describe('a renewal', () => {
  it('doubles the hours for the difference, charged once', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
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
    // Posting the hash again changes nothing.
    expect((await call('orders.renewal', { id, hash }, as(buyer))).code).toBe(0)
    expect((await details(buyer, id)).order.duration).toBe(20)
  })

  it('and an upgrade cost at least the contract minimum when prices have fallen', async () => {
    const { config } = env.context
    const before = config.priceFactor
    const buyer = await env.buyer(20_000)
    let id = await runningOrder(env, buyer, { duration: 10 })
    try {
      config.priceFactor = before / 10
      for (const duration of [20, 40]) {
        const payment = await paymentOf(buyer, id, duration)
        // 70 % of the first hours' price, each time.
        expect(payment.cost).toBe((49 * duration) / 2)
        await call('orders.renewal', { id, duration, hash: await buyer.pay(payment) }, as(buyer))
        expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration })
      }
      const { data } = await call('orders.upgrade', { ...SMALLEST, id, cpu: 2, duration: 40 }, as(buyer))
      id = data.id
      const upgrade = await paymentOf(buyer, id)
      expect(upgrade.cost).toBe(49 * 40)
      await call('orders.hash', { id, hash: await buyer.pay(upgrade) }, as(buyer))
      await env.work()
      const renewal = await paymentOf(buyer, id, 41)
      expect(renewal.cost).toBe(49)
      await call('orders.renewal', { id, duration: 41, hash: await buyer.pay(renewal) }, as(buyer))
      expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration: 41 })
    } finally {
      config.priceFactor = before
    }
  })

  it('without a payment request is priced as if it had one', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
    const cost = priceOf({ ...SMALLEST, duration: 20 }) - priceOf({ ...SMALLEST, duration: 10 })
    const msg = Buffer.from(JSON.stringify({ ExtendOrder: { order_id: id, duration: 12_000 } })).toString('base64')
    await buyer.send(env.port.token, { send: { contract: env.port.orders, amount: String(cents(cost)), msg } })
    await call('orders.renewal', { id }, as(buyer))
    expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration: 20 })
  })

  it('is withdrawn if unpaid after ten minutes, and takes effect if paid later', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
    const payment = await paymentOf(buyer, id)
    await call('orders.renewal', { id }, as(buyer))
    expect(await details(buyer, id)).toMatchObject({ order: { status: 7, label: 'renewing', actions: ['use'] } })
    await env.pass(11 * MINUTE)
    expect(await statusOf(buyer, id)).toBe(2)
    await buyer.pay(payment)
    await env.pass(2 * MINUTE)
    expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration: 20 })
  })

  it('with too small an amount extends nothing and does not increase the refund', async () => {
    const buyer = await env.buyer(60_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
    const pay = (amount: bigint) => {
      const msg = Buffer.from(JSON.stringify({ ExtendOrder: { order_id: id, duration: 720 * 600 } })).toString('base64')
      return buyer.send(env.port.token, { send: { contract: env.port.orders, amount: String(amount), msg } })
    }
    const { cost } = await paymentOf(buyer, id, 720)
    // Below the contract's own minimum.
    await pay(1n)
    expect(await onChain(id)).toMatchObject({ duration: 6000, locked_funds: 70_000 })
    await pay(cents(cost) - 1n)
    await env.pass(11 * MINUTE)
    expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration: 10 })
    expect((await details(buyer, id)).payments[0]).toMatchObject({ state: 'mismatch' })
    const before = await buyer.balance()
    await call('orders.terminate', { id }, as(buyer))
    // The unmatched payment is refunded, and no more: the first hour is charged at its own price.
    expect((await onChain(id))?.locked_funds).toBe(0)
    expect(await buyer.balance()).toBe(before + cents(9 * 70) + cents(cost) - 1n)
    expect(env.clusters.workspaces.has(id)).toBe(false)
  })
})

describe('automatic renewal', () => {
  const withAutoRenew = async (allowed: boolean, cap: number) => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
    const { data } = await call('orders.autoRenew', { id, on: true, cap }, as(buyer))
    if (allowed) await buyer.send(data.token, JSON.parse(data.execute) as object)
    return { buyer, id, cost: priceOf({ ...SMALLEST, duration: 20 }) - priceOf({ ...SMALLEST, duration: 10 }) }
  }

  it('extends the order once, an hour before its end, from the allowance', async () => {
    const { buyer, id, cost } = await withAutoRenew(true, 1000)
    const before = await buyer.balance()
    await env.pass(9 * HOUR + MINUTE)
    const { order, auto_renew } = await details(buyer, id)
    expect(order).toMatchObject({ status: 2, duration: 20 })
    const left = `${1000 - cost}.00`
    expect(auto_renew).toMatchObject({ on: true, cap: 1000, spent: cost, possible: true, allowed: left, needed: left })
    expect(auto_renew.next?.duration).toBe(30)
    expect(await buyer.balance()).toBe(before - cents(cost))
    await env.pass(2 * MINUTE)
    expect((await details(buyer, id)).order.duration).toBe(20)
    const { data } = await call('orders.notices', {}, as(buyer))
    expect(data.list.map(({ kind }) => kind)).toContain('renewed')
  })

  it.each([
    ['exceed its cap', true, 1],
    ['exceed the allowance', false, 1000],
  ])('does not %s, and the owner is notified', async (_, allowed, cap) => {
    const { buyer, id } = await withAutoRenew(allowed, cap)
    const before = await buyer.balance()
    await env.pass(9 * HOUR + MINUTE)
    expect(await details(buyer, id)).toMatchObject({ order: { status: 2, duration: 10 }, auto_renew: { on: false } })
    expect(await buyer.balance()).toBe(before)
    const { data } = await call('orders.notices', {}, as(buyer))
    expect(data.list.map(({ kind }) => kind)).toContain('autoRenewFailed')
  })

  it('warns hours before if it would fail, once per reason, and not after that was solved', async () => {
    const { buyer, id, cost } = await withAutoRenew(false, 1000)
    const problem = async () => (await details(buyer, id)).auto_renew.problem
    const warned = async () => {
      const { data } = await call('orders.notices', {}, as(buyer))
      return data.list.filter(({ kind }) => kind === 'autoRenewAtRisk').length
    }
    // The wallet may still sign.
    await env.work()
    expect([await problem(), await warned()]).toEqual(['', 0])
    await env.pass(11 * MINUTE)
    expect([await problem(), await warned()]).toEqual(['allowance', 1])
    await env.pass(HOUR)
    expect(await warned()).toBe(1)
    const { data } = await call('orders.autoRenew', { id, on: true, cap: cost - 1 }, as(buyer))
    await env.pass(11 * MINUTE)
    expect([await problem(), await warned()]).toEqual(['cap', 2])

    await call('orders.autoRenew', { id, on: true, cap: 1000 }, as(buyer))
    const increase = { increase_allowance: { spender: data.spender, amount: String(cents(1000)) } }
    await buyer.send(data.token, increase)
    await env.pass(11 * MINUTE)
    expect([await problem(), await warned()]).toEqual(['', 2])
    const recipient = env.port.operator?.address ?? ''
    await buyer.send(data.token, { transfer: { recipient, amount: String((await buyer.balance()) - 1n) } })
    await env.pass(HOUR + MINUTE)
    expect([await problem(), await warned()]).toEqual(['funds', 3])
    expect((await details(buyer, id)).order.duration).toBe(10)
    await call('orders.terminate', { id }, as(buyer))
    expect(await problem()).toBe('')
  })

  it('is not paid once its owner switched it off, also while the server is looking at other orders', async () => {
    const { buyer, id } = await withAutoRenew(true, 1000)
    const before = await buyer.balance()
    env.base.pass(9 * HOUR + MINUTE)
    await buyer.signIn()
    const other = await created(buyer)
    await paymentOf(buyer, other)
    await call('orders.hash', { id: other, hash: '0'.repeat(64) }, as(buyer))
    await env.base.db.run(
      sql`update orders set due_at = ${new Date(env.base.clock.now())} where id = any(${[id, other]})`,
    )
    const { chain } = env.context
    if (!chain) throw new Error('there is no chain')
    let looked = 0
    const tx: typeof chain.port.tx = async (hash) => {
      looked += 1
      if (looked === 1) await call('orders.autoRenew', { id, on: false }, as(buyer))
      return chain.port.tx(hash)
    }
    await advanceDue({ ...env.context, chain: { ...chain, port: { ...chain.port, tx } } })
    expect(looked).toBeGreaterThan(0)
    expect(await details(buyer, id)).toMatchObject({ order: { duration: 10 }, auto_renew: { on: false, spent: 0 } })
    expect(await buyer.balance()).toBe(before)
    await call('orders.cancel', { id: other }, as(buyer))
    await call('orders.terminate', { id }, as(buyer))
  })

  it('stays within its cap in total, even if the wallet allows more for another order', async () => {
    const once = priceOf({ ...SMALLEST, duration: 20 }) - priceOf({ ...SMALLEST, duration: 10 })
    const { buyer, id } = await withAutoRenew(true, once + 1)
    const other = await runningOrder(env, buyer, { duration: 40 })
    const { data } = await call('orders.autoRenew', { id: other, on: true, cap: 5000 }, as(buyer))
    await buyer.send(data.token, JSON.parse(data.execute) as object)
    await env.pass(9 * HOUR + MINUTE)
    expect(await details(buyer, id)).toMatchObject({ order: { duration: 20 }, auto_renew: { on: true, spent: once } })
    await env.pass(10 * HOUR)
    await buyer.signIn()
    expect(await details(buyer, id)).toMatchObject({ order: { duration: 20 }, auto_renew: { on: false, spent: once } })
    for (const each of [id, other]) await call('orders.terminate', { id: each }, as(buyer))
  })

  it('sets the allowance to what all orders of the wallet need', async () => {
    const { buyer, id } = await withAutoRenew(true, 1000)
    const second = await runningOrder(env, buyer, { duration: 10 })
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

  it('changes nothing in a dry run, which returns what the wallet would sign', async () => {
    const { buyer, id } = await withAutoRenew(true, 1000)
    const { data } = await call('orders.autoRenew', { id, on: true, cap: 1200, dry_run: true }, as(buyer))
    expect(JSON.parse(data.execute)).toMatchObject({ increase_allowance: { spender: data.spender, amount: '20000' } })
    expect((await details(buyer, id)).auto_renew).toMatchObject({ on: true, cap: 1000 })
    await call('orders.terminate', { id }, as(buyer))
  })

  it('continues after an upgrade, within the same cap', async () => {
    const { buyer, id } = await withAutoRenew(true, 1000)
    const { data } = await call('orders.upgrade', { ...SMALLEST, id, cpu: 2, duration: 10 }, as(buyer))
    await call('orders.hash', { id: data.id, hash: await buyer.pay(await paymentOf(buyer, data.id)) }, as(buyer))
    await env.work()
    expect((await details(buyer, id)).auto_renew).toMatchObject({ on: false })
    const needed = { allowed: '1000.00', needed: '1000.00' }
    expect((await details(buyer, data.id)).auto_renew).toMatchObject({ on: true, cap: 1000, spent: 0, ...needed })
    await call('orders.terminate', { id: data.id }, as(buyer))
  })

  it('can be switched off after the end of the order, but not on', async () => {
    const { buyer, id } = await withAutoRenew(true, 1000)
    await call('orders.terminate', { id }, as(buyer))
    const { data } = await call('orders.autoRenew', { id, on: false }, as(buyer))
    expect(JSON.parse(data.execute)).toMatchObject({ decrease_allowance: { amount: '100000' } })
    const again = await call('orders.autoRenew', { id, on: true, cap: 1000, dry_run: true }, as(buyer))
    expect(again.err).toBe(errors.orderStatus.err)
  })
})
