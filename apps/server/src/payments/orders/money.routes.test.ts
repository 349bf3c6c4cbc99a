/** @module-tag long */
import type { Operator } from '@tidenet/chain-client'
import { isInService, isUnpaid, ORDER, type OrderStatus } from '@tidenet/contract'
import { afterEach, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Buyer, type OrdersEnv, SMALLEST, setupOrders } from './sample-orders.fixture.ts'
import { HOUR } from './times.ts'

/**
 * No money is created or lost in random sequences of valid and invalid calls, while the chain is killed, clusters fail, and the server
 * crashes between an action and its database write. ORDERS_SEED repeats a sequence; ORDERS_ACTIONS sets its length.
 */

const MINUTE = 60_000
const LONG = process.env.TIDENET_TEST_LONG === 'yes'
const SEEDS = process.env.ORDERS_SEED ? [Number(process.env.ORDERS_SEED)] : LONG ? [1, 2, 3] : [1]
const ACTIONS = Number(process.env.ORDERS_ACTIONS ?? 70)
const INITIAL_COINS = 20_000
const PAYABLE: readonly OrderStatus[] = [ORDER.created, ORDER.running, ORDER.refunded, ORDER.upgradePending]

let env: OrdersEnv
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

it.each(SEEDS)(
  'balances add up after any sequence, with seed %i',
  async (seed) => {
    env = await setupOrders(20)
    const random = seededRandom(seed)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const { base, clusters, port } = env
    const buyers = [await env.buyer(INITIAL_COINS), await env.buyer(INITIAL_COINS)]
    const spent = new Map(buyers.map(({ wallet }) => [wallet, 0n]))
    const total = await allTokens()
    const crashes = crashingOperator(env)
    let away = false

    async function allTokens(): Promise<bigint> {
      const holders = [port.operator?.address ?? '', port.orders, ...buyers.map(({ wallet }) => wallet)]
      const each = await Promise.all(holders.map((holder) => port.tokenBalance(holder)))
      return each.reduce((sum, one) => sum + one, 0n)
    }
    const ordersOf = async (buyer: Buyer) =>
      (await base.call('orders.history', { size: 100 }, { token: buyer.token })).data?.list ?? []
    /** Counts what the wallet really paid into the contract. */
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
        const { data } = await base.call('orders.create', size, { token: buyer.token })
        if (data && random() < 0.8) await actions.pay?.(buyer)
      },
      async pay(buyer) {
        const order = pick((await ordersOf(buyer)).filter(({ status }) => PAYABLE.includes(status)))
        if (!order || away) return
        const { data } = await base.call('orders.payment', { id: order.id }, { token: buyer.token })
        if (!data) return
        const wrong = random() < 0.15
        const amount = wrong ? pick(['1', String(BigInt(data.amount) + 1n), '50']) : data.amount
        const hash = await send(buyer, amount, JSON.parse(data.message) as object)
        if (hash === '' || random() < 0.3) return
        const operation = data.kind === 'renewal' ? 'orders.renewal' : 'orders.hash'
        await base.call(operation, { id: order.id, hash }, { token: buyer.token })
      },
      async foreignHash(buyer) {
        const order = pick(await ordersOf(buyer))
        const known = pick((await Promise.all(buyers.map(ordersOf))).flat().filter(({ hash }) => hash !== ''))
        if (order && known) await base.call('orders.hash', { id: order.id, hash: known.hash }, { token: buyer.token })
      },
      async extendByHand(buyer) {
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
        await base.call('orders.upgrade', { cpu: cpu + 1, ram, storage, duration, id }, { token: buyer.token })
        if (random() < 0.7) await actions.pay?.(buyer)
      },
      async replaceByHand(buyer) {
        const order = pick((await ordersOf(buyer)).filter(({ status }) => status === ORDER.running))
        if (!order || away || random() < 0.6) return
        await send(buyer, '300', {
          UpdateOrder: {
            order_id: order.id,
            new_order_id: `own-${Math.floor(random() * 1e9)}`,
            cpu: 1,
            memory: 1,
            disk: 40,
            duration: 6000,
          },
        })
      },
      async end(buyer) {
        const order = pick((await ordersOf(buyer)).filter(({ status }) => isInService(status)))
        if (order) await base.call('orders.terminate', { id: order.id }, { token: buyer.token })
      },
      async cancel(buyer) {
        const order = pick((await ordersOf(buyer)).filter(({ status }) => isUnpaid(status)))
        if (order) await base.call('orders.cancel', { id: order.id }, { token: buyer.token })
      },
      async time() {
        await env.pass(pick([20_000, MINUTE, 6 * MINUTE, 11 * MINUTE, HOUR]))
      },
      async work() {
        await env.pass(15_000)
      },
      async failCluster() {
        clusters.fail(pick([1, 3, 6]))
      },
      async crashServer() {
        clusters.crash(1)
        crashes.next = true
      },
      async killChain() {
        if (away) return
        await env.chain.kill()
        away = true
      },
    }
    const names = Object.keys(actions)

    for (let count = 0; count < ACTIONS; count++) {
      if (away && random() < 0.4) {
        await env.chain.restart()
        away = false
      }
      const buyer = pick(buyers)
      await buyer.signIn()
      await actions[random() < 0.35 ? pick(['create', 'pay', 'work']) : pick(names)]?.(buyer)
      if (!away && count % 10 === 0) expect(await allTokens()).toBe(total)
    }

    // Everything works again; let all orders settle.
    if (away) await env.chain.restart()
    clusters.fail(0)
    clusters.crash(0)
    crashes.next = false
    for (let round = 0; round < 40; round++) await env.pass(5 * MINUTE)

    expect(await allTokens()).toBe(total)
    const rows = await base.db.rows<{
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

    // The contract holds exactly the money of our orders.
    const held = rows.filter(({ money }) => money === 'held')
    const locked = held.reduce((sum, { id }) => sum + BigInt(chainOrders.get(id)?.locked_funds ?? 0), 0n)
    const { locked: escrow } = await port.port.query<{ locked: string }>(port.orders, { escrow: {} })
    expect(String(locked)).toBe(escrow)
    expect(await port.tokenBalance(port.orders)).toBe(locked)
    for (const { id, money } of rows) {
      const order = chainOrders.get(id)
      const actual = order === undefined ? 'none' : order.released || order.replaced_by ? 'settled' : 'held'
      expect([id, actual]).toEqual([id, money])
    }
    const counted = await base.db.rows(sql`
    select user_id, status, sum(orders)::int as orders from order_counts where orders <> 0 group by 1, 2 order by 1, 2`)
    expect(counted).toEqual(
      await base.db.rows(sql`select user_id, status, count(*)::int as orders from orders group by 1, 2 order by 1, 2`),
    )
    // Balance = initial coins − payments + refunds.
    for (const { wallet, balance } of buyers) {
      const refunded = rows
        .filter(({ payer }) => payer === wallet)
        .reduce((sum, { refund }) => sum + BigInt(refund ?? 0), 0n)
      expect(await balance()).toBe(BigInt(INITIAL_COINS) * 100n - (spent.get(wallet) ?? 0n) + refunded)
    }
    // Workspaces match the orders.
    const expected = rows.filter(({ workspace }) => workspace === 'active' || workspace === 'suspended')
    expect([...clusters.workspaces.keys()].sort()).toEqual(expected.map((row) => row.workspace_id).sort())
    for (const row of expected)
      expect([row.id, clusters.workspaces.get(row.workspace_id)?.state]).toEqual([
        row.id,
        row.workspace === 'active' ? 'runs' : 'stopped',
      ])
    for (const { id, status, money } of rows) {
      expect([id, status]).not.toEqual([id, ORDER.paid])
      if (isInService(status)) expect([id, money]).toEqual([id, 'held'])
    }
  },
  240_000,
)

/** An operator whose server can crash after sending a transaction, before it gets the answer. */
function crashingOperator({ context }: OrdersEnv): { next: boolean } {
  const crashes = { next: false }
  const { chain } = context
  if (!chain?.operator) throw new Error('there is no operator')
  const { operator } = chain
  const submit: Operator['submit'] = async (messages, options) => {
    const signed = await operator.submit(messages, options)
    if (crashes.next) {
      crashes.next = false
      throw new Error('crashed')
    }
    return signed
  }
  chain.operator = { ...operator, submit }
  return crashes
}
