import { errorText, priceOf } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { applyExternalEnd } from './confirm.ts'
import { type OnChain, readOrders } from './on-chain.ts'
import { findOrder } from './repository.ts'
import { cents, orderCalls } from './sample-calls.fixture.ts'
import { type Buyer, type OrdersEnv, runningOrder, SMALLEST, setupOrders } from './sample-orders.fixture.ts'
import { DAY, HOUR } from './times.ts'

const MINUTE = 60_000

let env: OrdersEnv
beforeAll(async () => {
  env = await setupOrders()
})
afterAll(() => env?.close())

const { call, as, details, history, statusOf, labelOf, created, paymentOf, subjects } = orderCalls(() => env)

const MACHINE = { cpu: 1, memory: 1, disk: 40, duration: 6000 }
const updateOf = (id: string, next: string) => ({ UpdateOrder: { order_id: id, new_order_id: next, ...MACHINE } })
/** Pays 700 coins with a message that the portal did not create. */
const payFor = (who: Buyer, message: object) => {
  const msg = Buffer.from(JSON.stringify(message)).toString('base64')
  return who.send(env.port.token, { send: { contract: env.port.orders, amount: '70000', msg } })
}

describe('an upgrade', () => {
  it('replaces the old order and takes over its workspace, once paid', async () => {
    const buyer = await env.buyer(20_000)
    const old = await runningOrder(env, buyer, { duration: 10 })
    const { data } = await call('orders.upgrade', { ...SMALLEST, id: old, cpu: 2, duration: 10 }, as(buyer))
    expect([await labelOf(buyer, old), await labelOf(buyer, data.id)]).toEqual(['replacing', 'upgrading'])
    expect((await history(buyer, '2,6,7,8')).total).toBe(2)
    const payment = await paymentOf(buyer, data.id)
    expect(JSON.parse(payment.message)).toMatchObject({ UpdateOrder: { order_id: old, new_order_id: data.id, cpu: 2 } })
    await call('orders.hash', { id: data.id, hash: await buyer.pay(payment) }, as(buyer))
    await env.work()
    expect([await labelOf(buyer, old), await labelOf(buyer, data.id)]).toEqual(['replaced', 'running'])
    expect((await details(buyer, data.id)).order).toMatchObject({ workspace_id: old, replaces: old })
    expect(env.clusters.workspaces.get(old)).toMatchObject({ cpu: 2, state: 'runs' })
    // The contract refunded the unused hours of the old order.
    const { refund } = (await details(buyer, old)).order
    const paid = cents(priceOf({ ...SMALLEST, duration: 10 })) + BigInt(payment.amount)
    expect(await buyer.balance()).toBe(cents(20_000) - paid + BigInt(refund.replace('.', '')))
  })

  it('is withdrawn if unpaid after ten minutes, and takes effect if paid later', async () => {
    const buyer = await env.buyer(20_000)
    const old = await runningOrder(env, buyer, { duration: 10 })
    const { data } = await call('orders.upgrade', { ...SMALLEST, id: old, ram: 4, duration: 10 }, as(buyer))
    const payment = await paymentOf(buyer, data.id)
    await env.pass(11 * MINUTE)
    expect([await labelOf(buyer, old), await labelOf(buyer, data.id)]).toEqual(['running', 'cancelled'])
    await buyer.pay(payment)
    await env.pass(2 * MINUTE)
    expect([await labelOf(buyer, old), await labelOf(buyer, data.id)]).toEqual(['replaced', 'running'])
    expect(env.clusters.workspaces.get(old)).toMatchObject({ ram: 4 })
  })

  it('is refunded if the cluster cannot resize, and the workspace is suspended', async () => {
    const buyer = await env.buyer(20_000)
    const old = await runningOrder(env, buyer, { duration: 10 })
    const { data } = await call('orders.upgrade', { ...SMALLEST, id: old, ram: 4, duration: 10 }, as(buyer))
    env.clusters.fail(5, 'resize')
    await call('orders.hash', { id: data.id, hash: await buyer.pay(await paymentOf(buyer, data.id)) }, as(buyer))
    for (let round = 0; round < 7; round++) await env.pass(6 * MINUTE)
    expect(await labelOf(buyer, data.id)).toBe('refunded')
    expect(env.clusters.workspaces.get(old)).toMatchObject({ state: 'stopped' })
    await env.pass(3 * DAY + HOUR)
    expect(env.clusters.workspaces.has(old)).toBe(false)
  })

  it.each([
    ['buys something with it', (id: string) => ({ CreateOrder: { order_id: id, ...MACHINE } }), 700],
    // An hour of the order that it replaced, and one of this.
    ['replaces an own order by it', (id: string, other: string) => updateOf(other, id), 2 * 70],
  ])('takes effect although a stranger used its ID first and %s', async (_, message, cost) => {
    const [buyer, stranger] = [await env.buyer(20_000), await env.buyer(20_000)]
    const [old, other] = [
      await runningOrder(env, buyer, { duration: 10 }),
      await runningOrder(env, stranger, { duration: 10 }),
    ]
    const { data } = await call('orders.upgrade', { ...SMALLEST, id: old, cpu: 2, duration: 10 }, as(buyer))
    await payFor(stranger, message(data.id, other))
    const onChain = () => env.port.port.query<OnChain[]>(env.port.orders, { orders: { order_ids: [data.id] } })
    let strange: OnChain[] = []
    // A round looks for orders of strangers after our own, as long as it has time.
    for (let round = 0; round < 6 && strange[0]?.locked !== '0'; round++) {
      await env.pass(2 * MINUTE)
      strange = await onChain()
    }
    // What the stranger bought goes back.
    expect(strange).toMatchObject([{ initiator: stranger.wallet, locked: '0', released: {} }])
    expect(await stranger.balance()).toBe(cents(20_000 - cost))

    const payment = await paymentOf(buyer, data.id)
    await call('orders.hash', { id: data.id, hash: await buyer.pay(payment) }, as(buyer))
    await env.work()
    expect([await labelOf(buyer, old), await labelOf(buyer, data.id)]).toEqual(['replaced', 'running'])
    expect(env.clusters.workspaces.get(old)).toMatchObject({ cpu: 2, state: 'runs' })
  })

  it('with the ID of another unpaid order is charged by hours, and the old order ends', async () => {
    const buyer = await env.buyer(20_000)
    const [old, other] = [await runningOrder(env, buyer, { duration: 10 }), await created(buyer)]
    await payFor(buyer, updateOf(old, other))
    await env.pass(11 * MINUTE)
    await env.pass(11 * MINUTE)
    expect(await statusOf(buyer, old)).toBe(3)
    // The started hour is charged.
    expect((await details(buyer, other)).order).toMatchObject({ status: 5, label: 'refunded', refund: '630.00' })
    expect(env.clusters.workspaces.has(other)).toBe(false)
  })

  it('with the ID of an order that is no longer checked is charged by hours too', async () => {
    const buyer = await env.buyer(20_000)
    const [old, other] = [await runningOrder(env, buyer, { duration: 10 }), await created(buyer)]
    await call('orders.cancel', { id: other }, as(buyer))
    await env.base.db.run(sql`update orders set due_at = null where id = ${other}`)
    await payFor(buyer, updateOf(old, other))
    await env.pass(11 * MINUTE)
    await env.pass(11 * MINUTE)
    expect((await details(buyer, other)).order).toMatchObject({ label: 'refunded', refund: '630.00' })
  })

  it('rejects a lower or equal configuration', async () => {
    const buyer = await env.buyer()
    const id = await runningOrder(env, buyer, { ram: 2 })
    const upgrade = (change: object) => call('orders.upgrade', { ...SMALLEST, ram: 2, id, ...change }, as(buyer))
    expect((await upgrade({ ram: 1, cpu: 4 })).msg).toBe(errorText('lowerConfiguration', 'en'))
    expect((await upgrade({})).msg).toBe(errorText('sameConfiguration', 'en'))
  })
})

describe('an order that its owner terminates', () => {
  it('is refunded as estimated, and its workspace is removed', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 100 })
    const before = await buyer.balance()
    const { data: estimate } = await call('orders.refund', { id }, as(buyer))
    expect(estimate).toMatchObject({ used_hours: 1, total_hours: 100 })
    expect((await call('orders.terminate', { id }, as(buyer))).data.msg).toBe('Termination successful')
    const { order } = await details(buyer, id)
    expect(order).toMatchObject({ status: 9, label: 'terminated', refund: estimate.exact, actions: [] })
    expect(await buyer.balance()).toBe(before + BigInt(estimate.exact.replace('.', '')))
    expect(env.clusters.workspaces.has(id)).toBe(false)
    expect((await history(buyer, '9')).list.map((each) => each.id)).toEqual([id])
  })

  it('charges used hours at their own price, even if later hours were cheaper', async () => {
    const buyer = await env.buyer(100_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
    const before = await buyer.balance()
    const payment = await paymentOf(buyer, id, 720)
    await call('orders.renewal', { id, hash: await buyer.pay(payment), duration: 720 }, as(buyer))
    const { data: estimate } = await call('orders.refund', { id }, as(buyer))
    expect(estimate).toMatchObject({ used: '70.00', used_hours: 1, total_hours: 720 })
    await call('orders.terminate', { id }, as(buyer))
    // Nine of the first ten hours, at 70 coins each, and all of the others.
    expect(await buyer.balance()).toBe(before + cents(9 * 70))
    expect((await details(buyer, id)).order.refund).toBe(estimate.exact)
  })

  it('ends while the cluster is unavailable, and is cleaned up later', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 100 })
    env.clusters.fail(3, 'remove')
    await call('orders.terminate', { id }, as(buyer))
    expect(await statusOf(buyer, id)).toBe(9)
    for (let round = 0; round < 4; round++) await env.pass(2 * MINUTE)
    expect(env.clusters.workspaces.has(id)).toBe(false)
  })

  it('ends once the chain is available again', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 100 })
    await env.base.db.run(sql`update orders set ending = 'terminated', due_at = ${new Date(0)} where id = ${id}`)
    await env.chain.kill()
    await env.work()
    expect(env.clusters.workspaces.has(id)).toBe(false)
    expect(await statusOf(buyer, id)).toBe(2)
    await env.chain.restart()
    await env.pass(MINUTE)
    expect(await statusOf(buyer, id)).toBe(9)
  })
})

describe('an order that the contract ended', () => {
  it('expires, and the unknown order that replaced it is charged by hours', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
    await payFor(buyer, updateOf(id, `of-${id}`))
    await env.pass(11 * MINUTE)
    await env.pass(11 * MINUTE)
    expect(await statusOf(buyer, id)).toBe(3)
    expect(env.clusters.workspaces.get(id)?.state).toBe('stopped')
    expect(await details(buyer, `of-${id}`)).toMatchObject({ order: { status: 5, refund: '630.00' } })
  })

  it('expires, whatever ID the contract gives for the replacement', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
    const order = await findOrder(env.base.db, id)
    const [onChainOrder] = (await readOrders(env.port, [{ id, payer: buyer.wallet }])).found.values()
    if (!order || !onChainOrder) throw new Error('there is no such order')
    await applyExternalEnd(env.context, env.port, order, { ...onChainOrder, replaced_by: 'a\u0000b' })
    await env.work()
    expect(await statusOf(buyer, id)).toBe(3)
    expect(env.clusters.workspaces.get(id)?.state).toBe('stopped')
  })
})

describe('an expired order', () => {
  it('sends notices before, is suspended for 72 hours, and is restored by buying it again', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 50, storage: 60 })
    const notices = async () => (await call('orders.notices', {}, as(buyer))).data.list.map(({ kind }) => kind)
    await env.pass(26 * HOUR)
    await buyer.signIn()
    await env.pass(MINUTE)
    expect(await notices()).toEqual(['endsInADay'])
    await env.pass(23 * HOUR + 10 * MINUTE)
    await buyer.signIn()
    await env.pass(MINUTE)
    expect(await notices()).toEqual(['endsInAnHour', 'endsInADay'])
    expect(await statusOf(buyer, id)).toBe(2)
    // Its hours must have passed on the chain, too.
    await env.chain.pass(50 * HOUR)
    await env.pass(HOUR)
    const { order, timers } = await details(buyer, id)
    expect(order).toMatchObject({ status: 3, label: 'expired', actions: ['rebuy'] })
    expect(env.clusters.workspaces.get(id)).toMatchObject({ state: 'stopped' })
    expect(Date.parse(timers.kept_until)).toBeGreaterThan(env.base.clock.now() + 70 * HOUR)
    expect(await notices()).toEqual(['expired', 'endsInAnHour', 'endsInADay'])
    expect(await subjects(buyer)).toHaveLength(3)

    // A smaller disk is rejected before anything is paid.
    expect((await call('orders.create', { ...SMALLEST, rebuy: id }, as(buyer))).code).not.toBe(0)
    const again = await created(buyer, { duration: 4, storage: 60, rebuy: id })
    await call('orders.hash', { id: again, hash: await buyer.pay(await paymentOf(buyer, again)) }, as(buyer))
    await env.work()
    expect((await details(buyer, again)).order).toMatchObject({ status: 2, workspace_id: id })
    expect(env.clusters.workspaces.get(id)).toMatchObject({ state: 'runs' })
    await env.pass(4 * DAY)
    expect(env.clusters.workspaces.has(id)).toBe(true)
  })

  it('refunds the new order if its workspace cannot be restored, and stops the workspace', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer)
    await env.chain.pass(2 * HOUR)
    await env.pass(3 * HOUR)
    const again = await created(buyer, { rebuy: id })
    // Each attempt starts the workspace and then fails.
    env.clusters.crash(5)
    await call('orders.hash', { id: again, hash: await buyer.pay(await paymentOf(buyer, again)) }, as(buyer))
    for (let round = 0; round < 7; round++) await env.pass(6 * MINUTE)
    expect(await labelOf(buyer, again)).toBe('refunded')
    expect(env.clusters.workspaces.get(id)).toMatchObject({ state: 'stopped' })
  })

  it('is removed after 72 hours', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer)
    await env.chain.pass(2 * HOUR)
    await env.pass(3 * HOUR)
    expect(env.clusters.workspaces.get(id)).toMatchObject({ state: 'stopped' })
    await env.pass(50 * HOUR)
    await buyer.signIn()
    const notices = async () => (await call('orders.notices', {}, as(buyer))).data.list.map(({ kind }) => kind)
    expect(await notices()).toEqual(['deletedInADay', 'expired'])
    expect(env.clusters.workspaces.has(id)).toBe(true)
    await env.pass(23 * HOUR)
    await buyer.signIn()
    expect(env.clusters.workspaces.has(id)).toBe(false)
    expect(await notices()).toEqual(['deleted', 'deletedInADay', 'expired'])
    const events = (await details(buyer, id)).timeline.map(({ event }) => event)
    expect(events).toEqual(expect.arrayContaining(['expired', 'workspaceKept', 'workspaceRemoved']))
    expect((await details(buyer, id)).timers.kept_until).toBe('')
  })

  it('is kept until an order that restores it was paid or withdrawn, unless that came too late', async () => {
    const buyer = await env.buyer(20_000)
    const [paid, unpaid] = [await runningOrder(env, buyer), await runningOrder(env, buyer)]
    await env.chain.pass(2 * HOUR)
    await env.pass(3 * HOUR)
    await buyer.signIn()
    const keptUntil = Date.parse((await details(buyer, paid)).timers.kept_until)
    await env.pass(keptUntil - env.base.clock.now() - MINUTE)
    await buyer.signIn()
    const again = await created(buyer, { rebuy: paid })
    await created(buyer, { rebuy: unpaid })
    await env.pass(2 * MINUTE)
    expect([...env.clusters.workspaces.keys()]).toEqual(expect.arrayContaining([paid, unpaid]))
    await call('orders.hash', { id: again, hash: await buyer.pay(await paymentOf(buyer, again)) }, as(buyer))
    await env.work()
    expect((await details(buyer, again)).order).toMatchObject({ status: 2, workspace_id: paid })
    expect(env.clusters.workspaces.get(paid)).toMatchObject({ state: 'runs' })

    // Another unpaid order does not keep it any longer.
    const late = await created(buyer, { rebuy: unpaid })
    expect((await details(buyer, late)).order.workspace_id).toBe(late)
    await env.pass(5 * MINUTE)
    await env.pass(2 * MINUTE)
    expect(env.clusters.workspaces.has(unpaid)).toBe(false)
  })
})
