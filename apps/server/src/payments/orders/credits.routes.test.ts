import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordDown, recordUp } from '../../compute/workspaces/outages.ts'
import { sql } from '../../platform/db/sql.ts'
import { nextBlock } from '../chain/sample-chain.fixture.ts'
import { readClaims, receiptOf } from '../receipts/sample-receipts.fixture.ts'
import { creditOutages, payCredits } from './credits.ts'
import { orderCalls } from './sample-calls.fixture.ts'
import { type Buyer, type OrdersEnv, runningOrder, SMALLEST, setupOrders } from './sample-orders.fixture.ts'

const MINUTE = 60_000

let env: OrdersEnv
beforeAll(async () => {
  env = await setupOrders()
})
afterAll(() => env?.close())

const { call, as, details, paymentOf } = orderCalls(() => env)

/** The workspace is away for this long, probed every minute. */
async function outage(workspace: string, minutes: number): Promise<void> {
  const { base, context } = env
  const now = () => new Date(base.clock.now())
  for (let minute = 0; minute < minutes; minute++) {
    await recordDown(context, [workspace], 'cluster', now())
    base.pass(MINUTE)
  }
  await recordUp(context, [workspace], now())
}

/** Several servers credit and pay at once. */
async function creditAll(): Promise<void> {
  const context = { ...env.context, chain: env.port }
  await Promise.all([1, 2, 3].map(() => creditOutages(context)))
  for (let round = 0; round < 6; round++) {
    await Promise.all([1, 2, 3].map(() => payCredits(context)))
    await nextBlock(env.chain)
  }
}
const outagesOf = async (buyer: Buyer, id: string) => (await details(buyer, id)).outages
const unitsOf = (amount: string | undefined) => BigInt((amount ?? '').replace('.', ''))

describe('an outage', () => {
  it('is paid back once, at the price of its hours, with a receipt, a notice and the timeline', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
    const before = await buyer.balance()
    await outage(id, 10)
    await creditAll()
    await creditAll()
    // Ten minutes of an hour that cost 70.
    expect(await buyer.balance()).toBe(before + 1166n)
    const [credit, ...others] = await outagesOf(buyer, id)
    expect(others).toEqual([])
    expect(credit).toMatchObject({ cause: 'cluster', amount: '11.66', hash: expect.stringMatching(/^[0-9A-F]{64}$/) })
    const claims = readClaims(await receiptOf(env.base, buyer, credit?.receipt_id ?? null))
    expect(claims).toMatchObject({ kind: 'outage', order: id, wallet: buyer.wallet, units: '1166', probes: 10 })
    const { timeline } = await details(buyer, id)
    expect(timeline.slice(-2)).toMatchObject([{ event: 'outage' }, { event: 'credited', hash: credit?.hash }])
    const { data } = await call('orders.notices', {}, as(buyer))
    expect(data.list.map(({ kind }) => kind)).toEqual(['outage'])
  })

  it('is credited after a crash in between, and not twice', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
    const before = await buyer.balance()
    await outage(id, 5)
    const context = { ...env.context, chain: env.port }
    const { takeOutages } = env.context.workspaces
    const crashing = {
      ...context,
      workspaces: {
        ...env.context.workspaces,
        async takeOutages(...args: Parameters<typeof takeOutages>) {
          await takeOutages(...args)
          throw new Error('killed')
        },
      },
    }
    await expect(creditOutages(crashing)).rejects.toThrow('killed')
    expect(await outagesOf(buyer, id)).toEqual([])
    await creditAll()
    await env.base.db.run(sql`update workspace_outages set state = 'over' where workspace_id = ${id}`)
    await creditAll()
    expect(await buyer.balance()).toBe(before + 583n)
    expect(await outagesOf(buyer, id)).toMatchObject([{ amount: '5.83' }])
  })

  it('across an upgrade is paid back at the price of each order', async () => {
    const buyer = await env.buyer(20_000)
    const old = await runningOrder(env, buyer, { duration: 10 })
    await recordDown(env.context, [old], 'cluster', new Date(env.base.clock.now()))
    env.base.pass(MINUTE)
    await recordDown(env.context, [old], 'cluster', new Date(env.base.clock.now()))
    const { data } = await call('orders.upgrade', { ...SMALLEST, id: old, cpu: 2, duration: 10 }, as(buyer))
    await call('orders.hash', { id: data.id, hash: await buyer.pay(await paymentOf(buyer, data.id)) }, as(buyer))
    await env.work()
    await outage(old, 2)
    await creditAll()
    const [first, second] = [await outagesOf(buyer, old), await outagesOf(buyer, data.id)]
    expect([first.length, second.length]).toEqual([1, 1])
    expect(Date.parse(second[0]?.from ?? '')).toBeGreaterThanOrEqual(Date.parse(first[0]?.to ?? ''))
    // A larger machine for longer.
    expect(unitsOf(second[0]?.amount)).toBeGreaterThan(unitsOf(first[0]?.amount))
  })

  it('never pays back more than was paid and not refunded', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer, { duration: 10 })
    await outage(id, 30)
    await call('orders.terminate', { id }, as(buyer))
    await env.base.db.run(sql`update orders set refund = 69900 where id = ${id}`)
    await creditAll()
    const [credit] = await outagesOf(buyer, id)
    // 700 were paid, 699 refunded.
    expect(credit?.amount).toBe('1.00')
  })
})

describe('nothing is paid back', () => {
  it('for time before the order runs and after its end', async () => {
    const buyer = await env.buyer(20_000)
    const id = await runningOrder(env, buyer)
    const { started_at, expired_at } = (await details(buyer, id)).order
    const span = async (from: number) => {
      await recordDown(env.context, [id], 'cluster', new Date(from))
      await recordDown(env.context, [id], 'cluster', new Date(from + MINUTE))
      await recordUp(env.context, [id], new Date(from + 2 * MINUTE))
    }
    await span(Date.parse(started_at) - 10 * MINUTE)
    await span(Date.parse(expired_at) + MINUTE)
    await creditAll()
    expect(await outagesOf(buyer, id)).toEqual([])
  })

  it('to anybody else: details of the order are refused', async () => {
    const [buyer, stranger] = [await env.buyer(20_000), await env.buyer()]
    const id = await runningOrder(env, buyer, { duration: 10 })
    const before = await stranger.balance()
    await outage(id, 3)
    await creditAll()
    expect(await stranger.balance()).toBe(before)
    expect((await call('orders.details', { id }, as(stranger))).code).toBe(-1)
  })
})
