import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errors, exchangePrice } from '@tidenet/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readBooks, transfersSoFar, unexplained } from '../../apps/server/src/payments/exchange/books.fixture.ts'
import { creditDue } from '../../apps/server/src/payments/exchange/credit.ts'
import { payRefunds } from '../../apps/server/src/payments/exchange/pay.ts'
import { readPayments } from '../../apps/server/src/payments/exchange/read.ts'
import {
  type ExchangeEnv,
  type Payer,
  setupExchange,
} from '../../apps/server/src/payments/exchange/sample-exchange.fixture.ts'

const FEE = 100_000n
const PRICE = exchangePrice(100).due
const HUNDRED = Array.from({ length: 100 }, (_, index) => index)

let env: ExchangeEnv
beforeAll(async () => {
  env = await setupExchange()
}, 60_000)
afterAll(() => env?.close())
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const as = ({ token }: Payer) => ({ token })
const create = (payer: Payer) => env.base.call('exchange.create', { account: '100001', points: 100 }, as(payer))
const created = async (payer: Payer) => (await create(payer)).data.order
const status = async (payer: Payer, id: string) =>
  (await env.base.call('exchange.status', { id }, as(payer))).data.order

describe('a hundred at once', () => {
  it('servers credit each payment once, and refund each wrong one once', { tags: ['long'] }, async () => {
    const payer = await env.payer()
    const funding = await transfersSoFar(env)
    const order = await created(payer)
    await payer.payAll([PRICE, PRICE, 3_000_000n], order.id)
    await payer.payAll([2_000_000n, 1n], 'nothing')
    for (let round = 0; round < 3; round++) {
      await Promise.allSettled(HUNDRED.map(() => readPayments(env.context)))
      await Promise.allSettled(HUNDRED.map(() => creditDue(env.context)))
      await Promise.allSettled(HUNDRED.map(() => payRefunds(env.context)))
    }
    await env.settle()
    const books = await readBooks(env, funding)
    expect(unexplained(books, new Map([[order.id, new Set([String(PRICE)])]]), FEE)).toEqual([])
    expect(books.ledger.filter(({ key }) => key === order.id)).toHaveLength(1)
    expect(books.refunds).toHaveLength(3)
  })

  it('cancellations beside a payment end in one way', async () => {
    const payer = await env.payer()
    const order = await created(payer)
    const balance = await payer.balance()
    const hash = await payer.pay(PRICE, order.id)
    const answers = await Promise.all(
      HUNDRED.map((index) =>
        index % 2 === 0
          ? env.base.call('exchange.cancel', { id: order.id }, as(payer))
          : env.base.call('exchange.hash', { id: order.id, hash }, as(payer)),
      ),
    )
    expect(answers.filter(({ code }, index) => code === 0 && index % 2 === 0).length).toBeLessThanOrEqual(1)
    await env.settle()
    const isCredited = (await status(payer, order.id)).status === 'completed'
    expect(env.partner.ledger().filter(({ key }) => key === order.id)).toHaveLength(isCredited ? 1 : 0)
    expect(balance - (await payer.balance())).toBe(isCredited ? PRICE : FEE)
  })

  it('claims of test coins are one claim', async () => {
    const payer = await env.payer(0)
    const answers = await Promise.all(
      HUNDRED.map((index) => env.base.call('exchange.testCoins', {}, { ...as(payer), ip: `10.21.0.${index}` })),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    await env.settle()
    expect(await payer.balance()).toBe(1000n * 1_000_000n)
  })

  it('requests of an operator refund a payment once', async () => {
    const [payer, operator] = [await env.payer(), await env.base.person({ role: 'operator' })]
    const balance = await payer.balance()
    const order = await created(payer)
    await env.partner.faults([{ on: 'credit', kind: 'error before' }])
    await payer.pay(PRICE, order.id)
    await env.work()
    const answers = await Promise.all(
      HUNDRED.map(() =>
        env.base.call('admin.exchangeRefund', { id: order.id, reason: 'test' }, { token: operator.token }),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    await env.settle()
    expect(await payer.balance()).toBe(balance)
  })
})

describe('refuses', () => {
  it('to take the payment of somebody else for an exchange', async () => {
    const [payer, thief] = [await env.payer(), await env.payer()]
    const [order, own] = [await created(payer), await created(thief)]
    const hash = await payer.pay(PRICE, order.id)
    const told = await env.base.call('exchange.hash', { id: own.id, hash }, as(thief))
    expect(told.data.order).toMatchObject({ status: 'in_progress', payments: [] })
    await env.settle()
    expect((await status(payer, order.id)).status).toBe('completed')
    expect((await status(thief, own.id)).payments).toEqual([])
  })

  it('to end the exchange of somebody else by wrong payments', async () => {
    const [payer, stranger] = [await env.payer(), await env.payer()]
    const order = await created(payer)
    await stranger.payAll([1n, 2_000_000n], order.id)
    await env.work()
    expect(await status(payer, order.id)).toMatchObject({ status: 'in_progress' })
    await payer.pay(PRICE, order.id)
    await env.settle()
    expect((await status(payer, order.id)).status).toBe('completed')
  })

  it('to look up accounts of the partner without end', async () => {
    const payer = await env.payer(0)
    const lookups = await Promise.all(
      HUNDRED.map((index) =>
        env.base.call('exchange.account', { account: `${index}` }, { ...as(payer), ip: `10.20.0.${index}` }),
      ),
    )
    expect(lookups.filter(({ err }) => err === errors.exchangeAccountUnknown.err)).toHaveLength(60)
    expect(lookups.filter(({ err }) => err === errors.tooManyRequests.err)).toHaveLength(40)
  })

  it('texts that are too long, or that the database cannot store', async () => {
    const payer = await env.payer(0)
    for (const account of ['x'.repeat(255), 'a\u0000b', ' '])
      expect((await env.base.call('exchange.account', { account }, as(payer))).code).toBe(-1)
    expect((await env.base.call('exchange.status', { id: 'x'.repeat(10_000) }, as(payer))).code).toBe(-1)
  })

  it('API keys, and operator calls by others', async () => {
    const payer = await env.payer(0)
    const key = await env.base.key(payer, 'admin')
    expect((await env.base.call('exchange.records', {}, { token: key })).code).not.toBe(0)
    for (const call of ['admin.exchanges', 'admin.exchangeTotals'] as const)
      expect((await env.base.call(call, {}, as(payer))).code).not.toBe(0)
    const rate = { usd_per_tnt4: 1, credits_per_usd: 1, discount: 0, reason: 'x' }
    expect((await env.base.call('admin.exchangeRate', rate, as(payer))).code).not.toBe(0)
  })
})

describe('a partner that lies', () => {
  /** Answers every call for an account and every credit with these. */
  async function lyingPartner(answer: (path: string, key: string) => { status: number; body: object }) {
    const server = createServer((request, response) => {
      const path = request.url ?? ''
      const key = String(request.headers['idempotency-key'] ?? path.split('/')[3] ?? '')
      const { status: code, body } = path.startsWith('/v1/accounts')
        ? { status: 200, body: { account: { id: '100001', name: 'Ada\u0000' } } }
        : answer(path, key)
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { config } = env.context
    const { exchange } = config
    config.exchange = { ...exchange, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    closing.push(() => {
      config.exchange = exchange
      server.closeAllConnections()
      server.close()
    })
  }
  async function paid(payer: Payer) {
    const order = await created(payer)
    await payer.pay(PRICE, order.id)
    for (let round = 0; round < 5; round++) {
      await env.work()
      env.base.pass(60_000)
    }
    return status(payer, order.id)
  }

  it.each([
    ['credits another account', { state: 'credited', id: 'c1', account: '100002', points: 100 }],
    ['credits fewer points', { state: 'credited', id: 'c1', account: '100001', points: 1 }],
  ])('and %s neither completes nor refunds it, and operators see it', async (_, credit) => {
    await lyingPartner((_path, key) => ({ status: 200, body: { credit: { key, ...credit } } }))
    const payer = await env.payer()
    const order = await paid(payer)
    expect(order).toMatchObject({ status: 'incomplete', payments: [{ result: 'pending' }] })
    const operator = await env.base.person({ role: 'operator' })
    const { list } = (await env.base.call('admin.exchanges', { stuck: true, q: order.id }, { token: operator.token }))
      .data
    expect(list).toMatchObject([{ id: order.id, stuck: true, uid: payer.uid }])
  })

  it.each([
    [
      'answers for another key',
      () => ({ status: 200, body: { credit: { key: 'x', state: 'refused', reason: 'no' } } }),
    ],
    ['is a proxy that knows nothing', () => ({ status: 404, body: { message: 'not found' } })],
    [
      'sends texts that the database cannot store',
      (_path: string, key: string) => ({
        status: 200,
        body: { credit: { key, state: 'credited', id: 'a\u0000', account: '100001', points: 100 } },
      }),
    ],
    ['answers nonsense', () => ({ status: 200, body: { credit: { state: 'maybe' } } })],
  ])('and %s is asked again: nothing is refunded', async (_, answer) => {
    await lyingPartner(answer)
    expect(await paid(await env.payer())).toMatchObject({ status: 'incomplete', payments: [{ result: 'pending' }] })
  })
})
