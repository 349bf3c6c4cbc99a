/** @module-tag long */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { toUtf8 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { createChainPort, createOperator } from '@tidenet/chain-client'
import type { ExchangeOrder } from '@tidenet/contract'
import type { Network, Program } from '@tidenet/testnet'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  readBooks,
  type Sources,
  transfersSoFar,
  unexplained,
} from '../../apps/server/src/payments/exchange/books.fixture.ts'
import { chance } from './chance.ts'
import { startNetwork } from './test-network.ts'
import { signUp, until, type WireClient } from './wire-client.ts'

/** The points exchange with all programs in processes of their own, which are killed (SIGKILL) while wallets pay. */

const LONG = process.env.TIDENET_TEST_LONG === 'yes'
const ROUNDS = LONG ? 40 : 8
const FEE = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }
const REFUND_FEE = 100_000n
const ID = 'tidenet-devnet-1'

let network: Network
let person: WireClient
let sources: Sources
let wallet: { address: string; client: SigningCosmWasmClient }
beforeAll(async () => {
  network = await startNetwork({ nodes: 0, chain: { blockMs: 100 }, partner: true })
  person = await signUp(network.url)
  const { chain, partner } = network
  if (!chain || !partner) throw new Error('there is no chain or partner')
  const port = createChainPort({ urls: [chain.url], chainId: ID })
  const privateKey = Buffer.from(readFileSync(chain.keyFile, 'utf8').trim(), 'hex')
  const operator = createOperator({ port, privateKey, chainId: ID, prefix: 'tide', denom: 'utide' })
  const keys = await DirectSecp256k1HdWallet.generate(12, { prefix: 'tide' })
  const address = (await keys.getAccounts())[0]?.address ?? ''
  await operator.execute([
    { coins: [{ to: address, amount: 1_000_000n }] },
    { execute: { contract: chain.tnt4, msg: { transfer: { recipient: address, amount: '9000000000' } } } },
  ])
  const client = await SigningCosmWasmClient.connectWithSigner(chain.url, keys, { broadcastPollIntervalMs: 50 })
  wallet = { address, client }
  const database = new pg.Client({ connectionString: network.databaseUrl })
  await database.connect()
  await database.query(
    "insert into wallets (address, kind, user_id, bound_at) select $1, 'cosmos', id, now() from users order by id desc limit 1",
    [address],
  )
  await database.end()
  sources = {
    port: { port },
    token: chain.tnt4,
    address: operator.address,
    partner: {
      ledger: () =>
        readFileSync(join(partner.data, 'ledger.jsonl'), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
    },
  }
}, 120_000)
afterAll(async () => {
  wallet?.client.disconnect()
  await network?.stop()
})

const pay = (units: string, memo: string) =>
  wallet.client
    .signAndBroadcast(
      wallet.address,
      [
        {
          typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract',
          value: {
            sender: wallet.address,
            contract: sources.token,
            msg: toUtf8(JSON.stringify({ transfer: { recipient: sources.address, amount: units } })),
            funds: [],
          },
        },
      ],
      FEE,
      memo,
    )
    .catch(() => undefined)

it(
  'loses and doubles nothing when server, partner and chain are killed at any moment',
  async () => {
    const seed = Number(process.env.EXCHANGE_SEED ?? 1)
    const { one, often, below } = chance(seed)
    const funding = await transfersSoFar(sources)
    const asked = new Map<string, Set<string>>()
    const programs = [
      network.server.process,
      network.server.process,
      network.partner?.process as Program,
      network.chain?.process as Program,
    ]
    const post = async <T>(call: string, fields: object): Promise<T | undefined> => {
      const reply = await person.post<T>(`/api/v1/exchange/${call}`, fields).catch(() => undefined)
      return reply?.code === 0 ? reply.data : undefined
    }
    const killing: Promise<unknown>[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const account = one(['100001', '100002', '100004', '100005'])
      const made = await post<{ order: ExchangeOrder }>('create', { account, points: 100 + round })
      const confirmed =
        made &&
        (await post<{ payment: { msg: { transfer: { amount: string } }; memo: string } | null }>('confirm', {
          id: made.order.id,
          tnt4: made.order.tnt4,
        }))
      const payment = confirmed?.payment
      if (payment) asked.set(payment.memo, new Set([payment.msg.transfer.amount]))
      const units = payment?.msg.transfer.amount ?? '5000000'
      const memo = often(0.25) ? 'another memo' : (payment?.memo ?? '')
      await pay(often(0.2) ? `${Number(units) + 1}` : units, memo)
      if (often(0.3)) await pay(units, memo)
      const victim = one(programs)
      await new Promise((resolve) => setTimeout(resolve, below(700)))
      victim.kill('SIGKILL')
      killing.push(victim.exited)
      await victim.restart()
    }
    await Promise.all(killing)
    const waiting = new pg.Client({ connectionString: network.databaseUrl })
    await waiting.connect()
    // Leases and back-off pass by the clock; the tables say only when to look at the books.
    await until(async () => {
      await network.moveClock(60_000)
      const { rows } = await waiting.query(
        "select (select count(*) from exchanges where state in ('in_progress', 'incomplete')) + (select count(*) from exchange_refunds where state <> 'done') as open",
      )
      return Number(rows[0].open) === 0
    }, 120_000)
    await waiting.end()
    const books = await readBooks(sources, funding)
    expect(books.payments.length).toBeGreaterThanOrEqual(ROUNDS / 2)
    expect(unexplained(books, asked, REFUND_FEE)).toEqual([])
  },
  LONG ? 900_000 : 180_000,
)
