import { errors, RECENT_AUTH_LIFE, RECOVERY_CODES, SECOND_FACTOR_ATTEMPTS, SECOND_FACTOR_LIFE } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { lastCode } from '../../platform/mail/inbox.fixture.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { cautious, nextCode, owed, owner, PASSWORD, signedIn, ticketOf } from './sample-person.fixture.ts'
import { codeAt } from './totp.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const complete = (input: { ticket: string; code?: string; recovery?: string }, ip = '127.0.0.1') =>
  env.call('secondFactors.complete', input, { ip })
const overview = async (token: string) => (await env.call('secondFactors.overview', {}, { token })).data
const who = (token: string) => env.call('accounts.vipInfo', {}, { token })
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const actions = async (uid: string) =>
  (await env.db.rows<{ action: string }>(sql`select action from audit_log where actor = ${uid} order by id`)).map(
    ({ action }) => action,
  )

describe('one-time codes', () => {
  it('are enabled by a correct code, and come with ten recovery codes', async () => {
    const person = await owner(env)
    const started = await env.call('secondFactors.startTotp', {}, { token: person.token })
    expect(started.data.uri).toContain(started.data.secret)
    expect((await overview(person.token)).totp_since).toBeNull()
    expect(await env.call('accounts.login', { username: person.email, password: PASSWORD })).toMatchObject({
      code: 0,
    })
    const code = nextCode(env, started.data.secret)
    const { data } = await env.call('secondFactors.confirmTotp', { code }, { token: person.token })
    expect(new Set(data.recovery).size).toBe(RECOVERY_CODES)
    expect(await overview(person.token)).toMatchObject({
      totp_since: expect.any(String),
      recovery_left: RECOVERY_CODES,
      password: true,
    })
    expect(await actions(person.uid)).toEqual(['totp.on', 'recovery.make'])
  })

  it('are then required after a password and after an e-mailed code', async () => {
    const person = await cautious(env)
    const byPassword = await env.call('accounts.login', { username: person.email, password: PASSWORD })
    expect(byPassword).toMatchObject({ code: -1, err: errors.secondFactorNeeded.err, status: 200 })
    expect(owed(byPassword).ways).toEqual(['totp', 'recovery'])
    expect(JSON.stringify(byPassword.data)).not.toContain('eyJ')
    await env.call('accounts.verifyCode', { username: person.email, type: 2 })
    const verify_code = await lastCode(env, person.email)
    const byCode = await env.call('accounts.login', { username: person.email, verify_code })
    const { data } = await complete({ ...owed(byCode), code: nextCode(env, person.secret) })
    expect((await who(data.token)).data.uid).toBe(person.uid)
  })

  it('may contain spaces, and be of the previous or next step', async () => {
    const person = await cautious(env)
    for (const offset of [-30_000, 30_000]) {
      env.pass(10 * 60_000)
      const { ticket, ip } = await ticketOf(env, person)
      const code = codeAt(person.secret, env.clock.now() + offset)
      expect(await complete({ ticket, code: `${code.slice(0, 3)} ${code.slice(3)}` }, ip)).toMatchObject({ code: 0 })
    }
  })

  it('are turned off by a code, which deletes the recovery codes', async () => {
    const person = await cautious(env)
    const { token } = await signedIn(env, person)
    expect(await env.call('secondFactors.endTotp', { code: '000000' }, { token })).toMatchObject({
      err: errors.secondFactorWrong.err,
    })
    const code = nextCode(env, person.secret)
    expect(await env.call('secondFactors.endTotp', { code }, { token })).toMatchObject({ code: 0 })
    expect(await overview(token)).toMatchObject({ totp_since: null, recovery_left: 0 })
    expect(await env.call('accounts.login', { username: person.email, password: PASSWORD })).toMatchObject({
      code: 0,
    })
  })

  it('are stored encrypted, recovery codes hashed', async () => {
    const person = await cautious(env)
    const { secret } = await env.db.one<{ secret: Buffer }>(sql`select secret from totp where user_id = ${person.id}`)
    expect(secret.length).toBe(12 + 16 + 20)
    const rows = await env.db.rows<{ code_hash: Buffer }>(
      sql`select code_hash from recovery_codes where user_id = ${person.id}`,
    )
    for (const { code_hash } of rows)
      for (const code of person.recovery) expect(code_hash.toString('latin1')).not.toContain(code.slice(0, 5))
  })
})

describe('recovery codes', () => {
  it('work once each, in any spelling', async () => {
    const person = await cautious(env)
    const [first = '', second = ''] = person.recovery
    for (const recovery of [first, second.toUpperCase().replace('-', ' ').replaceAll('0', 'O')]) {
      const { ticket, ip } = await ticketOf(env, person)
      expect(await complete({ ticket, recovery }, ip)).toMatchObject({ code: 0 })
    }
    const { ticket, ip } = await ticketOf(env, person)
    expect(await complete({ ticket, recovery: first }, ip)).toMatchObject({ err: errors.secondFactorWrong.err })
    const { token } = await signedIn(env, person)
    expect((await overview(token)).recovery_left).toBe(RECOVERY_CODES - 2)
    expect(await actions(person.uid)).toContain('recovery.use')
  })

  it('are replaced all at once', async () => {
    const person = await cautious(env)
    const { token } = await signedIn(env, person)
    const { recovery } = (await env.call('secondFactors.makeRecoveryCodes', {}, { token })).data
    expect(recovery).toHaveLength(RECOVERY_CODES)
    const { ticket, ip } = await ticketOf(env, person)
    expect(await complete({ ticket, recovery: person.recovery[0] as string }, ip)).toMatchObject({
      err: errors.secondFactorWrong.err,
    })
    expect(await complete({ ticket, recovery: recovery[0] as string }, ip)).toMatchObject({ code: 0 })
  })
})

describe('the record of sign-ins', () => {
  it('lists sign-ins with their method, and failed ones', async () => {
    const person = await cautious(env)
    await env.call('accounts.login', { username: person.email, password: 'wrong-Net1' }, { agent: 'curl/8.5.0' })
    await ticketOf(env, person, '203.0.113.9')
    const { ticket, ip } = await ticketOf(env, person)
    const { data } = await complete({ ticket, code: nextCode(env, person.secret) }, ip)
    const { signIns } = (await env.call('sessions.signIns', {}, { token: data.token })).data
    expect(signIns.map(({ way, second, ok }) => `${way} ${second} ${ok}`)).toEqual([
      'password totp true',
      'password owed false',
      'password  false',
    ])
    expect(signIns[1]?.place).toEqual({ kind: 'public', network: '203.0.113.x' })
    expect(signIns[2]?.device).toMatchObject({ kind: 'program', program: 'curl' })
  })
})

describe('recent authentication', () => {
  it('is required ten minutes after the sign-in, and lasts ten minutes', async () => {
    const person = await owner(env)
    env.pass(RECENT_AUTH_LIFE)
    const { token } = person
    expect((await overview(token)).proved_until).toBeNull()
    expect(await env.call('secondFactors.startTotp', {}, { token })).toMatchObject({
      err: errors.recentAuthRequired.err,
    })
    const proved = await env.call('secondFactors.prove', { password: PASSWORD }, { token })
    expect(Date.parse(proved.data.proved_until)).toBeGreaterThan(env.clock.now() + RECENT_AUTH_LIFE - 10_000)
    expect(await env.call('secondFactors.startTotp', {}, { token })).toMatchObject({ code: 0 })
    env.pass(RECENT_AUTH_LIFE)
    expect(await env.call('secondFactors.startTotp', {}, { token })).toMatchObject({
      err: errors.recentAuthRequired.err,
    })
  })

  it('needs a one-time code if the account has them; the password is not enough', async () => {
    const person = await cautious(env)
    const { token } = await signedIn(env, person)
    env.pass(RECENT_AUTH_LIFE)
    expect(await env.call('secondFactors.prove', { password: PASSWORD }, { token })).toMatchObject({
      err: errors.recentAuthFailed.err,
    })
    const code = nextCode(env, person.secret)
    expect(await env.call('secondFactors.prove', { code }, { token })).toMatchObject({ code: 0 })
    expect(await env.call('secondFactors.makeRecoveryCodes', {}, { token })).toMatchObject({ code: 0 })
  })

  it('is refused for a wrong password, and locked after five', async () => {
    const person = await owner(env)
    env.pass(RECENT_AUTH_LIFE)
    for (let tries = 0; tries < 5; tries++)
      expect(await env.call('secondFactors.prove', { password: 'wrong' }, person)).toMatchObject({
        err: errors.recentAuthFailed.err,
      })
    expect(await env.call('secondFactors.prove', { password: PASSWORD }, person)).toMatchObject({
      err: errors.signInLocked.err,
    })
    expect(await env.call('secondFactors.prove', {}, person)).toMatchObject({ err: errors.incomplete.err })
  })
})

describe('a second factor is refused', () => {
  it('with a token that is unknown, of another client network, or expired', async () => {
    const person = await cautious(env)
    const { ticket, ip } = await ticketOf(env, person)
    const expired = { code: -1, err: errors.signInExpired.err }
    const code = nextCode(env, person.secret)
    expect(await complete({ ticket: 'nothing', code })).toMatchObject(expired)
    expect(await complete({ ticket, code }, '198.51.100.4')).toMatchObject(expired)
    env.pass(SECOND_FACTOR_LIFE)
    expect(await complete({ ticket, code: nextCode(env, person.secret) }, ip)).toMatchObject(expired)
  })

  it('after five attempts with a token, and for further tokens until the lock ends', async () => {
    const person = await cautious(env)
    const { ticket, ip } = await ticketOf(env, person)
    for (let tries = 0; tries < SECOND_FACTOR_ATTEMPTS; tries++)
      expect(
        await complete({ ticket, code: wrong(codeAt(person.secret, env.clock.now() + 3_600_000)) }, ip),
      ).toMatchObject({ err: errors.secondFactorWrong.err })
    const code = codeAt(person.secret, env.clock.now())
    expect(await complete({ ticket, code }, ip)).toMatchObject({ err: errors.signInExpired.err })
    const again = await ticketOf(env, person)
    expect(await complete({ ticket: again.ticket, code }, again.ip)).toMatchObject({
      err: errors.secondFactorLocked.err,
    })
    env.pass(60_000)
    expect(await complete({ ticket: again.ticket, code: nextCode(env, person.secret) }, again.ip)).toMatchObject({
      code: 0,
    })
  })

  it('with a token from before a password reset', async () => {
    const person = await cautious(env)
    const { ticket, ip } = await ticketOf(env, person)
    await env.call('accounts.verifyCode', { username: person.email, type: 3 })
    const verify_code = await lastCode(env, person.email)
    await env.call('accounts.resetPassword', { username: person.email, password: 'new-Tide7', verify_code })
    expect(await complete({ ticket, code: nextCode(env, person.secret) }, ip)).toMatchObject({
      err: errors.signInExpired.err,
    })
  })

  it('without any proof', async () => {
    const person = await cautious(env)
    const { ticket, ip } = await ticketOf(env, person)
    expect(await complete({ ticket }, ip)).toMatchObject({ err: errors.incomplete.err })
    expect(await complete({ ticket, code: 'abcdef' }, ip)).toMatchObject({ err: errors.secondFactorWrong.err })
    expect(await complete({ ticket, recovery: '-' }, ip)).toMatchObject({ err: errors.secondFactorWrong.err })
  })

  it('when it is already on, already off, or was not started', async () => {
    const [plain, careful] = [await owner(env), await cautious(env)]
    const token = (await signedIn(env, careful)).token
    const call = async (operation: 'startTotp' | 'makeRecoveryCodes', as: string) =>
      (await env.call(`secondFactors.${operation}`, {}, { token: as })).err
    expect(await call('startTotp', token)).toBe(errors.totpOn.err)
    const plainToken = (await signedIn(env, plain)).token
    expect(await call('makeRecoveryCodes', plainToken)).toBe(errors.noSecondFactor.err)
    const code = { code: '123456' }
    expect(await env.call('secondFactors.confirmTotp', code, { token: plainToken })).toMatchObject({
      err: errors.totpNotStarted.err,
    })
    expect(await env.call('secondFactors.confirmTotp', code, { token })).toMatchObject({ err: errors.totpOn.err })
    expect(await env.call('secondFactors.endTotp', code, { token: plainToken })).toMatchObject({
      err: errors.totpOff.err,
    })
    expect(await env.call('secondFactors.requirePasskey', { required: true }, { token })).toMatchObject({
      err: errors.passkeyMissing.err,
    })
  })

  it('from visitors, and with an API key', async () => {
    const key = await env.key(await owner(env), 'admin')
    const calls = ['overview', 'startTotp', 'makeRecoveryCodes'] as const
    for (const each of calls) {
      expect((await env.call(`secondFactors.${each}`, {})).code).toBe(401)
      expect(await env.call(`secondFactors.${each}`, {}, { token: key })).toMatchObject({ err: errors.forbidden.err })
    }
  })
})
