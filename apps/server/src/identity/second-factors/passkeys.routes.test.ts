import { errors, PASSKEYS_MAX, RECENT_AUTH_LIFE, SECOND_FACTOR_LIFE } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { type Answering, type Asked, samplePasskey } from './sample-passkey.fixture.ts'
import { cautious, nextCode, owner, signedIn, ticketOf } from './sample-person.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

type Sample = ReturnType<typeof samplePasskey>

const optionsToAdd = async (token: string) => (await env.call('passkeys.addOptions', {}, { token })).data as Asked
const add = async (person: Person, name = 'laptop', passkey = samplePasskey(person.uid)) => {
  const { token } = await signedIn(env, person)
  const answer = await env.call(
    'passkeys.add',
    { name, credential: passkey.made(await optionsToAdd(token)) },
    { token },
  )
  return { answer, passkey, token }
}
const loginOptions = async () => (await env.call('passkeys.loginOptions', {})).data as Asked
const login = async (passkey: Sample, answering: Answering = {}) =>
  env.call('passkeys.login', { credential: passkey.shown(await loginOptions(), answering) })
const overview = async (token: string) => (await env.call('secondFactors.overview', {}, { token })).data
const refused = { code: -1, err: errors.passkeyRefused.err }

describe('a passkey', () => {
  it('has a name and can sign in by itself', async () => {
    const person = await owner(env)
    const { answer, passkey } = await add(person, 'my laptop')
    expect(answer).toMatchObject({ code: 0, data: { id: passkey.id } })
    const { data } = await login(passkey)
    expect((await env.call('accounts.vipInfo', {}, { token: data.token })).data.uid).toBe(person.uid)
    expect((await overview(data.token)).passkeys).toMatchObject([
      { id: passkey.id, name: 'my laptop', synced: false, used_at: expect.any(String) },
    ])
    const { signIns } = (await env.call('sessions.signIns', {}, { token: data.token })).data
    expect(signIns[0]).toMatchObject({ way: 'passkey', second: '', ok: true })
  })

  it('that is synced has no counter and is shown as synced', async () => {
    const person = await owner(env)
    const synced = samplePasskey(person.uid, undefined, { synced: true })
    await add(person, 'phone', synced)
    for (let times = 0; times < 2; times++) expect(await login(synced, { counter: 0 })).toMatchObject({ code: 0 })
    expect((await overview(person.token)).passkeys).toMatchObject([{ synced: true }])
  })

  it('counts as both factors: no code is required', async () => {
    const person = await cautious(env)
    const { passkey } = await add(person)
    expect(await login(passkey)).toMatchObject({ code: 0 })
  })

  it('is a second factor after a password', async () => {
    const person = await cautious(env)
    const { passkey } = await add(person)
    const { ticket, ways, ip } = await ticketOf(env, person)
    expect(ways).toEqual(['totp', 'passkey', 'recovery'])
    const asked = (await env.call('passkeys.secondOptions', { ticket }, { ip })).data as Asked
    const credential = passkey.shown(asked, { verified: false })
    expect(await env.call('secondFactors.complete', { ticket, credential }, { ip })).toMatchObject({ code: 0 })
  })

  it('can be required at every sign-in, instead of codes', async () => {
    const person = await owner(env)
    const { token } = await add(person)
    const { data } = await env.call('secondFactors.requirePasskey', { required: true }, { token })
    expect(data.recovery).toHaveLength(10)
    expect((await ticketOf(env, person)).ways).toEqual(['passkey', 'recovery'])
    await env.call('secondFactors.requirePasskey', { required: false }, { token })
    expect(await overview(token)).toMatchObject({ passkey_required: false, recovery_left: 0 })
  })

  it('counts as recent authentication', async () => {
    const person = await owner(env)
    const { passkey, token } = await add(person)
    env.pass(RECENT_AUTH_LIFE)
    const asked = (await env.call('passkeys.proveOptions', {}, { token })).data as Asked
    const credential = passkey.shown(asked)
    expect(await env.call('secondFactors.prove', { credential }, { token })).toMatchObject({ code: 0 })
    expect(await env.call('passkeys.addOptions', {}, { token })).toMatchObject({ code: 0 })
  })

  it('can be one of several, renamed and removed', async () => {
    const person = await owner(env)
    const { passkey: first, token } = await add(person, 'first')
    const { passkey: second } = await add(person, 'second')
    await env.call('passkeys.rename', { id: first.id, name: 'at home' }, { token })
    await env.call('secondFactors.requirePasskey', { required: true }, { token })
    await env.call('passkeys.remove', { id: second.id }, { token })
    expect((await overview(token)).passkeys.map(({ name }) => name)).toEqual(['at home'])
    expect(await login(second)).toMatchObject(refused)
    await env.call('passkeys.remove', { id: first.id }, { token })
    expect(await overview(token)).toMatchObject({ passkeys: [], passkey_required: false, recovery_left: 0 })
    const { rows } = {
      rows: await env.db.rows<{ action: string }>(
        sql`select action from audit_log where actor = ${person.uid} order by id`,
      ),
    }
    expect(rows.map(({ action }) => action)).toEqual([
      'passkey.add',
      'passkey.add',
      'passkey.rename',
      'passkey.require',
      'recovery.make',
      'passkey.remove',
      'passkey.remove',
    ])
  })
})

describe('a passkey is refused', () => {
  it('for a challenge that is unknown, for another purpose, used or expired', async () => {
    const person = await owner(env)
    const { passkey, token } = await add(person)
    const call = (asked: Asked) => env.call('passkeys.login', { credential: passkey.shown(asked) })
    expect(await call({ challenge: 'AAAA' })).toMatchObject(refused)
    expect(await call(await optionsToAdd(token))).toMatchObject(refused)
    const proving = (await env.call('passkeys.proveOptions', {}, { token })).data as Asked
    expect(await call(proving)).toMatchObject(refused)
    const asked = await loginOptions()
    expect(await call(asked)).toMatchObject({ code: 0 })
    expect(await call(asked)).toMatchObject(refused)
    const old = await loginOptions()
    env.pass(SECOND_FACTOR_LIFE)
    expect(await call(old)).toMatchObject(refused)
  })

  it('for another origin, another relying party, or without user verification', async () => {
    const person = await owner(env)
    const { passkey } = await add(person)
    expect(await login(passkey, { origin: 'http://p0rtal.test' })).toMatchObject(refused)
    expect(await login(passkey, { rpId: 'p0rtal.test' })).toMatchObject(refused)
    expect(await login(passkey, { verified: false })).toMatchObject(refused)
    expect(await login(passkey)).toMatchObject({ code: 0 })
  })

  it('if its counter does not increase, because it may be a copy', async () => {
    const { passkey } = await add(await owner(env))
    expect(await login(passkey, { counter: 9 })).toMatchObject({ code: 0 })
    expect(await login(passkey, { counter: 9 })).toMatchObject(refused)
    expect(await login(passkey, { counter: 8 })).toMatchObject(refused)
    expect(await login(passkey, { counter: 10 })).toMatchObject({ code: 0 })
  })

  it('with a changed signature, another account, or invalid data', async () => {
    const [person, stranger] = [await owner(env), await owner(env)]
    const { passkey } = await add(person)
    const credential = passkey.shown(await loginOptions())
    const foreign = samplePasskey(person.uid).shown(await loginOptions())
    const wrong = [
      { ...credential, response: { ...credential.response, signature: foreign.response.signature } },
      foreign,
      { ...foreign, id: credential.id, rawId: credential.id },
      passkey.shown(await loginOptions(), { handle: Buffer.from(stranger.uid).toString('base64url') }),
      { ...credential, response: {} },
      { ...credential, response: { clientDataJSON: 'e30' } },
    ]
    for (const each of wrong) expect(await env.call('passkeys.login', { credential: each })).toMatchObject(refused)
    expect(await env.call('passkeys.login', { credential: 'x' as never })).toMatchObject({ code: -1 })
  })

  it('as second factor of another account', async () => {
    const [person, thief] = [await cautious(env), await owner(env)]
    await add(person)
    const { passkey } = await add(thief)
    const { ticket, ip } = await ticketOf(env, person)
    const asked = (await env.call('passkeys.secondOptions', { ticket }, { ip })).data as Asked
    const credential = passkey.shown(asked)
    expect(await env.call('secondFactors.complete', { ticket, credential }, { ip })).toMatchObject(refused)
    expect(await env.call('passkeys.secondOptions', { ticket: 'nothing' })).toMatchObject({
      err: errors.signInExpired.err,
    })
  })

  it('at registration: twice, another origin, no user verification, another account, or too many', async () => {
    const [person, other] = [await owner(env), await owner(env)]
    const { passkey, token } = await add(person)
    expect((await add(other, 'taken', passkey)).answer).toMatchObject({ err: errors.passkeyExists.err })
    const fresh = samplePasskey(person.uid)
    const keep = async (credential: ReturnType<Sample['made']>, as = token) =>
      env.call('passkeys.add', { name: 'more', credential }, { token: as })
    expect(await keep(fresh.made(await optionsToAdd(token), { origin: 'http://other.test' }))).toMatchObject(refused)
    expect(await keep(fresh.made(await optionsToAdd(token), { verified: false }))).toMatchObject(refused)
    expect(await keep(fresh.made(await optionsToAdd(token)), other.token)).toMatchObject(refused)
    await env.db.run(sql`
      insert into passkeys (credential_id, user_id, public_key, counter, name, created_at)
      select 'filler' || n, ${person.id}, '', 0, 'filler', ${new Date(env.clock.now())} from generate_series(2, ${PASSKEYS_MAX}) n`)
    expect(await env.call('passkeys.addOptions', {}, { token })).toMatchObject({ err: errors.tooManyPasskeys.err })
  })

  it('when removing the only sign-in method or an unknown passkey, or renaming one of another account', async () => {
    const [person, stranger] = [await owner(env), await owner(env)]
    const { passkey, token } = await add(person)
    const foreign = { id: passkey.id, name: 'mine' }
    expect(await env.call('passkeys.rename', foreign, stranger)).toMatchObject({ err: errors.passkeyUnknown.err })
    expect(await env.call('passkeys.remove', foreign, await signedAs(stranger))).toMatchObject({
      err: errors.passkeyUnknown.err,
    })
    await env.db.run(sql`update users set email = null, password_hash = null where id = ${person.id}`)
    expect(await env.call('passkeys.remove', { id: passkey.id }, { token })).toMatchObject({
      err: errors.lastPasskey.err,
    })
    expect(await login(passkey)).toMatchObject({ code: 0 })
  })

  it('when adding or removing without recent authentication', async () => {
    const person = await owner(env)
    const { passkey, token } = await add(person)
    env.pass(RECENT_AUTH_LIFE)
    const needed = { err: errors.recentAuthRequired.err }
    expect(await env.call('passkeys.addOptions', {}, { token })).toMatchObject(needed)
    expect(await env.call('passkeys.remove', { id: passkey.id }, { token })).toMatchObject(needed)
  })

  it('if the portal’s host is a public IP address', async () => {
    const elsewhere = await setup({ publicUrl: 'https://203.0.113.7' })
    try {
      expect(await elsewhere.call('passkeys.loginOptions', {})).toMatchObject({ err: errors.passkeysUnavailable.err })
    } finally {
      await elsewhere.close()
    }
  })

  it('for a locked account', async () => {
    const person = await cautious(env)
    const { passkey } = await add(person)
    const { ticket, ip } = await ticketOf(env, person)
    await env.db.run(sql`update users set locked_at = ${new Date(env.clock.now())} where id = ${person.id}`)
    expect((await login(passkey)).code).toBe(401)
    const code = nextCode(env, person.secret)
    expect((await env.call('secondFactors.complete', { ticket, code }, { ip })).code).toBe(401)
  })
})

const signedAs = async (person: Person) => ({ token: (await signedIn(env, person)).token })
