import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { deleteExpired } from '../../platform/tasks/expired.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { openSession } from '../sessions/tokens.ts'
import { deleteKeysSince, expired } from './repository.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const DAY = 86_400_000

const create = async (person: Person, terms: object = {}) =>
  (await env.call('apiKeys.create', { key_name: 'k', ...terms }, person)).data.key
const remove = (person: Person, key_name = 'k') => env.call('apiKeys.remove', { key_name }, person)
const restore = (person: Person, key_name = 'k') => env.call('apiKeys.restore', { key_name }, person)
const listed = async (person: Person) => (await env.call('apiKeys.list', {}, person)).data.list
const works = async (key: string) => (await env.call('accounts.vipInfo', {}, { token: key })).code === 0

describe('restoring a deleted key', () => {
  it('lets the same key work again, with its terms and the key that it replaced', async () => {
    const person = await env.person()
    const old = await create(person, { perms: ['readFolder'], ips: ['127.0.0.1'] })
    const { key } = (await env.call('apiKeys.rotate', { key_name: 'k' }, person)).data
    const before = await listed(person)
    await remove(person)
    expect([await works(old), await works(key)]).toEqual([false, false])
    expect(await listed(person)).toEqual([])
    env.pass(60_000)
    expect(await restore(person)).toMatchObject({ code: 0 })
    expect(await listed(person)).toEqual(before)
    expect([await works(old), await works(key)]).toEqual([true, true])
  })

  it('chooses the one that was deleted last, if several had the name', async () => {
    const person = await env.person()
    const first = await create(person)
    await remove(person)
    env.pass(1000)
    const second = await create(person)
    await remove(person)
    await restore(person)
    expect([await works(first), await works(second)]).toEqual([false, true])
  })

  it('is offered in the list of keys, once for each name', async () => {
    const person = await env.person()
    await create(person)
    await remove(person)
    env.pass(1000)
    const key = await create(person)
    await remove(person)
    const { data } = await env.call('apiKeys.list', {}, person)
    expect(data.removed).toMatchObject([{ name: 'k', key: key.slice(0, 8) }])
    const life = data.removed.map(({ until, removed_at }) => Date.parse(until) - Date.parse(removed_at))
    expect(life).toEqual([7 * DAY])
    await restore(person)
    expect((await env.call('apiKeys.list', {}, person)).data.removed).toHaveLength(1)
    expect((await env.call('apiKeys.list', {}, await env.person())).data.removed).toEqual([])
  })

  it('is written into the activity of the account', async () => {
    const person = await env.person()
    await create(person)
    await remove(person)
    await restore(person)
    const actions = await env.db.rows<{ action: string }>(
      sql`select action from audit_log where actor_user_id = ${person.id} order by id desc limit 2`,
    )
    expect(actions.map(({ action }) => action)).toEqual(['key.restore', 'key.remove'])
  })

  it('is over after seven days, and then nothing of the key is left', async () => {
    const person = await env.person()
    await create(person)
    await remove(person)
    env.pass(7 * DAY)
    const { token } = await openSession(env.context, env.db, person, { ip: '127.0.0.1', agent: 'test' })
    expect(await restore({ ...person, token })).toMatchObject({ code: -1, err: 10015 })
    await deleteExpired(env.context, [{ expired }])
    const { count } = await env.db.one<{ count: number }>(
      sql`select count(*) as count from api_keys where user_id = ${person.id}`,
    )
    expect(count).toBe(0)
  })

  it('keeps the newest twenty of an account only', async () => {
    const person = await env.person()
    for (let key = 0; key < 22; key++) {
      await create(person, { key_name: `k${key}` })
      env.pass(1000)
      await remove(person, `k${key}`)
    }
    const { count } = await env.db.one<{ count: number }>(
      sql`select count(*) as count from api_keys where user_id = ${person.id}`,
    )
    expect(count).toBe(20)
    expect((await restore(person, 'k1')).code).toBe(-1)
    expect((await restore(person, 'k2')).code).toBe(0)
  })

  it('refuses a name that another key has by now, and more keys than the account may have', async () => {
    const person = await env.person()
    const old = await create(person)
    await remove(person)
    await create(person)
    const taken = await env.call('apiKeys.create', { key_name: 'k' }, person)
    expect(await restore(person)).toMatchObject({ code: -1, err: taken.err })
    expect(await works(old)).toBe(false)
    await env.call('apiKeys.change', { key_name: 'k', new_name: 'k1' }, person)
    for (const key_name of ['k2', 'k3', 'k4', 'k5']) await create(person, { key_name })
    const full = await env.call('apiKeys.create', { key_name: 'k6' }, person)
    expect(await restore(person)).toMatchObject({ code: -1, err: full.err })
  })

  it('refuses a key that the portal made for one folder, another account and the key itself', async () => {
    const [person, stranger] = [await env.person(), await env.person()]
    const { data } = await env.call('folders.create', { name: 'f' }, person)
    await create(person, { key_name: 'copy', group_id: data.group.ID })
    await remove(person, 'copy')
    expect((await restore(person, 'copy')).code).toBe(-1)
    const key = await create(person)
    await remove(person)
    expect((await restore(stranger)).code).toBe(-1)
    expect((await env.call('apiKeys.restore', { key_name: 'k' }, { token: key })).code).not.toBe(0)
    expect(await works(key)).toBe(false)
  })

  it('does not help a thief of the session: keys restored since then end with the others', async () => {
    const person = await env.person()
    const key = await create(person)
    await remove(person)
    env.pass(60_000)
    const since = new Date(env.clock.now())
    expect((await restore(person)).code).toBe(0)
    expect(await works(key)).toBe(true)
    await deleteKeysSince(env.db, person.id, since)
    env.pass(2000)
    await expect.poll(() => works(key)).toBe(false)
  })
})
