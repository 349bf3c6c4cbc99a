import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { toUtf8 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { type Chain, chainOf } from '../chain/chain.ts'
import { nextBlock, type SampleChain, startSampleChain } from '../chain/sample-chain.fixture.ts'
import type { Context } from '../context.ts'
import { type ExchangeConfig, NO_EXCHANGE } from './config.ts'
import { creditDue } from './credit.ts'
import { payRefunds, payTestCoins } from './pay.ts'
import { readPayments } from './read.ts'

/** For tests: the real app, chain and stand-in partner, each in its own process, and wallets that sign. */

export interface SampleFault {
  on: 'lookup' | 'credit' | 'find' | 'revoke' | 'any'
  kind: 'slow' | 'error before' | 'error after' | 'lost before' | 'lost after' | 'duplicate'
  times?: number
  ms?: number
}

export interface LedgerEntry {
  key: string
  state: 'credited' | 'refused'
  account: string
  points: number
  reason: string
}

export interface SamplePartner {
  config: ExchangeConfig
  /** The next requests fail in these ways. */
  faults(faults: readonly SampleFault[]): Promise<void>
  /** Read from its file. */
  ledger(): LedgerEntry[]
  kill(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('../../../../../packages/testnet/dist/partner/main.js', import.meta.url))
const KEY = 'a-key-for-tests-only'

export async function startSamplePartner(more: Partial<ExchangeConfig> = {}): Promise<SamplePartner> {
  const data = mkdtempSync(join(tmpdir(), 'tidenet-sample-partner-'))
  const keyFile = join(data, 'key')
  writeFileSync(keyFile, `${KEY}\n`, { mode: 0o600 })
  let port = 0
  let child: ChildProcess
  const begin = () =>
    new Promise<{ url: string; port: number }>((resolve, reject) => {
      child = spawn(process.execPath, [PROGRAM], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: {
          PATH: process.env.PATH,
          TIDENET_ENV: 'test',
          TIDENET_PARTNER_DATA: data,
          TIDENET_PARTNER_KEY_FILE: keyFile,
          TIDENET_PARTNER_PORT: String(port),
        },
      })
      child.once('message', (message) => resolve(message as { url: string; port: number }))
      child.once('exit', (code) => reject(new Error(`the partner exited with ${code}: run npm run build`)))
    })
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }
  const ready = await begin()
  port = ready.port
  return {
    config: { ...NO_EXCHANGE, url: ready.url, key: KEY, name: 'Simulated partner', simulated: true, ...more },
    async faults(faults) {
      const answer = await fetch(`${ready.url}/faults`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}` },
        body: JSON.stringify(faults),
      })
      if (!answer.ok) throw new Error(`the partner answered ${answer.status}`)
    },
    ledger: () =>
      readFileSync(join(data, 'ledger.jsonl'), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as LedgerEntry),
    kill: () => end('SIGKILL'),
    async restart() {
      await end('SIGKILL')
      await begin()
    },
    async stop() {
      await end('SIGTERM')
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** An account with a linked wallet that has TNT4. */
export interface Payer extends Person {
  wallet: string
  /** Sends TNT4 to the exchange. @param units of the token @returns the hash */
  pay(units: bigint | string, memo: string): Promise<string>
  /** Several transfers in one transaction. */
  payAll(units: readonly (bigint | string)[], memo: string, to?: string): Promise<string>
  /** TNT4 in units. */
  balance(): Promise<bigint>
}

export interface ExchangeEnv {
  base: TestEnv
  chain: SampleChain
  partner: SamplePartner
  port: Chain
  context: Context
  /** Receives payments. */
  address: string
  token: string
  payer(tnt4?: number): Promise<Payer>
  /** One round of all tasks, as a server with all roles. @returns false if the chain or the partner failed */
  work(): Promise<boolean>
  /** Rounds until nothing is waiting. @throws after too many */
  settle(): Promise<void>
  close(): Promise<void>
}

const FEE = { amount: [{ denom: 'utide', amount: '500' }], gas: '990000' }
const ROUNDS_MAX = 200

export async function setupExchange(more: Partial<ExchangeConfig> = {}, blockMs = 20): Promise<ExchangeEnv> {
  const [chain, partner] = await Promise.all([startSampleChain({}, blockMs), startSamplePartner(more)])
  const base = await setup({ chain: chain.config, exchange: partner.config })
  const port = chainOf(chain.config)
  const context: Context = base.context
  if (!port?.operator || !port.tnt4) throw new Error('the chain has no TNT4')
  const { operator, tnt4 } = port
  const { address } = operator
  const clients: SigningCosmWasmClient[] = []
  // Payments are read from here on.
  await readPayments(context)

  const work = async (): Promise<boolean> => {
    let isDone = true
    for (const task of [readPayments, creditDue, payRefunds, payTestCoins])
      await task(context).catch(() => {
        isDone = false
      })
    return isDone
  }
  const open = async () =>
    (
      await base.db.one<{ open: number }>(sql`
        select (select count(*) from exchanges where state = 'incomplete')
          + (select count(*) from exchange_refunds where state <> 'done')
          + (select count(*) from test_coins where state <> 'done') as open`)
    ).open

  return {
    base,
    chain,
    partner,
    port,
    context,
    address,
    token: tnt4.address,
    work,
    async settle() {
      for (let round = 0; round < ROUNDS_MAX; round++) {
        const isDone = await work()
        if (isDone && round > 0 && (await open()) === 0) return
        base.pass(30_000)
        await nextBlock(chain)
      }
      throw new Error('exchanges are still waiting')
    },
    async payer(coins = 1000) {
      const person = await base.person()
      const keys = await DirectSecp256k1HdWallet.generate(12, { prefix: 'tide' })
      const wallet = (await keys.getAccounts())[0]?.address ?? ''
      await base.db.run(sql`
        insert into wallets (address, kind, user_id, bound_at)
        values (${wallet}, 'cosmos', ${person.id}, ${new Date(base.clock.now())})`)
      const amount = String(await tnt4.units(coins))
      await operator.execute([
        { coins: [{ to: wallet, amount: 1_000_000n }] },
        { execute: { contract: tnt4.address, msg: { transfer: { recipient: wallet, amount } } } },
      ])
      const client = await SigningCosmWasmClient.connectWithSigner(chain.url, keys, { broadcastPollIntervalMs: 20 })
      clients.push(client)
      const payAll: Payer['payAll'] = async (amounts, memo, to = address) => {
        const messages = amounts.map((units) => ({
          typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract',
          value: {
            sender: wallet,
            contract: tnt4.address,
            msg: toUtf8(JSON.stringify({ transfer: { recipient: to, amount: String(units) } })),
            funds: [],
          },
        }))
        const { transactionHash } = await client.signAndBroadcast(wallet, messages, FEE, memo)
        return transactionHash
      }
      return {
        ...person,
        wallet,
        payAll,
        pay: (units, memo) => payAll([units], memo),
        balance: () => tnt4.balance(wallet),
      }
    },
    async close() {
      for (const client of clients) client.disconnect()
      await base.close()
      await Promise.all([chain.stop(), partner.stop()])
    },
  }
}
