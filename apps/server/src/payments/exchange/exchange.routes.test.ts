import { EXCHANGE_RATE, type ExchangeOrder, exchangePrice } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { nextBlock } from '../chain/sample-chain.fixture.ts'
import { type ExchangeEnv, type Payer, setupExchange } from './sample-exchange.fixture.ts'

const MINUTE = 60_000
const FEE = 100_000n
const POINTS = 1000
const PRICE = exchangePrice(POINTS).due

let env: ExchangeEnv
beforeAll(async () => {
  env = await setupExchange()
}, 60_000)
afterAll(() => env?.close())

const as = ({ token }: Payer) => ({ token })
const create = (payer: Payer, account = 'first@partner.example', points = POINTS) =>
  env.base.call('exchange.create', { account, points }, as(payer))
const status = async (payer: Payer, id: string): Promise<ExchangeOrder> =>
  (await env.base.call('exchange.status', { id }, as(payer))).data.order
const confirmed = async (payer: Payer, account?: string, points?: number) => {
  const { data } = await create(payer, account, points)
  return (await env.base.call('exchange.confirm', { id: data.order.id, tnt4: data.order.tnt4 }, as(payer))).data
}
const records = async (payer: Payer, filter: object = {}) =>
  (await env.base.call('exchange.records', filter, as(payer))).data
const creditsOf = (id: string) => env.partner.ledger().filter(({ key }) => key === id)

describe('an exchange', () => {
  it('shows rate, limits and a partner that is labelled as simulated', async () => {
    const { data } = await env.base.call('exchange.rate', {})
    expect(data).toMatchObject({
      usd_per_tnt4: '0.0508',
      credits_per_usd: 400,
      discount: 25,
      min: 100,
      max: 10_000_000,
      fee: '0.1',
      quote_life: 60,
      partner: { simulated: true },
      reachable: true,
      token: { symbol: 'TNT4', decimals: 6 },
      reason: '',
    })
    const services = (await env.base.call('portal.services', {})).data.list
    expect(services.find(({ name }) => name === 'exchange')).toMatchObject({ state: 'available' })
  })

  it('is unavailable, with a reason, while the chain or the partner does not answer', async () => {
    const exchangeState = async () => {
      const { list } = (await env.base.call('portal.services', {})).data
      const { reason } = (await env.base.call('exchange.rate', {})).data
      const found = list.find(({ name }) => name === 'exchange')
      expect(found?.reason).toBe(reason)
      return found
    }
    for (const needed of [env.chain, env.partner]) {
      await needed.kill()
      expect(await exchangeState()).toMatchObject({ state: 'unavailable', reason: expect.stringMatching(/./) })
      await needed.restart()
      expect(await exchangeState()).toMatchObject({ state: 'available', reason: '' })
    }
  })

  it('credits the account once its payment is in a block', async () => {
    const payer = await env.payer()
    const balance = await payer.balance()
    const { order, recalculated, payment } = await confirmed(payer)
    expect(recalculated).toBe(false)
    expect(order).toMatchObject({ status: 'in_progress', account: '100001', points: POINTS, simulated: true })
    expect(payment).toEqual({
      contract: env.token,
      msg: { transfer: { recipient: env.address, amount: String(PRICE) } },
      memo: order.id,
    })
    const hash = await payer.pay(PRICE, order.id)
    await env.settle()
    expect(await status(payer, order.id)).toMatchObject({
      status: 'completed',
      reason: '',
      payments: [{ hash, result: 'credited', from: payer.wallet, refund: null, fee: '0', memo: order.id }],
    })
    expect(creditsOf(order.id)).toMatchObject([{ state: 'credited', account: '100001', points: POINTS }])
    expect(await payer.balance()).toBe(balance - PRICE)
  })

  it('finds the payment at once when its hash is told, which proves nothing', async () => {
    const payer = await env.payer()
    const { order } = await confirmed(payer)
    const unknown = '0'.repeat(64)
    expect((await env.base.call('exchange.hash', { id: order.id, hash: unknown }, as(payer))).data.order.status).toBe(
      'in_progress',
    )
    const hash = await payer.pay(PRICE, order.id)
    const told = await env.base.call('exchange.hash', { id: order.id, hash }, as(payer))
    expect(told.data.order.status).toBe('incomplete')
    await env.settle()
    expect((await status(payer, order.id)).status).toBe('completed')
    expect(creditsOf(order.id)).toHaveLength(1)
  })

  it('can be paid by any wallet, and credits its own account', async () => {
    const [payer, friend] = [await env.payer(), await env.payer()]
    const { order } = await confirmed(payer)
    await friend.pay(PRICE, order.id)
    await env.settle()
    expect(await status(payer, order.id)).toMatchObject({ status: 'completed', payments: [{ from: friend.wallet }] })
  })

  it('is recalculated when the rate changed, and confirmed again', async () => {
    const payer = await env.payer()
    const operator = await env.base.person({ role: 'operator' })
    const { data } = await create(payer)
    const setRate = (discount: number) =>
      env.base.call(
        'admin.exchangeRate',
        { usd_per_tnt4: EXCHANGE_RATE.usdPerTnt4, credits_per_usd: 400, discount, reason: 'test' },
        { token: operator.token },
      )
    expect((await setRate(0)).code).toBe(0)
    const confirm = async (tnt4: string) =>
      (await env.base.call('exchange.confirm', { id: data.order.id, tnt4 }, as(payer))).data
    const changed = await confirm(data.order.tnt4)
    expect(changed).toMatchObject({ recalculated: true, payment: null })
    expect(Number(changed.order.tnt4)).toBeGreaterThan(Number(data.order.tnt4))
    const again = await confirm(changed.order.tnt4)
    expect(again).toMatchObject({ recalculated: false, order: { tnt4: changed.order.tnt4, confirmed: true } })
    await setRate(EXCHANGE_RATE.discount)
    await payer.pay(again.payment?.msg.transfer.amount ?? '', data.order.id)
    await env.settle()
    expect((await status(payer, data.order.id)).status).toBe('completed')
  })

  it('is listed with filters by state and time', async () => {
    const payer = await env.payer()
    const { order } = await confirmed(payer)
    const other = (await create(payer)).data.order
    await env.base.call('exchange.cancel', { id: other.id }, as(payer))
    expect((await records(payer)).list.map(({ id }) => id)).toEqual([other.id, order.id])
    expect((await records(payer, { status: 'failure' })).list).toMatchObject([{ id: other.id, reason: 'cancelled' }])
    expect((await records(payer, { size: 1, page: 2 })).list.map(({ id }) => id)).toEqual([order.id])
    const later = new Date(env.base.clock.now() + MINUTE).toISOString()
    expect((await records(payer, { from: later })).total).toBe(0)
    expect((await records(payer, { to: later })).total).toBe(2)
  })
})

describe('a payment that pays no exchange is refunded less the fee', () => {
  it('with a modified memo, which ends the exchange of its wallet', async () => {
    const payer = await env.payer()
    const balance = await payer.balance()
    const { order } = await confirmed(payer)
    await payer.pay(PRICE, `${order.id} `.replace('ex-', 'ex_'))
    await env.settle()
    expect(await status(payer, order.id)).toMatchObject({
      status: 'failure',
      reason: 'memo',
      payments: [{ result: 'refunded', reason: 'memo', fee: '0.1', refund: { done: true } }],
    })
    expect(await payer.balance()).toBe(balance - FEE)
    expect(creditsOf(order.id)).toEqual([])
  })

  it('with no memo and no exchange, as a record of the wallet’s account', async () => {
    const payer = await env.payer()
    const balance = await payer.balance()
    await payer.pay(5_000_000n, '')
    await env.settle()
    expect((await records(payer)).list).toMatchObject([
      { points: 0, status: 'failure', reason: 'memo', payments: [{ tnt4: '5', result: 'refunded' }] },
    ])
    expect(await payer.balance()).toBe(balance - FEE)
  })

  it('with a wrong amount, which ends the exchange if its own wallet paid', async () => {
    const [payer, stranger] = [await env.payer(), await env.payer()]
    const balance = await payer.balance()
    const { order } = await confirmed(payer)
    await stranger.pay(PRICE - 1n, order.id)
    await env.settle()
    expect(await status(payer, order.id)).toMatchObject({
      status: 'in_progress',
      payments: [{ from: stranger.wallet, result: 'refunded', reason: 'amount' }],
    })
    const renewed = await env.base.call('exchange.confirm', { id: order.id, tnt4: order.tnt4 }, as(payer))
    expect(renewed.code).toBe(0)
    await payer.pay(PRICE + 1n, order.id)
    await env.settle()
    expect(await status(payer, order.id)).toMatchObject({ status: 'failure', reason: 'amount' })
    expect(await payer.balance()).toBe(balance - FEE)
  })

  it('after the quote', async () => {
    const payer = await env.payer()
    const balance = await payer.balance()
    const { order } = await confirmed(payer)
    env.base.pass(2 * MINUTE)
    await payer.pay(PRICE, order.id)
    await env.settle()
    expect(await status(payer, order.id)).toMatchObject({
      status: 'failure',
      payments: [{ result: 'refunded', reason: 'late' }],
    })
    expect(await payer.balance()).toBe(balance - FEE)
  })

  it('a second time, or twice in one transaction', async () => {
    const payer = await env.payer()
    const balance = await payer.balance()
    const { order } = await confirmed(payer)
    await payer.payAll([PRICE, PRICE], order.id)
    await payer.pay(PRICE, order.id)
    await env.settle()
    const { payments, ...rest } = await status(payer, order.id)
    expect(rest.status).toBe('completed')
    expect(payments.map(({ result, reason }) => [result, reason])).toEqual([
      ['credited', ''],
      ['refunded', 'double'],
      ['refunded', 'double'],
    ])
    expect(creditsOf(order.id)).toHaveLength(1)
    expect(await payer.balance()).toBe(balance - PRICE - 2n * FEE)
  })

  it('and kept if it is not more than the fee', async () => {
    const payer = await env.payer()
    const balance = await payer.balance()
    await payer.pay(FEE, 'nothing')
    await env.settle()
    expect((await records(payer)).list).toMatchObject([{ payments: [{ result: 'kept', fee: '0.1', refund: null }] }])
    expect(await payer.balance()).toBe(balance - FEE)
  })

  it('but transfers to others and failed ones are no payments', async () => {
    const [payer, other] = [await env.payer(10), await env.payer()]
    await payer.payAll([1n], 'gift', other.wallet)
    await payer.pay(10n ** 12n, 'more than it has').catch(() => {})
    await env.settle()
    expect((await records(payer)).total).toBe(0)
  })
})

describe('a partner with faults', () => {
  it.each([
    ['credits and answers 500', [{ on: 'credit', kind: 'error after' }]],
    ['credits and loses the answer', [{ on: 'credit', kind: 'lost after' }]],
    ['fails before it credits', [{ on: 'credit', kind: 'error before', times: 3 }]],
    [
      'fails, and reports a duplicate',
      [
        { on: 'credit', kind: 'error after' },
        { on: 'find', kind: 'error before', times: 2 },
        { on: 'credit', kind: 'duplicate' },
      ],
    ],
  ] as const)('that %s credits exactly once', async (_, faults) => {
    const payer = await env.payer()
    const { order } = await confirmed(payer)
    await env.partner.faults(faults)
    await payer.pay(PRICE, order.id)
    await env.settle()
    expect((await status(payer, order.id)).status).toBe('completed')
    expect(creditsOf(order.id)).toMatchObject([{ state: 'credited', points: POINTS }])
    await env.partner.faults([])
  })

  it('that refuses the account gets it refunded in full', async () => {
    const payer = await env.payer()
    const balance = await payer.balance()
    const { order } = await confirmed(payer, 'closed@partner.example')
    await payer.pay(PRICE, order.id)
    await env.settle()
    expect(await status(payer, order.id)).toMatchObject({
      status: 'failure',
      reason: 'account',
      payments: [{ result: 'refunded', fee: '0' }],
    })
    expect(await payer.balance()).toBe(balance)
  })

  it('that is away leaves the exchange incomplete, and is asked again', async () => {
    const payer = await env.payer()
    const { order } = await confirmed(payer)
    await env.partner.kill()
    await payer.pay(PRICE, order.id)
    for (let round = 0; round < 5; round++) {
      await env.work()
      env.base.pass(MINUTE)
      await nextBlock(env.chain)
    }
    expect(await status(payer, order.id)).toMatchObject({ status: 'incomplete', payments: [{ result: 'pending' }] })
    await env.partner.restart()
    await env.settle()
    expect((await status(payer, order.id)).status).toBe('completed')
  })

  it('is asked to revoke the credit before a refund, and its answer decides', async () => {
    const operator = await env.base.person({ role: 'operator' })
    const giveUp = async (faults: Parameters<ExchangeEnv['partner']['faults']>[0]) => {
      const payer = await env.payer()
      const balance = await payer.balance()
      const { order } = await confirmed(payer)
      await env.partner.faults(faults)
      await payer.pay(PRICE, order.id)
      await env.work()
      expect((await status(payer, order.id)).status).toBe('incomplete')
      const asked = { id: order.id, reason: 'the partner does not answer' }
      expect((await env.base.call('admin.exchangeRefund', asked, { token: operator.token })).code).toBe(0)
      expect((await env.base.call('admin.exchangeRefund', asked, { token: operator.token })).err).toBe(2109)
      await env.partner.faults([{ on: 'revoke', kind: 'lost after' }])
      await env.settle()
      return { order: await status(payer, order.id), paid: balance - (await payer.balance()) }
    }
    // The credit was lost on the way: nothing is credited any more.
    expect(await giveUp([{ on: 'credit', kind: 'error before' }])).toMatchObject({
      order: { status: 'failure', reason: 'operator', payments: [{ result: 'refunded', fee: '0' }] },
      paid: 0n,
    })
    // The answer was lost, but the partner had credited: no refund.
    expect(await giveUp([{ on: 'credit', kind: 'error after' }])).toMatchObject({
      order: { status: 'completed' },
      paid: PRICE,
    })
  })
})

describe('test coins', () => {
  it('are sent once a day, with coins for fees, and labelled by the rate', async () => {
    const payer = await env.payer(0)
    expect((await env.base.call('exchange.rate', {})).data.test_coins).toBe(1000)
    expect((await env.base.call('exchange.wallet', {}, as(payer))).data).toMatchObject({ tnt4: '0', can_claim: true })
    expect((await env.base.call('exchange.testCoins', {}, as(payer))).data.claim).toMatchObject({ amount: 1000 })
    expect((await env.base.call('exchange.testCoins', {}, as(payer))).err).toBe(1009)
    await env.settle()
    expect((await env.base.call('exchange.wallet', {}, as(payer))).data).toMatchObject({
      tnt4: '1000',
      can_claim: false,
      claim: { state: 'done' },
    })
  })
})

it('nothing is read or refunded before there is a partner', async () => {
  // Blocks so slow that the partner comes while the block of the payment is the last one.
  const without = await setupExchange({ url: '' }, 400)
  try {
    const payer = await without.payer()
    const balance = await payer.balance()
    await payer.pay(5_000_000n, 'not for an exchange')
    const { port } = without.port
    const behind = { ...(await port.status()), height: 1 }
    await without.work()
    without.context.config.exchange = env.partner.config
    await without.settle()
    // A node that has not got the newest blocks yet.
    const lagging = vi.spyOn(port, 'status').mockResolvedValue(behind)
    await without.work()
    lagging.mockRestore()
    await without.settle()
    expect((await without.base.call('exchange.records', {}, as(payer))).data.total).toBe(0)
    expect(await payer.balance()).toBe(balance - 5_000_000n)
  } finally {
    await without.close()
  }
})

describe('is refused', () => {
  it('with points that are no whole number within the limits', async () => {
    const payer = await env.payer(0)
    for (const points of [99, 10_000_001, 100.5, Number.NaN])
      expect((await create(payer, undefined, points)).err).toBe(2104)
    expect((await create(payer, undefined, 100)).code).toBe(0)
    expect((await create(payer, undefined, 10_000_000)).code).toBe(0)
  })

  it('for an account that the partner does not know', async () => {
    const payer = await env.payer(0)
    expect((await create(payer, 'nobody@partner.example')).err).toBe(2102)
    expect((await env.base.call('exchange.account', { account: '999' }, as(payer))).err).toBe(2102)
  })

  it('while the partner does not answer', async () => {
    const payer = await env.payer(0)
    await env.partner.faults([{ on: 'lookup', kind: 'error before' }])
    expect((await create(payer)).err).toBe(2103)
  })

  it('without a wallet, a partner or a chain', async () => {
    const person = await env.base.person()
    const call = () => env.base.call('exchange.create', { account: '100001', points: POINTS }, { token: person.token })
    expect((await call()).err).toBe(2069)
    const { exchange } = env.context.config
    env.context.config.exchange = { ...exchange, url: '' }
    expect((await call()).err).toBe(2100)
    expect((await env.base.call('exchange.rate', {})).data).toMatchObject({ partner: null })
    env.context.config.exchange = exchange
    const { chain } = env.context
    env.context.chain = undefined
    expect((await call()).err).toBe(1004)
    env.context.chain = chain
  })

  it('to others: they neither see nor change it', async () => {
    const [payer, stranger] = [await env.payer(0), await env.payer(0)]
    const { id, tnt4 } = (await create(payer)).data.order
    const token = stranger.token
    expect((await env.base.call('exchange.status', { id }, { token })).err).toBe(2105)
    expect((await env.base.call('exchange.cancel', { id }, { token })).err).toBe(2105)
    expect((await env.base.call('exchange.confirm', { id, tnt4 }, { token })).err).toBe(2105)
    expect((await env.base.call('exchange.hash', { id, hash: 'a'.repeat(64) }, { token })).err).toBe(2105)
    expect((await records(stranger)).total).toBe(0)
  })

  it('once it has ended', async () => {
    const payer = await env.payer(0)
    const { id, tnt4 } = (await create(payer)).data.order
    expect((await env.base.call('exchange.cancel', { id }, as(payer))).code).toBe(0)
    expect((await env.base.call('exchange.cancel', { id }, as(payer))).err).toBe(2106)
    expect((await env.base.call('exchange.confirm', { id, tnt4 }, as(payer))).err).toBe(2106)
  })

  it('beyond five that are not paid', async () => {
    const payer = await env.payer(0)
    const codes = await Promise.all(Array.from({ length: 8 }, () => create(payer)))
    expect(codes.filter(({ code }) => code === 0)).toHaveLength(5)
    expect(codes.filter(({ err }) => err === 2107)).toHaveLength(3)
  })
})
