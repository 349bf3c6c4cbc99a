import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_CHAIN } from '../../apps/server/src/payments/chain/config.ts'
import { cents, orderCalls } from '../../apps/server/src/payments/orders/sample-calls.fixture.ts'
import {
  type OrdersEnv,
  runningOrder,
  SMALLEST,
  setupOrdersOn,
} from '../../apps/server/src/payments/orders/sample-orders.fixture.ts'
import { startWasmd, WASMD_ID } from './wasmd.ts'

/** Orders through the server on a real chain: it simulates fees, and its operator is an account whose coins vest. */

let env: OrdersEnv
beforeAll(async () => {
  const wasmd = await startWasmd()
  const { url, data, kill, restart, stop, token, orders, key } = wasmd
  env = await setupOrdersOn({
    ...{ url, data, kill, restart, stop },
    config: { ...NO_CHAIN, rpc: [url], id: WASMD_ID, token, orders, key: Buffer.from(key) },
    pass: () => Promise.reject(new Error('the clock of this chain is the real one')),
  })
})
afterAll(() => env?.close())

const { call, as, created, details, statusOf, paymentOf, onChain } = orderCalls(() => env)

/** Looks until an order has a status: a block takes a moment. */
async function reaches(id: string, buyer: Parameters<typeof statusOf>[0], status: number): Promise<void> {
  for (let attempt = 0; attempt < 100 && (await statusOf(buyer, id)) !== status; attempt++) {
    await env.pass(1000)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect(await statusOf(buyer, id)).toBe(status)
}

describe('an order on a real chain', () => {
  it('is paid with the fee that the server offers, and runs', async () => {
    const buyer = await env.buyer()
    const id = await created(buyer)
    const payment = await paymentOf(buyer, id)
    // Not the fixed fee of the development chain, which this chain refuses.
    expect(payment.fee).not.toMatchObject({ amount: '500', gas: '990000' })
    const hash = await buyer.pay(payment)
    const tx = await env.port.port.tx(hash)
    expect(Number(payment.fee.gas)).toBeLessThan((tx?.gasUsed ?? 0) * 1.5)
    await call('orders.hash', { id, hash }, as(buyer))
    await reaches(id, buyer, 2)
    expect(env.clusters.workspaces.get(id)?.state).toBe('runs')
    expect(await buyer.balance()).toBe(cents(1000 - payment.cost))
  })

  it('is renewed by its payer, upgraded, and terminated with a refund of what is left', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
    const renewal = await paymentOf(buyer, id)
    await call('orders.renewal', { id, hash: await buyer.pay(renewal) }, as(buyer))
    await env.work()
    expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration: 20 })
    expect((await onChain(id))?.duration).toBe(20 * 600)

    const { data } = await call('orders.upgrade', { ...SMALLEST, id, cpu: 2, duration: 20 }, as(buyer))
    await call('orders.hash', { id: data.id, hash: await buyer.pay(await paymentOf(buyer, data.id)) }, as(buyer))
    await reaches(data.id, buyer, 2)
    expect((await details(buyer, id)).order.status).not.toBe(2)

    const before = await buyer.balance()
    const locked = BigInt((await onChain(data.id))?.locked_funds ?? 0)
    await call('orders.terminate', { id: data.id }, as(buyer))
    await reaches(data.id, buyer, 9)
    // Of twenty hours, one had begun.
    expect(await buyer.balance()).toBe(before + (locked * 19n) / 20n)
    expect(await onChain(data.id)).toMatchObject({ locked_funds: 0 })
  })

  it('is renewed by the network from an allowance', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 2 })
    const { data } = await call('orders.autoRenew', { id, on: true, cap: 5000 }, as(buyer))
    const { amount, denom, gas } = data.fee
    await buyer.send(data.token, JSON.parse(data.execute) as object, { amount: [{ amount, denom }], gas })
    // The server's clock goes on, so that the order is about to end for it.
    env.base.pass(90 * 60_000)
    for (let attempt = 0; attempt < 100 && (await onChain(id))?.duration === 1200; attempt++) {
      await env.pass(1000)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await env.pass(5000)
    expect((await onChain(id))?.duration).toBe(2400)
    expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration: 4 })
  })

  it('that cannot be provided goes back as a whole', async () => {
    const buyer = await env.buyer()
    const id = await created(buyer)
    env.clusters.fail(1000, 'create')
    await call('orders.hash', { id, hash: await buyer.pay(await paymentOf(buyer, id)) }, as(buyer))
    for (let attempt = 0; attempt < 100 && (await onChain(id))?.locked_funds !== 0; attempt++) {
      await env.pass(60_000)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    env.clusters.fail(0)
    expect(await buyer.balance()).toBe(cents(1000))
  })

  it('survives a chain that is killed while it is paid', async () => {
    const buyer = await env.buyer()
    const id = await created(buyer)
    const hash = await buyer.pay(await paymentOf(buyer, id))
    await env.chain.kill()
    expect((await call('orders.hash', { id, hash }, as(buyer))).code).toBe(0)
    await env.work()
    await env.chain.restart()
    await reaches(id, buyer, 2)
  })

  it('is not delivered for a payment of another amount', async () => {
    const buyer = await env.buyer()
    const id = await created(buyer)
    const { token, execute, fee } = await paymentOf(buyer, id)
    const paid = JSON.parse(execute) as { send: { amount: string } }
    paid.send.amount = String(BigInt(paid.send.amount) - 1n)
    const hash = await buyer.send(token, paid, { amount: [{ amount: fee.amount, denom: fee.denom }], gas: fee.gas })
    await call('orders.hash', { id, hash }, as(buyer))
    for (let attempt = 0; attempt < 100 && (await onChain(id))?.locked_funds !== 0; attempt++) {
      await env.pass(60_000)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(await buyer.balance()).toBe(cents(1000))
    expect(env.clusters.workspaces.has(id)).toBe(false)
  })
})
