import { AppError } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, samplePasskey } from '../../apps/server/src/identity/second-factors/sample-passkey.fixture.ts'
import {
  cautious,
  nextCode,
  owner,
  PASSWORD,
  signedIn,
  ticketOf,
} from '../../apps/server/src/identity/second-factors/sample-person.fixture.ts'
import { completeBySecondFactor } from '../../apps/server/src/identity/second-factors/sign-in.ts'
import { codeAt } from '../../apps/server/src/identity/second-factors/totp.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { lastCode } from '../../apps/server/src/platform/mail/inbox.fixture.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { MANY } from './sizes.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

/** Runs concurrently. */
const atOnce = <T>(count: number, attack: (turn: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, turn) => attack(turn)))
const networkOf = (turn: number) => `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}`
const sessionsOf = async ({ id }: Person) =>
  (await env.db.one<{ count: number }>(sql`select count(*) as count from sessions where user_id = ${id}`)).count
/** Each call has its own address, so that no rate limit hides what is tested. */
const inject = (url: string, payload: object, ip: string) =>
  env.app
    .inject({ method: 'POST', url, payload, remoteAddress: ip })
    .then((answer) => answer.json<{ code: number; err?: number; data?: { token?: string } }>())

type Given = Awaited<ReturnType<typeof ticketOf>>
/** Calls the service directly, for the same reason. */
const complete = ({ ticket, ip }: Given, shown: { code?: string | undefined; recovery?: string | undefined }) =>
  completeBySecondFactor(env.context, { ticket, ...shown }, { ip, agent: 'test' }).then(
    () => ({ code: 0, key: '' }),
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error
      return { code: -1, key: error.key as string }
    },
  )

describe(`of ${MANY} concurrent requests`, () => {
  it('one signs in with a one-time code', { timeout: 120_000 }, async () => {
    const person = await cautious(env)
    const before = await sessionsOf(person)
    const tickets = await atOnce(20, () => ticketOf(env, person))
    const code = nextCode(env, person.secret)
    const answers = await atOnce(MANY, (turn) => complete(tickets[turn % tickets.length] as Given, { code }))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(await sessionsOf(person)).toBe(before + 1)
  })

  it('one signs in with a recovery code', { timeout: 120_000 }, async () => {
    const person = await cautious(env)
    const before = await sessionsOf(person)
    const tickets = await atOnce(20, () => ticketOf(env, person))
    const recovery = person.recovery[0]
    const answers = await atOnce(MANY, (turn) => complete(tickets[turn % tickets.length] as Given, { recovery }))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(await sessionsOf(person)).toBe(before + 1)
    const { token } = await signedIn(env, person)
    expect((await env.call('secondFactors.overview', {}, { token })).data.recovery_left).toBe(9)
  })

  it('one signs in with a passkey assertion', { timeout: 120_000 }, async () => {
    const person = await owner(env)
    const passkey = samplePasskey(person.uid)
    const { token } = await signedIn(env, person)
    const asked = (await env.call('passkeys.addOptions', {}, { token })).data as Asked
    await env.call('passkeys.add', { name: 'one', credential: passkey.made(asked) }, { token })
    const before = await sessionsOf(person)
    const credential = passkey.shown((await env.call('passkeys.loginOptions', {})).data as Asked)
    const answers = await atOnce(MANY, (turn) => inject('/api/v1/user/passkeys/login', { credential }, networkOf(turn)))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(await sessionsOf(person)).toBe(before + 1)
  })

  it('one signs in with a verification code', { timeout: 120_000 }, async () => {
    const person = await owner(env)
    await env.call('accounts.verifyCode', { username: person.email, type: 2 })
    const verify_code = await lastCode(env, person.email)
    const before = await sessionsOf(person)
    const answers = await atOnce(MANY, (turn) =>
      inject('/api/v1/user/login', { username: person.email, verify_code }, networkOf(turn)),
    )
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(await sessionsOf(person)).toBe(before + 1)
  })

  it('that guess a password from as many client networks, twenty are evaluated', { timeout: 120_000 }, async () => {
    const person = await owner(env)
    const answers = await atOnce(MANY, (turn) =>
      inject('/api/v1/user/login', { username: person.email, password: `wrong-${turn}` }, networkOf(turn)),
    )
    expect(answers.every(({ code }) => code === 401)).toBe(true)
    const { tried } = await env.db.one<{ tried: number }>(
      sql`select count(*) as tried from sign_ins where user_id = ${person.id} and not ok`,
    )
    expect(tried).toBe(20)
    // During the lock, even the right password is refused.
    expect((await inject('/api/v1/user/login', { username: person.email, password: PASSWORD }, '10.9.9.9')).code).toBe(
      401,
    )
  })

  it('that guess a one-time code, at most five are evaluated', { timeout: 120_000 }, async () => {
    const person = await cautious(env)
    const tickets = await atOnce(20, () => ticketOf(env, person))
    const right = codeAt(person.secret, env.clock.now() + 30_000)
    const guesses = Array.from({ length: MANY }, (_, turn) => String(turn * 997).padStart(6, '0')).map((guess) =>
      guess === right ? '000001' : guess,
    )
    const answers = await atOnce(MANY, (turn) =>
      complete(tickets[turn % tickets.length] as Given, { code: guesses[turn] }),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(0)
    expect(answers.filter(({ key }) => key === 'secondFactorWrong').length).toBeLessThanOrEqual(5)
  })
})
