import { errors, RECENT_AUTH_LIFE, SECOND_FACTOR_ATTEMPTS } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, samplePasskey } from '../../apps/server/src/identity/second-factors/sample-passkey.fixture.ts'
import {
  cautious,
  newPlace,
  nextCode,
  owner,
  PASSWORD,
  signedIn,
  ticketOf,
} from '../../apps/server/src/identity/second-factors/sample-person.fixture.ts'
import { codeAt } from '../../apps/server/src/identity/second-factors/totp.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const who = (token: string) => env.call('accounts.vipInfo', {}, { token })
/** Each call has its own address, so that no rate limit hides what is tested. */
const inject = (url: string, payload: object, ip: string) =>
  env.app
    .inject({ method: 'POST', url, payload, remoteAddress: ip })
    .then((answer) => answer.json<{ code: number; err?: number; data?: { token?: string } }>())

describe('guessing a second factor', () => {
  it('is limited to five attempts; then the right code is refused too', async () => {
    const person = await cautious(env)
    const { ticket, ip } = await ticketOf(env, person)
    for (let tries = 0; tries < SECOND_FACTOR_ATTEMPTS; tries++)
      expect(await env.call('secondFactors.complete', { ticket, recovery: `wrong-${tries}` }, { ip })).toMatchObject({
        err: errors.secondFactorWrong.err,
      })
    const recovery = person.recovery[0] as string
    expect(await env.call('secondFactors.complete', { ticket, recovery }, { ip })).toMatchObject({
      err: errors.signInExpired.err,
    })
    const again = await ticketOf(env, person)
    expect(await env.call('secondFactors.complete', { ticket: again.ticket, recovery }, again)).toMatchObject({
      err: errors.secondFactorLocked.err,
    })
  })

  it('with new second-factor tokens takes longer each time', async () => {
    const person = await cautious(env)
    const waits: number[] = []
    for (let round = 0; round < 8; round++) {
      const { ticket, ip } = await ticketOf(env, person)
      const { msg = '' } = await env.call('secondFactors.complete', { ticket, recovery: 'wrong' }, { ip })
      const wait = Number(/\d+/.exec(msg)?.[0] ?? 0)
      waits.push(wait)
      env.pass(wait * 1000)
    }
    const locked = waits.filter((wait) => wait > 0)
    expect(locked.length).toBeGreaterThan(1)
    expect(locked).toEqual([...locked].sort((a, b) => a - b))
  })
})

describe('replay', () => {
  it('of a second-factor token is rejected', async () => {
    const person = await cautious(env)
    const { ticket, ip } = await ticketOf(env, person)
    expect(
      await env.call('secondFactors.complete', { ticket, code: nextCode(env, person.secret) }, { ip }),
    ).toMatchObject({
      code: 0,
    })
    expect(
      await env.call('secondFactors.complete', { ticket, code: nextCode(env, person.secret) }, { ip }),
    ).toMatchObject({
      err: errors.signInExpired.err,
    })
  })

  it('of a one-time code is rejected, also of an earlier one and the one of the setup', async () => {
    const person = await owner(env)
    const { token } = await signedIn(env, person)
    const { secret } = (await env.call('secondFactors.startTotp', {}, { token })).data
    const code = nextCode(env, secret)
    const earlier = codeAt(secret, env.clock.now() - 30_000)
    await env.call('secondFactors.confirmTotp', { code }, { token })
    for (const used of [code, earlier]) {
      const { ticket, ip } = await ticketOf(env, person)
      expect(await env.call('secondFactors.complete', { ticket, code: used }, { ip })).toMatchObject({
        err: errors.secondFactorWrong.err,
      })
      expect(await env.call('secondFactors.endTotp', { code: used }, { token })).toMatchObject({
        err: errors.secondFactorWrong.err,
      })
    }
  })

  it('of a second-factor token as a session token is rejected, and vice versa', async () => {
    const person = await cautious(env)
    const { ticket, ip } = await ticketOf(env, person)
    expect((await who(ticket)).code).toBe(401)
    const code = nextCode(env, person.secret)
    expect(await env.call('secondFactors.complete', { ticket: person.token, code }, { ip })).toMatchObject({
      code: -1,
    })
  })
})

describe('the second factor', () => {
  it('cannot be changed with a second-factor token', async () => {
    const person = await cautious(env)
    const { ticket } = await ticketOf(env, person)
    for (const operation of ['startTotp', 'overview', 'makeRecoveryCodes'] as const)
      expect((await env.call(`secondFactors.${operation}`, {}, { token: ticket })).code).toBe(401)
  })

  it('is required by every path of the sign-in', async () => {
    const person = await cautious(env)
    for (const url of ['/api/v1/user/login', '/api/v1/storage/login', '/api/v2/login']) {
      const answer = await inject(url, { username: person.email, password: PASSWORD }, newPlace())
      expect(answer).toMatchObject({ code: -1, err: errors.secondFactorNeeded.err })
      expect(answer.data?.token).toBeUndefined()
    }
  })

  it('cannot be an authenticator key that was never confirmed', async () => {
    const person = await owner(env)
    const { token } = person
    const { secret } = (await env.call('secondFactors.startTotp', {}, { token })).data
    env.pass(RECENT_AUTH_LIFE)
    expect(await env.call('secondFactors.prove', { code: nextCode(env, secret) }, { token })).toMatchObject({
      err: errors.secondFactorWrong.err,
    })
    expect((await env.call('secondFactors.overview', {}, { token })).data.proved_until).toBeNull()
    expect(await env.call('secondFactors.startTotp', {}, { token })).toMatchObject({
      err: errors.recentAuthRequired.err,
    })
  })

  it('cannot be a one-time code if a passkey is required', async () => {
    const person = await cautious(env)
    const { token } = await signedIn(env, person)
    const passkey = samplePasskey(person.uid)
    const asked = (await env.call('passkeys.addOptions', {}, { token })).data as Asked
    await env.call('passkeys.add', { name: 'one', credential: passkey.made(asked) }, { token })
    await env.call('secondFactors.requirePasskey', { required: true }, { token })
    env.pass(RECENT_AUTH_LIFE)
    const code = nextCode(env, person.secret)
    expect(await env.call('secondFactors.prove', { code }, { token })).toMatchObject({
      err: errors.secondFactorWrong.err,
    })
    const off = { required: false }
    expect(await env.call('secondFactors.requirePasskey', off, { token })).toMatchObject({
      err: errors.recentAuthRequired.err,
    })
    const options = (await env.call('passkeys.proveOptions', {}, { token })).data as Asked
    const credential = passkey.shown(options)
    expect(await env.call('secondFactors.prove', { credential }, { token })).toMatchObject({ code: 0 })
  })

  it('is not revealed before the password is right', async () => {
    const [careful, plain] = [await cautious(env), await owner(env)]
    const attempt = async ({ email }: Person) => {
      const { code, msg, data } = await env.call('accounts.login', { username: email, password: 'wrong-Net1' })
      return { code, msg, data }
    }
    expect(await attempt(careful)).toEqual(await attempt(plain))
  })

  it('cannot be copied to another account in the database', async () => {
    const [victim, thief] = [await cautious(env), await cautious(env)]
    await env.db.run(sql`
      update totp set secret = (select secret from totp where user_id = ${thief.id}), last_step = 0 where user_id = ${victim.id}`)
    const { ticket, ip } = await ticketOf(env, victim)
    expect(
      await env.call('secondFactors.complete', { ticket, code: nextCode(env, thief.secret) }, { ip }),
    ).toMatchObject({
      err: errors.secondFactorWrong.err,
    })
  })

  it('is not stored in plain text', async () => {
    const person = await cautious(env)
    const { ticket } = await ticketOf(env, person)
    const tables = ['totp', 'recovery_codes', 'second_factor_tickets', 'sign_ins', 'audit_log', 'session_keys']
    for (const table of tables) {
      const rows = await env.db.rows({ text: `select * from ${table}`, values: [] })
      const text = JSON.stringify(rows, (_, value) =>
        value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
      )
      for (const secret of [person.secret, ticket, ...person.recovery]) expect(text).not.toContain(secret)
    }
  })
})
