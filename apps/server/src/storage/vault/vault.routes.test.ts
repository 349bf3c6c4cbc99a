import { RECENT_AUTH_LIFE, VAULT_WAYS_MAX } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { armored, sampleRecipient, sampleVault, sampleWay, sampleWrap } from './sample-vault.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const info = async (person: Person) => (await env.call('vault.info', {}, person)).data
const waysOf = async (person: Person) => (await info(person)).vault?.ways ?? []
const kinds = async (person: Person) => (await waysOf(person)).map(({ kind }) => kind)
const idOf = async (person: Person, kind: string) => (await waysOf(person)).find((way) => way.kind === kind)?.id ?? 0
const create = (person: Person, ways: object[], recipient = sampleRecipient()) =>
  env.call('vault.create', { recipient, ways: ways as never }, person)
const encrypted = async (person: Person, more: object = {}) => {
  const file = await sampleFile(env.db, person.id, more)
  await env.db.run(sql`update assets set encrypted = true where id = ${file.id}`)
  return file
}

describe('a vault', () => {
  it('has a recovery kit and another way, which only its owner reads', async () => {
    const [person, other] = [await env.person(), await env.person()]
    expect(await info(person)).toEqual({ vault: null, folders: 0, files: 0 })
    const { recipient } = await sampleVault(env, person)
    expect(await info(person)).toMatchObject({ vault: { recipient, ways: [{ kind: 'kit' }, { kind: 'passphrase' }] } })
    expect(await info(other)).toMatchObject({ vault: null })
    const apikey = await env.key(person, 'admin')
    const byKey = await env.app.inject({ url: '/api/v1/storage/vault', headers: { apikey } })
    expect(byKey.json()).toMatchObject({ code: -1, err: 1028 })
  })

  it('is not created twice, nor with too few ways', async () => {
    const person = await env.person()
    for (const ways of [[], [sampleWay('kit')], [sampleWay('passphrase')], [sampleWay('kit'), sampleWay('kit')]])
      expect(await create(person, ways)).toMatchObject({ code: -1, err: 2124 })
    expect(await create(person, [sampleWay('kit'), sampleWay('passkey')])).toMatchObject({ code: 0 })
    expect(await create(person, [sampleWay('kit'), sampleWay('passphrase')])).toMatchObject({ code: -1, err: 2122 })
  })

  it('gets more ways, and a new recovery kit in place of the old one', async () => {
    const person = await env.person()
    const { recipient } = await sampleVault(env, person)
    const add = (way: object, more: object = {}) =>
      env.call('vault.addWay', { recipient, way: way as never, ...more }, person)
    const kit = await idOf(person, 'kit')
    const passkey = (await add(sampleWay('passkey', 'laptop'))).data.id
    await add(sampleWay('kit'))
    expect(await kinds(person)).toEqual(['passphrase', 'passkey', 'kit'])
    expect(await idOf(person, 'kit')).not.toBe(kit)
    const passphrase = await idOf(person, 'passphrase')
    await add(sampleWay('passphrase', 'new'), { replaces: passphrase })
    expect((await waysOf(person)).map(({ name }) => name)).toEqual(['laptop', 'kit', 'new'])
    for (const replaces of [passphrase, passkey, 2_000_000_000])
      expect(await add(sampleWay('passphrase'), { replaces })).toMatchObject({ code: -1, err: 2125 })
    while ((await waysOf(person)).length < VAULT_WAYS_MAX) await add(sampleWay('passphrase'))
    expect(await add(sampleWay('passphrase'))).toMatchObject({ code: -1, err: 2126 })
  })

  it('keeps the kit and one other way, whatever is removed', async () => {
    const person = await env.person()
    const { recipient } = await sampleVault(env, person)
    const remove = (id: number, as = person) => env.call('vault.removeWay', { id }, as)
    for (const kind of ['kit', 'passphrase'])
      expect(await remove(await idOf(person, kind))).toMatchObject({ code: -1, err: 2124 })
    await env.call('vault.addWay', { recipient, way: sampleWay('passkey') }, person)
    expect(await remove(await idOf(person, 'kit'))).toMatchObject({ code: -1, err: 2124 })
    const [passphrase, passkey] = [await idOf(person, 'passphrase'), await idOf(person, 'passkey')]
    const both = await Promise.all([remove(passphrase), remove(passkey)])
    expect(both.map(({ code }) => code).sort()).toEqual([-1, 0])
    expect(await remove(2_000_000_000)).toMatchObject({ code: -1, err: 2125 })
    const [left] = (await waysOf(person)).filter(({ kind }) => kind !== 'kit')
    expect(await remove(left?.id ?? 0, await env.person())).toMatchObject({ code: -1, err: 2125 })
  })

  it('is removed only if nothing is encrypted, or its owner gives the files up', async () => {
    const person = await env.person()
    await sampleVault(env, person)
    const { id } = await encrypted(person)
    const remove = (lose_files = false) => env.call('vault.remove', { lose_files }, person)
    expect(await remove()).toMatchObject({ code: -1, err: 2127 })
    await env.db.run(sql`delete from assets where id = ${id}`)
    expect(await remove()).toMatchObject({ code: 0 })
    expect(await remove()).toMatchObject({ code: -1, err: 2121 })
    await sampleVault(env, person)
    await encrypted(person)
    expect(await remove(true)).toMatchObject({ code: 0 })
  })

  it('changes only after recent authentication, and only for the key that it has', async () => {
    const person = await env.person()
    const { recipient } = await sampleVault(env, person)
    const way = sampleWay('passphrase')
    const changed = await env.call('vault.addWay', { recipient: sampleRecipient(), way }, person)
    expect(changed).toMatchObject({ code: -1, err: 2123 })
    const late = await env.person()
    env.pass(RECENT_AUTH_LIFE + 1000)
    const id = await idOf(person, 'passphrase')
    const refused = [
      await env.call('vault.addWay', { recipient, way }, person),
      await env.call('vault.removeWay', { id }, person),
      await env.call('vault.remove', { lose_files: true }, person),
      await create(late, [sampleWay('kit'), way]),
    ]
    for (const answer of refused) expect(answer).toMatchObject({ code: -1, err: 1030 })
  })

  it('refuses wraps that no client could open', async () => {
    const person = await env.person()
    const kit = sampleWay('kit')
    const bad = [
      '',
      'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX',
      sampleWrap('kit'),
      sampleWrap('passphrase', { stanza: 'scrypt AAAAAAAAAAAAAAAAAAAAAA 23' }),
      sampleWrap('passphrase', { payload: 20 }),
      sampleWrap('passphrase', { payload: 900 }),
      sampleWrap('passphrase', { version: 'age-encryption.org/v2' }),
      armored(Buffer.from('x')),
      `${sampleWrap('passphrase')}more`,
    ]
    for (const wrap of bad)
      expect(await create(person, [kit, { ...sampleWay('passphrase'), wrap }])).toMatchObject({ code: -1, err: 1001 })
    const long = { ...sampleWay('passphrase'), wrap: 'x'.repeat(100_000) }
    expect(await create(person, [kit, long])).toMatchObject({ code: -1, err: 1001 })
    const nameless = { ...sampleWay('passkey'), credential: '' }
    expect(await create(person, [kit, nameless])).toMatchObject({ code: -1, err: 1001 })
    expect(await create(person, [kit, sampleWay('passphrase')], 'age1')).toMatchObject({ code: -1, err: 1001 })
    expect(await info(person)).toMatchObject({ vault: null })
  })
})
