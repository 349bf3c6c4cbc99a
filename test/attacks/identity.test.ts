import {
  CODE_ATTEMPTS,
  CODE_LIFE,
  CODE_RESEND,
  CODES_PER_NETWORK_DAY,
  contract,
  errors,
  errorText,
  type Route,
  SESSION_CHAIN,
} from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hashPassword } from '../../apps/server/src/identity/accounts/passwords.ts'
import { openSession } from '../../apps/server/src/identity/sessions/tokens.ts'
import { clientNetworkOf } from '../../apps/server/src/platform/attempts/attempts.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { inbox, lastCode } from '../../apps/server/src/platform/mail/inbox.fixture.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let env: TestEnv
let networks = 0
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const PASSWORD = 'tide-Net9'
/** A client network of its own for each call, so that no rate limit hides what is tested. */
const newNetwork = () => ({ ip: `10.7.${++networks >> 8}.${networks & 255}` })
const requestCode = (username: string, type = 1) => env.call('accounts.verifyCode', { username, type }, newNetwork())
const register = (username: string, verify_code: string, password = PASSWORD) =>
  env.call('accounts.register', { username, verify_code, password }, newNetwork())
const signIn = (username: string, password: string, as: { ip?: string } = newNetwork()) =>
  env.call('accounts.login', { username, password }, as)
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const users = async () => (await env.db.one<{ count: number }>(sql`select count(*) as count from users`)).count

/** A person with a password, signed in now. */
async function owner() {
  const person = await env.person()
  await env.db.run(sql`update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${person.id}`)
  const { token } = await openSession(env.context, env.db, person, { ip: '127.0.0.1', agent: 'test' })
  return { ...person, token }
}

describe('a verification code', () => {
  it('cannot be used twice, for any purpose', async () => {
    const { email } = await owner()
    await requestCode(email, 2)
    const verify_code = await lastCode(env, email)
    expect(await env.call('accounts.login', { username: email, verify_code })).toMatchObject({ code: 0 })
    expect(await env.call('accounts.login', { username: email, verify_code })).toMatchObject({ code: 401 })
    env.pass(CODE_RESEND)
    await requestCode(email, 3)
    const reset = { username: email, verify_code: await lastCode(env, email), password: 'new-Tide7' }
    expect(await env.call('accounts.resetPassword', reset)).toMatchObject({ code: 0 })
    expect(await env.call('accounts.resetPassword', reset)).toMatchObject({ err: errors.codeExpired.err })
  })

  it('opens one session for fifty concurrent requests', async () => {
    const { email } = await owner()
    await requestCode(email, 2)
    const verify_code = await lastCode(env, email)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => env.call('accounts.login', { username: email, verify_code }, newNetwork())),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })

  it('is invalid after five wrong attempts, even if they are concurrent', async () => {
    const { email } = await owner()
    await requestCode(email, 3)
    const code = await lastCode(env, email)
    const guesses = Array.from({ length: 60 }, () => wrong(code))
    const answers = await Promise.all(
      guesses.map((verify_code) =>
        env.call('accounts.resetPassword', { username: email, verify_code, password: 'evil-Net1' }, newNetwork()),
      ),
    )
    expect(answers.filter(({ err }) => err === errors.invalidCode.err)).toHaveLength(CODE_ATTEMPTS - 1)
    const late = { username: email, verify_code: code, password: 'evil-Net1' }
    expect(await env.call('accounts.resetPassword', late)).toMatchObject({ err: errors.codeLocked.err })
    expect(await signIn(email, PASSWORD)).toMatchObject({ code: 0 })
  })

  it('does not reset the password of another account, nor does a code for signing in', async () => {
    const [attacker, victim] = [await owner(), await owner()]
    await requestCode(attacker.email, 3)
    await requestCode(victim.email, 2)
    const own = await lastCode(env, attacker.email)
    const other = await lastCode(env, victim.email)
    for (const verify_code of [own, other])
      expect(
        (
          await env.call(
            'accounts.resetPassword',
            { username: victim.email, verify_code, password: 'evil-Net1' },
            { token: attacker.token },
          )
        ).code,
      ).toBe(-1)
    expect(await signIn(victim.email, PASSWORD)).toMatchObject({ code: 0 })
  })

  it('cannot be replaced by a fixed code from an environment variable', async () => {
    for (const name of ['TEST_ENV_VERIFY_CODE', 'TIDENET_VERIFY_CODE', 'VERIFY_CODE']) vi.stubEnv(name, '123456')
    try {
      expect((await register('bypass@mail.test', '123456')).code).toBe(-1)
      await requestCode('bypass@mail.test')
      if ((await lastCode(env, 'bypass@mail.test')) !== '123456')
        expect(await register('bypass@mail.test', '123456')).toMatchObject({ err: errors.invalidCode.err })
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('does not depend on the clock or Math.random', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const time = vi.spyOn(env.clock, 'now').mockReturnValue(env.clock.now())
    try {
      const codes = new Set<string>()
      for (let index = 0; index < 12; index++) {
        await requestCode(`random${index}@mail.test`)
        codes.add(await lastCode(env, `random${index}@mail.test`))
      }
      expect(codes.size).toBeGreaterThan(8)
    } finally {
      random.mockRestore()
      time.mockRestore()
    }
  })

  it('is not stored in plain text', async () => {
    await requestCode('stored@mail.test')
    const code = await lastCode(env, 'stored@mail.test')
    const { row } = await env.db.one<{ row: string }>(
      sql`select c::text as row from codes c where address = 'stored@mail.test'`,
    )
    expect(row).not.toContain(code)
    expect(row).not.toContain(Buffer.from(code).toString('hex'))
  })

  it('is not part of an answer', async () => {
    const answer = await requestCode('answer@mail.test')
    expect(JSON.stringify([answer.data, answer.headers])).not.toContain(await lastCode(env, 'answer@mail.test'))
  })
})

describe('requesting verification codes', () => {
  it('cannot flood a mailbox: one of fifty concurrent requests sends an e-mail', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => requestCode('flooded@mail.test')))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await inbox(env, 'flooded@mail.test')).toHaveLength(1)
  })

  it('cannot exceed the limit of a client network by concurrent requests', async () => {
    const from = (index: number) => ({ ip: `2001:db8:7:7::${index.toString(16)}` })
    await env.db.run(sql`
      insert into code_log (address, ip, sent_at)
      select 'many', ${clientNetworkOf(from(1).ip)}, ${new Date(env.clock.now())} from generate_series(1, ${CODES_PER_NETWORK_DAY - 1}::int)`)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        env.call('accounts.verifyCode', { username: `more${index}@mail.test`, type: 1 }, from(index)),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })

  it('cannot bypass limits by headers that claim another address', async () => {
    const answers = []
    for (let sent = 0; sent < 70; sent++)
      answers.push(
        await env.app.inject({
          method: 'POST',
          url: '/api/v1/user/verify_code',
          remoteAddress: '10.8.0.1',
          headers: {
            'x-forwarded-for': `198.51.100.${sent}`,
            'x-real-ip': `198.51.100.${sent}`,
            forwarded: `for=198.51.100.${sent}`,
          },
          payload: { username: `spoof${sent}@mail.test`, type: 1 },
        }),
      )
    expect(answers.at(-1)?.statusCode).toBe(429)
  })

  it('rejects an unknown purpose', async () => {
    expect(await requestCode('nonce@mail.test', 4)).toMatchObject({ code: -1, err: errors.codeKind.err })
  })

  it('creates no account before the address is verified', async () => {
    const before = await users()
    for (const type of [1, 2, 3, 5]) await requestCode('stranger@mail.test', type)
    await register('stranger@mail.test', wrong(await lastCode(env, 'stranger@mail.test')))
    await signIn('stranger@mail.test', PASSWORD)
    for (const url of ['/api/v1/storage/login_before', '/api/v2/login_before'])
      expect((await env.app.inject({ url, query: { username: 'stranger@mail.test' } })).json()).toMatchObject({
        code: -1,
        err: errors.walletAddress.err,
      })
    expect(await users()).toBe(before)
  })
})

describe('a session', () => {
  it('is required by every call that needs one, before anything else is checked', async () => {
    const open: string[] = []
    for (const [module, operations] of Object.entries(contract))
      for (const [name, route] of Object.entries(operations as Record<string, Route>)) {
        if (route.auth === 'public' || route.auth === 'optional') continue
        for (const method of route.alsoPost ? (['GET', 'POST'] as const) : [route.method]) {
          const answer = await env.app.inject({
            method,
            url: route.path.replace(/:\w+/g, '-'),
            headers: { jwtauthorization: 'Bearer x.y.z', authorization: 'Bearer x.y.z', apikey: 'x' },
            ...(method === 'POST' && { payload: {} }),
          })
          const body = answer.json()
          if (answer.statusCode !== 200 || body.code !== 401 || body.success !== false || 'data' in body)
            open.push(`${module}.${name} ${method}: ${answer.statusCode} ${answer.body.slice(0, 80)}`)
        }
      }
    expect(open).toEqual([])
  })

  it('determines the account: IDs in query and body are ignored', async () => {
    const [attacker, victim] = [await owner(), await owner()]
    const claims = { username: victim.email, user_id: victim.uid, uid: victim.uid, id: victim.uid } as never
    expect((await env.call('accounts.info', claims, { token: attacker.token })).data.uuid).toBe(attacker.uid)
    expect((await env.call('accounts.vipInfo', claims, { token: attacker.token })).data.uid).toBe(attacker.uid)
  })

  it('ends with sign-out, and cannot be renewed afterwards', async () => {
    const { token } = await owner()
    await env.call('accounts.logout', {}, { token })
    env.pass(1000)
    expect((await env.call('accounts.refresh', {}, { token })).code).toBe(401)
    expect((await env.call('accounts.info', {}, { token })).code).toBe(401)
  })

  it('cannot be renewed indefinitely', async () => {
    let { token } = await owner()
    const started = env.clock.now()
    for (let renewals = 0; renewals < 30; renewals++) {
      const { code, data } = await env.call('accounts.refresh', {}, { token })
      if (code !== 0) break
      token = data.token
      env.pass(8 * 3600 * 1000)
    }
    expect((await env.call('accounts.info', {}, { token })).code).toBe(401)
    expect(env.clock.now() - started).toBeLessThanOrEqual(SESSION_CHAIN + 8 * 3600 * 1000)
  })

  it('opened with the old password does not survive a concurrent password reset', async () => {
    const { email } = await owner()
    await requestCode(email, 3)
    const verify_code = await lastCode(env, email)
    const [reset, ...entries] = await Promise.all([
      env.call('accounts.resetPassword', { username: email, verify_code, password: 'new-Tide7' }, newNetwork()),
      ...Array.from({ length: 12 }, () => signIn(email, PASSWORD)),
    ])
    expect(reset).toMatchObject({ code: 0 })
    env.pass(1000)
    for (const { code, data } of entries)
      if (code === 0) expect((await env.call('accounts.info', {}, { token: data.token })).code).toBe(401)
  })

  it('has a token that answers do not repeat', async () => {
    const { token } = await owner()
    const { headers, ...body } = await env.call('accounts.info', {}, { token })
    expect(JSON.stringify([headers, body])).not.toContain(token)
    expect(headers.authorization).toBeUndefined()
  })

  it('is not cached', async () => {
    const { email } = await owner()
    expect((await signIn(email, PASSWORD)).headers['cache-control']).toBe('no-store')
  })
})

describe('an account', () => {
  it('is registered by one of many concurrent requests', async () => {
    await requestCode('certain@mail.test')
    const code = await lastCode(env, 'certain@mail.test')
    const answers = await Promise.all(Array.from({ length: 20 }, () => register('certain@mail.test', code)))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(await signIn('certain@mail.test', PASSWORD)).toMatchObject({ code: 0 })
  })

  it('cannot be taken over by registering its address again, in any spelling', async () => {
    const { email } = await owner()
    const before = await users()
    for (const spelling of [email, email.toUpperCase(), ` ${email} `]) {
      env.pass(CODE_LIFE)
      await requestCode(spelling)
      expect(await register(spelling, await lastCode(env, email), 'evil-Net1')).toMatchObject({
        err: errors.emailExists.err,
      })
    }
    expect(await users()).toBe(before)
    expect(await signIn(email, PASSWORD)).toMatchObject({ code: 0 })
    expect(await signIn(email, 'evil-Net1')).toMatchObject({ code: 401 })
  })

  it('gets no e-mail for a look-alike address', async () => {
    // The Kelvin sign is a small k in lower case: the code must go to the address that it becomes.
    await requestCode('\u212Aelvin@mail.test')
    expect(await inbox(env, 'kelvin@mail.test')).toHaveLength(1)
    const mails = await env.db.rows<{ recipient: string }>(
      sql`select recipient from mails where recipient like ${'\u212A%'}`,
    )
    expect(mails).toEqual([])
  })

  it('can have the shortest valid address', async () => {
    await requestCode('a@b.c')
    expect(await register('a@b.c', await lastCode(env, 'a@b.c'))).toMatchObject({ code: 0 })
    const { token } = (await signIn('a@b.c', PASSWORD)).data
    expect((await env.call('accounts.info', {}, { token })).data.user_email).toBe('a@b.c')
  })

  it('is protected from guessing: a sixth attempt from a client network is refused even with the right password', async () => {
    const { email } = await owner()
    for (let tries = 0; tries < 5; tries++) await signIn(email, 'wrong-Net1', { ip: '10.5.5.5' })
    const answer = await signIn(email, PASSWORD, { ip: '10.5.5.5' })
    expect(answer).toMatchObject({ code: 401, success: false })
    expect(answer.msg).not.toBe(errorText('signInFailed', 'en'))
    expect(await signIn(email, PASSWORD, { ip: '10.5.5.6' })).toMatchObject({ code: 0 })
  })

  it.each([
    [{ username: { $ne: null }, password: { $ne: null } }],
    [{ username: ["' or 1=1 --"], password: 'x' }],
    [{ username: "' or '1'='1", password: "' or '1'='1" }],
    [{ username: 'a@b.c', password: ['tide-Net9'] }],
    [{ username: 'a@b.c', verify_code: { length: 6 } }],
    [{ username: 'a@b.c', password: null, verify_code: null }],
    [{ __proto__: { username: 'a@b.c', password: PASSWORD } }],
  ])('does not accept sign-in input of another type: %j', async (input) => {
    const answer = await env.call('accounts.login', input as never, newNetwork())
    expect(answer).toMatchObject({ code: 401, success: false, status: 200 })
    expect(answer.msg).not.toBe(errorText('internal', 'en'))
  })

  it('rejects e-mail addresses with headers or several recipients', async () => {
    for (const username of ['a@b.c\r\nBcc: d@e.f', 'a@b.c,d@e.f', 'a@b.c;d@e.f', '"x" <a@b.c>', 'a@b.c%0aBcc: d@e.f'])
      expect(await requestCode(username)).toMatchObject({ code: -1, err: errors.emailInvalid.err })
  })
})
