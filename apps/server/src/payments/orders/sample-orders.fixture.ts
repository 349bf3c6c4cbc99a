import type { StdFee } from '@cosmjs/amino'
import { SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { toUtf8 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import type { OrderPayment, Resources } from '@tidenet/contract'
import { ClusterError } from '../../compute/clusters/driver.ts'
import type { Workspaces } from '../../compute/workspaces/offer.ts'
import { takeOutages } from '../../compute/workspaces/outages.ts'
import type { WorkspaceOrder } from '../../compute/workspaces/workspaces.ts'
import { openSession } from '../../identity/sessions/tokens.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { type Chain, chainOf } from '../chain/chain.ts'
import { type SampleChain, startSampleChain } from '../chain/sample-chain.fixture.ts'
import type { Context } from '../context.ts'
import { advanceDue } from './advance.ts'

/** For tests: the real app, a real chain and wallets that sign; only the clusters are fake. */

export interface Buyer extends Person {
  wallet: string
  /** Signs and waits for the block. @returns the hash */
  send(contract: string, message: object, fee?: StdFee): Promise<string>
  /** Signs a payment request. @returns the hash */
  pay(payment: OrderPayment): Promise<string>
  /** Replaces an expired session. */
  signIn(): Promise<void>
  /** In units. */
  balance(): Promise<bigint>
  close(): void
}

export interface FakeClusters extends Workspaces {
  /** By workspace ID. */
  workspaces: Map<string, WorkspaceOrder & { state: 'runs' | 'stopped' }>
  /** The next calls succeed, but the server crashes before it gets the result. */
  crash(times: number): void
  /** The next calls fail. */
  fail(times: number, what?: 'create' | 'resize' | 'remove' | 'suspend' | 'restore'): void
  open: boolean
  /** How many GPUs an order can have. */
  gpus: number
  /** Whether the cluster is unreachable. */
  away: boolean
}

export function fakeClusters(): FakeClusters {
  const workspaces: FakeClusters['workspaces'] = new Map()
  let failures = 0
  let failing: string | undefined
  let crashes = 0
  const crashNow = () => {
    if (crashes === 0) return
    crashes -= 1
    throw new Error('crashed')
  }
  const work = (what: string) => {
    if (fake.away) throw new ClusterError('absent', 'fake')
    if (failures === 0 || (failing !== undefined && failing !== what)) return
    failures -= 1
    throw new ClusterError('failed', 'fake')
  }
  const fake: FakeClusters = {
    workspaces,
    open: true,
    gpus: 0,
    away: false,
    crash(times) {
      crashes = times
    },
    fail(times, what) {
      failures = times
      failing = what
    },
    offered: async () => [
      fake.open
        ? { name: 'distributed', ready: true, configured: true, shared_with: [], gpus: fake.gpus }
        : {
            name: 'distributed',
            ready: false,
            configured: true,
            shared_with: [],
            gpus: 0,
            reason: { en: 'No engine.', cn: '无运行环境。' },
          },
      {
        name: 'centralized',
        ready: false,
        configured: false,
        shared_with: [],
        gpus: 0,
        reason: { en: 'Not set up.', cn: '未配置。' },
      },
    ],
    hasCapacity: async (_, { cpu }) => cpu < 32,
    async reserve() {},
    async create(_, order) {
      work('create')
      workspaces.set(order.workspaceId, { ...order, state: 'runs' })
      crashNow()
    },
    async resize(_, order) {
      work('resize')
      if (!workspaces.has(order.workspaceId)) throw new ClusterError('unknown', 'fake')
      workspaces.set(order.workspaceId, { ...order, state: 'runs' })
      crashNow()
    },
    async suspend(_, id) {
      work('suspend')
      const known = workspaces.get(id)
      if (known) workspaces.set(id, { ...known, state: 'stopped' })
      crashNow()
    },
    async restore(_, order) {
      work('restore')
      if (!workspaces.has(order.workspaceId)) throw new ClusterError('unknown', 'fake')
      workspaces.set(order.workspaceId, { ...order, state: 'runs' })
      crashNow()
    },
    takeOutages,
    async remove(_, id) {
      work('remove')
      workspaces.delete(id)
      crashNow()
    },
  }
  return fake
}

export interface OrdersEnv {
  base: TestEnv
  chain: SampleChain
  port: Chain
  clusters: FakeClusters
  context: Context
  buyer(coins?: number): Promise<Buyer>
  /** Runs the task until no order is due. */
  work(): Promise<void>
  /** Advances the clock, then runs the task. */
  pass(ms: number): Promise<void>
  close(): Promise<void>
}

const FEE: StdFee = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }
export const SMALLEST: Resources = { cpu: 1, ram: 1, storage: 40, duration: 2 }

/**
 * @param blockMs time between blocks, instead of six seconds
 * @param minGasPrice the chain rejects transactions with a lower gas price
 */
export const setupOrders = async (blockMs = 20, minGasPrice = '0'): Promise<OrdersEnv> =>
  setupOrdersOn(await startSampleChain({}, blockMs, minGasPrice))

/** On a chain that runs. It stops when this is closed. */
export async function setupOrdersOn(chain: SampleChain): Promise<OrdersEnv> {
  const base = await setup({ chain: chain.config })
  const clusters = fakeClusters()
  const context: Context = Object.assign(base.context, { workspaces: clusters })
  const port = chainOf(chain.config)
  if (!port?.operator) throw new Error('the chain has no operator')
  const { operator } = port
  const clients: SigningCosmWasmClient[] = []
  const work = async () => {
    await advanceDue(context)
  }

  return {
    base,
    chain,
    port,
    clusters,
    context,
    work,
    async pass(ms) {
      base.pass(ms)
      await work()
    },
    async buyer(coins = 1000) {
      const person = await base.person()
      const keys = await DirectSecp256k1HdWallet.generate(12, { prefix: 'tide' })
      const wallet = (await keys.getAccounts())[0]?.address ?? ''
      await base.db.run(sql`
        insert into wallets (address, kind, user_id, bound_at)
        values (${wallet}, 'cosmos', ${person.id}, ${new Date(base.clock.now())})`)
      const amount = String(await port.units(coins))
      await operator.execute([
        { coins: [{ to: wallet, amount: 1_000_000n }] },
        { execute: { contract: port.token, msg: { transfer: { recipient: wallet, amount } } } },
      ])
      const client = await SigningCosmWasmClient.connectWithSigner(chain.url, keys, { broadcastPollIntervalMs: 30 })
      clients.push(client)
      const send = async (contract: string, message: object, fee: StdFee = FEE) => {
        const value = { sender: wallet, contract, msg: toUtf8(JSON.stringify(message)), funds: [] }
        const { transactionHash } = await client.signAndBroadcast(
          wallet,
          [{ typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract', value }],
          fee,
        )
        return transactionHash
      }
      const buyer: Buyer = {
        ...person,
        wallet,
        send,
        async signIn() {
          const from = { ip: '127.0.0.1', agent: 'test' }
          buyer.token = (await openSession(base.context, base.db, person, from)).token
        },
        pay: ({ token, execute, fee: { amount, denom, gas } }) =>
          send(token, JSON.parse(execute) as object, { amount: [{ denom, amount }], gas }),
        balance: () => port.tokenBalance(wallet),
        close: () => client.disconnect(),
      }
      return buyer
    },
    async close() {
      for (const client of clients) client.disconnect()
      await base.close()
      await chain.stop()
    },
  }
}

/** Buys an order and provisions it. @returns its ID */
export async function runningOrder(env: OrdersEnv, buyer: Buyer, resources: Partial<Resources> = {}): Promise<string> {
  const { base } = env
  const as = { token: buyer.token }
  const { data } = await base.call('orders.create', { ...SMALLEST, ...resources }, as)
  const { data: payment } = await base.call('orders.payment', { id: data.id }, as)
  await base.call('orders.hash', { id: data.id, hash: await buyer.pay(payment) }, as)
  await env.work()
  return data.id
}
