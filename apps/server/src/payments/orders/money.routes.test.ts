import type { Operator } from '@tidenet/chain-client'
import { isInService, isUnpaid, ORDER, type OrderStatus } from '@tidenet/contract'
import { afterEach, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Buyer, type Market, openMarket, SMALLEST } from './sample-orders.fixture.ts'
import { HOUR } from './times.ts'

/**
 * Money neither appears nor disappears: random sequences of what people do, rightly and wrongly, with a chain that is killed, clusters that
 * fail, and a server that dies between doing something and writing it down. ORDERS_SEED and ORDERS_ACTIONS repeat one, or make it longer.
 */

const MINUTE = 60_000
const SEEDS = process.env.ORDERS_SEED ? [Number(process.env.ORDERS_SEED)] : [1, 2, 3]
const ACTIONS = Number(process.env.ORDERS_ACTIONS ?? 70)
const START = 20_000
const MAY_BE_PAID: readonly OrderStatus[] = [ORDER.created, ORDER.running, ORDER.refunded, ORDER.upgradePending]

let market: Market
afterEach(() => market?.close())

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

it.each(SEEDS)(
  'adds up whatever happens, with seed %i',
  async (seed) => {
    market = await openMarket(20)
    const roll = dice(seed)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)] as T
    const { world, clusters, port } = market
    const buyers = [await market.buyer(START), await market.buyer(START)]
    const spent = new Map(buyers.map(({ wallet }) => [wallet, 0n]))
    const total = await allTokens()
    const deaths = dyingOperator(market)
    let away = false

    async function allTokens(): Promise<bigint> {
      const holders = [port.operator?.address ?? '', port.orders, ...buyers.map(({ wallet }) => wallet)]
      const each = await Promise.all(holders.map((holder) => port.tokenBalance(holder)))
      return each.reduce((sum, one) => sum + one, 0n)
    }
    const ordersOf = async (buyer: Buyer) =>
      (await world.call('orders.history', { size: 100 }, { token: buyer.token })).data?.list ?? []
    /** What the wallet really paid into the contract counts, whatever was asked for. */
    async function send(buyer: Buyer, amount: string, message: object): Promise<string> {
      const msg = Buffer.from(JSON.stringify(message)).toString('base64')
      const hash = await buyer.send(port.token, { send: { contract: port.orders, amount, msg } }).catch(() => '')
      const tx = hash === '' ? undefined : await port.port.tx(hash).catch(() => undefined)
      if (tx?.code === 0) spent.set(buyer.wallet, (spent.get(buyer.wallet) ?? 0n) + BigInt(amount))
      return hash
    }

    const actions: Record<string, (buyer: Buyer) => Promise<unknown>> = {
      async create(buyer) {
        const size = { ...SMALLEST, cpu: pick([1, 2]), duration: pick([1, 2, 6, 30]) }
        const { data } = await world.call('orders.create', size, { token: buyer.token })
        if (data && roll() < 0.8) await actions.pay?.(buyer)
      },
      async pay(buyer) {
        const order = pick((await ordersOf(buyer)).filter(({ status }) => MAY_BE_PAID.includes(status)))
        if (!order || away) return
        const { data } = await world.call('orders.payment', { id: order.id }, { token: buyer.token })
        if (!data) return
        const wrong = roll() < 0.15
        const amount = wrong ? pick(['1', String(BigInt(data.amount) + 1n), '50']) : data.amount
        const hash = await send(buyer, amount, JSON.parse(data.message) as object)
        if (hash === '' || roll() < 0.3) return
        const operation = data.kind === 'renewal' ? 'orders.renewal' : 'orders.hash'
        await world.call(operation, { id: order.id, hash }, { token: buyer.token })
      },
      async strangeHash(buyer) {
        const order = pick(await ordersOf(buyer))
        const known = pick((await Promise.all(buyers.map(ordersOf))).flat().filter(({ hash }) => hash !== ''))
        if (order && known) await world.call('orders.hash', { id: order.id, hash: known.hash }, { token: buyer.token })
      },
      async lengthen(buyer) {
        const order = pick((await ordersOf(buyer)).filter(({ status }) => status === ORDER.running))
        if (order && !away)
          await send(buyer, pick(['1', '700', '200000']), {
            ExtendOrder: { order_id: order.id, duration: pick([4, 40, 720]) * 600 },
          })
      },
      async upgrade(buyer) {
        const order = pick((await ordersOf(buyer)).filter(({ status }) => status === ORDER.running))
        if (!order) return
        const { cpu, ram, storage, duration, id } = order
        await world.call('orders.upgrade', { cpu: cpu + 1, ram, storage, duration, id }, { token: buyer.token })
        if (roll() < 0.7) await actions.pay?.(buyer)
      },
      async replaceByHand(buyer) {
        const order = pick((await ordersOf(buyer)).filter(({ status }) => status === ORDER.running))
        if (!order || away || roll() < 0.6) return
        await send(buyer, '300', {
          UpdateOrder: {
            order_id: order.id,
            new_order_id: `own-${Math.floor(roll() * 1e9)}`,
            cpu: 1,
            memory: 1,
            disk: 40,
            duration: 6000,
          },
        })
      },
      async end(buyer) {
        const order = pick((await ordersOf(buyer)).filter(({ status }) => isInService(status)))
        if (order) await world.call('orders.terminate', { id: order.id }, { token: buyer.token })
      },
      async cancel(buyer) {
        const order = pick((await ordersOf(buyer)).filter(({ status }) => isUnpaid(status)))
        if (order) await world.call('orders.cancel', { id: order.id }, { token: buyer.token })
      },
      async time() {
        await market.pass(pick([20_000, MINUTE, 6 * MINUTE, 11 * MINUTE, HOUR]))
      },
      async work() {
        await market.pass(15_000)
      },
      async clusterFails() {
        clusters.fail(pick([1, 3, 6]))
      },
      async serverDies() {
        clusters.die(1)
        deaths.next = true
      },
      async chainDies() {
        if (away) return
        await market.chain.kill()
        away = true
      },
    }
    const names = Object.keys(actions)

    for (let count = 0; count < ACTIONS; count++) {
      if (away && roll() < 0.4) {
        await market.chain.restart()
        away = false
      }
      const buyer = pick(buyers)
      await buyer.signIn()
      await actions[roll() < 0.35 ? pick(['create', 'pay', 'work']) : pick(names)]?.(buyer)
      if (!away && count % 10 === 0) expect(await allTokens()).toBe(total)
    }

    // Everything is well again, and time passes until nothing is under way.
    if (away) await market.chain.restart()
    clusters.fail(0)
    clusters.die(0)
    deaths.next = false
    for (let round = 0; round < 40; round++) await market.pass(5 * MINUTE)

    expect(await allTokens()).toBe(total)
    const rows = await world.db.rows<{
      id: string
      payer: string
      status: OrderStatus
      money: string
      workspace: string
      workspace_id: string
      ending: string | null
      refund: string | null
    }>(sql`select id, payer, status, money, workspace, workspace_id, ending, refund::text as refund from orders`)
    const chainOrders = new Map(
      (
        await port.port.query<{ id: string; locked_funds: number; released?: object; replaced_by?: string }[]>(
          port.orders,
          { orders: { order_ids: rows.map(({ id }) => id) } },
        )
      ).map((order) => [order.id, order]),
    )

    // What the contract holds is what our orders hold, and nothing else.
    const held = rows.filter(({ money }) => money === 'held')
    const locked = held.reduce((sum, { id }) => sum + BigInt(chainOrders.get(id)?.locked_funds ?? 0), 0n)
    const { locked: escrow } = await port.port.query<{ locked: string }>(port.orders, { escrow: {} })
    expect(String(locked)).toBe(escrow)
    expect(await port.tokenBalance(port.orders)).toBe(locked)
    for (const { id, money } of rows) {
      const order = chainOrders.get(id)
      const is = order === undefined ? 'none' : order.released || order.replaced_by ? 'settled' : 'held'
      expect([id, is]).toEqual([id, money])
    }
    const counted = await world.db.rows(sql`
    select user_id, status, sum(orders)::int as orders from order_counts where orders <> 0 group by 1, 2 order by 1, 2`)
    expect(counted).toEqual(
      await world.db.rows(sql`select user_id, status, count(*)::int as orders from orders group by 1, 2 order by 1, 2`),
    )
    // Everybody has what he had, less what he paid, and what came back.
    for (const { wallet, balance } of buyers) {
      const back = rows
        .filter(({ payer }) => payer === wallet)
        .reduce((sum, { refund }) => sum + BigInt(refund ?? 0), 0n)
      expect(await balance()).toBe(BigInt(START) * 100n - (spent.get(wallet) ?? 0n) + back)
    }
    // A workspace lies there for each order that has one, and runs for those that run.
    const expected = rows.filter(({ workspace }) => workspace === 'there' || workspace === 'kept')
    expect([...clusters.there.keys()].sort()).toEqual(expected.map((row) => row.workspace_id).sort())
    for (const row of expected)
      expect([row.id, clusters.there.get(row.workspace_id)?.state]).toEqual([
        row.id,
        row.workspace === 'there' ? 'runs' : 'stopped',
      ])
    for (const { id, status, money } of rows) {
      expect([id, status]).not.toEqual([id, ORDER.paid])
      if (isInService(status)) expect([id, money]).toEqual([id, 'held'])
    }
  },
  240_000,
)

/** An operator that may die between handing something in and hearing of it. */
function dyingOperator({ context }: Market): { next: boolean } {
  const deaths = { next: false }
  const { chain } = context
  if (!chain?.operator) throw new Error('there is no operator')
  const { operator } = chain
  const submit: Operator['submit'] = async (messages, options) => {
    const signed = await operator.submit(messages, options)
    if (deaths.next) {
      deaths.next = false
      throw new Error('died')
    }
    return signed
  }
  chain.operator = { ...operator, submit }
  return deaths
}
