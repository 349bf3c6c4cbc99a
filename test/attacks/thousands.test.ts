import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readProviders } from '../../apps/server/src/identity/external-sign-in/providers.ts'
import { handedOver } from '../../apps/server/src/identity/external-sign-in/sample-identities.fixture.ts'
import {
  CLIENT_SECRET,
  clientOf,
  openidService,
  visit,
} from '../../apps/server/src/identity/external-sign-in/test-services.fixture.ts'
import {
  cosmosWallet,
  evmWallet,
  place,
  walletProof,
} from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { lastCode } from '../../apps/server/src/platform/mail/inbox.fixture.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { MANY } from './sizes.ts'

// Test files share modules: load the server again with the mock below, and once more without it for the files that follow.
vi.hoisted(() => vi.resetModules())
afterAll(() => {
  vi.resetModules()
})

// Hundreds of real hashes would take long and spread the calls, which should be concurrent: reuse the hash of a password.
vi.mock('../../apps/server/src/identity/accounts/passwords.ts', async (original) => {
  const real = await original<typeof import('../../apps/server/src/identity/accounts/passwords.ts')>()
  const hashes = new Map<string, Promise<string>>()
  return {
    ...real,
    hashPassword: (password: string) => {
      const hash = hashes.get(password) ?? real.hashPassword(password)
      hashes.set(password, hash)
      return hash
    },
  }
})

const PASSWORD = 'tide-Net9'

let company: Awaited<ReturnType<typeof openidService>>
let env: TestEnv
beforeAll(async () => {
  company = await openidService('company')
  const list = [clientOf('company', 'Company', company)]
  env = await setup({
    signInProviders: readProviders(JSON.stringify(list), { TEST_CLIENT_SECRET: CLIENT_SECRET }),
  })
})
afterAll(async () => {
  await env.close()
  await company.stop()
})

/** Runs concurrently. */
const atOnce = <T>(attack: (turn: number) => Promise<T>, count = MANY) =>
  Promise.all(Array.from({ length: count }, (_, turn) => attack(turn)))
const succeeded = (answers: readonly { code: number }[]) => answers.filter(({ code }) => code === 0)
const count = async (table: 'users' | 'sessions' | 'sign_in_flows') =>
  (await env.db.one<{ rows: number }>({ text: `select count(*) as rows from ${table}`, values: [] })).rows

describe(`of ${MANY} concurrent requests`, { timeout: 120_000 }, () => {
  it('one registers an account with a verification code', async () => {
    const username = 'thousand@mail.test'
    await env.call('accounts.verifyCode', { username, type: 1 }, place())
    const verify_code = await lastCode(env, username)
    const before = await count('users')
    const answers = await atOnce(() =>
      env.call('accounts.register', { username, verify_code, password: PASSWORD }, place()),
    )
    expect(succeeded(answers)).toHaveLength(1)
    expect(await count('users')).toBe(before + 1)
  })

  it('one resets a password with a verification code', async () => {
    const { email: username, id } = await env.person()
    await env.call('accounts.verifyCode', { username, type: 3 }, place())
    const verify_code = await lastCode(env, username)
    const answers = await atOnce(() =>
      env.call('accounts.resetPassword', { username, verify_code, password: PASSWORD }, place()),
    )
    expect(succeeded(answers)).toHaveLength(1)
    const { alive } = await env.db.one<{ alive: number }>(
      sql`select count(*) as alive from sessions where user_id = ${id} and revoked_at is null`,
    )
    expect(alive).toBe(0)
  })

  it.each([
    ['Cosmos', cosmosWallet],
    ['EVM', evmWallet],
  ] as const)('one links a %s wallet, from fifty accounts', async (_, wallet) => {
    const mine = wallet()
    const people = await atOnce(() => env.person(), 50)
    const proofs = await atOnce((turn) => walletProof(env, mine, people[turn]?.token ?? ''), 50)
    const operation = mine.publicKey ? 'wallets.bindKeplr' : 'wallets.bindEvm'
    const answers = await atOnce((turn) =>
      env.call(operation, proofs[turn % 50] as never, { ...place(), token: people[turn % 50]?.token }),
    )
    expect(succeeded(answers)).toHaveLength(1)
    const address = mine.publicKey ? mine.address : mine.address.toLowerCase()
    expect(await env.db.rows(sql`select user_id from wallets where address = ${address}`)).toHaveLength(1)
  })

  it('one links a wallet to an account, from fifty wallets', async () => {
    const { token } = await env.person()
    const wallets = Array.from({ length: 50 }, () => cosmosWallet())
    const proofs = await atOnce((turn) => walletProof(env, wallets[turn] ?? cosmosWallet(), token), 50)
    const answers = await atOnce((turn) =>
      env.call('wallets.bindKeplr', proofs[turn % 50] as never, { ...place(), token }),
    )
    expect(succeeded(answers)).toHaveLength(1)
    expect((await env.call('wallets.bindInfo', {}, { token })).data.wallets).toHaveLength(1)
  })

  it('one accepts the callback of an external sign-in', async () => {
    const start = await env.app.inject({ url: '/api/v1/user/oauth/company/start', remoteAddress: place().ip })
    const cookies = Object.fromEntries(start.cookies.map(({ name, value }) => [name, value]))
    company.people.set('thousand', { email: 'thousand@id.test', email_verified: true })
    const back = await visit(String(start.headers.location), 'thousand')
    const url = back.replace(/^https?:\/\/[^/]+/, '')
    const answers = await atOnce(() => env.app.inject({ url, cookies, remoteAddress: place().ip }))
    const given = answers.filter(({ headers }) => String(headers.location).includes('handover='))
    expect(answers.every(({ statusCode }) => statusCode === 302)).toBe(true)
    expect(given).toHaveLength(1)
  })

  it('one completes an external sign-in, to one account', async () => {
    const before = [await count('users'), await count('sessions')] as const
    const { code, cookies } = await handedOver(env, { provider: 'company', subject: 'one', email: 'one@id.test' })
    const answers = await atOnce(async () => {
      const payload = { code }
      const url = '/api/v1/user/oauth/finish'
      const answer = await env.app.inject({ method: 'POST', url, payload, cookies, remoteAddress: place().ip })
      return answer.json<{ code: number }>()
    })
    expect(succeeded(answers)).toHaveLength(1)
    expect([await count('users'), await count('sessions')]).toEqual([before[0] + 1, before[1] + 1])
  })

  it('none links an external sign-in to another account than the one that started it', async () => {
    const people = await atOnce(() => env.person(), 50)
    const owner = people[0]!
    const given = { provider: 'company', subject: 'two', email: 'two@id.test', userId: owner.id }
    const { code, cookies } = await handedOver(env, given)
    const answers = await atOnce(async (turn) => {
      const { token } = people[turn % 50]!
      const answer = await env.app.inject({
        method: 'POST',
        url: '/api/v1/user/oauth/add',
        payload: { code },
        cookies,
        remoteAddress: place().ip,
        headers: { jwtauthorization: `Bearer ${token}` },
      })
      return answer.json<{ code: number }>()
    })
    expect(succeeded(answers).length).toBeLessThanOrEqual(1)
    const linked = await env.db.rows<{ user_id: number }>(
      sql`select user_id from identities where provider = 'company' and subject = 'two'`,
    )
    expect(linked.filter(({ user_id }) => user_id !== owner.id)).toEqual([])
  })
})
