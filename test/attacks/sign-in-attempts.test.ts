import { EXTERNAL_SIGN_IN_LIFE, SECOND_FACTOR_LIFE, SESSION_LIFE } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../apps/server/src/features.ts'
import type { Clients } from '../../apps/server/src/identity/external-sign-in/clients.ts'
import { startFlow } from '../../apps/server/src/identity/external-sign-in/flows.ts'
import type { SignInProvider } from '../../apps/server/src/identity/external-sign-in/providers.ts'
import {
  handedOver,
  linkedIdentity,
} from '../../apps/server/src/identity/external-sign-in/sample-identities.fixture.ts'
import { askForPasskey } from '../../apps/server/src/identity/second-factors/ceremony.ts'
import { type Asked, samplePasskey } from '../../apps/server/src/identity/second-factors/sample-passkey.fixture.ts'
import {
  cautious,
  newPlace,
  owner,
  PASSWORD,
  ticketOf,
} from '../../apps/server/src/identity/second-factors/sample-person.fixture.ts'
import {
  cosmosWallet,
  linkSample,
  malleated,
  walletLogin,
} from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { clientNetworkOf } from '../../apps/server/src/platform/attempts/attempts.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { lastCode } from '../../apps/server/src/platform/mail/inbox.fixture.ts'
import { deleteExpired } from '../../apps/server/src/platform/tasks/expired.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

/** Runs concurrently. */
const atOnce = <T>(count: number, attack: (turn: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, turn) => attack(turn)))
/** Each call has its own address, so that no rate limit hides what is tested. */
const inject = (url: string, payload: object, ip: string) =>
  env.app
    .inject({ method: 'POST', url, payload, remoteAddress: ip })
    .then((answer) => answer.json<{ code: number; err?: number; data?: { token?: string } }>())

describe('the owner sees every failed sign-in:', () => {
  const refusedOf = async (person: Person) =>
    (
      await env.db.rows<{ way: string }>(
        sql`select way from sign_ins where user_id = ${person.id} and not ok order by id`,
      )
    ).map(({ way }) => way)

  it('a wrong verification code', async () => {
    const person = await owner(env)
    await env.call('accounts.verifyCode', { username: person.email, type: 2 }, { ip: newPlace() })
    const code = await lastCode(env, person.email)
    const verify_code = code === '000000' ? '000001' : '000000'
    await env.call('accounts.login', { username: person.email, verify_code }, { ip: newPlace() })
    expect(await refusedOf(person)).toEqual(['code'])
  })

  it('a wrong wallet signature', async () => {
    const person = await owner(env)
    const wallet = cosmosWallet()
    await linkSample(env, wallet, person.token)
    const proof = await walletLogin(env, wallet)
    const sign = malleated(proof.sign)
    expect((await env.call('accounts.login', { ...proof, sign }, { ip: newPlace() })).code).toBe(401)
    expect(await refusedOf(person)).toEqual(['wallet'])
  })

  it('a passkey assertion for another challenge', async () => {
    const person = await owner(env)
    const passkey = samplePasskey(person.uid)
    const asked = (await env.call('passkeys.addOptions', {}, { token: person.token })).data as Asked
    await env.call('passkeys.add', { name: 'one', credential: passkey.made(asked) }, { token: person.token })
    const credential = passkey.shown({ challenge: 'AAAA' })
    expect((await env.call('passkeys.login', { credential }, { ip: newPlace() })).code).toBe(-1)
    expect(await refusedOf(person)).toEqual(['passkey'])
  })

  it('an external sign-in, and the right password, while the account is locked', async () => {
    const person = await owner(env)
    await linkedIdentity(env, { provider: 'harbour', subject: person.uid, userId: person.id })
    await env.db.run(sql`update users set locked_at = ${new Date(env.clock.now())} where id = ${person.id}`)
    const { code, cookies } = await handedOver(env, { provider: 'harbour', subject: person.uid })
    const url = '/api/v1/user/oauth/finish'
    await env.app.inject({ method: 'POST', url, payload: { code }, cookies })
    await env.call('accounts.login', { username: person.email, password: PASSWORD }, { ip: newPlace() })
    expect(await refusedOf(person)).toEqual(['identity', 'password'])
  })

  it('at most twenty an hour from one address', async () => {
    const person = await owner(env)
    const input = { username: person.email, verify_code: '000000' }
    for (let tries = 0; tries < 30; tries++) await env.call('accounts.login', input, { ip: '10.41.0.1' })
    expect(await refusedOf(person)).toHaveLength(20)
  })
})

describe('stored sign-in attempts', () => {
  it('of external sign-ins are limited to a hundred per client network, without counting completed ones', async () => {
    const clients = { authorizationUrl: async () => 'https://harbour.test' } as unknown as Clients
    const provider = { id: 'harbour' } as SignInProvider
    const begin = (turn: number) => {
      const ip = `2001:db8:8:8::${turn.toString(16)}`
      const begun = { userId: null, redirect: undefined, redirectUri: '', lang: 'en', ip } as const
      return startFlow({ ...env.context, clients }, provider, begun)
    }
    const counted = async () =>
      (await env.db.one<{ count: number }>(sql`select count(*) as count from sign_in_flows`)).count
    await env.db.run(sql`delete from sign_in_flows`)
    const { code, cookies } = await handedOver(env, { provider: 'harbour', subject: 'back' })
    await env.db.run(sql`update sign_in_flows set network = ${clientNetworkOf('2001:db8:8:8::1')}`)
    await atOnce(150, begin)
    expect(await counted()).toBe(101)
    const finish = { method: 'POST' as const, url: '/api/v1/user/oauth/finish', payload: { code }, cookies }
    expect((await env.app.inject(finish)).json()).toMatchObject({ code: 0 })
    env.pass(EXTERNAL_SIGN_IN_LIFE + 1000)
    await deleteExpired(env.context, features)
    expect(await counted()).toBe(0)
  })

  it('of passkeys are limited per client network, and deleted after they expire', async () => {
    const count = async () =>
      (await env.db.one<{ count: number }>(sql`select count(*) as count from passkey_challenges where user_id is null`))
        .count
    await env.db.run(sql`delete from passkey_challenges`)
    for (let round = 0; round < 3; round++)
      await atOnce(50, () =>
        askForPasskey(env.context, { purpose: 'login', userId: null, allow: [], ip: `2001:db8:9:9::${round}` }),
      )
    expect(await count()).toBe(60)
    await askForPasskey(env.context, { purpose: 'login', userId: null, allow: [], ip: '2001:db8:9:a::1' })
    expect(await count()).toBe(61)
    env.pass(SECOND_FACTOR_LIFE + 1000)
    await deleteExpired(env.context, features)
    expect(await count()).toBe(0)
  })

  it('of unknown accounts are deleted later', async () => {
    await inject('/api/v1/user/login', { username: 'gone@mail.test', password: 'wrong-Net1' }, '10.8.8.9')
    await env.call('passkeys.loginOptions', {})
    await ticketOf(env, await cautious(env))
    env.pass(2 * SESSION_LIFE)
    await deleteExpired(env.context, features)
    const { left } = await env.db.one<{ left: number }>(sql`
      select (select count(*) from passkey_challenges) + (select count(*) from second_factor_tickets)
        + (select count(*) from sign_ins where user_id is null) as left`)
    expect(left).toBe(0)
  })
})
