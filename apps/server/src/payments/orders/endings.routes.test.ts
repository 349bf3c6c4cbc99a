import { errorText, priceOf } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { endedElsewhere } from './confirm.ts'
import { readOrders } from './on-chain.ts'
import { findOrder } from './repository.ts'
import { callsOf, cents } from './sample-calls.fixture.ts'
import { type Buyer, type Market, openMarket, runningOrder, SMALLEST } from './sample-orders.fixture.ts'
import { DAY, HOUR } from './times.ts'

const MINUTE = 60_000

let market: Market
beforeAll(async () => {
  market = await openMarket()
})
afterAll(() => market?.close())

const { call, as, details, history, statusOf, labelOf, created, paymentOf, onChain, subjects } = callsOf(() => market)

const MACHINE = { cpu: 1, memory: 1, disk: 40, duration: 6000 }
const updateOf = (id: string, next: string) => ({ UpdateOrder: { order_id: id, new_order_id: next, ...MACHINE } })
/** Pays 700 coins for something that the portal did not ask for. */
const payFor = (who: Buyer, message: object) => {
  const msg = Buffer.from(JSON.stringify(message)).toString('base64')
  return who.send(market.port.token, { send: { contract: market.port.orders, amount: '70000', msg } })
}

describe('an upgrade', () => {
  it('takes the place of the old order in its workspace, once it is paid', async () => {
    const buyer = await market.buyer(20_000)
    const old = await runningOrder(market, buyer, { duration: 10 })
    const { data } = await call('orders.upgrade', { ...SMALLEST, id: old, cpu: 2, duration: 10 }, as(buyer))
    expect([await labelOf(buyer, old), await labelOf(buyer, data.id)]).toEqual(['replacing', 'upgrading'])
    expect((await history(buyer, '2,6,7,8')).total).toBe(2)
    const payment = await paymentOf(buyer, data.id)
    expect(JSON.parse(payment.message)).toMatchObject({ UpdateOrder: { order_id: old, new_order_id: data.id, cpu: 2 } })
    await call('orders.hash', { id: data.id, hash: await buyer.pay(payment) }, as(buyer))
    await market.work()
    expect([await labelOf(buyer, old), await labelOf(buyer, data.id)]).toEqual(['replaced', 'running'])
    expect((await details(buyer, data.id)).order).toMatchObject({ workspace_id: old, replaces: old })
    expect(market.clusters.there.get(old)).toMatchObject({ cpu: 2, state: 'runs' })
    // What was left of the old order went back by itself.
    const { refund } = (await details(buyer, old)).order
    const paid = cents(priceOf({ ...SMALLEST, duration: 10 })) + BigInt(payment.amount)
    expect(await buyer.balance()).toBe(cents(20_000) - paid + BigInt(refund.replace('.', '')))
  })

  it('that is not paid is withdrawn after ten minutes, and comes about when it is paid later', async () => {
    const buyer = await market.buyer(20_000)
    const old = await runningOrder(market, buyer, { duration: 10 })
    const { data } = await call('orders.upgrade', { ...SMALLEST, id: old, ram: 4, duration: 10 }, as(buyer))
    const payment = await paymentOf(buyer, data.id)
    await market.pass(11 * MINUTE)
    expect([await labelOf(buyer, old), await labelOf(buyer, data.id)]).toEqual(['running', 'cancelled'])
    await buyer.pay(payment)
    await market.pass(2 * MINUTE)
    expect([await labelOf(buyer, old), await labelOf(buyer, data.id)]).toEqual(['replaced', 'running'])
    expect(market.clusters.there.get(old)).toMatchObject({ ram: 4 })
  })

  it('that the cluster cannot do is paid back, and what was there is kept', async () => {
    const buyer = await market.buyer(20_000)
    const old = await runningOrder(market, buyer, { duration: 10 })
    const { data } = await call('orders.upgrade', { ...SMALLEST, id: old, ram: 4, duration: 10 }, as(buyer))
    market.clusters.fail(5, 'resize')
    await call('orders.hash', { id: data.id, hash: await buyer.pay(await paymentOf(buyer, data.id)) }, as(buyer))
    for (let round = 0; round < 7; round++) await market.pass(6 * MINUTE)
    expect(await labelOf(buyer, data.id)).toBe('refunded')
    expect(market.clusters.there.get(old)).toMatchObject({ state: 'stopped' })
    await market.pass(3 * DAY + HOUR)
    expect(market.clusters.there.has(old)).toBe(false)
  })

  it.each([
    ['buys something', (id: string) => ({ CreateOrder: { order_id: id, ...MACHINE } })],
    ['puts it in the place of an order of his own', (id: string, his: string) => updateOf(his, id)],
  ])('whose name is taken by a stranger who %s is withdrawn, and the old order goes on', async (_, message) => {
    const [buyer, stranger] = [await market.buyer(20_000), await market.buyer(20_000)]
    const [old, his] = [
      await runningOrder(market, buyer, { duration: 10 }),
      await runningOrder(market, stranger, { duration: 10 }),
    ]
    const { data } = await call('orders.upgrade', { ...SMALLEST, id: old, cpu: 2, duration: 10 }, as(buyer))
    await payFor(stranger, message(data.id, his))
    await market.pass(2 * MINUTE)
    await market.pass(2 * MINUTE)
    expect([await statusOf(buyer, old), await labelOf(buyer, data.id)]).toEqual([2, 'refunded'])
    expect(market.clusters.there.get(old)).toMatchObject({ cpu: 1, state: 'runs' })
    expect((await onChain(old))?.locked_funds).toBe(70_000)
    // What was paid went back to the stranger, and the order can still be ended for its money.
    await call('orders.terminate', { id: old }, as(buyer))
    expect(await buyer.balance()).toBe(cents(20_000 - 70))
  })

  it('to an order that waits to be bought for itself is settled by its hours, and the old order is over', async () => {
    const buyer = await market.buyer(20_000)
    const [old, other] = [await runningOrder(market, buyer, { duration: 10 }), await created(buyer)]
    await payFor(buyer, updateOf(old, other))
    await market.pass(11 * MINUTE)
    await market.pass(11 * MINUTE)
    expect(await statusOf(buyer, old)).toBe(3)
    // The hour that had begun in its place was used: it costs what was paid for one.
    expect((await details(buyer, other)).order).toMatchObject({ status: 5, label: 'refunded', refund: '630.00' })
    expect(market.clusters.there.has(other)).toBe(false)
  })

  it('to one that was given up so long ago that nobody looks at it any more is settled all the same', async () => {
    const buyer = await market.buyer(20_000)
    const [old, other] = [await runningOrder(market, buyer, { duration: 10 }), await created(buyer)]
    await call('orders.cancel', { id: other }, as(buyer))
    await market.world.db.run(sql`update orders set due_at = null where id = ${other}`)
    await payFor(buyer, updateOf(old, other))
    await market.pass(11 * MINUTE)
    await market.pass(11 * MINUTE)
    expect((await details(buyer, other)).order).toMatchObject({ label: 'refunded', refund: '630.00' })
  })

  it('is refused below and at the old configuration', async () => {
    const buyer = await market.buyer()
    const id = await runningOrder(market, buyer, { ram: 2 })
    const upgrade = (change: object) => call('orders.upgrade', { ...SMALLEST, ram: 2, id, ...change }, as(buyer))
    expect((await upgrade({ ram: 1, cpu: 4 })).msg).toBe(errorText('lowerConfiguration', 'en'))
    expect((await upgrade({})).msg).toBe(errorText('sameConfiguration', 'en'))
  })
})

describe('an order that its owner ends early', () => {
  it('gives back what the estimate said, and leaves nothing behind', async () => {
    const buyer = await market.buyer(20_000)
    const id = await runningOrder(market, buyer, { duration: 100 })
    const before = await buyer.balance()
    const { data: estimate } = await call('orders.refund', { id }, as(buyer))
    expect(estimate).toMatchObject({ used_hours: 1, total_hours: 100 })
    expect((await call('orders.terminate', { id }, as(buyer))).data.msg).toBe('Termination successful')
    const { order } = await details(buyer, id)
    expect(order).toMatchObject({ status: 9, label: 'terminated', refund: estimate.exact, actions: [] })
    expect(await buyer.balance()).toBe(before + BigInt(estimate.exact.replace('.', '')))
    expect(market.clusters.there.has(id)).toBe(false)
    expect((await history(buyer, '9')).list.map((each) => each.id)).toEqual([id])
  })

  it('pays for its hours what they were bought for, however many were bought for less later', async () => {
    const buyer = await market.buyer(100_000)
    const id = await runningOrder(market, buyer, { duration: 10 })
    const before = await buyer.balance()
    const payment = await paymentOf(buyer, id, 720)
    await call('orders.renewal', { id, hash: await buyer.pay(payment), duration: 720 }, as(buyer))
    const { data: estimate } = await call('orders.refund', { id }, as(buyer))
    expect(estimate).toMatchObject({ used_hours: 1, total_hours: 720 })
    await call('orders.terminate', { id }, as(buyer))
    // Nine of the first ten hours, at 70 coins each, and all of the others.
    expect(await buyer.balance()).toBe(before + cents(9 * 70))
    expect((await details(buyer, id)).order.refund).toBe(estimate.exact)
  })

  it('is ended though the cluster is away, and cleaned up when that is back', async () => {
    const buyer = await market.buyer(20_000)
    const id = await runningOrder(market, buyer, { duration: 100 })
    market.clusters.fail(3, 'remove')
    await call('orders.terminate', { id }, as(buyer))
    expect(await statusOf(buyer, id)).toBe(9)
    for (let round = 0; round < 4; round++) await market.pass(2 * MINUTE)
    expect(market.clusters.there.has(id)).toBe(false)
  })

  it('is ended as soon as the chain is back', async () => {
    const buyer = await market.buyer(20_000)
    const id = await runningOrder(market, buyer, { duration: 100 })
    await market.world.db.run(sql`update orders set ending = 'terminated', due_at = ${new Date(0)} where id = ${id}`)
    await market.chain.kill()
    await market.work()
    expect(market.clusters.there.has(id)).toBe(false)
    expect(await statusOf(buyer, id)).toBe(2)
    await market.chain.restart()
    await market.pass(MINUTE)
    expect(await statusOf(buyer, id)).toBe(9)
  })
})

describe('an order that the contract ends by itself', () => {
  it('is over, and one that nobody ordered is settled by its hours, as every other', async () => {
    const buyer = await market.buyer(20_000)
    const id = await runningOrder(market, buyer, { duration: 10 })
    await payFor(buyer, updateOf(id, `of-${id}`))
    await market.pass(11 * MINUTE)
    await market.pass(11 * MINUTE)
    expect(await statusOf(buyer, id)).toBe(3)
    expect(market.clusters.there.get(id)?.state).toBe('stopped')
    expect(await details(buyer, `of-${id}`)).toMatchObject({ order: { status: 5, refund: '630.00' } })
  })

  it('is over, whatever name it says took its place', async () => {
    const buyer = await market.buyer(20_000)
    const id = await runningOrder(market, buyer, { duration: 10 })
    const order = await findOrder(market.world.db, id)
    const [seen] = (await readOrders(market.port, [id])).found.values()
    if (!order || !seen) throw new Error('there is no such order')
    await endedElsewhere(market.context, market.port, order, { ...seen, replaced_by: 'a\u0000b' })
    await market.work()
    expect(await statusOf(buyer, id)).toBe(3)
    expect(market.clusters.there.get(id)?.state).toBe('stopped')
  })
})

describe('an order whose time is over', () => {
  it('is told of a day and an hour before, stopped, kept for 72 hours, and taken up by whoever buys it again', async () => {
    const buyer = await market.buyer(20_000)
    const id = await runningOrder(market, buyer, { duration: 50, storage: 60 })
    const told = async () => (await call('orders.notices', {}, as(buyer))).data.list.map(({ kind }) => kind)
    await market.pass(26 * HOUR)
    await buyer.signIn()
    await market.pass(MINUTE)
    expect(await told()).toEqual(['endsInADay'])
    await market.pass(23 * HOUR + 10 * MINUTE)
    await buyer.signIn()
    await market.pass(MINUTE)
    expect(await told()).toEqual(['endsInAnHour', 'endsInADay'])
    expect(await statusOf(buyer, id)).toBe(2)
    // Its blocks have to be over, too.
    await market.world.db.run(sql`update orders set start_height = start_height - ${50 * 600} where id = ${id}`)
    await market.pass(HOUR)
    const { order, timers } = await details(buyer, id)
    expect(order).toMatchObject({ status: 3, label: 'expired', actions: ['rebuy'] })
    expect(market.clusters.there.get(id)).toMatchObject({ state: 'stopped' })
    expect(Date.parse(timers.kept_until)).toBeGreaterThan(market.world.clock.now() + 70 * HOUR)
    expect(await told()).toEqual(['expired', 'endsInAnHour', 'endsInADay'])
    expect(await subjects(buyer)).toHaveLength(3)

    // A disk does not shrink, which is said before anything is paid.
    expect((await call('orders.create', { ...SMALLEST, rebuy: id }, as(buyer))).code).not.toBe(0)
    const again = await created(buyer, { duration: 4, storage: 60, rebuy: id })
    await call('orders.hash', { id: again, hash: await buyer.pay(await paymentOf(buyer, again)) }, as(buyer))
    await market.work()
    expect((await details(buyer, again)).order).toMatchObject({ status: 2, workspace_id: id })
    expect(market.clusters.there.get(id)).toMatchObject({ state: 'runs' })
    await market.pass(4 * DAY)
    expect(market.clusters.there.has(id)).toBe(true)
  })

  it('and that cannot be taken up whole is paid back, and nothing of it goes on running', async () => {
    const buyer = await market.buyer(20_000)
    const id = await runningOrder(market, buyer)
    await market.world.db.run(sql`update orders set start_height = start_height - 1200 where id = ${id}`)
    await market.pass(3 * HOUR)
    const again = await created(buyer, { rebuy: id })
    // It runs by then, each time, and something in it fails.
    market.clusters.die(5)
    await call('orders.hash', { id: again, hash: await buyer.pay(await paymentOf(buyer, again)) }, as(buyer))
    for (let round = 0; round < 7; round++) await market.pass(6 * MINUTE)
    expect(await labelOf(buyer, again)).toBe('refunded')
    expect(market.clusters.there.get(id)).toMatchObject({ state: 'stopped' })
  })

  it('is deleted after that', async () => {
    const buyer = await market.buyer(20_000)
    const id = await runningOrder(market, buyer)
    await market.world.db.run(sql`update orders set start_height = start_height - 1200 where id = ${id}`)
    await market.pass(3 * HOUR)
    expect(market.clusters.there.get(id)).toMatchObject({ state: 'stopped' })
    await market.pass(73 * HOUR)
    await buyer.signIn()
    expect(market.clusters.there.has(id)).toBe(false)
    const events = (await details(buyer, id)).timeline.map(({ event }) => event)
    expect(events).toEqual(expect.arrayContaining(['expired', 'workspaceKept', 'workspaceRemoved']))
  })
})
