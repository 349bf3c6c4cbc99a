import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cosmosWallet, evmWallet, linkSample } from '../../identity/wallets/sample-wallets.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { type Chain, chainOf } from '../chain/chain.ts'
import { nextBlock, type SampleChain, startSampleChain, withFaultyTransport } from '../chain/sample-chain.fixture.ts'
import { payClaims } from '../faucet/pay.ts'
import { payRedemptions } from './pay.ts'

let chain: SampleChain
let env: TestEnv
let operator: Person
beforeAll(async () => {
  chain = await startSampleChain({}, 20)
})
afterAll(() => chain?.stop())
beforeEach(async () => {
  env = await setup({ chain: chain.config })
  operator = await env.person({ role: 'operator' })
})
afterEach(() => env.close())

interface Owner extends Person {
  wallet: string
}

/** An account with a linked wallet and granted points. */
async function owner(points = 0): Promise<Owner> {
  const person = await env.person()
  const { address: wallet } = await linkWallet(person)
  if (points > 0) await grant(person, points)
  return { ...person, wallet }
}

async function linkWallet({ token }: Person) {
  const wallet = cosmosWallet()
  expect((await linkSample(env, wallet, token)).code).toBe(0)
  return wallet
}

const grant = ({ uid }: Person, points: number, by: Person = operator, reason = 'found a bug') =>
  env.call('admin.grantPoints', { uid, points, reason }, { token: by.token })
const redeem = ({ token }: Person, points: number) => env.call('rewards.redeem', { points }, { token })
const history = async ({ token }: Person) => (await env.call('rewards.history', {}, { token })).data

/** The state of an account; its sums are always consistent. */
async function readState({ token }: Person) {
  const { data } = await env.call('rewards.state', {}, { token })
  expect(data.not_withdrawn + data.withdrawing + data.credited).toBe(data.accumulated)
  expect(data.not_withdrawn).toBeGreaterThanOrEqual(0)
  return data
}
const numbers = async (who: Person) => {
  const { accumulated, not_withdrawn, withdrawing, credited } = await readState(who)
  return [accumulated, not_withdrawn, withdrawing, credited]
}

/** Reward coins of a wallet, in units. */
const balanceOf = (address: string) => (chainOf(chain.config) as Chain).rewards?.balance(address)

const payWith = (by: Chain | undefined) => payRedemptions({ ...env.context, chain: by })

/** Runs rounds, as a server with the operator key, until all redemptions are paid. */
async function payAll(): Promise<void> {
  for (let round = 0; ; round++) {
    await payWith(chainOf(chain.config))
    const { open } = await env.db.one<{ open: number }>(
      sql`select count(*) as open from redemptions where state <> 'done'`,
    )
    if (open === 0) return
    if (round > 500) throw new Error(`${open} redemptions are still not paid`)
    env.pass(1000)
    await nextBlock(chain)
  }
}

describe('points', () => {
  it('are granted with a reason that the owner and the audit log see', async () => {
    const who = await env.person()
    expect(await readState(who)).toMatchObject({ accumulated: 0, hindrance: 'wallet', entries: [] })
    expect((await grant(who, 40)).data).toEqual({ accumulated: 40, not_withdrawn: 40, withdrawing: 0, credited: 0 })
    await grant(who, 2, operator, 'and another')
    expect(await readState(who)).toMatchObject({
      accumulated: 42,
      not_withdrawn: 42,
      entries: [
        { points: 2, kind: 'granted', reason: 'and another' },
        { points: 40, kind: 'granted', reason: 'found a bug' },
      ],
    })
    const as = { token: operator.token }
    expect((await env.call('admin.user', { uid: who.uid }, as)).data.points.accumulated).toBe(42)
    const { list } = (await env.call('admin.audit', { action: 'points.grant' }, as)).data
    expect(list).toMatchObject([
      { actor: operator.uid, subject: `user:${who.uid}`, detail: { points: 2, reason: 'and another' } },
      { detail: { points: 40 } },
    ])
  })

  it('are redeemed for coins, in a transaction that the history names', async () => {
    const who = await owner(100)
    expect(await readState(who)).toMatchObject({ rate: 1, min: 10, hindrance: null, token: chain.config.rewards.token })
    expect(await redeem(who, 30)).toMatchObject({
      code: 0,
      data: {
        redemption: { points: 30, coins: 30, account: who.wallet, state: 'withdrawing', hash: '' },
        points: { accumulated: 100, not_withdrawn: 70, withdrawing: 30, credited: 0 },
      },
    })
    expect(await numbers(who)).toEqual([100, 70, 30, 0])
    await payWith(chainOf(chain.config))
    expect(await numbers(who)).toEqual([100, 70, 30, 0])
    expect((await history(who)).list[0]?.hash).toMatch(/^[0-9A-F]{64}$/)
    await payAll()
    expect(await numbers(who)).toEqual([100, 70, 0, 30])
    expect(await balanceOf(who.wallet)).toBe(3000n)
    const { list, total } = await history(who)
    expect([total, list[0]?.state]).toEqual([1, 'credited'])
    expect((await (chainOf(chain.config) as Chain).port.tx(list[0]?.hash ?? ''))?.code).toBe(0)
    await grant(who, 5)
    expect(await numbers(who)).toEqual([105, 75, 0, 30])
  })

  it('are redeemed at the configured rate', async () => {
    const rich = await setup({ chain: { ...chain.config, rewards: { ...chain.config.rewards, rate: 3, min: 1 } } })
    const [who, boss] = [await rich.person(), await rich.person({ role: 'operator' })]
    await linkSample(rich, cosmosWallet(), who.token)
    await rich.call('admin.grantPoints', { uid: who.uid, points: 7, reason: 'x' }, { token: boss.token })
    const answer = await rich.call('rewards.redeem', { points: 7 }, { token: who.token })
    expect(answer.data.redemption).toMatchObject({ points: 7, coins: 21 })
    await rich.close()
  })

  it('are paid to the wallet linked at the time of the redemption', async () => {
    const who = await owner(20)
    await redeem(who, 20)
    await env.db.run(sql`update wallets set address = ${cosmosWallet().address} where user_id = ${who.id}`)
    await payAll()
    expect(await balanceOf(who.wallet)).toBe(2000n)
  })
})

describe('limits', () => {
  it('accept only as many of 50 concurrent redemptions as there are points', async () => {
    const who = await owner(125)
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(who, 10)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(12)
    expect(answers.filter(({ err }) => err === 1024)).toHaveLength(38)
    expect(await numbers(who)).toEqual([125, 5, 120, 0])
    await payAll()
    expect(await numbers(who)).toEqual([125, 5, 0, 120])
    expect(await balanceOf(who.wallet)).toBe(12_000n)
  })

  it('keep the sums consistent during concurrent grants and redemptions', async () => {
    const who = await owner(50)
    const others = await Promise.all(Array.from({ length: 3 }, () => env.person({ role: 'operator' })))
    await Promise.all([
      ...Array.from({ length: 20 }, () => redeem(who, 10)),
      ...others.map((boss) => grant(who, 10, boss)),
      ...Array.from({ length: 20 }, () => readState(who)),
    ])
    const [accumulated, left, withdrawing] = await numbers(who)
    expect(accumulated).toBe(80)
    expect((left ?? 0) + (withdrawing ?? 0)).toBe(80)
  })
})

describe('every redemption is paid exactly once', () => {
  const away = (method: string) => (method === 'broadcast_tx_sync' ? ('unreachable' as const) : undefined)

  it('if the chain is unavailable: it is paid later', async () => {
    const who = await owner(10)
    await redeem(who, 10)
    await expect(payWith(withFaultyTransport(chain, () => 'unreachable'))).rejects.toThrow()
    expect(await numbers(who)).toEqual([10, 0, 10, 0])
    env.pass(10_000)
    await payAll()
    expect(await numbers(who)).toEqual([10, 0, 0, 10])
    expect(await balanceOf(who.wallet)).toBe(1000n)
  })

  it('if the server crashes between signing and sending', async () => {
    const who = await owner(10)
    await redeem(who, 10)
    await expect(payWith(withFaultyTransport(chain, away))).rejects.toThrow()
    expect((await history(who)).list).toMatchObject([{ state: 'withdrawing', hash: expect.stringMatching(/^\w{64}$/) }])
    await payAll()
    expect(await balanceOf(who.wallet)).toBe(1000n)
  })

  it('if the server crashes after sending, before it got the answer', async () => {
    const who = await owner(10)
    await redeem(who, 10)
    const line = withFaultyTransport(chain, (method) => (method === 'broadcast_tx_sync' ? 'response lost' : undefined))
    await expect(payWith(line)).rejects.toThrow()
    await payAll()
    expect(await balanceOf(who.wallet)).toBe(1000n)
  })

  it('if several servers pay at the same time, claims too', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => owner(10)))
    for (const who of people) {
      await redeem(who, 10)
      expect((await env.call('faucet.receive', {}, { token: who.token })).code).toBe(0)
    }
    const context = () => ({ ...env.context, chain: chainOf(chain.config) })
    await Promise.allSettled([payWith(context().chain), payClaims(context()), payWith(context().chain)])
    for (let round = 0; round < 500; round++) {
      const { open } = await env.db.one<{ open: number }>(
        sql`select count(*) as open from claims where state <> 'done'`,
      )
      if (open === 0) break
      env.pass(1000)
      await nextBlock(chain)
      await payClaims(context())
    }
    await payAll()
    for (const { wallet, token } of people) {
      expect(await balanceOf(wallet)).toBe(1000n)
      expect((await env.call('faucet.balance', {}, { token })).data.balance).toBe('400')
    }
  })

  it('if the reward coin is removed from the configuration: it waits', async () => {
    const who = await owner(10)
    await redeem(who, 10)
    await payWith(chainOf({ ...chain.config, rewards: { ...chain.config.rewards, token: '' } }))
    expect(await numbers(who)).toEqual([10, 0, 10, 0])
    await payAll()
    expect(await balanceOf(who.wallet)).toBe(1000n)
  })
})

describe('rejects', () => {
  it('more points than available, fewer than the minimum, and invalid numbers', async () => {
    const who = await owner(25)
    expect(await redeem(who, 26)).toMatchObject({ code: -1, err: 1024 })
    expect(await redeem(who, 9)).toMatchObject({ code: -1, err: 1001 })
    for (const points of [0, -10, 10.5, 1e15, '10'])
      expect(await redeem(who, points as number)).toMatchObject({ err: 1001 })
    await redeem(who, 20)
    expect(await redeem(who, 10)).toMatchObject({ err: 1024 })
    expect(await numbers(who)).toEqual([25, 5, 20, 0])
    expect(await readState(who)).toMatchObject({ hindrance: 'points' })
  })

  it('callers without a session, API keys, and accounts without a wallet of the chain', async () => {
    const who = await env.person()
    await grant(who, 100)
    for (const name of ['rewards.state', 'rewards.history'] as const)
      expect(await env.call(name, {})).toMatchObject({ code: 401 })
    expect(await env.call('rewards.redeem', { points: 10 })).toMatchObject({ code: 401 })
    expect(await redeem(who, 10)).toMatchObject({ code: -1, err: 2069 })
    await linkSample(env, evmWallet(), who.token)
    expect(await redeem(who, 10)).toMatchObject({ code: -1, err: 2069 })
    const key = await env.key(who, 'admin')
    expect((await env.call('rewards.redeem', { points: 10 }, { token: key })).code).not.toBe(0)
    expect(await numbers(who)).toEqual([100, 100, 0, 0])
  })

  it('access to points of other accounts', async () => {
    const [one, other] = [await owner(10), await owner()]
    await redeem(one, 10)
    expect(await numbers(other)).toEqual([0, 0, 0, 0])
    expect(await history(other)).toEqual({ list: [], total: 0 })
    expect(await redeem(other, 10)).toMatchObject({ err: 1024 })
  })

  it('grants by others than operators, to themselves, to unknown accounts, without a reason, and of invalid numbers', async () => {
    const who = await owner()
    const boss = { token: operator.token }
    expect(await grant(who, 10, who)).toMatchObject({ code: -1, err: 1028 })
    expect(await grant(operator, 10)).toMatchObject({ code: -1, err: 1028 })
    expect(await grant({ ...who, uid: 'nobody' }, 10)).toMatchObject({ err: 1002 })
    expect(await grant(who, 10, operator, ' ')).toMatchObject({ err: 1001 })
    for (const points of [0, -1, 1.5, 1_000_001])
      expect(await env.call('admin.grantPoints', { uid: who.uid, points, reason: 'x' }, boss)).toMatchObject({
        err: 1001,
      })
    expect(await numbers(who)).toEqual([0, 0, 0, 0])
  })

  it('redemptions without a reward coin or without a chain; the points stay', async () => {
    for (const [config, hindrance] of [
      [{ ...chain.config, rewards: { ...chain.config.rewards, token: '' } }, 'coin'],
      [undefined, 'chain'],
    ] as const) {
      const poor = await setup(config ? { chain: config } : {})
      const [who, boss] = [await poor.person(), await poor.person({ role: 'operator' })]
      await linkSample(poor, cosmosWallet(), who.token)
      await poor.call('admin.grantPoints', { uid: who.uid, points: 50, reason: 'x' }, { token: boss.token })
      const as = { token: who.token }
      expect(await poor.call('rewards.redeem', { points: 10 }, as)).toMatchObject({ code: -1, err: 1004 })
      expect((await poor.call('rewards.state', {}, as)).data).toMatchObject({ hindrance, not_withdrawn: 50, token: '' })
      expect((await poor.call('rewards.history', {}, as)).data).toEqual({ list: [], total: 0 })
      await poor.close()
    }
  })
})
