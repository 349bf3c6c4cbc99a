import { errors, PASSKEYS_MAX, RECENT_AUTH_LIFE, SECOND_FACTOR_LIFE } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { type Answering, type Asked, samplePasskey } from './sample-passkey.fixture.ts'
import { cautious, nextCode, owner, signedIn, ticketOf } from './sample-person.fixture.ts'

let world: TestEnv
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

type Sample = ReturnType<typeof samplePasskey>

const optionsToAdd = async (token: string) => (await world.call('passkeys.addOptions', {}, { token })).data as Asked
const add = async (person: Person, name = 'laptop', passkey = samplePasskey(person.uid)) => {
  const { token } = await signedIn(world, person)
  const answer = await world.call(
    'passkeys.add',
    { name, credential: passkey.made(await optionsToAdd(token)) },
    { token },
  )
  return { answer, passkey, token }
}
const loginOptions = async () => (await world.call('passkeys.loginOptions', {})).data as Asked
const login = async (passkey: Sample, answering: Answering = {}) =>
  world.call('passkeys.login', { credential: passkey.shown(await loginOptions(), answering) })
const overview = async (token: string) => (await world.call('secondFactors.overview', {}, { token })).data
const refused = { code: -1, err: errors.passkeyRefused.err }

describe('a passkey', () => {
  it('is kept with a name and signs in by itself', async () => {
    const person = await owner(world)
    const { answer, passkey } = await add(person, 'my laptop')
    expect(answer).toMatchObject({ code: 0, data: { id: passkey.id } })
    const { data } = await login(passkey)
    expect((await world.call('accounts.vipInfo', {}, { token: data.token })).data.uid).toBe(person.uid)
    expect((await overview(data.token)).passkeys).toMatchObject([
      { id: passkey.id, name: 'my laptop', synced: false, used_at: expect.any(String) },
    ])
    const { signIns } = (await world.call('sessions.signIns', {}, { token: data.token })).data
    expect(signIns[0]).toMatchObject({ way: 'passkey', second: '', ok: true })
  })

  it('that its maker keeps on several devices counts nothing and is shown as such', async () => {
    const person = await owner(world)
    const synced = samplePasskey(person.uid, undefined, { synced: true })
    await add(person, 'phone', synced)
    for (let times = 0; times < 2; times++) expect(await login(synced, { counter: 0 })).toMatchObject({ code: 0 })
    expect((await overview(person.token)).passkeys).toMatchObject([{ synced: true }])
  })

  it('is both factors: no code is asked for besides', async () => {
    const person = await cautious(world)
    const { passkey } = await add(person)
    expect(await login(passkey)).toMatchObject({ code: 0 })
  })

  it('is a second factor after a password', async () => {
    const person = await cautious(world)
    const { passkey } = await add(person)
    const { ticket, ways, ip } = await ticketOf(world, person)
    expect(ways).toEqual(['totp', 'passkey', 'recovery'])
    const asked = (await world.call('passkeys.secondOptions', { ticket }, { ip })).data as Asked
    const credential = passkey.shown(asked, { verified: false })
    expect(await world.call('secondFactors.complete', { ticket, credential }, { ip })).toMatchObject({ code: 0 })
  })

  it('can be asked for by every sign-in, in the place of codes', async () => {
    const person = await owner(world)
    const { token } = await add(person)
    const { data } = await world.call('secondFactors.requirePasskey', { required: true }, { token })
    expect(data.recovery).toHaveLength(10)
    expect((await ticketOf(world, person)).ways).toEqual(['passkey', 'recovery'])
    await world.call('secondFactors.requirePasskey', { required: false }, { token })
    expect(await overview(token)).toMatchObject({ passkey_required: false, recovery_left: 0 })
  })

  it('is a proof that its owner is there', async () => {
    const person = await owner(world)
    const { passkey, token } = await add(person)
    world.pass(RECENT_AUTH_LIFE)
    const asked = (await world.call('passkeys.proveOptions', {}, { token })).data as Asked
    const credential = passkey.shown(asked)
    expect(await world.call('secondFactors.prove', { credential }, { token })).toMatchObject({ code: 0 })
    expect(await world.call('passkeys.addOptions', {}, { token })).toMatchObject({ code: 0 })
  })

  it('can be one of several, renamed and removed', async () => {
    const person = await owner(world)
    const { passkey: first, token } = await add(person, 'first')
    const { passkey: second } = await add(person, 'second')
    await world.call('passkeys.rename', { id: first.id, name: 'at home' }, { token })
    await world.call('secondFactors.requirePasskey', { required: true }, { token })
    await world.call('passkeys.remove', { id: second.id }, { token })
    expect((await overview(token)).passkeys.map(({ name }) => name)).toEqual(['at home'])
    expect(await login(second)).toMatchObject(refused)
    await world.call('passkeys.remove', { id: first.id }, { token })
    expect(await overview(token)).toMatchObject({ passkeys: [], passkey_required: false, recovery_left: 0 })
    const { rows } = {
      rows: await world.db.rows<{ action: string }>(
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

describe('refused is', () => {
  it('an answer to a challenge that is not ours, is another purpose’s, was answered, or is too old', async () => {
    const person = await owner(world)
    const { passkey, token } = await add(person)
    const call = (asked: Asked) => world.call('passkeys.login', { credential: passkey.shown(asked) })
    expect(await call({ challenge: 'AAAA' })).toMatchObject(refused)
    expect(await call(await optionsToAdd(token))).toMatchObject(refused)
    const proving = (await world.call('passkeys.proveOptions', {}, { token })).data as Asked
    expect(await call(proving)).toMatchObject(refused)
    const asked = await loginOptions()
    expect(await call(asked)).toMatchObject({ code: 0 })
    expect(await call(asked)).toMatchObject(refused)
    const old = await loginOptions()
    world.pass(SECOND_FACTOR_LIFE)
    expect(await call(old)).toMatchObject(refused)
  })

  it('an answer of another site, for another site, or of a device that did not look who holds it', async () => {
    const person = await owner(world)
    const { passkey } = await add(person)
    expect(await login(passkey, { origin: 'http://p0rtal.test' })).toMatchObject(refused)
    expect(await login(passkey, { rpId: 'p0rtal.test' })).toMatchObject(refused)
    expect(await login(passkey, { verified: false })).toMatchObject(refused)
    expect(await login(passkey)).toMatchObject({ code: 0 })
  })

  it('a copy: its counter does not go up', async () => {
    const { passkey } = await add(await owner(world))
    expect(await login(passkey, { counter: 9 })).toMatchObject({ code: 0 })
    expect(await login(passkey, { counter: 9 })).toMatchObject(refused)
    expect(await login(passkey, { counter: 8 })).toMatchObject(refused)
    expect(await login(passkey, { counter: 10 })).toMatchObject({ code: 0 })
  })

  it('a changed signature, a foreign account, and garbage', async () => {
    const [person, stranger] = [await owner(world), await owner(world)]
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
    for (const each of wrong) expect(await world.call('passkeys.login', { credential: each })).toMatchObject(refused)
    expect(await world.call('passkeys.login', { credential: 'x' as never })).toMatchObject({ code: -1 })
  })

  it('somebody else’s passkey as second factor', async () => {
    const [person, thief] = [await cautious(world), await owner(world)]
    await add(person)
    const { passkey } = await add(thief)
    const { ticket, ip } = await ticketOf(world, person)
    const asked = (await world.call('passkeys.secondOptions', { ticket }, { ip })).data as Asked
    const credential = passkey.shown(asked)
    expect(await world.call('secondFactors.complete', { ticket, credential }, { ip })).toMatchObject(refused)
    expect(await world.call('passkeys.secondOptions', { ticket: 'nothing' })).toMatchObject({
      err: errors.signInExpired.err,
    })
  })

  it('to keep one twice, of another site, without a look at who holds it, for another account, or too many', async () => {
    const [person, other] = [await owner(world), await owner(world)]
    const { passkey, token } = await add(person)
    expect((await add(other, 'taken', passkey)).answer).toMatchObject({ err: errors.passkeyExists.err })
    const fresh = samplePasskey(person.uid)
    const keep = async (credential: ReturnType<Sample['made']>, as = token) =>
      world.call('passkeys.add', { name: 'more', credential }, { token: as })
    expect(await keep(fresh.made(await optionsToAdd(token), { origin: 'http://other.test' }))).toMatchObject(refused)
    expect(await keep(fresh.made(await optionsToAdd(token), { verified: false }))).toMatchObject(refused)
    expect(await keep(fresh.made(await optionsToAdd(token)), other.token)).toMatchObject(refused)
    await world.db.run(sql`
      insert into passkeys (credential_id, user_id, public_key, counter, name, created_at)
      select 'filler' || n, ${person.id}, '', 0, 'filler', ${new Date(world.clock.now())} from generate_series(2, ${PASSKEYS_MAX}) n`)
    expect(await world.call('passkeys.addOptions', {}, { token })).toMatchObject({ err: errors.tooManyPasskeys.err })
  })

  it('to remove the last way in, or one that is not there, or to rename somebody else’s', async () => {
    const [person, stranger] = [await owner(world), await owner(world)]
    const { passkey, token } = await add(person)
    const foreign = { id: passkey.id, name: 'mine' }
    expect(await world.call('passkeys.rename', foreign, stranger)).toMatchObject({ err: errors.passkeyUnknown.err })
    expect(await world.call('passkeys.remove', foreign, await signedAs(stranger))).toMatchObject({
      err: errors.passkeyUnknown.err,
    })
    await world.db.run(sql`update users set email = null, password_hash = null where id = ${person.id}`)
    expect(await world.call('passkeys.remove', { id: passkey.id }, { token })).toMatchObject({
      err: errors.lastPasskey.err,
    })
    expect(await login(passkey)).toMatchObject({ code: 0 })
  })

  it('a session that is no longer young, to add and to remove', async () => {
    const person = await owner(world)
    const { passkey, token } = await add(person)
    world.pass(RECENT_AUTH_LIFE)
    const needed = { err: errors.recentAuthRequired.err }
    expect(await world.call('passkeys.addOptions', {}, { token })).toMatchObject(needed)
    expect(await world.call('passkeys.remove', { id: passkey.id }, { token })).toMatchObject(needed)
  })

  it('every passkey where the portal is reached by a number of the internet', async () => {
    const elsewhere = await setup({ publicUrl: 'https://203.0.113.7' })
    try {
      expect(await elsewhere.call('passkeys.loginOptions', {})).toMatchObject({ err: errors.passkeysUnavailable.err })
    } finally {
      await elsewhere.close()
    }
  })

  it('a locked account, whatever it shows', async () => {
    const person = await cautious(world)
    const { passkey } = await add(person)
    const { ticket, ip } = await ticketOf(world, person)
    await world.db.run(sql`update users set locked_at = ${new Date(world.clock.now())} where id = ${person.id}`)
    expect((await login(passkey)).code).toBe(401)
    const code = nextCode(world, person.secret)
    expect((await world.call('secondFactors.complete', { ticket, code }, { ip })).code).toBe(401)
  })
})

const signedAs = async (person: Person) => ({ token: (await signedIn(world, person)).token })
