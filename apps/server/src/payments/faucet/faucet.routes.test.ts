import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { bindSample, cosmosWallet } from '../../identity/wallets/sample-wallets.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { deleteExpired } from '../../platform/tasks/expired.ts'
import { type As, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { type Chain, chainOf } from '../chain/chain.ts'
import {
  type Broken,
  nextBlock,
  overBrokenLine,
  type SampleChain,
  startSampleChain,
} from '../chain/sample-chain.fixture.ts'
import { payClaims } from './pay.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const GAS = 200_000n

let chain: SampleChain
let world: TestEnv
beforeAll(async () => {
  chain = await startSampleChain({ perNetwork: 30 }, 20)
})
afterAll(() => chain?.stop())
beforeEach(async () => {
  world = await setup({ chain: chain.config })
  // In the middle of an hour and of a day of UTC+8: what a test claims lies in one of them.
  world.pass(DAY + 12.5 * HOUR - ((world.clock.now() + 8 * HOUR) % DAY))
})
afterEach(() => world.close())

interface Claimer extends Person {
  wallet: string
}

let places = 0
const elsewhere = (): As => ({ ip: `10.8.${(++places >> 8) & 255}.${places & 255}` })

/** A person whose account has a wallet of the chain. */
async function claimer(): Promise<Claimer> {
  const person = await world.person()
  const wallet = cosmosWallet().address
  await world.db.run(sql`
    insert into wallets (address, kind, user_id, bound_at)
    values (${wallet}, 'cosmos', ${person.id}, ${new Date(world.clock.now())})`)
  return { ...person, wallet }
}

const receive = ({ token }: Person, from: As = elsewhere()) => world.call('faucet.receive', {}, { ...from, token })
const distributed = async ({ token }: Person) => (await world.call('faucet.distributed', {}, { token })).data
const balance = async ({ token }: Person) => (await world.call('faucet.balance', {}, { token })).data
const history = async ({ token }: Person) => (await world.call('faucet.history', {}, { token })).data

/** Rounds of paying, as another server of the network makes them, until all claims are paid. */
async function paid(by: Chain | undefined = chainOf(chain.config)): Promise<void> {
  for (let round = 0; ; round++) {
    await payClaims({ ...world.context, chain: by })
    const { open } = await world.db.one<{ open: number }>(
      sql`select count(*) as open from claims where state <> 'done'`,
    )
    if (open === 0) return
    if (round > 500) throw new Error(`${open} claims are still not paid`)
    world.pass(1000)
    await chainTime()
  }
}

const chainTime = () => nextBlock(chain)
const overLine = (broken: Broken) => overBrokenLine(chain, broken)
const payOver = (line: Chain | undefined) => payClaims({ ...world.context, chain: line })

describe('a claim', () => {
  it('is paid on the chain with coins for fees, in one transaction that the history names', async () => {
    const who = await claimer()
    expect(await receive(who)).toMatchObject({
      code: 0,
      data: { claim: { account: who.wallet, amount: 400, hash: '', state: 'reserved' } },
    })
    await paid()
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

  it('shares a transaction with others', async () => {
    const people = await Promise.all(Array.from({ length: 22 }, claimer))
    for (const who of people) expect((await receive(who)).code).toBe(0)
    await paid()
    const { payments } = await world.db.one<{ payments: number }>(sql`select count(*) as payments from payouts`)
    expect(payments).toBe(2)
    for (const who of people) expect((await balance(who)).balance).toBe('400')
  })

  it('is possible again the next day, which begins at midnight of UTC+8', async () => {
    const who = await claimer()
    expect(await distributed(who)).toMatchObject({ received: false, claim: null, zone: '+08:00' })
    await receive(who)
    const after = await distributed(who)
    expect(after).toMatchObject({ received: true, claim: { amount: 400, state: 'reserved' } })
    expect(new Date(after.next_claim_at).toISOString()).toMatch(/T16:00:00.000Z$/)
    world.pass(new Date(after.next_claim_at).getTime() - world.clock.now() - 60_000)
    expect(await receive(who)).toMatchObject({ code: -1, err: 1009 })
    world.pass(60_000)
    expect((await receive(who)).code).toBe(0)
    await paid()
    expect((await balance(who)).balance).toBe('800')
    expect((await history(who)).list.map(({ state }) => state)).toEqual(['done', 'done'])
  })

  it('leaves less of the hour, and the next hour begins anew', async () => {
    const [one, other] = [await claimer(), await claimer()]
    await receive(one)
    const now = await distributed(other)
    expect(now).toMatchObject({ remaining_amount: 9600, used_amount: 400, claim_amount: 400, hourly_amount: 10_000 })
    expect(new Date(now.next_time).getTime() % HOUR).toBe(0)
    world.pass(HOUR)
    expect(await distributed(other)).toMatchObject({ remaining_amount: 10_000, used_amount: 0 })
  })
})

describe('in time', () => {
  it('counts are forgotten, and claims are not', async () => {
    const who = await claimer()
    await receive(who)
    await paid()
    const counts = () =>
      world.db.one<{ hours: number; networks: number }>(sql`
        select (select count(*) from claim_hours) as hours, (select count(*) from claim_networks) as networks`)
    world.pass(DAY)
    await deleteExpired(world.context, features)
    expect(await counts()).toEqual({ hours: 1, networks: 1 })
    world.pass(2 * DAY)
    await deleteExpired(world.context, features)
    expect(await counts()).toEqual({ hours: 0, networks: 0 })
    expect(await world.db.rows(sql`select state from claims`)).toEqual([{ state: 'done' }])
  })
})

describe('nobody gets more', () => {
  it('100 claims of one wallet at the same moment are one', async () => {
    const who = await claimer()
    const answers = await Promise.all(Array.from({ length: 100 }, () => receive(who)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(answers.filter(({ err }) => err === 1009)).toHaveLength(99)
    await paid()
    expect((await balance(who)).balance).toBe('400')
    expect((await distributed(who)).used_amount).toBe(400)
  })

  it('of 26 wallets in an hour 25 get their coins, and one is told that the quota is used up', async () => {
    const people = await Promise.all(Array.from({ length: 26 }, claimer))
    const answers = await Promise.all(people.map((who) => receive(who)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(25)
    expect(answers.filter(({ err }) => err === 1008)).toHaveLength(1)
    const late = people[answers.findIndex(({ err }) => err === 1008)] as Claimer
    expect(await distributed(late)).toMatchObject({ remaining_amount: 0, received: false })
    world.pass(HOUR)
    expect((await receive(late)).code).toBe(0)
    await paid()
    for (const who of people) expect((await balance(who)).balance).toBe('400')
  })

  it('by another wallet of the same account, or the same wallet in another account', async () => {
    const [who, other] = [await claimer(), await claimer()]
    await receive(who)
    await world.db.run(sql`update wallets set address = ${cosmosWallet().address} where user_id = ${who.id}`)
    expect(await receive(who)).toMatchObject({ err: 1009 })
    await world.db.run(sql`update wallets set address = ${who.wallet} where user_id = ${other.id}`)
    expect(await receive(other)).toMatchObject({ err: 1009 })
  })

  it('by many accounts of one network', async () => {
    const from = elsewhere()
    const network = 30
    for (let claims = 0; claims < network; claims++) {
      if (claims % 25 === 24) world.pass(HOUR)
      expect((await receive(await claimer(), from)).code).toBe(0)
    }
    expect(await receive(await claimer(), from)).toMatchObject({ err: 1020 })
    expect((await receive(await claimer())).code).toBe(0)
  })
})

describe('nothing is lost, and nothing is paid twice', () => {
  it('when the chain is away: the claim stands, and is paid when it is back', async () => {
    const who = await claimer()
    expect((await receive(who)).code).toBe(0)
    await expect(payOver(overLine(() => 'away'))).rejects.toThrow()
    expect((await history(who)).list).toMatchObject([{ state: 'reserved', hash: '' }])
    expect(await receive(who)).toMatchObject({ err: 1009 })
    world.pass(10_000)
    await paid()
    expect((await balance(who)).balance).toBe('400')
  })

  it('when the server dies after it wrote the transaction down, before it sent it', async () => {
    const who = await claimer()
    await receive(who)
    const line = chainOf(chain.config) as Chain
    const early = await line.port.status()
    await expect(payOver(overLine((method) => (method === 'broadcast_tx_sync' ? 'away' : undefined)))).rejects.toThrow()
    const written = (await history(who)).list
    expect(written).toMatchObject([{ state: 'sent', hash: expect.stringMatching(/^[0-9A-F]{64}$/) }])
    // As long as a block may still take it there is no other.
    await payOver({ ...line, port: { ...line.port, status: async () => early } })
    expect((await history(who)).list[0]?.hash).toBe(written[0]?.hash)
    await paid()
    expect((await balance(who)).balance).toBe('400')
  })

  it('when the server dies after it sent it, before it heard so', async () => {
    const who = await claimer()
    await receive(who)
    const line = overLine((method) => (method === 'broadcast_tx_sync' ? 'answer is lost' : undefined))
    await expect(payOver(line)).rejects.toThrow()
    await paid()
    expect((await balance(who)).balance).toBe('400')
  })

  it('when another transaction took its place: it is made anew once its time is over', async () => {
    const [who, other] = [await claimer(), await claimer()]
    await receive(who)
    await expect(payOver(overLine((method) => (method === 'broadcast_tx_sync' ? 'away' : undefined)))).rejects.toThrow()
    const { operator } = chainOf(chain.config) as Chain
    await operator?.execute([{ coins: [{ to: other.wallet, amount: 1n }] }])
    await paid()
    expect((await balance(who)).balance).toBe('400')
  })

  it('when the chain is killed and comes back', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, claimer))
    for (const who of people) await receive(who)
    await payOver(chainOf(chain.config))
    await chain.kill()
    await expect(payOver(chainOf(chain.config))).rejects.toThrow()
    await chain.restart()
    await paid()
    for (const who of people) expect((await balance(who)).balance).toBe('400')
  })

  it('when several servers pay at the same moment', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, claimer))
    for (const who of people) await receive(who)
    await Promise.allSettled(Array.from({ length: 4 }, () => payOver(chainOf(chain.config))))
    await paid()
    for (const who of people) expect((await balance(who)).balance).toBe('400')
  })

  it('when the network has too little to give: paid when there is enough', async () => {
    const rich = chainOf(chain.config) as Chain
    const who = await claimer()
    await receive(who)
    // As much is asked for as there will never be.
    const poor = { ...rich, units: async () => 10n ** 30n }
    await payClaims({ ...world.context, chain: poor })
    for (let round = 0; (await history(who)).list[0]?.state !== 'reserved'; round++) {
      if (round > 100) throw new Error('the refused payment is still waited for')
      await chainTime()
      await payClaims({ ...world.context, chain: poor })
    }
    world.pass(5000)
    await paid()
    expect((await balance(who)).balance).toBe('400')
  })
})

describe('refused are', () => {
  it('visitors, and accounts without a wallet', async () => {
    const person = await world.person()
    for (const name of ['faucet.distributed', 'faucet.receive', 'faucet.history', 'faucet.balance'] as const) {
      expect(await world.call(name, {})).toMatchObject({ code: 401 })
      expect(await world.call(name, {}, { token: person.token })).toMatchObject({ code: -1, err: 2069 })
    }
  })

  it('API keys', async () => {
    const who = await claimer()
    const key = await world.key(who, 'admin')
    expect((await world.call('faucet.receive', {}, { token: key })).code).not.toBe(0)
  })

  it('pages that are none', async () => {
    const { token } = await claimer()
    for (const size of [0, 101, -1]) expect((await world.call('faucet.history', { size }, { token })).err).toBe(1001)
    expect(await world.call('faucet.history', { page: 1000 }, { token })).toMatchObject({
      data: { list: [], total: 0 },
    })
  })

  it("what is another's: a history shows one's own claims", async () => {
    const [one, other] = [await claimer(), await claimer()]
    await receive(one)
    expect(await history(other)).toEqual({ list: [], total: 0 })
  })

  it('all, where there is no chain; and what has to be asked of it while it is away', async () => {
    const without = await setup()
    const person = await without.person()
    await bindSample(without, cosmosWallet(), person.token)
    const as = { token: person.token }
    for (const name of ['faucet.distributed', 'faucet.receive', 'faucet.balance'] as const)
      expect(await without.call(name, {}, as)).toMatchObject({ code: -1, err: 1004 })
    without.context.chain = chainOf({ ...chain.config, rpc: ['http://127.0.0.1:9'] })
    expect(await without.call('faucet.balance', {}, as)).toMatchObject({ code: -1, err: 1004 })
    expect((await without.call('faucet.receive', {}, as)).code).toBe(0)
    await without.close()
  })
})
