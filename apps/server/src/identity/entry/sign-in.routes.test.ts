import { CODE_RESEND, contract, errors, errorText } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../features.ts'
import { sql } from '../../platform/db/sql.ts'
import { lastCode } from '../../platform/mail/inbox.fixture.ts'
import { deleteExpired } from '../../platform/tasks/expired.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { hashPassword } from '../accounts/passwords.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const PASSWORD = 'tide-Net9'
/** A person with a password. */
async function owner() {
  const person = await env.person()
  await env.db.run(sql`update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${person.id}`)
  return person
}
const signIn = (username: string, password: string, ip = '127.0.0.1') =>
  env.call('accounts.login', { username, password }, { ip })
const reset = async (email: string, password: string) => {
  env.pass(CODE_RESEND)
  await env.call('accounts.verifyCode', { username: email, type: 3 })
  return env.call('accounts.resetPassword', {
    username: email,
    password,
    verify_code: await lastCode(env, email),
  })
}
const seconds = (msg: string | undefined) => Number(/\d+/.exec(msg ?? '')?.[0])

describe('signing in', () => {
  it('by password opens a session', async () => {
    const person = await owner()
    const answer = await signIn(` ${person.email.toUpperCase()}`, PASSWORD)
    expect(answer).toMatchObject({ code: 0 })
    expect(Date.parse(answer.data.expire) - env.clock.now()).toBeGreaterThan(23 * 3600 * 1000)
    const info = await env.call('accounts.info', {}, { token: answer.data.token })
    expect(info.data).toMatchObject({ uuid: person.uid, user_email: person.email })
  })

  it('has one rate limit for all its paths', async () => {
    const [counts, remoteAddress] = [[] as number[], `10.32.0.${Math.floor(Math.random() * 250)}`]
    const { limit } = contract.accounts.login
    for (let call = 0; call < limit + 6; call++) {
      const url = ['/api/v1/user/login', '/api/v1/storage/login', '/api/v2/login'][call % 3] as string
      const payload = { username: 'nobody', password: '' }
      counts.push((await env.app.inject({ method: 'POST', url, remoteAddress, payload })).statusCode)
    }
    expect(counts.filter((status) => status === 429)).toHaveLength(6)
  })

  it('by e-mailed code opens a session', async () => {
    const person = await owner()
    await env.call('accounts.verifyCode', { username: person.email, type: 2 })
    const answer = await env.call('accounts.login', {
      username: person.email,
      verify_code: await lastCode(env, person.email),
    })
    const info = await env.call('accounts.vipInfo', {}, { token: answer.data.token })
    expect(info.data).toEqual({ uid: person.uid, vip: false, role: 'user', account: person.email, closing_at: '' })
  })

  it('works at each of its paths', async () => {
    const person = await owner()
    for (const url of ['/api/v1/user/login', '/api/v1/storage/login', '/api/v2/login']) {
      const answer = await env.app.inject({
        method: 'POST',
        url,
        payload: { username: person.email, password: PASSWORD },
      })
      expect(answer.json()).toMatchObject({ code: 0 })
    }
  })

  it('succeeds for twenty concurrent requests with the correct password', async () => {
    const person = await owner()
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(person.email, PASSWORD, '10.1.1.1')))
    expect(answers.every(({ code }) => code === 0)).toBe(true)
  })

  it('is possible after the lock expires, and resets the failures', async () => {
    const person = await owner()
    for (let tries = 0; tries < 5; tries++) await signIn(person.email, 'wrong-Net1')
    const locked = await signIn(person.email, PASSWORD)
    env.pass(seconds(locked.msg) * 1000)
    expect(await signIn(person.email, PASSWORD)).toMatchObject({ code: 0 })
    expect((await signIn(person.email, 'wrong-Net1')).msg).toBe(errorText('signInFailed', 'en'))
  })

  it('is possible by code while the password is locked', async () => {
    const person = await owner()
    for (let tries = 0; tries < 6; tries++) await signIn(person.email, 'wrong-Net1')
    await env.call('accounts.verifyCode', { username: person.email, type: 2 })
    const verify_code = await lastCode(env, person.email)
    expect(await env.call('accounts.login', { username: person.email, verify_code })).toMatchObject({ code: 0 })
  })
})

describe('a new password', () => {
  it('replaces the old one and ends all sessions', async () => {
    const person = await owner()
    const other = (await signIn(person.email, PASSWORD)).data.token
    expect(await reset(person.email, 'new-Tide7')).toMatchObject({ code: 0 })
    expect(await signIn(person.email, 'new-Tide7')).toMatchObject({ code: 0 })
    expect((await signIn(person.email, PASSWORD)).code).toBe(401)
    for (const token of [person.token, other]) expect((await env.call('accounts.info', {}, { token })).code).toBe(401)
  })

  it('removes the lock caused by wrong passwords', async () => {
    const person = await owner()
    for (let tries = 0; tries < 6; tries++) await signIn(person.email, 'wrong-Net1')
    await reset(person.email, 'new-Tide7')
    expect(await signIn(person.email, 'new-Tide7')).toMatchObject({ code: 0 })
  })

  it('is not set for an address without an account, which only its owner finds out', async () => {
    expect(await reset('stranger@mail.test', 'new-Tide7')).toMatchObject({ err: errors.nameNotExists.err })
  })
})

describe('expired rows', () => {
  it('are deleted after a day: codes, attempts, sessions and texts of mails', async () => {
    const [gone, here] = [await owner(), await owner()]
    await env.call('accounts.verifyCode', { username: gone.email, type: 2 })
    for (let tries = 0; tries < 6; tries++) await signIn(gone.email, 'wrong-Net1')
    env.pass(3 * 24 * 3600 * 1000)
    const { token } = (await signIn(here.email, PASSWORD)).data
    await env.call('accounts.verifyCode', { username: here.email, type: 2 })
    for (let tries = 0; tries < 6; tries++) await signIn(here.email, 'wrong-Net1')
    await deleteExpired(env.context, features)
    const { left } = await env.db.one<{ left: string[] }>(sql`
      select array(select address from codes union all select address from code_log union all
        select recipient from mails where body_text || body_html <> '' union all select subject from attempts) as left`)
    expect(left.filter((text) => text.includes(gone.email))).toEqual([])
    expect(left.filter((text) => text.includes(here.email))).toHaveLength(5)
    expect((await env.call('accounts.info', {}, { token })).code).toBe(0)
    expect((await signIn(here.email, PASSWORD)).code).toBe(401)
  })

  it('include mails, whose recipient is kept for 30 days', async () => {
    const mails = async () =>
      (await env.db.one<{ mails: number }>(sql`select count(*) as mails from mails where recipient = ${email}`)).mails
    const { email } = await owner()
    const before = await mails()
    env.pass(29 * 24 * 3600 * 1000)
    await deleteExpired(env.context, features)
    expect(await mails()).toBe(before)
    env.pass(2 * 24 * 3600 * 1000)
    await deleteExpired(env.context, features)
    expect(await mails()).toBe(0)
  })
})

describe('signing in is refused', () => {
  it('with a 401 and its reason, in both languages', async () => {
    const person = await owner()
    const input = { username: person.email, password: 'wrong-Net1' }
    const [english, chinese] = [
      await env.call('accounts.login', input, { lang: 'en' }),
      await env.call('accounts.login', input, { lang: 'cn' }),
    ]
    for (const answer of [english, chinese]) {
      expect(answer).toMatchObject({ code: 401, success: false, status: 200 })
      expect(answer.err).toBeUndefined()
    }
    expect(english.msg).not.toBe(chinese.msg)
  })

  it('with the same error for an unknown account and a wrong password', async () => {
    const person = await owner()
    const known = await signIn(person.email, 'wrong-Net1')
    const unknown = await signIn('nobody@mail.test', 'wrong-Net1')
    expect({ ...unknown, headers: {} }).toEqual({ ...known, headers: {} })
  })

  it('with a code of an address without an account', async () => {
    await env.call('accounts.verifyCode', { username: 'unknown@mail.test', type: 2 })
    const verify_code = await lastCode(env, 'unknown@mail.test')
    const answer = await env.call('accounts.login', { username: 'unknown@mail.test', verify_code })
    expect(answer).toMatchObject({ code: 401, msg: errorText('nameNotExists', 'en') })
  })

  it('by password if the account has none', async () => {
    const person = await env.person()
    expect((await signIn(person.email, PASSWORD)).code).toBe(401)
  })

  it('after five attempts from one client network, for twice as long each time', async () => {
    const person = await owner()
    for (let tries = 0; tries < 5; tries++)
      expect((await signIn(person.email, 'wrong-Net1')).msg).toBe(errorText('signInFailed', 'en'))
    const waits = []
    for (let round = 0; round < 4; round++) {
      const wait = seconds((await signIn(person.email, PASSWORD)).msg)
      waits.push(wait)
      env.pass(wait * 1000)
      await signIn(person.email, 'wrong-Net1')
    }
    expect(waits).toEqual([30, 60, 120, 240])
  })

  it('after twenty attempts from many client networks', async () => {
    const person = await owner()
    for (let tries = 0; tries < 20; tries++) await signIn(person.email, 'wrong-Net1', `10.2.0.${tries}`)
    expect(seconds((await signIn(person.email, PASSWORD, '10.2.1.1')).msg)).toBe(30)
  })

  describe('password spraying from one client network', () => {
    let guarded: TestEnv
    beforeAll(async () => {
      guarded = await setup({ wrongPasswordsPerNetwork: 50 })
    })
    afterAll(() => guarded.close())
    const spray = (turn: number, ip: string) =>
      guarded.call('accounts.login', { username: `many${turn}@mail.test`, password: 'wrong-Net1' }, { ip })
    const locked = ({ msg = '' }: { msg?: string }) => msg !== errorText('signInFailed', 'en')

    it('gets fifty attempts an hour, also concurrently and from any address of an IPv6 /64', async () => {
      const ips = (turn: number) => `2001:db8:5:5::${turn.toString(16)}`
      const first = await Promise.all(Array.from({ length: 45 }, (_, turn) => spray(turn, ips(turn))))
      expect(first.filter(locked)).toEqual([])
      guarded.pass(5000)
      const more = await Promise.all(Array.from({ length: 10 }, (_, turn) => spray(100 + turn, ips(turn))))
      expect(more.filter(locked)).toHaveLength(5)
      expect(locked(await spray(200, '2001:db8:5:6::1'))).toBe(false)
      guarded.pass(3_600_000)
      expect(locked(await spray(201, ips(1)))).toBe(false)
    })

    it('is not reset by the attacker’s own sign-in; correct passwords do not count', async () => {
      const person = await guarded.person()
      const hash = await hashPassword(PASSWORD)
      await guarded.db.run(sql`update users set password_hash = ${hash} where id = ${person.id}`)
      const own = () =>
        guarded.call('accounts.login', { username: person.email, password: PASSWORD }, { ip: '10.31.0.1' })
      for (let turn = 0; turn < 49; turn++)
        await guarded.context.db.run(sql`
        insert into attempts as a (kind, subject, failed, since, locked_until)
        values ('signInNetwork', '10.31.0.1', 1, ${new Date(guarded.clock.now())}, ${new Date(guarded.clock.now() + 3_600_000)})
        on conflict (kind, subject) do update set failed = a.failed + 1`)
      for (let turn = 0; turn < 3; turn++) expect(await own()).toMatchObject({ code: 0 })
      expect(locked(await spray(300, '10.31.0.1'))).toBe(false)
      expect(locked(await spray(301, '10.31.0.1'))).toBe(true)
    })
  })

  it('for all but five of fifty concurrent attempts', async () => {
    const person = await owner()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        signIn(person.email, index === 49 ? PASSWORD : 'wrong-Net1', '10.3.0.1'),
      ),
    )
    expect(answers.filter(({ msg }) => msg === errorText('signInFailed', 'en'))).toHaveLength(5)
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(0)
  })

  it.each([
    {},
    { username: '' },
    { username: 'a@b.test' },
    { username: 'a@b.test', password: '' },
    { username: 'a@b.test', verify_code: '12345' },
    { username: 'a@b.test', password: 'x'.repeat(201) },
    { username: 'a\0@b.test', password: PASSWORD },
    { username: { $ne: '' }, password: { $ne: '' } },
    { username: ['a@b.test'], password: PASSWORD },
  ])('input %j', async (input) => {
    const answer = await env.call('accounts.login', input as never)
    expect(answer).toMatchObject({ code: 401, success: false, status: 200 })
    expect(answer.msg).toBeTruthy()
  })
})
