import { createFees, createOperator, factsOf } from '@tidenet/chain-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callsOf } from './sample-calls.ts'
import { type Market, openMarket, runningOrder, SMALLEST } from './sample-orders.ts'

/** A chain that takes nothing for less than the price of the spec for a unit of gas, as chains outside of development do. */
const PRICE = 0.025

let market: Market
beforeAll(async () => {
  market = await openMarket(20, String(PRICE))
})
afterAll(() => market?.close())

const { call, as, created, paymentOf, statusOf } = callsOf(() => market)

/** What a transaction offered, and what it used. */
async function costOf(hash: string) {
  const { port, token, orders } = market.port
  const tx = await port.tx(hash)
  const facts = tx && factsOf(tx.bytes, { token, orders })
  const [coin] = facts?.fee ?? []
  return { fee: Number(coin?.units), gas: Number(facts?.gas), used: tx?.gasUsed ?? 0 }
}

describe('what a wallet is offered to sign', () => {
  it('is what the chain asks for, for what the payment uses', async () => {
    const buyer = await market.buyer()
    const id = await created(buyer)
    const payment = await paymentOf(buyer, id)
    const hash = await buyer.pay(payment)
    await call('orders.hash', { id, hash }, as(buyer))
    await market.work()
    expect(await statusOf(buyer, id)).toBe(2)
    const { fee, gas, used } = await costOf(hash)
    expect(fee).toBe(Math.ceil(gas * PRICE))
    expect(gas).toBeGreaterThan(used)
    expect(gas).toBeLessThan(used * 1.5)
  })

  it('is so for what is allowed to the network, too', async () => {
    const buyer = await market.buyer(20_000)
    const id = await runningOrder(market, buyer, { duration: 10 })
    const { data } = await call('orders.autoRenew', { id, on: true, cap: 5000 }, as(buyer))
    const { amount, denom, gas } = data.fee
    const hash = await buyer.send(data.token, JSON.parse(data.execute) as object, { amount: [{ amount, denom }], gas })
    const { used } = await costOf(hash)
    expect(Number(gas)).toBeLessThan(used * 1.5)
  })

  it('is enough for anything where it is not known yet what is signed', async () => {
    const { data } = await call('chain.settings', {})
    expect(data).toMatchObject({ fee: { amount: '24750', gas: '990000' }, gas_prices: { low: PRICE } })
    const { data: offers } = await call('orders.offers', {}, as(await market.buyer(0)))
    expect(offers.fee).toEqual({ amount: '24750', gas: '990000', denom: 'utide' })
  })

  it('is for at most as much where the payment would fail now', async () => {
    const poor = await market.buyer(0)
    const payment = await paymentOf(poor, await created(poor))
    expect(payment.fee).toMatchObject({ amount: '24750', gas: '990000' })
  })

  it('would be refused as it is on the chain that comes along', async () => {
    const buyer = await market.buyer()
    const { token, execute } = await paymentOf(buyer, await created(buyer))
    const little = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }
    await expect(buyer.send(token, JSON.parse(execute) as object, little)).rejects.toThrow('insufficient fee')
  })
})

describe('what the network pays', () => {
  it('is what its transactions use, however many messages they have', async () => {
    const operator = market.context.chain?.operator
    const to = (await market.buyer(0)).wallet
    const transfer = (amount: string) => ({
      execute: { contract: market.port.token, msg: { transfer: { recipient: to, amount } } },
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

  it('follows a price that has risen since it was asked for', async () => {
    const { config, port } = market.port
    const told = [PRICE / 10]
    // What a node has said a while ago.
    const asked = { ...port, gasPrice: async (denom: string) => told.shift() ?? port.gasPrice(denom) }
    const operator = createOperator({
      ...config,
      chainId: config.id,
      port,
      privateKey: config.key ?? new Uint8Array(),
      fees: createFees({ port: asked, denom: config.denom }),
    })
    const { hash } = await operator.execute([{ coins: [{ to: operator.address, amount: 1n }] }])
    const { fee, gas } = await costOf(hash)
    expect(fee).toBe(Math.ceil(gas * PRICE))
  })

  it('is what was set, to the unit', async () => {
    const { config, port } = market.port
    const fees = (gasPrice?: number) => createFees({ port, denom: config.denom, gasPrice })
    expect(await fees(0.1).atMost(123_456)).toEqual({ amount: '12346', gas: '123456' })
    expect(await fees(0).atMost(990_000)).toEqual({ amount: '0', gas: '990000' })
    expect(await fees().atMost(990_000)).toEqual({ amount: '24750', gas: '990000' })
    expect(await createFees({ port, denom: 'uother' }).price()).toBe(0.025)
  })

  it('is refused to nobody who ends an order', async () => {
    const buyer = await market.buyer(20_000)
    const id = await runningOrder(market, buyer, { ...SMALLEST, duration: 10 })
    await call('orders.terminate', { id }, as(buyer))
    expect(await statusOf(buyer, id)).toBe(9)
  })
})
