import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { priceOf } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../platform/db/migrate.ts'
import { sql } from '../../platform/db/sql.ts'
import { callsOf, cents } from './sample-calls.fixture.ts'
import { type Buyer, type Market, openMarket, runningOrder, SMALLEST } from './sample-orders.fixture.ts'

/** Orders that ran before hours had prices of their own: their network starts again with all that it had. */

let market: Market
beforeAll(async () => {
  market = await openMarket()
})
afterAll(() => market?.close())

const { call, as, details, paymentOf } = callsOf(() => market)

/** The database and the chain's blocks as the code before has left them. */
async function asLeft(): Promise<void> {
  const { world, chain } = market
  await chain.kill()
  const blocks = join(chain.data, 'blocks.jsonl')
  writeFileSync(blocks, readFileSync(blocks, 'utf8').replaceAll(',"rules":2', ''))
  await world.db.run(sql`
    alter table orders drop column rate_price, drop column rate_hours, drop constraint orders_ending_check,
      add constraint orders_ending_check check (ending in ('terminated', 'expired', 'failed', 'returned'))`)
  await world.db.run(sql`delete from migrations where name = '0017-rates'`)
}

async function startAgain(): Promise<void> {
  await market.chain.restart()
  await migrate(market.world.context.db)
}

/** Of everybody, and what the contract has locked. */
async function balances(buyers: readonly Buyer[]) {
  const { port, orders, operator, tokenBalance } = market.port
  const { locked } = await port.query<{ locked: string }>(orders, { escrow: {} })
  const holders = [orders, operator?.address ?? '', ...buyers.map(({ wallet }) => wallet)]
  return [locked, ...(await Promise.all(holders.map(tokenBalance)))]
}

const renewed = async (buyer: Buyer, id: string, duration: number) => {
  const payment = await paymentOf(buyer, id, duration)
  await call('orders.renewal', { id, duration, hash: await buyer.pay(payment) }, as(buyer))
  expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration })
  return payment
}

describe('an order that was extended before lots existed', () => {
  it('keeps its balance, has one price for its existing hours, and separate prices for later ones', async () => {
    const [one, other] = [await market.buyer(100_000), await market.buyer(100_000)]
    const [ended, lengthened] = [
      await runningOrder(market, one, { duration: 10 }),
      await runningOrder(market, other, { duration: 10 }),
    ]
    await renewed(one, ended, 720)
    await renewed(other, lengthened, 720 / 2)
    const before = await balances([one, other])
    await asLeft()
    await startAgain()
    expect(await balances([one, other])).toEqual(before)

    const had = await one.balance()
    const { data: estimate } = await call('orders.refund', { id: ended }, as(one))
    await call('orders.terminate', { id: ended }, as(one))
    expect((await details(one, ended)).order).toMatchObject({ status: 9, refund: estimate.exact })
    const all = cents(priceOf({ ...SMALLEST, duration: 720 }))
    expect((await one.balance()) - had).toBe((all * 719n) / 720n)

    const { amount } = await renewed(other, lengthened, 720)
    const kept = await other.balance()
    await call('orders.terminate', { id: lengthened }, as(other))
    const first = cents(priceOf({ ...SMALLEST, duration: 360 }))
    expect((await other.balance()) - kept).toBe((first * 359n) / 360n + BigInt(amount))
  })
})
