import { createHash } from 'node:crypto'
import {
  CODE_ATTEMPTS,
  CODE_LIFE,
  CODE_RESEND,
  CODES_PER_ADDRESS_DAY,
  CODES_PER_NETWORK_DAY,
  errors,
  errorText,
} from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import { sql } from '../../platform/db/sql.ts'
import { inbox, lastCode } from '../../platform/mail/inbox.fixture.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
let addresses = 0
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const address = () => `reader${++addresses}@mail.test`
/** A new client network per call, so that limits per network do not interfere. */
const place = () => ({ ip: `10.${addresses >> 8}.${addresses & 255}.${Math.floor(Math.random() * 250)}` })
/** A client network that no other test uses. */
const elsewhere = { ip: '10.250.0.1' }
const send = (username: string, type: number, as: { ip?: string; lang?: 'cn' | 'en' } = {}) =>
  env.call('accounts.verifyCode', { username, type }, { ...place(), ...as })
const signIn = (username: string, verify_code: string) => env.call('accounts.login', { username, verify_code }, place())
const register = (username: string, verify_code: string, password = 'tide-Net9') =>
  env.call('accounts.register', { username, verify_code, password }, place())
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('a verification code', () => {
  it('is e-mailed as six digits, in the language of the caller', async () => {
    const reader = address()
    expect(await send(reader, 1, { lang: 'en' })).toMatchObject({ code: 0 })
    expect(await send(reader, 2, { lang: 'cn' })).toMatchObject({ code: 0 })
    const [chinese, english] = await inbox(env, reader)
    expect(english?.code).toMatch(/^\d{6}$/)
    expect(chinese?.code).toMatch(/^\d{6}$/)
    expect(english?.subject).not.toMatch(/\p{Script=Han}/u)
    expect(chinese?.subject).toMatch(/\p{Script=Han}/u)
  })

  it.each([1, 2, 3, 5])('is sent for purpose %i', async (type) => {
    expect(await send(address(), type)).toMatchObject({ code: 0 })
  })

  it('ignores the case of the address', async () => {
    const reader = address()
    await send(reader.toUpperCase(), 1)
    expect(await register(` ${reader.toUpperCase()} `, await lastCode(env, reader))).toMatchObject({ code: 0 })
    expect(await env.call('accounts.login', { username: reader, password: 'tide-Net9' })).toMatchObject({ code: 0 })
  })

  it('can be requested again after a minute; the earlier one stays valid until one is used', async () => {
    const reader = address()
    await send(reader, 1)
    const first = await lastCode(env, reader)
    expect(await send(reader, 1)).toMatchObject({ code: -1, err: errors.codeTooSoon.err })
    env.pass(CODE_RESEND)
    expect(await send(reader, 1)).toMatchObject({ code: 0 })
    const second = await lastCode(env, reader)
    expect(await register(reader, first)).toMatchObject({ code: 0 })
    expect(await register(reader, second)).toMatchObject({ err: errors.codeExpired.err })
  })

  it('is refused after five minutes', async () => {
    const reader = address()
    await send(reader, 1)
    const code = await lastCode(env, reader)
    env.pass(CODE_LIFE)
    expect(await register(reader, code)).toMatchObject({ code: -1, err: errors.codeExpired.err })
  })

  it('is valid only for its purpose and address', async () => {
    const [reader, other] = [address(), address()]
    await send(reader, 1)
    await send(other, 1)
    const code = await lastCode(env, reader)
    expect((await signIn(reader, code)).code).toBe(401)
    expect(
      await env.call('accounts.resetPassword', { username: reader, verify_code: code, password: 'tide-Net9' }),
    ).toMatchObject({ err: errors.codeExpired.err })
    if (code !== (await lastCode(env, other)))
      expect(await register(other, code)).toMatchObject({ err: errors.invalidCode.err })
  })

  it('is locked after five wrong attempts until a new code is sent', async () => {
    const reader = address()
    await send(reader, 1, elsewhere)
    const code = await lastCode(env, reader)
    for (let tries = 1; tries < CODE_ATTEMPTS; tries++)
      expect(await register(reader, wrong(code))).toMatchObject({ err: errors.invalidCode.err })
    const locked = await register(reader, wrong(code))
    expect(locked.err).toBe(errors.codeLocked.err)
    expect(Number(/\d+/.exec(locked.msg ?? '')?.[0])).toBe(CODE_RESEND / 1000)
    expect(await register(reader, code)).toMatchObject({ err: errors.codeLocked.err })
    expect(await send(reader, 1)).toMatchObject({ err: errors.codeTooSoon.err })
    env.pass(CODE_RESEND)
    expect(await register(reader, code)).toMatchObject({ err: errors.codeExpired.err })
    await send(reader, 1)
    expect(await register(reader, await lastCode(env, reader))).toMatchObject({ code: 0 })
  })
})

describe('an attacker', () => {
  it('gets five attempts out of two hundred concurrent ones, and the code is locked then', async () => {
    const reader = address()
    await send(reader, 1, elsewhere)
    const code = await lastCode(env, reader)
    const answers = await Promise.all(Array.from({ length: 200 }, () => register(reader, wrong(code))))
    expect(answers.filter(({ err }) => err === errors.invalidCode.err)).toHaveLength(CODE_ATTEMPTS - 1)
    expect(await register(reader, code)).toMatchObject({ err: errors.codeLocked.err })
  })

  it('gets ten attempts per code from all networks together: at most 1 in 2,000 a day', async () => {
    const reader = address()
    const [guessers, codes] = [['10.20.0.1', '10.20.0.2', '10.20.0.3', '10.20.0.4'], 4]
    for (let sent = 0; sent < codes; sent++) {
      await send(reader, 1, { ip: guessers[sent] as string })
      env.pass(CODE_RESEND)
    }
    const sent = new Set((await inbox(env, reader)).map(({ code }) => code))
    const guesses = Array.from({ length: 400 }, (_, turn) => String(turn).padStart(6, '0')).filter(
      (guess) => !sent.has(guess),
    )
    for (let round = 0; round < 4; round++)
      await Promise.all(
        guesses
          .slice(round * 40, round * 40 + 40)
          .map((verify_code, turn) =>
            env.call(
              'accounts.register',
              { username: reader, verify_code, password: 'tide-Net9' },
              { ip: guessers[turn % 4] as string },
            ),
          ),
      )
    const { compared } = await env.db.one<{ compared: number }>(
      sql`select sum(tries + other_tries) as compared from codes where address = ${reader}`,
    )
    expect(Number(compared)).toBe(codes * 2 * CODE_ATTEMPTS)
    expect((2 * CODE_ATTEMPTS * CODES_PER_ADDRESS_DAY) / 1_000_000).toBeLessThanOrEqual(1 / 2000)
  })

  it('cannot find the code from the database', async () => {
    const reader = address()
    await send(reader, 1)
    const code = await lastCode(env, reader)
    const { hash } = await env.db.one<{ hash: Buffer }>(
      sql`select code_hash as hash from codes where address = ${reader}`,
    )
    const plain = ['', reader, `1 ${reader} `, `code 1 ${reader} `].map((before) =>
      createHash('sha256')
        .update(before + code)
        .digest('hex'),
    )
    expect(plain).not.toContain(hash.toString('hex'))
  })

  it('with the correct code succeeds once out of two hundred concurrent requests', async () => {
    const person = await env.person()
    await send(person.email, 2)
    const code = await lastCode(env, person.email)
    const answers = await Promise.all(Array.from({ length: 200 }, () => signIn(person.email, code)))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
  })
})

describe('strangers cannot lock out the owner', () => {
  const home = { ip: '10.21.0.1' }
  const byCode = (username: string, verify_code: string, as = home) =>
    env.call('accounts.login', { username, verify_code }, as)

  it('by wrong codes: the requesting network has five attempts of its own', async () => {
    const { email } = await env.person()
    await send(email, 2, home)
    const code = await lastCode(env, email)
    for (let tries = 0; tries < 20; tries++) await byCode(email, wrong(code), { ip: `10.22.0.${tries}` })
    for (let tries = 1; tries < CODE_ATTEMPTS; tries++)
      expect((await byCode(email, wrong(code))).msg).toBe(errorText('invalidCode', 'en'))
    expect(await byCode(email, code)).toMatchObject({ code: 0 })
  })

  it('by requesting codes while the owner types one', async () => {
    const { email } = await env.person()
    await send(email, 2, home)
    const code = await lastCode(env, email)
    for (let sent = 0; sent < 4; sent++) {
      env.pass(CODE_RESEND)
      expect(await send(email, 2, { ip: `10.23.0.${sent}` })).toMatchObject({ code: 0 })
    }
    expect(await byCode(email, code)).toMatchObject({ code: 0 })
  })

  it('by using up the codes of the day', async () => {
    const { email } = await env.person()
    for (let sent = 0; sent < CODES_PER_NETWORK_DAY; sent++) {
      await send(email, 2, { ip: '10.24.0.1' })
      env.pass(CODE_RESEND)
    }
    expect(await send(email, 2, { ip: '10.24.0.1' })).toMatchObject({ err: errors.tooManyCodes.err })
    expect(await send(email, 2, home)).toMatchObject({ code: 0 })
  })

  it('but a large network gets only ten codes per address', async () => {
    const campus = await setup({ codesPerNetwork: 1000 })
    try {
      const ask = (username: string) => campus.call('accounts.verifyCode', { username, type: 2 })
      for (let sent = 0; sent < CODES_PER_NETWORK_DAY; sent++) {
        expect(await ask('one@mail.test')).toMatchObject({ code: 0 })
        campus.pass(CODE_RESEND)
      }
      expect(await ask('one@mail.test')).toMatchObject({ err: errors.tooManyCodes.err })
      expect(await ask('two@mail.test')).toMatchObject({ code: 0 })
    } finally {
      await campus.close()
    }
  })
})

describe('sending a code is refused', () => {
  it('for all but one of fifty concurrent requests', async () => {
    const reader = address()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => send(reader, 2, { ip: `10.9.9.${index}` })),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await inbox(env, reader)).toHaveLength(1)
  })

  it('above the daily limit of a client network, also for concurrent requests', async () => {
    const ip = '10.8.8.8'
    const answers = await Promise.all(
      Array.from({ length: CODES_PER_NETWORK_DAY + 10 }, () => send(address(), 2, { ip })),
    )
    expect(answers.filter(({ code }) => code === 0).length).toBeLessThanOrEqual(CODES_PER_NETWORK_DAY)
    expect((await send(address(), 2, { ip })).code).not.toBe(0)
  })

  it('above the daily limit of an address', async () => {
    const reader = address()
    for (let sent = 0; sent < CODES_PER_ADDRESS_DAY; sent++) {
      expect(await send(reader, 2)).toMatchObject({ code: 0 })
      env.pass(CODE_RESEND)
    }
    expect(await send(reader, 2)).toMatchObject({ code: -1, err: errors.tooManyCodes.err })
    expect(await send(reader, 3)).toMatchObject({ code: -1, err: errors.tooManyCodes.err })
    env.pass(24 * 3600 * 1000)
    expect(await send(reader, 2)).toMatchObject({ code: 0 })
  })

  it('above the daily limit of an IPv6 /64, from any of its addresses', async () => {
    // Inserted directly, because the rate limit per minute is lower.
    await env.db.run(sql`
      insert into code_log (address, ip, sent_at)
      select 'reader', ${clientNetworkOf('2001:db8:1:2::1')}, ${new Date(env.clock.now())} from generate_series(1, ${CODES_PER_NETWORK_DAY - 2}::int)`)
    const answers = []
    for (let sent = 0; sent < 3; sent++) answers.push(await send(address(), 2, { ip: `2001:db8:1:2::${sent}` }))
    expect(answers.map(({ code }) => code)).toEqual([0, 0, -1])
    expect(answers.at(-1)).toMatchObject({ err: errors.tooManyCodes.err })
    expect(await send(address(), 2, { ip: '2001:db8:1:3::1' })).toMatchObject({ code: 0 })
  })

  it.each([0, 4, 6, -1])('for the unknown purpose %i', async (type) => {
    expect(await send(address(), type)).toMatchObject({ code: -1, err: errors.codeKind.err })
  })

  it.each([
    '',
    ' ',
    'nobody',
    'a@b',
    'a@b.test, c@d.test',
    'a@b.test\r\nBcc: c@d.test',
    'a\0@b.test',
    `${'a'.repeat(260)}@b.test`,
  ])('the address %j', async (username) => {
    expect(await send(username, 1)).toMatchObject({ code: -1, err: errors.emailInvalid.err })
  })
})
