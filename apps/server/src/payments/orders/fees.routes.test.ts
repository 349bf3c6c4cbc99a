import { createFees, createOperator, factsOf } from '@tidenet/chain-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orderCalls } from './sample-calls.fixture.ts'
import { type OrdersEnv, runningOrder, SMALLEST, setupOrders } from './sample-orders.fixture.ts'

/** Like chains outside of development, this one rejects transactions below a gas price: the one of the spec. */
const PRICE = 0.025

let env: OrdersEnv
beforeAll(async () => {
  env = await setupOrders(20, String(PRICE))
})
afterAll(() => env?.close())

const { call, as, created, paymentOf, statusOf } = orderCalls(() => env)

/** Fee and gas that a transaction offered, and gas that it used. */
async function costOf(hash: string) {
  const { port, token, orders } = env.port
  const tx = await port.tx(hash)
  const facts = tx && factsOf(tx.bytes, { token, orders })
  const [coin] = facts?.fee ?? []
  return { fee: Number(coin?.units), gas: Number(facts?.gas), used: tx?.gasUsed ?? 0 }
}

describe('the fee offered to a wallet', () => {
  it('is the price of the chain for the gas that the payment uses', async () => {
    const buyer = await env.buyer()
    const id = await created(buyer)
    const payment = await paymentOf(buyer, id)
    const hash = await buyer.pay(payment)
    await call('orders.hash', { id, hash }, as(buyer))
    await env.work()
    expect(await statusOf(buyer, id)).toBe(2)
    const { fee, gas, used } = await costOf(hash)
    expect(fee).toBe(Math.ceil(gas * PRICE))
    expect(gas).toBeGreaterThan(used)
    expect(gas).toBeLessThan(used * 1.5)
  })

  it('is calculated in the same way for an allowance', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
    const { data } = await call('orders.autoRenew', { id, on: true, cap: 5000 }, as(buyer))
    const { amount, denom, gas } = data.fee
    const hash = await buyer.send(data.token, JSON.parse(data.execute) as object, { amount: [{ amount, denom }], gas })
    const { used } = await costOf(hash)
    expect(Number(gas)).toBeLessThan(used * 1.5)
  })

  it('covers any transaction if it is not known yet', async () => {
    const { data } = await call('chain.settings', {})
    expect(data).toMatchObject({ fee: { amount: '24750', gas: '990000' }, gas_prices: { low: PRICE } })
    const { data: offers } = await call('orders.offers', {}, as(await env.buyer(0)))
    expect(offers.fee).toEqual({ amount: '24750', gas: '990000', denom: 'utide' })
  })

  it('uses the gas limit of the spec if the payment would fail now', async () => {
    const poor = await env.buyer(0)
    const payment = await paymentOf(poor, await created(poor))
    expect(payment.fee).toMatchObject({ amount: '24750', gas: '990000' })
  })

  it('must not be the fixed fee of the development chain, which this chain rejects', async () => {
    const buyer = await env.buyer()
    const { token, execute } = await paymentOf(buyer, await created(buyer))
    const little = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }
    await expect(buyer.send(token, JSON.parse(execute) as object, little)).rejects.toThrow('insufficient fee')
  })
})

describe('the fee that the network pays', () => {
  it('matches the gas that its transactions use, for any number of messages', async () => {
    const operator = env.context.chain?.operator
    const to = (await env.buyer(0)).wallet
    const transfer = (amount: string) => ({
      execute: { contract: env.port.token, msg: { transfer: { recipient: to, amount } } },
    })
    for (const messages of [
      [{ coins: [{ to, amount: 1n }] }],
      [transfer('1')],
      Array.from({ length: 20 }, (_, index) => transfer(String(index + 1))),
    ]) {
      const hash = (await operator?.execute(messages))?.hash ?? ''
      const { fee, gas, used } = await costOf(hash)
      expect(fee).toBe(Math.ceil(gas * PRICE))
      expect(gas).toBeGreaterThan(used)
      expect(gas).toBeLessThan(used * 1.5)
    }
  })

  it('follows a price that has risen since the last query', async () => {
    const { config, port } = env.port
    // The first query returns an outdated price.
    const outdated = [PRICE / 10]
    const stalePort = { ...port, gasPrice: async (denom: string) => outdated.shift() ?? port.gasPrice(denom) }
    const operator = createOperator({
      ...config,
      chainId: config.id,
      port,
      privateKey: config.key ?? new Uint8Array(),
      fees: createFees({ port: stalePort, denom: config.denom }),
    })
    const { hash } = await operator.execute([{ coins: [{ to: operator.address, amount: 1n }] }])
    const { fee, gas } = await costOf(hash)
    expect(fee).toBe(Math.ceil(gas * PRICE))
  })

  it('is exactly the configured price', async () => {
    const { config, port } = env.port
    const fees = (gasPrice?: number) => createFees({ port, denom: config.denom, gasPrice })
    expect(await fees(0.1).atMost(123_456)).toEqual({ amount: '12346', gas: '123456' })
    expect(await fees(0).atMost(990_000)).toEqual({ amount: '0', gas: '990000' })
    expect(await fees().atMost(990_000)).toEqual({ amount: '24750', gas: '990000' })
    expect(await createFees({ port, denom: 'uother' }).price()).toBe(0.025)
  })

  it('is high enough to terminate an order', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { ...SMALLEST, duration: 10 })
    await call('orders.terminate', { id }, as(buyer))
    expect(await statusOf(buyer, id)).toBe(9)
  })
})
