import { errors, RECENT_AUTH_LIFE, RECOVERY_CODES, SECOND_FACTOR_ATTEMPTS, SECOND_FACTOR_LIFE } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { lastCode } from '../../platform/mail/inbox.fixture.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { cautious, nextCode, owed, owner, PASSWORD, signedIn, ticketOf } from './sample-person.fixture.ts'
import { codeAt } from './totp.ts'

let world: TestEnv
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

const complete = (input: { ticket: string; code?: string; recovery?: string }, ip = '127.0.0.1') =>
  world.call('secondFactors.complete', input, { ip })
const overview = async (token: string) => (await world.call('secondFactors.overview', {}, { token })).data
const who = (token: string) => world.call('accounts.vipInfo', {}, { token })
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const actions = async (uid: string) =>
  (await world.db.rows<{ action: string }>(sql`select action from audit_log where actor = ${uid} order by id`)).map(
    ({ action }) => action,
  )

describe('one-time codes', () => {
  it('are on once the app has shown a code, and come with ten recovery codes', async () => {
    const person = await owner(world)
    const started = await world.call('secondFactors.startTotp', {}, { token: person.token })
    expect(started.data.uri).toContain(started.data.secret)
    expect((await overview(person.token)).totp_since).toBeNull()
    expect(await world.call('accounts.login', { username: person.email, password: PASSWORD })).toMatchObject({
      code: 0,
    })
    const code = nextCode(world, started.data.secret)
    const { data } = await world.call('secondFactors.confirmTotp', { code }, { token: person.token })
    expect(new Set(data.recovery).size).toBe(RECOVERY_CODES)
    expect(await overview(person.token)).toMatchObject({
      totp_since: expect.any(String),
      recovery_left: RECOVERY_CODES,
      password: true,
    })
    expect(await actions(person.uid)).toEqual(['totp.on', 'recovery.make'])
  })

  it('are then asked for after a password and after a mailed code', async () => {
    const person = await cautious(world)
    const byPassword = await world.call('accounts.login', { username: person.email, password: PASSWORD })
    expect(byPassword).toMatchObject({ code: -1, err: errors.secondFactorNeeded.err, status: 200 })
    expect(owed(byPassword).ways).toEqual(['totp', 'recovery'])
    expect(JSON.stringify(byPassword.data)).not.toContain('eyJ')
    await world.call('accounts.verifyCode', { username: person.email, type: 2 })
    const verify_code = await lastCode(world, person.email)
    const byCode = await world.call('accounts.login', { username: person.email, verify_code })
    const { data } = await complete({ ...owed(byCode), code: nextCode(world, person.secret) })
    expect((await who(data.token)).data.uid).toBe(person.uid)
  })

  it('may have blanks, and be of the step before or after', async () => {
    const person = await cautious(world)
    for (const offset of [-30_000, 30_000]) {
      world.pass(10 * 60_000)
      const { ticket, ip } = await ticketOf(world, person)
      const code = codeAt(person.secret, world.clock.now() + offset)
      expect(await complete({ ticket, code: `${code.slice(0, 3)} ${code.slice(3)}` }, ip)).toMatchObject({ code: 0 })
    }
  })

  it('are turned off by a code, and their recovery codes with them', async () => {
    const person = await cautious(world)
    const { token } = await signedIn(world, person)
    expect(await world.call('secondFactors.endTotp', { code: '000000' }, { token })).toMatchObject({
      err: errors.secondFactorWrong.err,
    })
    const code = nextCode(world, person.secret)
    expect(await world.call('secondFactors.endTotp', { code }, { token })).toMatchObject({ code: 0 })
    expect(await overview(token)).toMatchObject({ totp_since: null, recovery_left: 0 })
    expect(await world.call('accounts.login', { username: person.email, password: PASSWORD })).toMatchObject({
      code: 0,
    })
  })

  it('lie in the database sealed, recovery codes hashed', async () => {
    const person = await cautious(world)
    const { secret } = await world.db.one<{ secret: Buffer }>(sql`select secret from totp where user_id = ${person.id}`)
    expect(secret.length).toBe(12 + 16 + 20)
    const rows = await world.db.rows<{ code_hash: Buffer }>(
      sql`select code_hash from recovery_codes where user_id = ${person.id}`,
    )
    for (const { code_hash } of rows)
      for (const code of person.recovery) expect(code_hash.toString('latin1')).not.toContain(code.slice(0, 5))
  })
})

describe('recovery codes', () => {
  it('let in once each, however they are typed', async () => {
    const person = await cautious(world)
    const [first = '', second = ''] = person.recovery
    for (const recovery of [first, second.toUpperCase().replace('-', ' ').replaceAll('0', 'O')]) {
      const { ticket, ip } = await ticketOf(world, person)
      expect(await complete({ ticket, recovery }, ip)).toMatchObject({ code: 0 })
    }
    const { ticket, ip } = await ticketOf(world, person)
    expect(await complete({ ticket, recovery: first }, ip)).toMatchObject({ err: errors.secondFactorWrong.err })
    const { token } = await signedIn(world, person)
    expect((await overview(token)).recovery_left).toBe(RECOVERY_CODES - 2)
    expect(await actions(person.uid)).toContain('recovery.use')
  })

  it('are replaced all at once', async () => {
    const person = await cautious(world)
    const { token } = await signedIn(world, person)
    const { recovery } = (await world.call('secondFactors.makeRecoveryCodes', {}, { token })).data
    expect(recovery).toHaveLength(RECOVERY_CODES)
    const { ticket, ip } = await ticketOf(world, person)
    expect(await complete({ ticket, recovery: person.recovery[0] as string }, ip)).toMatchObject({
      err: errors.secondFactorWrong.err,
    })
    expect(await complete({ ticket, recovery: recovery[0] as string }, ip)).toMatchObject({ code: 0 })
  })
})

describe('the record of sign-ins', () => {
  it('shows who came in, by what, and who did not', async () => {
    const person = await cautious(world)
    await world.call('accounts.login', { username: person.email, password: 'wrong-Net1' }, { agent: 'curl/8.5.0' })
    await ticketOf(world, person, '203.0.113.9')
    const { ticket, ip } = await ticketOf(world, person)
    const { data } = await complete({ ticket, code: nextCode(world, person.secret) }, ip)
    const { signIns } = (await world.call('sessions.signIns', {}, { token: data.token })).data
    expect(signIns.map(({ way, second, ok }) => `${way} ${second} ${ok}`)).toEqual([
      'password totp true',
      'password owed false',
      'password  false',
    ])
    expect(signIns[1]?.place).toEqual({ kind: 'public', network: '203.0.113.x' })
    expect(signIns[2]?.device).toMatchObject({ kind: 'program', program: 'curl' })
  })
})

describe('a proof', () => {
  it('is asked for ten minutes after the sign-in, and holds for ten minutes', async () => {
    const person = await owner(world)
    world.pass(RECENT_AUTH_LIFE)
    const { token } = person
    expect((await overview(token)).proved_until).toBeNull()
    expect(await world.call('secondFactors.startTotp', {}, { token })).toMatchObject({
      err: errors.recentAuthRequired.err,
    })
    const proved = await world.call('secondFactors.prove', { password: PASSWORD }, { token })
    expect(Date.parse(proved.data.proved_until)).toBeGreaterThan(world.clock.now() + RECENT_AUTH_LIFE - 10_000)
    expect(await world.call('secondFactors.startTotp', {}, { token })).toMatchObject({ code: 0 })
    world.pass(RECENT_AUTH_LIFE)
    expect(await world.call('secondFactors.startTotp', {}, { token })).toMatchObject({
      err: errors.recentAuthRequired.err,
    })
  })

  it('is a one-time code where the account has them; the password is not enough', async () => {
    const person = await cautious(world)
    const { token } = await signedIn(world, person)
    world.pass(RECENT_AUTH_LIFE)
    expect(await world.call('secondFactors.prove', { password: PASSWORD }, { token })).toMatchObject({
      err: errors.recentAuthFailed.err,
    })
    const code = nextCode(world, person.secret)
    expect(await world.call('secondFactors.prove', { code }, { token })).toMatchObject({ code: 0 })
    expect(await world.call('secondFactors.makeRecoveryCodes', {}, { token })).toMatchObject({ code: 0 })
  })

  it('by a wrong password is refused, and soon only after a wait', async () => {
    const person = await owner(world)
    world.pass(RECENT_AUTH_LIFE)
    for (let tries = 0; tries < 5; tries++)
      expect(await world.call('secondFactors.prove', { password: 'wrong' }, person)).toMatchObject({
        err: errors.recentAuthFailed.err,
      })
    expect(await world.call('secondFactors.prove', { password: PASSWORD }, person)).toMatchObject({
      err: errors.signInLocked.err,
    })
    expect(await world.call('secondFactors.prove', {}, person)).toMatchObject({ err: errors.incomplete.err })
  })
})

describe('refused is', () => {
  it('a ticket that nobody was given, of another network, or too old', async () => {
    const person = await cautious(world)
    const { ticket, ip } = await ticketOf(world, person)
    const expired = { code: -1, err: errors.signInExpired.err }
    const code = nextCode(world, person.secret)
    expect(await complete({ ticket: 'nothing', code })).toMatchObject(expired)
    expect(await complete({ ticket, code }, '198.51.100.4')).toMatchObject(expired)
    world.pass(SECOND_FACTOR_LIFE)
    expect(await complete({ ticket, code: nextCode(world, person.secret) }, ip)).toMatchObject(expired)
  })

  it('a ticket after five tries, and further tickets until the wait is over', async () => {
    const person = await cautious(world)
    const { ticket, ip } = await ticketOf(world, person)
    for (let tries = 0; tries < SECOND_FACTOR_ATTEMPTS; tries++)
      expect(
        await complete({ ticket, code: wrong(codeAt(person.secret, world.clock.now() + 3_600_000)) }, ip),
      ).toMatchObject({ err: errors.secondFactorWrong.err })
    const code = codeAt(person.secret, world.clock.now())
    expect(await complete({ ticket, code }, ip)).toMatchObject({ err: errors.signInExpired.err })
    const again = await ticketOf(world, person)
    expect(await complete({ ticket: again.ticket, code }, again.ip)).toMatchObject({
      err: errors.secondFactorLocked.err,
    })
    world.pass(60_000)
    expect(await complete({ ticket: again.ticket, code: nextCode(world, person.secret) }, again.ip)).toMatchObject({
      code: 0,
    })
  })

  it('a ticket of before a new password', async () => {
    const person = await cautious(world)
    const { ticket, ip } = await ticketOf(world, person)
    await world.call('accounts.verifyCode', { username: person.email, type: 3 })
    const verify_code = await lastCode(world, person.email)
    await world.call('accounts.resetPassword', { username: person.email, password: 'new-Tide7', verify_code })
    expect(await complete({ ticket, code: nextCode(world, person.secret) }, ip)).toMatchObject({
      err: errors.signInExpired.err,
    })
  })

  it('what is no proof at all', async () => {
    const person = await cautious(world)
    const { ticket, ip } = await ticketOf(world, person)
    expect(await complete({ ticket }, ip)).toMatchObject({ err: errors.incomplete.err })
    expect(await complete({ ticket, code: 'abcdef' }, ip)).toMatchObject({ err: errors.secondFactorWrong.err })
    expect(await complete({ ticket, recovery: '-' }, ip)).toMatchObject({ err: errors.secondFactorWrong.err })
  })

  it('what is on already, off already, or was never begun', async () => {
    const [plain, careful] = [await owner(world), await cautious(world)]
    const token = (await signedIn(world, careful)).token
    const call = async (operation: 'startTotp' | 'makeRecoveryCodes', as: string) =>
      (await world.call(`secondFactors.${operation}`, {}, { token: as })).err
    expect(await call('startTotp', token)).toBe(errors.totpOn.err)
    const plainToken = (await signedIn(world, plain)).token
    expect(await call('makeRecoveryCodes', plainToken)).toBe(errors.noSecondFactor.err)
    const code = { code: '123456' }
    expect(await world.call('secondFactors.confirmTotp', code, { token: plainToken })).toMatchObject({
      err: errors.totpNotStarted.err,
    })
    expect(await world.call('secondFactors.confirmTotp', code, { token })).toMatchObject({ err: errors.totpOn.err })
    expect(await world.call('secondFactors.endTotp', code, { token: plainToken })).toMatchObject({
      err: errors.totpOff.err,
    })
    expect(await world.call('secondFactors.requirePasskey', { required: true }, { token })).toMatchObject({
      err: errors.passkeyMissing.err,
    })
  })

  it('a visitor, and a program with a key', async () => {
    const key = await world.key(await owner(world), 'admin')
    const calls = ['overview', 'startTotp', 'makeRecoveryCodes'] as const
    for (const each of calls) {
      expect((await world.call(`secondFactors.${each}`, {})).code).toBe(401)
      expect(await world.call(`secondFactors.${each}`, {}, { token: key })).toMatchObject({ err: errors.forbidden.err })
    }
  })
})
