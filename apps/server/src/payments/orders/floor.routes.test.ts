import { randomBytes } from 'node:crypto'
import { priceOf } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainOf } from '../chain/chain.ts'
import { withFaultyTransport } from '../chain/sample-chain.fixture.ts'
import type { Context } from '../context.ts'
import { setFloor } from './floor.ts'
import { cents, orderCalls } from './sample-calls.fixture.ts'
import { type Buyer, type OrdersEnv, runningOrder, SMALLEST, setupOrders } from './sample-orders.fixture.ts'

let env: OrdersEnv
beforeAll(async () => {
  env = await setupOrders()
})
afterAll(() => env?.close())

const { call, as, details, paymentOf, onChain } = orderCalls(() => env)

interface Config {
  operator: string
  treasury: string
  floor?: { cpu: string; memory: string; disk: string }
}
const config = () => env.port.port.query<Config>(env.port.orders, { config: {} })
const sequence = async () => (await env.port.port.account(env.port.operator?.address ?? ''))?.sequence

/** A server that has just started. */
const server = (change: Partial<Context> = {}): Context =>
  Object.assign(Object.create(env.context) as Context, { chain: chainOf(env.chain.config) }, change)
const withFactor = (priceFactor: number): Context => server({ config: { ...env.context.config, priceFactor } })

const payByHand = (buyer: Buyer, id: string, amount: bigint, size = {}) => {
  const order = { order_id: id, cpu: 1, memory: 1, disk: 40, duration: 1200, ...size }
  const msg = Buffer.from(JSON.stringify({ CreateOrder: order })).toString('base64')
  return buyer.send(env.port.token, { send: { contract: env.port.orders, amount: String(amount), msg } })
}

describe('the floor price of orders', () => {
  it('keeps strangers from holding capacity for nearly nothing', async () => {
    const stranger = await env.buyer()
    const largest = { cpu: 32, memory: 64, disk: 4000, duration: 720 * 600 }
    await payByHand(stranger, 'before', 1n, largest)
    expect(await onChain('before')).toBeDefined()
    await setFloor(server())
    await payByHand(stranger, 'after', 1n, largest)
    // A tenth of the price is not enough, either.
    await payByHand(stranger, 'cheap', cents(priceOf({ ...SMALLEST, duration: 2 })) / 10n)
    for (const id of ['after', 'cheap']) expect(await onChain(id)).toBeUndefined()
    await call('orders.details', { id: 'before' }, as(stranger))
  })

  it('is below what the tariff asks, for orders, renewals and upgrades', async () => {
    await setFloor(server())
    const buyer = await env.buyer(1_000_000)
    const id = await runningOrder(env, buyer, { duration: 168 })
    const renewal = await paymentOf(buyer, id, 720)
    await call('orders.renewal', { id, duration: 720, hash: await buyer.pay(renewal) }, as(buyer))
    expect((await details(buyer, id)).order).toMatchObject({ status: 2, duration: 720 })
    const large = await runningOrder(env, buyer, { cpu: 31, ram: 16, duration: 720 })
    expect((await details(buyer, large)).order.status).toBe(2)
  })

  it('is set once: servers that start later send nothing', async () => {
    await setFloor(server())
    const before = await sequence()
    const again = server()
    for (const each of [again, again, server()]) await setFloor(each)
    expect(await sequence()).toBe(before)
  })

  it('follows another price, and several servers that start at once agree', async () => {
    const { floor: usual, treasury } = await config()
    await Promise.all([1, 2, 3].map(() => setFloor(withFactor(0.5))))
    const { floor, treasury: after } = await config()
    expect(floor).toEqual({
      cpu: String(BigInt(usual?.cpu ?? 0) * 2n),
      memory: String(BigInt(usual?.memory ?? 0) * 2n),
      disk: String(BigInt(usual?.disk ?? 0) * 2n),
    })
    expect(after).toBe(treasury)
    await setFloor(server())
    expect((await config()).floor).toEqual(usual)
  })

  it('is set later if the chain is away at the start', async () => {
    await setFloor(withFactor(0.5))
    const before = (await config()).floor
    let away = true
    const chain = withFaultyTransport(env.chain, () => (away ? 'unreachable' : undefined))
    const starting = server({ chain })
    await setFloor(starting)
    expect((await config()).floor).toEqual(before)
    away = false
    await setFloor(starting)
    expect((await config()).floor).not.toEqual(before)
  })

  it('cannot be changed by a server with another key, which says so and goes on', async () => {
    const { floor } = await config()
    const said: string[] = []
    const log = Object.assign(Object.create(env.context.log) as Context['log'], {
      warn: (_facts: object, text: string) => void said.push(text),
    })
    const stranger = server({
      log,
      chain: chainOf({ ...env.chain.config, key: randomBytes(32) }),
      config: { ...env.context.config, priceFactor: 0.001 },
    })
    await setFloor(stranger)
    await setFloor(stranger)
    expect(said).toHaveLength(1)
    expect((await config()).floor).toEqual(floor)
    // Nor by one without a key.
    await setFloor(server({ chain: chainOf({ ...env.chain.config, key: undefined }) }))
    expect((await config()).floor).toEqual(floor)
  })
})
