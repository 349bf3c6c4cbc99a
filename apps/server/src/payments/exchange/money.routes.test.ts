/** @module-tag long */
import type { Operator } from '@tidenet/chain-client'
import { CREDITS_MIN, EXCHANGE_RATE } from '@tidenet/contract'
import { afterEach, expect, it } from 'vitest'
import type { Db } from '../../platform/db/db.ts'
import { nextBlock } from '../chain/sample-chain.fixture.ts'
import { readBooks, transfersSoFar, unexplained } from './books.fixture.ts'
import { creditDue } from './credit.ts'
import { payRefunds } from './pay.ts'
import { readPayments } from './read.ts'
import { type ExchangeEnv, type Payer, type SampleFault, setupExchange } from './sample-exchange.fixture.ts'

/**
 * TNT4 paid = credits given + refunds + fees, whatever payers, partner, chain and operators do, and wherever servers crash. The books are
 * read from the chain and from the partner's ledger only. EXCHANGE_SEED repeats a sequence; EXCHANGE_ACTIONS sets its length.
 */

const MINUTE = 60_000
const LONG = process.env.TIDENET_TEST_LONG === 'yes'
const SEEDS = process.env.EXCHANGE_SEED ? [Number(process.env.EXCHANGE_SEED)] : LONG ? [1, 2, 3, 4, 5, 6] : [1]
const ACTIONS = Number(process.env.EXCHANGE_ACTIONS ?? (LONG ? 150 : 45))
const ACCOUNTS = ['100001', '100001', 'second@partner.example', 'lost@partner.example', 'closed@partner.example']

let env: ExchangeEnv
afterEach(() => env?.close())

/** Seeded random numbers from 0 to 1 (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

class Crash extends Error {}

/** A database that a server loses: before a statement, or after it and before its answer. A transaction is undone then, as by a kill. */
function crashingDb(db: Db, crashes: () => boolean): Db {
  const lossy = async <T>(work: () => Promise<T>): Promise<T> => {
    if (crashes()) throw new Crash()
    const result = await work()
    if (crashes()) throw new Crash()
    return result
  }
  return {
    rows: (statement) => lossy(() => db.rows(statement)),
    maybe: (statement) => lossy(() => db.maybe(statement)),
    one: (statement) => lossy(() => db.one(statement)),
    run: (statement) => lossy(() => db.run(statement)),
    transaction: (work) => lossy(() => db.transaction((tx) => work(crashingDb(tx, crashes)))),
  }
}

/** A server that can crash after it has sent a transaction, before it gets the answer. */
function crashingOperator(operator: Operator, crashes: () => boolean): Operator {
  const submit: Operator['submit'] = async (messages, options) => {
    const signed = await operator.submit(messages, options)
    if (crashes()) throw new Crash()
    return signed
  }
  return { ...operator, submit }
}

it.each(SEEDS)(
  'nothing is lost and nothing is paid twice in any sequence, with seed %i',
  async (seed) => {
    env = await setupExchange({ giveUpAfter: 20 * MINUTE })
    const random = seededRandom(seed)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const { base, context, partner, chain } = env
    const payers = [await env.payer(5000), await env.payer(5000)]
    const operator = await base.person({ role: 'operator' })
    const funding = await transfersSoFar(env)
    /** What wallets were asked to pay, by exchange. */
    const asked = new Map<string, Set<string>>()
    const away = { chain: false, partner: false }
    let crashRate = 0
    const crashes = () => random() < crashRate

    /** One server runs its tasks until it crashes. */
    async function serve(): Promise<void> {
      const own = {
        ...context,
        db: crashingDb(context.db, crashes) as typeof context.db,
        chain: context.chain && {
          ...context.chain,
          operator: context.chain.operator && crashingOperator(context.chain.operator, crashes),
        },
      }
      for (const task of [readPayments, creditDue, payRefunds]) {
        const isCrashed = await task(own).then(
          () => false,
          (error: unknown) => error instanceof Crash,
        )
        if (isCrashed) return
      }
    }
    const as = ({ token }: Payer) => ({ token })
    const waiting = async (payer: Payer) =>
      (await base.call('exchange.records', { status: 'in_progress', size: 100 }, as(payer))).data?.list ?? []
    const known = async (payer: Payer) =>
      ((await base.call('exchange.records', { size: 100 }, as(payer))).data?.list ?? []).filter(
        ({ points }) => points > 0,
      )
    const send = (payer: Payer, units: bigint | string, memo: string) =>
      away.chain ? Promise.resolve('') : payer.pay(units, memo).catch(() => '')
    async function confirm(payer: Payer, id: string, tnt4: string): Promise<string> {
      const { code, data } = await base.call('exchange.confirm', { id, tnt4 }, as(payer))
      if (code !== 0) return ''
      if (data.recalculated) return confirm(payer, id, data.order.tnt4)
      const units = data.payment?.msg.transfer.amount ?? ''
      asked.set(id, (asked.get(id) ?? new Set()).add(units))
      return units
    }
    async function create(payer: Payer): Promise<{ id: string; units: string } | undefined> {
      const points = CREDITS_MIN + Math.floor(random() * 200)
      const { code, data } = await base.call('exchange.create', { account: pick(ACCOUNTS), points }, as(payer))
      if (code !== 0) return undefined
      const { id, tnt4 } = data.order
      const units = await confirm(payer, id, tnt4)
      return units === '' ? undefined : { id, units }
    }
    const friendOf = (payer: Payer) => payers.find((other) => other !== payer) as Payer

    const actions: Record<string, (payer: Payer) => Promise<unknown>> = {
      async pay(payer) {
        const made = await create(payer)
        if (made) await send(random() < 0.1 ? friendOf(payer) : payer, made.units, made.id)
      },
      create,
      async payOpen(payer) {
        const order = pick(await waiting(payer))
        if (!order) return
        const units = await confirm(payer, order.id, order.tnt4)
        if (units !== '') await send(payer, units, order.id)
      },
      wrongMemo: async (payer) => {
        const made = random() < 0.6 ? await create(payer) : undefined
        await send(
          payer,
          made?.units ?? '7000001',
          pick(['', 'hello', `${made?.id}x`, made?.id.toUpperCase() ?? 'ex-0']),
        )
      },
      wrongAmount: async (payer) => {
        const made = await create(payer)
        if (made) await send(payer, pick([1n, 100_000n, BigInt(made.units) + 1n, BigInt(made.units) - 1n]), made.id)
      },
      async late(payer) {
        const made = await create(payer)
        base.pass(pick([MINUTE, 2 * MINUTE, 5 * MINUTE]))
        if (made) await send(payer, made.units, made.id)
      },
      async double(payer) {
        const order = pick(await known(payer))
        const units = order && [...(asked.get(order.id) ?? [])].at(-1)
        if (order && units) await send(payer, units, order.id)
      },
      async twiceAtOnce(payer) {
        const made = await create(payer)
        if (made && !away.chain) await payer.payAll([made.units, made.units, '5'], made.id).catch(() => {})
      },
      async cancel(payer) {
        const order = pick(await waiting(payer))
        if (order) await base.call('exchange.cancel', { id: order.id }, as(payer))
      },
      async refund(payer) {
        const order = pick((await known(payer)).filter(({ status }) => status === 'incomplete'))
        if (order) await base.call('admin.exchangeRefund', { id: order.id, reason: 'test' }, { token: operator.token })
      },
      async changeRate() {
        const discount = pick([0, 25, 50])
        await base.call(
          'admin.exchangeRate',
          { usd_per_tnt4: EXCHANGE_RATE.usdPerTnt4, credits_per_usd: 400, discount, reason: 'test' },
          { token: operator.token },
        )
      },
      async faults() {
        const on = ['credit', 'find', 'revoke', 'lookup', 'any'] as const
        const kinds = ['error before', 'error after', 'lost before', 'lost after', 'duplicate'] as const
        const fault = (): SampleFault => ({ on: pick(on), kind: pick(kinds), times: pick([1, 2, 5]) })
        if (!away.partner) await partner.faults([fault(), fault(), fault()])
      },
      async killPartner() {
        if (!away.partner) await partner.kill()
        away.partner = true
      },
      async killChain() {
        if (!away.chain) await chain.kill()
        away.chain = true
      },
      async crash() {
        crashRate = 0.1
        await Promise.all([serve(), serve()])
        crashRate = 0
      },
      serve,
      serveTwice: () => Promise.all([serve(), serve()]),
      async time() {
        base.pass(pick([10_000, MINUTE, 10 * MINUTE]))
        await serve()
      },
    }
    const names = Object.keys(actions)

    // Payments from before the first reading are not the exchange's.
    await env.work()
    for (let count = 0; count < ACTIONS; count++) {
      if (away.chain && random() < 0.4) {
        await chain.restart()
        away.chain = false
      }
      if (away.partner && random() < 0.4) {
        await partner.restart()
        away.partner = false
      }
      const name = random() < 0.35 ? pick(['pay', 'pay', 'serve']) : pick(names)
      await actions[name]?.(pick(payers))
    }

    // Everything works again; all exchanges end.
    if (away.chain) await chain.restart()
    await partner.restart()
    await nextBlock(chain)
    await env.settle()
    base.pass(10 * MINUTE)
    await env.settle()

    const books = await readBooks(env, funding)
    expect(books.payments.length).toBeGreaterThan(5)
    expect(unexplained(books, asked, context.config.exchange.fee)).toEqual([])
    const { data: totals } = await base.call('admin.exchangeTotals', {}, { token: operator.token })
    expect(totals).toMatchObject({ refunding: '0', pending: '0', stuck: 0 })
  },
  LONG ? 600_000 : 120_000,
)
