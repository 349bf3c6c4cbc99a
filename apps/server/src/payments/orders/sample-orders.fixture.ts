import type { StdFee } from '@cosmjs/amino'
import { SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { toUtf8 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import type { OrderPayment, Resources } from '@tidenet/contract'
import { ClusterError } from '../../compute/clusters/driver.ts'
import type { Workspaces } from '../../compute/workspaces/offer.ts'
import type { WorkspaceOrder } from '../../compute/workspaces/workspaces.ts'
import { openSession } from '../../identity/sessions/tokens.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { type Chain, chainOf } from '../chain/chain.ts'
import { type SampleChain, startSampleChain } from '../chain/sample-chain.fixture.ts'
import type { Context } from '../context.ts'
import { advanceDue } from './advance.ts'

/** For tests: orders over the real app, a real chain and wallets that sign; the clusters alone are played. */

export interface Buyer extends Person {
  wallet: string
  /** Signs and waits for the block. @returns the hash */
  send(contract: string, message: object, fee?: StdFee): Promise<string>
  /** Signs what the portal asks to be signed. @returns the hash */
  pay(payment: OrderPayment): Promise<string>
  /** A new session, when much time has passed. */
  signIn(): Promise<void>
  /** Units of the token. */
  balance(): Promise<bigint>
  close(): void
}

/** Clusters that remember what they were told. */
export interface PlayedClusters extends Workspaces {
  /** What lies there, by the workspace's id. */
  there: Map<string, WorkspaceOrder & { state: 'runs' | 'stopped' }>
  /** What is done next comes about, and whoever asked for it dies before he hears of it. */
  die(times: number): void
  /** Makes what is done next fail, so many times. */
  fail(times: number, what?: 'create' | 'resize' | 'remove' | 'suspend' | 'restore'): void
  /** Whether regions sell. */
  open: boolean
  /** Whether what runs workspaces does not answer. */
  away: boolean
}

export function playedClusters(): PlayedClusters {
  const there: PlayedClusters['there'] = new Map()
  let failures = 0
  let failing: string | undefined
  let deaths = 0
  const dieNow = () => {
    if (deaths === 0) return
    deaths -= 1
    throw new Error('died')
  }
  const work = (what: string) => {
    if (played.away) throw new ClusterError('absent', 'played')
    if (failures === 0 || (failing !== undefined && failing !== what)) return
    failures -= 1
    throw new ClusterError('failed', 'played')
  }
  const played: PlayedClusters = {
    there,
    open: true,
    away: false,
    die(times) {
      deaths = times
    },
    fail(times, what) {
      failures = times
      failing = what
    },
    offered: async () => [
      played.open
        ? { name: 'distributed', ready: true }
        : { name: 'distributed', ready: false, reason: { en: 'No engine.', cn: '无运行环境。' } },
      { name: 'centralized', ready: false, reason: { en: 'Not set up.', cn: '未配置。' } },
    ],
    hasRoom: async (_, { cpu }) => cpu < 32,
    async create(_, order) {
      work('create')
      there.set(order.workspaceId, { ...order, state: 'runs' })
      dieNow()
    },
    async resize(_, order) {
      work('resize')
      if (!there.has(order.workspaceId)) throw new ClusterError('unknown', 'played')
      there.set(order.workspaceId, { ...order, state: 'runs' })
      dieNow()
    },
    async suspend(_, id) {
      work('suspend')
      const known = there.get(id)
      if (known) there.set(id, { ...known, state: 'stopped' })
      dieNow()
    },
    async restore(_, order) {
      work('restore')
      if (!there.has(order.workspaceId)) throw new ClusterError('unknown', 'played')
      there.set(order.workspaceId, { ...order, state: 'runs' })
      dieNow()
    },
    async remove(_, id) {
      work('remove')
      there.delete(id)
      dieNow()
    },
  }
  return played
}

export interface Market {
  world: TestEnv
  chain: SampleChain
  /** As the tests ask it. */
  port: Chain
  clusters: PlayedClusters
  context: Context
  buyer(coins?: number): Promise<Buyer>
  /** What the duties do, until nothing is due. */
  work(): Promise<void>
  /** Lets time pass and has the duties work. */
  pass(ms: number): Promise<void>
  close(): Promise<void>
}

const FEE: StdFee = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }
export const SMALLEST: Resources = { cpu: 1, ram: 1, storage: 40, duration: 2 }

/**
 * @param blockMs how long the chain's six seconds take
 * @param minGasPrice as on a chain that is not the one that comes along
 */
export async function openMarket(blockMs = 20, minGasPrice = '0'): Promise<Market> {
  const chain = await startSampleChain({}, blockMs, minGasPrice)
  const world = await setup({ chain: chain.config })
  const clusters = playedClusters()
  const context: Context = Object.assign(world.context, { workspaces: clusters })
  const port = chainOf(chain.config)
  if (!port?.operator) throw new Error('the chain has no operator')
  const { operator } = port
  const clients: SigningCosmWasmClient[] = []
  const work = async () => {
    await advanceDue(context)
  }

  return {
    world,
    chain,
    port,
    clusters,
    context,
    work,
    async pass(ms) {
      world.pass(ms)
      await work()
    },
    async buyer(coins = 1000) {
      const person = await world.person()
      const keys = await DirectSecp256k1HdWallet.generate(12, { prefix: 'tide' })
      const wallet = (await keys.getAccounts())[0]?.address ?? ''
      await world.db.run(sql`
        insert into wallets (address, kind, user_id, bound_at)
        values (${wallet}, 'cosmos', ${person.id}, ${new Date(world.clock.now())})`)
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
          buyer.token = (await openSession(world.context, world.db, person, from)).token
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
      await world.close()
      await chain.stop()
    },
  }
}

/** An order that its buyer has paid and that runs. @returns its id */
export async function runningOrder(market: Market, buyer: Buyer, resources: Partial<Resources> = {}): Promise<string> {
  const { world } = market
  const as = { token: buyer.token }
  const { data } = await world.call('orders.create', { ...SMALLEST, ...resources }, as)
  const { data: payment } = await world.call('orders.payment', { id: data.id }, as)
  await world.call('orders.hash', { id: data.id, hash: await buyer.pay(payment) }, as)
  await market.work()
  return data.id
}
