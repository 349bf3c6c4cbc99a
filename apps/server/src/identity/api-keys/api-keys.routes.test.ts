import { errors, FREE_API_KEYS, PERMISSIONS, VIP_API_KEYS } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'

let world: TestEnv
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

interface Wanted {
  type?: 'admin' | 'normal'
  perms?: string | string[]
}
const create = (person: Person, key_name: string, wanted: Wanted = {}, method: 'GET' | 'POST' = 'GET') =>
  world.call('apiKeys.create', { key_name, ...wanted } as never, { token: person.token, method })
const list = async (person: Person) => (await world.call('apiKeys.list', {}, { token: person.token })).data.list
const permissions = async (person: Person, key_name: string) =>
  (await world.call('apiKeys.permissions', { key_name }, { token: person.token })).data.perms

describe('an API key', () => {
  it('is shown once, works at once and is kept as a hash', async () => {
    const person = await world.person()
    const { key, secret } = (await create(person, 'first')).data
    expect(key).toMatch(/^tnk_[\w-]{43}$/)
    expect(secret).toMatch(/^ts-[\w-]{48}$/)
    expect((await world.call('accounts.vipInfo', {}, { token: key })).data.uid).toBe(person.uid)
    expect(JSON.stringify(await list(person))).not.toContain(key.slice(8))
    expect(JSON.stringify(await list(person))).not.toContain(secret)
    const rows = await world.db.rows<{ row: string }>(sql`select k::text as row from api_keys k`)
    expect(rows.some(({ row }) => row.includes(key.slice(8)) || row.includes(secret))).toBe(false)
  })

  it('is an admin key when nothing else is said', async () => {
    const person = await world.person()
    await create(person, 'plain')
    expect((await list(person))[0]).toMatchObject({ type: 'admin', perms: PERMISSIONS })
  })

  it.each([
    [{ perms: 'readFile,createFile' }, ['readFile', 'createFile']],
    [{ perms: ['deleteFolder', 'readFile', 'readFile'] }, ['readFile', 'deleteFolder']],
    [
      { type: 'normal', perms: 'read file,upload file,delete file,access folder,create folder,delete folder' },
      PERMISSIONS,
    ],
    [{ type: 'normal', perms: 'Access_Folder' }, ['readFolder']],
  ] as [Wanted, readonly string[]][])('holds the permissions of %j', async (wanted, held) => {
    const person = await world.person()
    expect(await create(person, 'k', wanted)).toMatchObject({ code: 0 })
    expect(await permissions(person, 'k')).toEqual(held)
    expect((await list(person))[0]).toMatchObject({ type: 'normal', perms: held })
  })

  it('is made and deleted by POST as well', async () => {
    const person = await world.person()
    expect(await create(person, 'posted', { perms: ['readFile'] }, 'POST')).toMatchObject({ code: 0 })
    const removed = await world.call('apiKeys.remove', { key_name: 'posted' }, { token: person.token, method: 'POST' })
    expect(removed).toMatchObject({ code: 0 })
    expect(await list(person)).toEqual([])
  })

  it('is listed newest first, with its first characters and its last use', async () => {
    const person = await world.person()
    const { key } = (await create(person, 'old')).data
    await create(person, 'new')
    expect((await list(person)).map(({ name }) => name)).toEqual(['new', 'old'])
    expect((await list(person))[1]).toMatchObject({ key: key.slice(0, 8), last_used: null, secret: '' })
    await world.call('accounts.vipInfo', {}, { token: key })
    const used = Date.parse((await list(person))[1]?.last_used ?? '')
    expect(Math.abs(used - world.clock.now())).toBeLessThan(60_000)
    world.pass(3_600_000)
    await world.call('accounts.vipInfo', {}, { token: key })
    expect(Date.parse((await list(person))[1]?.last_used ?? '') - used).toBeGreaterThanOrEqual(3_600_000)
  })

  it('has a name that only its own account may not use twice', async () => {
    const [person, other] = [await world.person(), await world.person()]
    expect(await create(person, ' 密钥 🔑 ')).toMatchObject({ code: 0 })
    expect(await create(other, '密钥 🔑')).toMatchObject({ code: 0 })
    expect(await create(person, '密钥 🔑')).toMatchObject({ code: -1, err: errors.keyNameTaken.err })
  })

  it('counts against the limit of the plan, which fifty at the same moment do not pass', async () => {
    const vip = await world.person({ vip: true })
    for (let round = 0; round < 4; round++) {
      const person = await world.person()
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => create(person, `key ${index}`)))
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(FREE_API_KEYS)
      expect(answers.filter(({ err }) => err === errors.tooManyKeys.err)).toHaveLength(50 - FREE_API_KEYS)
    }
    for (let made = 0; made < VIP_API_KEYS; made++) expect((await create(vip, `key ${made}`)).code).toBe(0)
    expect(await create(vip, 'one more')).toMatchObject({ err: errors.tooManyKeys.err })
  })

  it('of one name is made once when fifty ask at the same moment', async () => {
    const person = await world.person()
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(person, 'same')))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })
})

describe('refused are', () => {
  it('a deleted key within a second', async () => {
    const person = await world.person()
    const { key } = (await create(person, 'gone')).data
    expect((await world.call('accounts.vipInfo', {}, { token: key })).code).toBe(0)
    await world.call('apiKeys.remove', { key_name: 'gone' }, { token: person.token })
    world.pass(1000)
    expect((await world.call('accounts.vipInfo', {}, { token: key })).code).toBe(401)
  })

  it.each([
    { perms: 'fly' },
    { perms: 'readFile,fly' },
    { perms: '' },
    { perms: '__proto__' },
    { type: 'normal' },
    { type: 'normal', perms: '' },
  ] as Wanted[])('the permissions %j, in the language of the caller', async (wanted) => {
    const person = await world.person()
    const answer = await create(person, 'k', wanted)
    expect(answer).toMatchObject({ code: -1, err: errors.keyPermissions.err })
    // A word that is no permission is named.
    for (const word of ['fly', '__proto__'])
      expect(String(answer.msg).includes(word)).toBe(wanted.perms?.includes(word) ?? false)
    expect(await list(person)).toEqual([])
    const input = { key_name: 'k', ...wanted } as never
    const chinese = await world.call('apiKeys.create', input, { token: person.token, lang: 'cn' })
    expect(chinese.msg).not.toBe(answer.msg)
  })

  it('a kind that does not exist', async () => {
    const person = await world.person()
    expect(await create(person, 'k', { type: 'root' as never })).toMatchObject({ err: errors.invalidParams.err })
  })

  it.each(['', '   ', 'a'.repeat(51), 'a/b', 'a\\b', 'a\nb', 'a\0b'])('the name %j', async (name) => {
    expect(await create(await world.person(), name)).toMatchObject({ code: -1, err: errors.nameMissing.err })
  })

  it('another account: it neither sees, reads nor deletes the key', async () => {
    const [person, other] = [await world.person(), await world.person()]
    await create(person, 'mine')
    expect(await list(other)).toEqual([])
    for (const operation of ['apiKeys.permissions', 'apiKeys.remove'] as const)
      expect(await world.call(operation, { key_name: 'mine' }, { token: other.token })).toMatchObject({
        code: -1,
        err: errors.keyUnknown.err,
      })
    expect(await list(person)).toHaveLength(1)
  })

  it('whoever is not signed in, and keys themselves', async () => {
    const admin = await world.key(await world.person(), 'admin')
    for (const operation of ['apiKeys.create', 'apiKeys.list', 'apiKeys.permissions', 'apiKeys.remove'] as const) {
      expect((await world.call(operation, { key_name: 'k' }, {})).code).toBe(401)
      expect(await world.call(operation, { key_name: 'k' }, { token: admin })).toMatchObject({
        err: errors.forbidden.err,
      })
    }
  })
})
