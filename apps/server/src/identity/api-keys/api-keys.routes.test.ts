import { errors, FREE_API_KEYS, PERMISSIONS, VIP_API_KEYS } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

interface Wanted {
  type?: 'admin' | 'normal'
  perms?: string | string[]
}
const create = (person: Person, key_name: string, wanted: Wanted = {}, method: 'GET' | 'POST' = 'GET') =>
  env.call('apiKeys.create', { key_name, ...wanted } as never, { token: person.token, method })
const list = async (person: Person) => (await env.call('apiKeys.list', {}, { token: person.token })).data.list
const permissions = async (person: Person, key_name: string) =>
  (await env.call('apiKeys.permissions', { key_name }, { token: person.token })).data.perms

describe('an API key', () => {
  it('is shown once, works immediately and is stored as a hash', async () => {
    const person = await env.person()
    const { key, secret } = (await create(person, 'first')).data
    expect(key).toMatch(/^tnk_[\w-]{43}$/)
    expect(secret).toMatch(/^ts-[\w-]{48}$/)
    expect((await env.call('accounts.vipInfo', {}, { token: key })).data.uid).toBe(person.uid)
    expect(JSON.stringify(await list(person))).not.toContain(key.slice(8))
    expect(JSON.stringify(await list(person))).not.toContain(secret)
    const rows = await env.db.rows<{ row: string }>(sql`select k::text as row from api_keys k`)
    expect(rows.some(({ row }) => row.includes(key.slice(8)) || row.includes(secret))).toBe(false)
  })

  it('is an admin key by default', async () => {
    const person = await env.person()
    await create(person, 'plain')
    expect((await list(person))[0]).toMatchObject({ type: 'admin', perms: PERMISSIONS })
  })

  it.each([
    [{ perms: 'readFile,createFile' }, ['readFile', 'createFile']],
    [{ perms: ['deleteFolder', 'readFile', 'readFile'] }, ['readFile', 'deleteFolder']],
    [
      {
        type: 'normal',
        perms: 'read file,upload file,delete file,access folder,create folder,delete folder,read devices',
      },
      PERMISSIONS,
    ],
    [{ type: 'normal', perms: 'Access_Folder' }, ['readFolder']],
  ] as [Wanted, readonly string[]][])('holds the permissions of %j', async (wanted, held) => {
    const person = await env.person()
    expect(await create(person, 'k', wanted)).toMatchObject({ code: 0 })
    expect(await permissions(person, 'k')).toEqual(held)
    expect((await list(person))[0]).toMatchObject({ type: 'normal', perms: held })
  })

  it('can be created and deleted by POST', async () => {
    const person = await env.person()
    expect(await create(person, 'posted', { perms: ['readFile'] }, 'POST')).toMatchObject({ code: 0 })
    const removed = await env.call('apiKeys.remove', { key_name: 'posted' }, { token: person.token, method: 'POST' })
    expect(removed).toMatchObject({ code: 0 })
    expect(await list(person)).toEqual([])
  })

  it('is listed newest first, with its first characters and its last use', async () => {
    const person = await env.person()
    const { key } = (await create(person, 'old')).data
    await create(person, 'new')
    expect((await list(person)).map(({ name }) => name)).toEqual(['new', 'old'])
    expect((await list(person))[1]).toMatchObject({ key: key.slice(0, 8), last_used: null, secret: '' })
    await env.call('accounts.vipInfo', {}, { token: key })
    const used = Date.parse((await list(person))[1]?.last_used ?? '')
    expect(Math.abs(used - env.clock.now())).toBeLessThan(60_000)
    env.pass(3_600_000)
    await env.call('accounts.vipInfo', {}, { token: key })
    expect(Date.parse((await list(person))[1]?.last_used ?? '') - used).toBeGreaterThanOrEqual(3_600_000)
  })

  it('has a unique name within its account', async () => {
    const [person, other] = [await env.person(), await env.person()]
    expect(await create(person, ' 密钥 🔑 ')).toMatchObject({ code: 0 })
    expect(await create(other, '密钥 🔑')).toMatchObject({ code: 0 })
    expect(await create(person, '密钥 🔑')).toMatchObject({ code: -1, err: errors.keyNameTaken.err })
  })

  it('counts against the limit of the plan, even with fifty concurrent requests', async () => {
    const vip = await env.person({ vip: true })
    for (let round = 0; round < 4; round++) {
      const person = await env.person()
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => create(person, `key ${index}`)))
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(FREE_API_KEYS)
      expect(answers.filter(({ err }) => err === errors.tooManyKeys.err)).toHaveLength(50 - FREE_API_KEYS)
    }
    for (let made = 0; made < VIP_API_KEYS; made++) expect((await create(vip, `key ${made}`)).code).toBe(0)
    expect(await create(vip, 'one more')).toMatchObject({ err: errors.tooManyKeys.err })
  })

  it('is created once by fifty concurrent requests with the same name', async () => {
    const person = await env.person()
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(person, 'same')))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })
})

describe('an API key request is refused', () => {
  it('with a deleted key, within a second', async () => {
    const person = await env.person()
    const { key } = (await create(person, 'gone')).data
    expect((await env.call('accounts.vipInfo', {}, { token: key })).code).toBe(0)
    await env.call('apiKeys.remove', { key_name: 'gone' }, { token: person.token })
    env.pass(1000)
    expect((await env.call('accounts.vipInfo', {}, { token: key })).code).toBe(401)
  })

  it.each([
    { perms: 'fly' },
    { perms: 'readFile,fly' },
    { perms: '' },
    { perms: '__proto__' },
    { type: 'normal' },
    { type: 'normal', perms: '' },
  ] as Wanted[])('the permissions %j, in the language of the caller', async (wanted) => {
    const person = await env.person()
    const answer = await create(person, 'k', wanted)
    expect(answer).toMatchObject({ code: -1, err: errors.keyPermissions.err })
    // The error names the unknown permission.
    for (const word of ['fly', '__proto__'])
      expect(String(answer.msg).includes(word)).toBe(wanted.perms?.includes(word) ?? false)
    expect(await list(person)).toEqual([])
    const input = { key_name: 'k', ...wanted } as never
    const chinese = await env.call('apiKeys.create', input, { token: person.token, lang: 'cn' })
    expect(chinese.msg).not.toBe(answer.msg)
  })

  it('with an unknown type', async () => {
    const person = await env.person()
    expect(await create(person, 'k', { type: 'root' as never })).toMatchObject({ err: errors.invalidParams.err })
  })

  it.each(['', '   ', 'a'.repeat(51), 'a/b', 'a\\b', 'a\nb', 'a\0b'])('with the name %j', async (name) => {
    expect(await create(await env.person(), name)).toMatchObject({ code: -1, err: errors.nameMissing.err })
  })

  it('from another account, which cannot see, read or delete the key', async () => {
    const [person, other] = [await env.person(), await env.person()]
    await create(person, 'mine')
    expect(await list(other)).toEqual([])
    for (const operation of ['apiKeys.permissions', 'apiKeys.remove'] as const)
      expect(await env.call(operation, { key_name: 'mine' }, { token: other.token })).toMatchObject({
        code: -1,
        err: errors.keyUnknown.err,
      })
    expect(await list(person)).toHaveLength(1)
  })

  it('from visitors, and with an API key', async () => {
    const admin = await env.key(await env.person(), 'admin')
    for (const operation of ['apiKeys.create', 'apiKeys.list', 'apiKeys.permissions', 'apiKeys.remove'] as const) {
      expect((await env.call(operation, { key_name: 'k' }, {})).code).toBe(401)
      expect(await env.call(operation, { key_name: 'k' }, { token: admin })).toMatchObject({
        err: errors.forbidden.err,
      })
    }
  })
})
