import { readFileSync } from 'node:fs'
import { SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { toUtf8 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { createChainPort, createOperator } from '@tidenet/chain-client'
import { createNetwork, type Network } from '@tidenet/testnet'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildFixture } from '../../tools/load-fixture.mjs'
import { chance } from './chance.ts'
import { signUp, until, type WireClient } from './wire-client.ts'

/**
 * Orders that are paid in the same blocks, which the server confirms and provisions together, while its process is killed (SIGKILL). Its
 * cluster is the simulated one, whose capacity is sold like that of others.
 */

const ROUNDS = process.env.TIDENET_TEST_LONG === 'yes' ? 30 : 6
const BUYERS = 4
const FEE = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }
const ID = 'tidenet-devnet-1'
const COINS = 10_000_000

interface Buyer {
  person: WireClient
  address: string
  client: SigningCosmWasmClient
}

let network: Network
let database: pg.Client
const buyers: Buyer[] = []
let balanceOf: (address: string) => Promise<bigint>
beforeAll(async () => {
  const { TIDENET_TEST_DATABASE: databaseUrl = '', TIDENET_TEST_TEMPLATE: databaseTemplate = '' } = process.env
  const driver = await buildFixture('apps/server/src/compute/clusters/sample-driver.fixture.ts')
  const loader = new URL(`../browser/sample-cluster.mjs?driver=${driver}`, import.meta.url)
  network = await createNetwork({
    databaseUrl,
    databaseTemplate,
    nodes: 0,
    chain: { blockMs: 100 },
    env: { NODE_OPTIONS: `--import ${loader.href}` },
  })
  const { chain } = network
  if (!chain) throw new Error('there is no chain')
  database = new pg.Client({ connectionString: network.databaseUrl })
  await database.connect()
  const port = createChainPort({ urls: [chain.url], chainId: ID })
  const privateKey = Buffer.from(readFileSync(chain.keyFile, 'utf8').trim(), 'hex')
  const operator = createOperator({ port, privateKey, chainId: ID, prefix: 'tide', denom: 'utide' })
  balanceOf = async (address) =>
    BigInt((await port.query<{ balance: string }>(chain.token, { balance: { address } })).balance)
  for (let number = 0; number < BUYERS; number++) {
    const person = await signUp(network.url)
    const keys = await DirectSecp256k1HdWallet.generate(12, { prefix: 'tide' })
    const address = (await keys.getAccounts())[0]?.address ?? ''
    await operator.execute([
      { coins: [{ to: address, amount: 1_000_000n }] },
      { execute: { contract: chain.token, msg: { transfer: { recipient: address, amount: String(COINS) } } } },
    ])
    await database.query(
      "insert into wallets (address, kind, user_id, bound_at) select $1, 'cosmos', id, now() from users order by id desc limit 1",
      [address],
    )
    const client = await SigningCosmWasmClient.connectWithSigner(chain.url, keys, { broadcastPollIntervalMs: 50 })
    buyers.push({ person, address, client })
  }
}, 180_000)
afterAll(async () => {
  for (const { client } of buyers) client.disconnect()
  await database?.end()
  await network?.stop()
})

interface Payment {
  order_id: string
  amount: string
  token: string
  execute: string
}

const ask = async <T>({ person }: Buyer, call: string, fields: object): Promise<T | undefined> => {
  const reply = await person.post<T>(`/api/v1/platform/order/${call}`, fields).catch(() => undefined)
  return reply?.code === 0 ? reply.data : undefined
}

/** @returns the hash; undefined if the chain refused it */
const pay = ({ client, address }: Buyer, { token, execute }: Payment): Promise<string | undefined> =>
  client
    .signAndBroadcast(
      address,
      [
        {
          typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract',
          value: { sender: address, contract: token, msg: toUtf8(execute), funds: [] },
        },
      ],
      FEE,
    )
    .then(({ code, transactionHash }) => (code === 0 ? transactionHash : undefined))

it('loses, doubles and oversells nothing when the server is killed between any of their steps', {
  tags: ['long'],
  timeout: 300_000,
}, async () => {
  const { often, below } = chance(Number(process.env.ORDERS_SEED ?? 1))
  const server = network.server.process
  const paid: { buyer: Buyer; payment: Payment }[] = []
  const start = await Promise.all(buyers.map(({ address }) => balanceOf(address)))
  for (let round = 0; round < ROUNDS; round++) {
    const asked = await Promise.all(
      buyers.map(async (buyer) => {
        const order = { cpu: 1, ram: 1, storage: 40, duration: 2 + round, kub_name: 'distributed' }
        const made = await ask<{ id: string }>(buyer, 'create', order)
        const payment = made && (await ask<Payment>(buyer, 'payment', { id: made.id }))
        return payment ? [{ buyer, payment }] : []
      }),
    )
    const delays = buyers.map(() => ({ posts: often(0.5), ms: below(900) }))
    const paying = asked.flat().map(async ({ buyer, payment }, index) => {
      const hash = await pay(buyer, payment)
      if (hash === undefined) return
      paid.push({ buyer, payment })
      // Otherwise the server finds the payment on the chain.
      if (delays[index]?.posts) await ask(buyer, 'hash', { id: payment.order_id, hash })
    })
    const killing = (async () => {
      await new Promise((resolve) => setTimeout(resolve, delays[0]?.ms))
      server.kill('SIGKILL')
      await server.exited
      await server.restart()
    })()
    await Promise.all([...paying, killing])
  }
  expect(paid.length).toBeGreaterThanOrEqual(ROUNDS)
  const ids = paid.map(({ payment }) => payment.order_id)
  // Leases and back-off pass by the clock.
  await until(async () => {
    await network.moveClock(60_000)
    const { rows } = await database.query('select count(*) as open from orders where id = any($1) and status <> 2', [
      ids,
    ])
    return Number(rows[0].open) === 0
  }, 120_000)

  // States: paid once, started once, with one receipt each.
  const { rows: events } = await database.query(
    "select order_id, count(*) filter (where event = 'paid') as paid, count(*) filter (where event = 'running') as running from order_events where order_id = any($1) group by order_id",
    [ids],
  )
  expect(events.map((row) => [Number(row.paid), Number(row.running)])).toEqual(ids.map(() => [1, 1]))
  const { rows: payments } = await database.query(
    "select order_id, receipt_id from order_payments where order_id = any($1) and state = 'confirmed'",
    [ids],
  )
  expect(new Set(payments.map(({ order_id }) => order_id)).size).toBe(ids.length)
  expect(new Set(payments.map(({ receipt_id }) => receipt_id)).size).toBe(ids.length)

  // Capacity: sold once to each, and to nobody else.
  const { rows: spaces } = await database.query(
    "select o.id, w.cpu, w.ram, w.storage, w.state from workspaces w left join orders o on o.workspace_id = w.id where w.state <> 'removed'",
  )
  expect(spaces.map(({ id }) => id).sort()).toEqual([...ids].sort())
  for (const space of spaces) expect(space).toMatchObject({ cpu: 1, ram: 1, storage: 40, state: 'ready' })

  // Money: each wallet paid what its orders cost, and the contract holds it.
  const spent = buyers.map((buyer) =>
    paid.filter((each) => each.buyer === buyer).reduce((sum, { payment }) => sum + BigInt(payment.amount), 0n),
  )
  expect(await Promise.all(buyers.map(({ address }) => balanceOf(address)))).toEqual(
    start.map((amount, index) => amount - (spent[index] ?? 0n)),
  )
  expect(await balanceOf(network.chain?.orders ?? '')).toBe(spent.reduce((sum, amount) => sum + amount, 0n))
})
