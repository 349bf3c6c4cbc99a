import { CODE_LIFE, CODE_RESEND, CODE_TRIES, CODES_PER_ADDRESS_DAY, CODES_PER_IP_DAY, errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../db/sql.ts'
import { inbox, lastCode } from '../mail/inbox.ts'
import { networkOf } from '../sessions/attempts.ts'
import { setup, type World } from '../world.ts'

let world: World
let addresses = 0
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

const address = () => `reader${++addresses}@mail.test`
/** Calls from many places: the day's limits of one place are not what these tests are about. */
const place = () => ({ ip: `10.${addresses >> 8}.${addresses & 255}.${Math.floor(Math.random() * 250)}` })
const send = (username: string, type: number, as: { ip?: string; lang?: 'cn' | 'en' } = {}) =>
  world.call('accounts.verifyCode', { username, type }, { ...place(), ...as })
const signIn = (username: string, verify_code: string) =>
  world.call('accounts.login', { username, verify_code }, place())
const register = (username: string, verify_code: string, password = 'tide-Net9') =>
  world.call('accounts.register', { username, verify_code, password }, place())
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('a verification code', () => {
  it('arrives by mail as six digits, in the language of the caller', async () => {
    const reader = address()
    expect(await send(reader, 1, { lang: 'en' })).toMatchObject({ code: 0 })
    expect(await send(reader, 2, { lang: 'cn' })).toMatchObject({ code: 0 })
    const [chinese, english] = await inbox(world, reader)
    expect(english?.code).toMatch(/^\d{6}$/)
    expect(chinese?.code).toMatch(/^\d{6}$/)
    expect(english?.subject).not.toMatch(/\p{Script=Han}/u)
    expect(chinese?.subject).toMatch(/\p{Script=Han}/u)
  })

  it.each([1, 2, 3, 5])('is sent for purpose %i', async (type) => {
    expect(await send(address(), type)).toMatchObject({ code: 0 })
  })

  it('is compared with the address in lower case', async () => {
    const reader = address()
    await send(reader.toUpperCase(), 1)
    expect(await register(` ${reader.toUpperCase()} `, await lastCode(world, reader))).toMatchObject({ code: 0 })
    expect(await world.call('accounts.login', { username: reader, password: 'tide-Net9' })).toMatchObject({ code: 0 })
  })

  it('can be asked for again after a minute, and the earlier one is worth nothing then', async () => {
    const reader = address()
    await send(reader, 1)
    const first = await lastCode(world, reader)
    expect(await send(reader, 1)).toMatchObject({ code: -1, err: errors.codeTooSoon.err })
    world.pass(CODE_RESEND)
    expect(await send(reader, 1)).toMatchObject({ code: 0 })
    const second = await lastCode(world, reader)
    if (first !== second) expect(await register(reader, first)).toMatchObject({ err: errors.invalidCode.err })
    expect(await register(reader, second)).toMatchObject({ code: 0 })
  })

  it('is refused after five minutes', async () => {
    const reader = address()
    await send(reader, 1)
    const code = await lastCode(world, reader)
    world.pass(CODE_LIFE)
    expect(await register(reader, code)).toMatchObject({ code: -1, err: errors.codeExpired.err })
  })

  it('is worth something for its own purpose and address only', async () => {
    const [reader, other] = [address(), address()]
    await send(reader, 1)
    await send(other, 1)
    const code = await lastCode(world, reader)
    expect((await signIn(reader, code)).code).toBe(401)
    expect(
      await world.call('accounts.resetPassword', { username: reader, verify_code: code, password: 'tide-Net9' }),
    ).toMatchObject({ err: errors.codeExpired.err })
    if (code !== (await lastCode(world, other)))
      expect(await register(other, code)).toMatchObject({ err: errors.invalidCode.err })
  })

  it('locks after five wrong tries with a timer, until a new code', async () => {
    const reader = address()
    await send(reader, 1)
    const code = await lastCode(world, reader)
    for (let tries = 1; tries < CODE_TRIES; tries++)
      expect(await register(reader, wrong(code))).toMatchObject({ err: errors.invalidCode.err })
    const locked = await register(reader, wrong(code))
    expect(locked.err).toBe(errors.codeLocked.err)
    expect(Number(/\d+/.exec(locked.msg ?? '')?.[0])).toBe(CODE_RESEND / 1000)
    expect(await register(reader, code)).toMatchObject({ err: errors.codeLocked.err })
    expect(await send(reader, 1)).toMatchObject({ err: errors.codeTooSoon.err })
    world.pass(CODE_RESEND)
    expect(await register(reader, code)).toMatchObject({ err: errors.codeExpired.err })
    await send(reader, 1)
    expect(await register(reader, await lastCode(world, reader))).toMatchObject({ code: 0 })
  })
})

describe('who gets no code', () => {
  it('all but one of fifty who ask at the same moment', async () => {
    const reader = address()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => send(reader, 2, { ip: `10.9.9.${index}` })),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await inbox(world, reader)).toHaveLength(1)
  })

  it('an address that had its codes of the day', async () => {
    const reader = address()
    for (let sent = 0; sent < CODES_PER_ADDRESS_DAY; sent++) {
      expect(await send(reader, 2)).toMatchObject({ code: 0 })
      world.pass(CODE_RESEND)
    }
    expect(await send(reader, 2)).toMatchObject({ code: -1, err: errors.tooManyCodes.err })
    expect(await send(reader, 3)).toMatchObject({ code: -1, err: errors.tooManyCodes.err })
    world.pass(24 * 3600 * 1000)
    expect(await send(reader, 2)).toMatchObject({ code: 0 })
  })

  it('a place that asked for its codes of the day, with whichever of its IPv6 addresses', async () => {
    // Asked for over the day: in one minute no place may ask so often.
    await world.db.run(sql`
      insert into code_log (address, ip, sent_at)
      select 'reader', ${networkOf('2001:db8:1:2::1')}, ${new Date(world.clock.now())} from generate_series(1, ${CODES_PER_IP_DAY - 2}::int)`)
    const answers = []
    for (let sent = 0; sent < 3; sent++) answers.push(await send(address(), 2, { ip: `2001:db8:1:2::${sent}` }))
    expect(answers.map(({ code }) => code)).toEqual([0, 0, -1])
    expect(answers.at(-1)).toMatchObject({ err: errors.tooManyCodes.err })
    expect(await send(address(), 2, { ip: '2001:db8:1:3::1' })).toMatchObject({ code: 0 })
  })

  it.each([0, 4, 6, -1])('purpose %i', async (type) => {
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
