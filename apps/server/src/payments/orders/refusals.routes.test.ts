import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { place } from '../../identity/wallets/sample-wallets.fixture.ts'
import { callsOf } from './sample-calls.fixture.ts'
import { type Buyer, type Market, openMarket, runningOrder, SMALLEST } from './sample-orders.fixture.ts'

let market: Market
beforeAll(async () => {
  market = await openMarket()
})
afterAll(() => market?.close())

const { call, as, details, statusOf, created, paymentOf } = callsOf(() => market)

describe('refused are', () => {
  let buyer: Buyer
  let other: Buyer
  let id: string
  beforeAll(async () => {
    buyer = await market.buyer(20_000)
    other = await market.buyer()
    id = await runningOrder(market, buyer, { duration: 10 })
  })

  it('everybody without a session, but for prices and offers', async () => {
    expect((await call('orders.history', {})).code).toBe(401)
    expect((await call('orders.create', { ...SMALLEST })).code).toBe(401)
    expect((await call('orders.terminate', { id })).code).toBe(401)
    expect((await call('orders.price', { ...SMALLEST })).code).toBe(0)
  })

  it('API keys', async () => {
    const token = await market.world.key(buyer, 'admin')
    expect((await call('orders.terminate', { id }, { token })).err).toBe(errors.forbidden.err)
  })

  it('accounts without a wallet', async () => {
    const person = await market.world.person()
    const answer = await call('orders.create', { ...SMALLEST }, { token: person.token })
    expect(answer.err).toBe(errors.walletRequired.err)
    expect((await call('orders.history', {}, { token: person.token })).err).toBe(errors.walletRequired.err)
  })

  it('strangers, who learn nothing of an order', async () => {
    const tries = [
      call('orders.details', { id }, as(other)),
      call('orders.refund', { id }, as(other)),
      call('orders.terminate', { id }, as(other)),
      call('orders.cancel', { id }, as(other)),
      call('orders.renewal', { id }, as(other)),
      call('orders.payment', { id }, as(other)),
      call('orders.upgrade', { ...SMALLEST, id, cpu: 4, duration: 20 }, as(other)),
      call('orders.hash', { id, hash: 'ab'.repeat(32) }, as(other)),
      call('orders.autoRenew', { id, on: true, cap: 100 }, as(other)),
      call('orders.details', { id: 'no such order' }, as(other)),
    ]
    for (const answer of await Promise.all(tries)) expect(answer.err).toBe(errors.notFound.err)
    expect(await statusOf(buyer, id)).toBe(2)
  })

  it('configurations out of bounds', async () => {
    for (const wrong of [
      { cpu: 0 },
      { cpu: 33 },
      { ram: 65 },
      { storage: 45 },
      { storage: 4010 },
      { duration: 721 },
      { cpu: 1.5 },
    ]) {
      expect((await call('orders.price', { ...SMALLEST, ...wrong })).err).toBe(errors.invalidParams.err)
      expect((await call('orders.create', { ...SMALLEST, ...wrong }, as(buyer))).err).toBe(errors.invalidParams.err)
    }
  })

  it('regions that sell nothing or have no room, before anything is paid', async () => {
    const centralized = await call('orders.create', { ...SMALLEST, kub_name: 'centralized' }, as(buyer))
    expect(centralized.err).toBe(errors.clusterNotReady.err)
    expect((await call('orders.create', { ...SMALLEST, cpu: 32 }, as(buyer))).err).toBe(errors.clusterNotReady.err)
    const unknown = await call('orders.create', { ...SMALLEST, kub_name: 'moon' as 'distributed' }, as(buyer))
    expect(unknown.err).toBe(errors.clusterUnknown.err)
  })

  it('pages beyond what is offered', async () => {
    for (const size of [0, 101, 1_000_000])
      expect((await call('orders.history', { size }, as(buyer))).err).toBe(errors.invalidParams.err)
    expect((await call('orders.history', { status: '2,77' }, as(buyer))).err).toBe(errors.invalidParams.err)
    expect((await call('orders.history', { page: 9_999_999 }, as(buyer))).data.list).toEqual([])
  })

  it('a transaction that has paid for another order, and what is no hash', async () => {
    const { hash } = (await details(buyer, id)).order
    const next = await created(buyer)
    expect((await call('orders.hash', { id: next, hash }, as(buyer))).err).toBe(errors.hashUsed.err)
    expect((await call('orders.hash', { id: next, hash: 'xyz' }, as(buyer))).err).toBe(errors.hashFormat.err)
    expect(await statusOf(buyer, next)).toBe(0)
  })

  it('a stranger’s transaction as one’s own, which stays good for who made it', async () => {
    const [mine, theirs] = [await created(buyer), await created(other)]
    const hash = await other.pay(await paymentOf(other, theirs))
    await call('orders.hash', { id: mine, hash }, as(buyer))
    expect((await details(buyer, mine)).payments[0]).toMatchObject({ state: 'failed' })
    await call('orders.hash', { id: theirs, hash }, as(other))
    expect(await statusOf(other, theirs)).toBe(1)
  })

  it('what does not suit the state of an order', async () => {
    const unpaid = await created(buyer)
    for (const operation of ['orders.terminate', 'orders.renewal', 'orders.refund'] as const)
      expect((await call(operation, { id: unpaid }, as(buyer))).err).toBe(errors.orderStatus.err)
    expect((await call('orders.cancel', { id }, as(buyer))).err).toBe(errors.orderStatus.err)
    expect((await call('orders.hash', { id, hash: 'ab'.repeat(32) }, as(buyer))).err).toBe(errors.orderStatus.err)
    expect((await call('orders.payment', { id, duration: 5 }, as(buyer))).err).toBe(errors.renewalShorter.err)
  })

  it('a second end of the same order, however many ask at once', async () => {
    const running = await runningOrder(market, buyer, { duration: 10 })
    const before = await buyer.balance()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('orders.terminate', { id: running }, as(buyer))),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    const { refund } = (await details(buyer, running)).order
    expect(await buyer.balance()).toBe(before + BigInt(refund.replace('.', '')))
  })

  it('two upgrades of one order', async () => {
    const running = await runningOrder(market, buyer, { duration: 10 })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        call('orders.upgrade', { ...SMALLEST, id: running, cpu: 2, duration: 10 }, as(buyer)),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })

  it('more unpaid orders than ten', async () => {
    const many = await market.buyer()
    // From where nobody has asked for orders yet.
    const from = { ...as(many), ...place() }
    const answers = await Promise.all(Array.from({ length: 14 }, () => call('orders.create', { ...SMALLEST }, from)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(10)
    expect(answers.find(({ code }) => code !== 0)?.err).toBe(errors.tooManyUnpaid.err)
  })

  it('purchases while the chain is away', async () => {
    await market.chain.kill()
    const answer = await call('orders.create', { ...SMALLEST }, { ...as(other), ...place() })
    await market.chain.restart()
    expect(answer.err).toBe(errors.chainUnavailable.err)
  })
})
