import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { place } from '../../identity/wallets/sample-wallets.fixture.ts'
import { orderCalls } from './sample-calls.fixture.ts'
import { type Buyer, type OrdersEnv, runningOrder, SMALLEST, setupOrders } from './sample-orders.fixture.ts'

let env: OrdersEnv
beforeAll(async () => {
  env = await setupOrders()
})
afterAll(() => env?.close())

const { call, as, details, statusOf, created, paymentOf } = orderCalls(() => env)

describe('rejects', () => {
  let buyer: Buyer
  let other: Buyer
  let id: string
  beforeAll(async () => {
    buyer = await env.buyer(20_000)
    other = await env.buyer()
    id = await runningOrder(env, buyer, { duration: 10 })
  })

  it('callers without a session, except for prices', async () => {
    expect((await call('orders.history', {})).code).toBe(401)
    expect((await call('orders.create', { ...SMALLEST })).code).toBe(401)
    expect((await call('orders.terminate', { id })).code).toBe(401)
    expect((await call('orders.price', { ...SMALLEST })).code).toBe(0)
  })

  it('API keys', async () => {
    const token = await env.base.key(buyer, 'admin')
    expect((await call('orders.terminate', { id }, { token })).err).toBe(errors.forbidden.err)
  })

  it('accounts without a wallet', async () => {
    const person = await env.base.person()
    const answer = await call('orders.create', { ...SMALLEST }, { token: person.token })
    expect(answer.err).toBe(errors.walletRequired.err)
    expect((await call('orders.history', {}, { token: person.token })).err).toBe(errors.walletRequired.err)
  })

  it('strangers, as if the order did not exist', async () => {
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

  it('clusters that are unavailable or full, before anything is paid', async () => {
    const centralized = await call('orders.create', { ...SMALLEST, kub_name: 'centralized' }, as(buyer))
    expect(centralized.err).toBe(errors.clusterNotReady.err)
    expect((await call('orders.create', { ...SMALLEST, cpu: 32 }, as(buyer))).err).toBe(errors.clusterNotReady.err)
    const unknown = await call('orders.create', { ...SMALLEST, kub_name: 'moon' as 'distributed' }, as(buyer))
    expect(unknown.err).toBe(errors.clusterUnknown.err)
  })

  it('invalid page sizes and filters', async () => {
    for (const size of [0, 101, 1_000_000])
      expect((await call('orders.history', { size }, as(buyer))).err).toBe(errors.invalidParams.err)
    expect((await call('orders.history', { status: '2,77' }, as(buyer))).err).toBe(errors.invalidParams.err)
    expect((await call('orders.history', { page: 9_999_999 }, as(buyer))).data.list).toEqual([])
  })

  it('the hash of another order’s payment, and invalid hashes', async () => {
    const { hash } = (await details(buyer, id)).order
    const next = await created(buyer)
    expect((await call('orders.hash', { id: next, hash }, as(buyer))).err).toBe(errors.hashUsed.err)
    expect((await call('orders.hash', { id: next, hash: 'xyz' }, as(buyer))).err).toBe(errors.hashFormat.err)
    expect(await statusOf(buyer, next)).toBe(0)
  })

  it('a stranger’s payment, which remains valid for the stranger', async () => {
    const [mine, theirs] = [await created(buyer), await created(other)]
    const hash = await other.pay(await paymentOf(other, theirs))
    await call('orders.hash', { id: mine, hash }, as(buyer))
    expect((await details(buyer, mine)).payments[0]).toMatchObject({ state: 'failed' })
    await call('orders.hash', { id: theirs, hash }, as(other))
    expect(await statusOf(other, theirs)).toBe(1)
  })

  it('operations that the status does not allow', async () => {
    const unpaid = await created(buyer)
    for (const operation of ['orders.terminate', 'orders.renewal', 'orders.refund'] as const)
      expect((await call(operation, { id: unpaid }, as(buyer))).err).toBe(errors.orderStatus.err)
    expect((await call('orders.cancel', { id }, as(buyer))).err).toBe(errors.orderStatus.err)
    expect((await call('orders.hash', { id, hash: 'ab'.repeat(32) }, as(buyer))).err).toBe(errors.orderStatus.err)
    expect((await call('orders.payment', { id, duration: 5 }, as(buyer))).err).toBe(errors.renewalShorter.err)
  })

  it('all but one of many concurrent terminations', async () => {
    const running = await runningOrder(env, buyer, { duration: 10 })
    const before = await buyer.balance()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('orders.terminate', { id: running }, as(buyer))),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    const { refund } = (await details(buyer, running)).order
    expect(await buyer.balance()).toBe(before + BigInt(refund.replace('.', '')))
  })

  it('all but one of many concurrent upgrades', async () => {
    const running = await runningOrder(env, buyer, { duration: 10 })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        call('orders.upgrade', { ...SMALLEST, id: running, cpu: 2, duration: 10 }, as(buyer)),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })

  it('more than ten unpaid orders', async () => {
    const many = await env.buyer()
    // A client network of its own.
    const from = { ...as(many), ...place() }
    const answers = await Promise.all(Array.from({ length: 14 }, () => call('orders.create', { ...SMALLEST }, from)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(10)
    expect(answers.find(({ code }) => code !== 0)?.err).toBe(errors.tooManyUnpaid.err)
  })

  it('purchases while the chain is unavailable', async () => {
    await env.chain.kill()
    const answer = await call('orders.create', { ...SMALLEST }, { ...as(other), ...place() })
    await env.chain.restart()
    expect(answer.err).toBe(errors.chainUnavailable.err)
  })
})
