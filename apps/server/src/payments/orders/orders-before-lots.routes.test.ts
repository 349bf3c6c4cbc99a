import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { priceOf } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../platform/db/migrate.ts'
import { sql } from '../../platform/db/sql.ts'
import { cents, orderCalls } from './sample-calls.fixture.ts'
import { type Buyer, type OrdersEnv, runningOrder, SMALLEST, setupOrders } from './sample-orders.fixture.ts'

/** Orders from before lots existed: the network is upgraded with its data. */

let env: OrdersEnv
beforeAll(async () => {
  env = await setupOrders()
})
afterAll(() => env?.close())

const { call, as, details, paymentOf } = orderCalls(() => env)

/** Restores the database and the chain's blocks to their old form. */
async function downgrade(): Promise<void> {
  const { base, chain } = env
  await chain.kill()
  const blocks = join(chain.data, 'blocks.jsonl')
  writeFileSync(blocks, readFileSync(blocks, 'utf8').replaceAll(',"rules":2', ''))
  await base.db.run(sql`
    alter table orders drop column rate_price, drop column rate_hours, drop constraint orders_ending_check,
      add constraint orders_ending_check check (ending in ('terminated', 'expired', 'failed', 'returned'))`)
  await base.db.run(sql`delete from migrations where name = '0017-rates'`)
}

async function upgrade(): Promise<void> {
  await env.chain.restart()
  await migrate(env.base.context.db)
}

/** All balances, and the amount locked in the contract. */
async function balances(buyers: readonly Buyer[]) {
  const { port, orders, operator, tokenBalance } = env.port
  const { locked } = await port.query<{ locked: string }>(orders, { escrow: {} })
  const holders = [orders, operator?.address ?? '', ...buyers.map(({ wallet }) => wallet)]
  return [locked, ...(await Promise.all(holders.map(tokenBalance)))]
}

const renew = async (buyer: Buyer, id: string, duration: number) => {
  const payment = await paymentOf(buyer, id, duration)
  await call('orders.renewal', { id, duration, hash: await buyer.pay(payment) }, as(buyer))
  expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration })
  return payment
}

describe('an order that was extended before lots existed', () => {
  it('keeps its balance, has one price for its existing hours, and separate prices for later ones', {
    tags: ['long'],
  }, async () => {
    const [one, other] = [await env.buyer(100_000), await env.buyer(100_000)]
    const [ended, lengthened] = [
      await runningOrder(env, one, { duration: 10 }),
      await runningOrder(env, other, { duration: 10 }),
    ]
    await renew(one, ended, 720)
    await renew(other, lengthened, 720 / 2)
    const before = await balances([one, other])
    await downgrade()
    await upgrade()
    expect(await balances([one, other])).toEqual(before)

    const had = await one.balance()
    const { data: estimate } = await call('orders.refund', { id: ended }, as(one))
    await call('orders.terminate', { id: ended }, as(one))
    expect((await details(one, ended)).order).toMatchObject({ status: 9, refund: estimate.exact })
    const all = cents(priceOf({ ...SMALLEST, duration: 720 }))
    expect((await one.balance()) - had).toBe((all * 719n) / 720n)

    const { amount } = await renew(other, lengthened, 720)
    const kept = await other.balance()
    await call('orders.terminate', { id: lengthened }, as(other))
    const first = cents(priceOf({ ...SMALLEST, duration: 360 }))
    expect((await other.balance()) - kept).toBe((first * 359n) / 360n + BigInt(amount))
  })
})
