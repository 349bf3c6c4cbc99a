import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { cosmosWallet, linkSample } from '../../identity/wallets/sample-wallets.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { deleteExpired } from '../../platform/tasks/expired.ts'
import { type As, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { type Chain, chainOf } from '../chain/chain.ts'
import {
  type FaultOf,
  nextBlock,
  type SampleChain,
  startSampleChain,
  withFaultyTransport,
} from '../chain/sample-chain.fixture.ts'
import { payClaims } from './pay.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const GAS = 200_000n

let chain: SampleChain
let env: TestEnv
beforeAll(async () => {
  chain = await startSampleChain({ perNetwork: 30 }, 20)
})
afterAll(() => chain?.stop())
beforeEach(async () => {
  env = await setup({ chain: chain.config })
  // The middle of an hour and of a day in UTC+8, so that all claims of a test are in the same ones.
  env.pass(DAY + 12.5 * HOUR - ((env.clock.now() + 8 * HOUR) % DAY))
})
afterEach(() => env.close())

interface Claimer extends Person {
  wallet: string
}

let networks = 0
const newNetwork = (): As => ({ ip: `10.8.${(++networks >> 8) & 255}.${networks & 255}` })

/** An account with a linked wallet of the chain. */
async function claimer(): Promise<Claimer> {
  const person = await env.person()
  const wallet = cosmosWallet().address
  await env.db.run(sql`
    insert into wallets (address, kind, user_id, bound_at)
    values (${wallet}, 'cosmos', ${person.id}, ${new Date(env.clock.now())})`)
  return { ...person, wallet }
}

const receive = ({ token }: Person, from: As = newNetwork()) => env.call('faucet.receive', {}, { ...from, token })
const distributed = async ({ token }: Person) => (await env.call('faucet.distributed', {}, { token })).data
const balance = async ({ token }: Person) => (await env.call('faucet.balance', {}, { token })).data
const history = async ({ token }: Person) => (await env.call('faucet.history', {}, { token })).data

/** Runs rounds, as a server with the operator key, until all claims are paid. */
async function payAll(by: Chain | undefined = chainOf(chain.config)): Promise<void> {
  for (let round = 0; ; round++) {
    await payClaims({ ...env.context, chain: by })
    const { open } = await env.db.one<{ open: number }>(sql`select count(*) as open from claims where state <> 'done'`)
    if (open === 0) return
    if (round > 500) throw new Error(`${open} claims are still not paid`)
    env.pass(1000)
    await nextBlock(chain)
  }
}

const withFaults = (faultOf: FaultOf) => withFaultyTransport(chain, faultOf)
const payWith = (by: Chain | undefined) => payClaims({ ...env.context, chain: by })

describe('a claim', () => {
  it('is paid with coins for gas fees, in one transaction that the history names', async () => {
    const who = await claimer()
    expect(await receive(who)).toMatchObject({
      code: 0,
      data: { claim: { account: who.wallet, amount: 400, hash: '', state: 'reserved' } },
    })
    await payAll()
    expect(await balance(who)).toEqual({
      balance: '400',
      units: '40000',
      gas: String(GAS),
      address: who.wallet,
    })
    const { list, total } = await history(who)
    expect(total).toBe(1)
    expect(list).toMatchObject([{ account: who.wallet, amount: 400, state: 'done' }])
    const tx = await (chainOf(chain.config) as Chain).port.tx(list[0]?.hash ?? '')
    expect(tx?.events.filter(({ type }) => type === 'wasm' || type === 'coin_received').length).toBeGreaterThanOrEqual(
      2,
    )
  })

  it('is paid together with other claims in one transaction', async () => {
    const people = await Promise.all(Array.from({ length: 22 }, claimer))
    for (const who of people) expect((await receive(who)).code).toBe(0)
    await payAll()
    const { payments } = await env.db.one<{ payments: number }>(sql`select count(*) as payments from payouts`)
    expect(payments).toBe(2)
    for (const who of people) expect((await balance(who)).balance).toBe('400')
  })

  it('can be repeated the next day, from midnight in UTC+8', async () => {
    const who = await claimer()
    expect(await distributed(who)).toMatchObject({ received: false, claim: null, zone: '+08:00' })
    await receive(who)
    const after = await distributed(who)
    expect(after).toMatchObject({ received: true, claim: { amount: 400, state: 'reserved' } })
    expect(new Date(after.next_claim_at).toISOString()).toMatch(/T16:00:00.000Z$/)
    env.pass(new Date(after.next_claim_at).getTime() - env.clock.now() - 60_000)
    expect(await receive(who)).toMatchObject({ code: -1, err: 1009 })
    env.pass(60_000)
    expect((await receive(who)).code).toBe(0)
    await payAll()
    expect((await balance(who)).balance).toBe('800')
    expect((await history(who)).list.map(({ state }) => state)).toEqual(['done', 'done'])
  })

  it('reduces the rest of the hourly limit, which resets in the next hour', async () => {
    const [one, other] = [await claimer(), await claimer()]
    await receive(one)
    const now = await distributed(other)
    expect(now).toMatchObject({ remaining_amount: 9600, used_amount: 400, claim_amount: 400, hourly_amount: 10_000 })
    expect(new Date(now.next_time).getTime() % HOUR).toBe(0)
    env.pass(HOUR)
    expect(await distributed(other)).toMatchObject({ remaining_amount: 10_000, used_amount: 0 })
  })
})

describe('cleanup', () => {
  it('deletes counters after two days, and keeps claims', async () => {
    const who = await claimer()
    await receive(who)
    await payAll()
    const counts = () =>
      env.db.one<{ hours: number; networks: number }>(sql`
        select (select count(*) from claim_hours) as hours, (select count(*) from claim_networks) as networks`)
    env.pass(DAY)
    await deleteExpired(env.context, features)
    expect(await counts()).toEqual({ hours: 1, networks: 1 })
    env.pass(2 * DAY)
    await deleteExpired(env.context, features)
    expect(await counts()).toEqual({ hours: 0, networks: 0 })
    expect(await env.db.rows(sql`select state from claims`)).toEqual([{ state: 'done' }])
  })
})

describe('limits', () => {
  it('accept one of 100 concurrent claims of a wallet', async () => {
    const who = await claimer()
    const answers = await Promise.all(Array.from({ length: 100 }, () => receive(who)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(answers.filter(({ err }) => err === 1009)).toHaveLength(99)
    await payAll()
    expect((await balance(who)).balance).toBe('400')
    expect((await distributed(who)).used_amount).toBe(400)
  })

  it('accept 25 of 26 wallets in an hour', async () => {
    const people = await Promise.all(Array.from({ length: 26 }, claimer))
    const answers = await Promise.all(people.map((who) => receive(who)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(25)
    expect(answers.filter(({ err }) => err === 1008)).toHaveLength(1)
    const late = people[answers.findIndex(({ err }) => err === 1008)] as Claimer
    expect(await distributed(late)).toMatchObject({ remaining_amount: 0, received: false })
    env.pass(HOUR)
    expect((await receive(late)).code).toBe(0)
    await payAll()
    for (const who of people) expect((await balance(who)).balance).toBe('400')
  })

  it('hold for another wallet of the account, and for the wallet in another account', async () => {
    const [who, other] = [await claimer(), await claimer()]
    await receive(who)
    await env.db.run(sql`update wallets set address = ${cosmosWallet().address} where user_id = ${who.id}`)
    expect(await receive(who)).toMatchObject({ err: 1009 })
    await env.db.run(sql`update wallets set address = ${who.wallet} where user_id = ${other.id}`)
    expect(await receive(other)).toMatchObject({ err: 1009 })
  })

  it('hold for all accounts of one client network', async () => {
    const from = newNetwork()
    const limit = 30
    for (let claims = 0; claims < limit; claims++) {
      if (claims % 25 === 24) env.pass(HOUR)
      expect((await receive(await claimer(), from)).code).toBe(0)
    }
    expect(await receive(await claimer(), from)).toMatchObject({ err: 1020 })
    expect((await receive(await claimer())).code).toBe(0)
  })
})

describe('every claim is paid exactly once', () => {
  it('if the chain is unavailable: it is paid later', async () => {
    const who = await claimer()
    expect((await receive(who)).code).toBe(0)
    await expect(payWith(withFaults(() => 'unreachable'))).rejects.toThrow()
    expect((await history(who)).list).toMatchObject([{ state: 'reserved', hash: '' }])
    expect(await receive(who)).toMatchObject({ err: 1009 })
    env.pass(10_000)
    await payAll()
    expect((await balance(who)).balance).toBe('400')
  })

  it('if the server crashes after it stored the transaction, before it sent it', async () => {
    const who = await claimer()
    await receive(who)
    const line = chainOf(chain.config) as Chain
    const early = await line.port.status()
    await expect(
      payWith(withFaults((method) => (method === 'broadcast_tx_sync' ? 'unreachable' : undefined))),
    ).rejects.toThrow()
    const stored = (await history(who)).list
    expect(stored).toMatchObject([{ state: 'sent', hash: expect.stringMatching(/^[0-9A-F]{64}$/) }])
    // There is no other transaction while a block may still include this one.
    await payWith({ ...line, port: { ...line.port, status: async () => early } })
    expect((await history(who)).list[0]?.hash).toBe(stored[0]?.hash)
    await payAll()
    expect((await balance(who)).balance).toBe('400')
  })

  it('if the server crashes after it sent the transaction, before it got the answer', async () => {
    const who = await claimer()
    await receive(who)
    const line = withFaults((method) => (method === 'broadcast_tx_sync' ? 'response lost' : undefined))
    await expect(payWith(line)).rejects.toThrow()
    await payAll()
    expect((await balance(who)).balance).toBe('400')
  })

  it('if another transaction used its sequence number: a new one is signed after it timed out', async () => {
    const [who, other] = [await claimer(), await claimer()]
    await receive(who)
    await expect(
      payWith(withFaults((method) => (method === 'broadcast_tx_sync' ? 'unreachable' : undefined))),
    ).rejects.toThrow()
    const { operator } = chainOf(chain.config) as Chain
    await operator?.execute([{ coins: [{ to: other.wallet, amount: 1n }] }])
    await payAll()
    expect((await balance(who)).balance).toBe('400')
  })

  it('if the chain is killed and restarted', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, claimer))
    for (const who of people) await receive(who)
    await payWith(chainOf(chain.config))
    await chain.kill()
    await expect(payWith(chainOf(chain.config))).rejects.toThrow()
    await chain.restart()
    await payAll()
    for (const who of people) expect((await balance(who)).balance).toBe('400')
  })

  it('if several servers pay at the same time', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, claimer))
    for (const who of people) await receive(who)
    await Promise.allSettled(Array.from({ length: 4 }, () => payWith(chainOf(chain.config))))
    await payAll()
    for (const who of people) expect((await balance(who)).balance).toBe('400')
  })

  it('if the operator’s balance is too low: it is paid later', async () => {
    const rich = chainOf(chain.config) as Chain
    const who = await claimer()
    await receive(who)
    // More than the balance.
    const poor = { ...rich, units: async () => 10n ** 30n }
    await payClaims({ ...env.context, chain: poor })
    for (let round = 0; (await history(who)).list[0]?.state !== 'reserved'; round++) {
      if (round > 100) throw new Error('the failed transaction is still pending')
      await nextBlock(chain)
      await payClaims({ ...env.context, chain: poor })
    }
    env.pass(5000)
    await payAll()
    expect((await balance(who)).balance).toBe('400')
  })
})

describe('rejects', () => {
  it('callers without a session, and accounts without a wallet', async () => {
    const person = await env.person()
    for (const name of ['faucet.distributed', 'faucet.receive', 'faucet.history', 'faucet.balance'] as const) {
      expect(await env.call(name, {})).toMatchObject({ code: 401 })
      expect(await env.call(name, {}, { token: person.token })).toMatchObject({ code: -1, err: 2069 })
    }
  })

  it('API keys', async () => {
    const who = await claimer()
    const key = await env.key(who, 'admin')
    expect((await env.call('faucet.receive', {}, { token: key })).code).not.toBe(0)
  })

  it('invalid pages', async () => {
    const { token } = await claimer()
    for (const size of [0, 101, -1]) expect((await env.call('faucet.history', { size }, { token })).err).toBe(1001)
    expect(await env.call('faucet.history', { page: 1000 }, { token })).toMatchObject({
      data: { list: [], total: 0 },
    })
  })

  it('access to claims of other accounts', async () => {
    const [one, other] = [await claimer(), await claimer()]
    await receive(one)
    expect(await history(other)).toEqual({ list: [], total: 0 })
  })

  it('all calls without a chain, and balances while the chain is unavailable', async () => {
    const without = await setup()
    const person = await without.person()
    await linkSample(without, cosmosWallet(), person.token)
    const as = { token: person.token }
    for (const name of ['faucet.distributed', 'faucet.receive', 'faucet.balance'] as const)
      expect(await without.call(name, {}, as)).toMatchObject({ code: -1, err: 1004 })
    without.context.chain = chainOf({ ...chain.config, rpc: ['http://127.0.0.1:9'] })
    expect(await without.call('faucet.balance', {}, as)).toMatchObject({ code: -1, err: 1004 })
    expect((await without.call('faucet.receive', {}, as)).code).toBe(0)
    await without.close()
  })
})
