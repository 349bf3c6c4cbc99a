import { errors, FORMER_KEYS_MAX, KEY_OVERLAP_MAX } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const HOUR = 3_600_000

const create = async (person: Person, terms: object = {}) =>
  (await env.call('apiKeys.create', { key_name: 'k', ...terms }, person)).data.key
const rotate = (person: Person, overlap_hours?: number) =>
  env.call('apiKeys.rotate', { key_name: 'k', ...(overlap_hours !== undefined && { overlap_hours }) }, person)
const listed = async (person: Person) => (await env.call('apiKeys.list', {}, person)).data.list[0]
const works = async (key: string) => (await env.call('accounts.vipInfo', {}, { token: key })).code === 0

describe('rotating a key', () => {
  it('makes a new one, and both work for the overlap', async () => {
    const person = await env.person()
    const old = await create(person, { perms: ['readFolder'] })
    const { data } = await rotate(person, 48)
    expect(data.key).toMatch(/^tnk_[\w-]{43}$/)
    expect(data.key).not.toBe(old)
    env.pass(48 * HOUR - 60_000)
    expect([await works(old), await works(data.key)]).toEqual([true, true])
    env.pass(60_000)
    expect([await works(old), await works(data.key)]).toEqual([false, true])
    const answer = await env.call('accounts.vipInfo', {}, { token: old })
    expect(answer).toMatchObject({ code: 401, msg: errors.keyExpired.en() })
  })

  it('fails no call of a client that changes keys in the meantime', { tags: ['long'] }, async () => {
    const person = await env.person()
    let key = await create(person)
    let calls = 0
    let rotating = true
    const client = async () => {
      while (rotating) {
        calls++
        expect(await works(key)).toBe(true)
      }
    }
    const clients = [client(), client()]
    for (let round = 0; round < 3; round++) {
      const { data } = await rotate(person, 1)
      const before = calls
      while (calls < before + 4) await new Promise((resolve) => setImmediate(resolve))
      key = data.key
    }
    rotating = false
    await Promise.all(clients)
    expect(calls).toBeGreaterThan(10)
  })

  it('keeps name, permissions and limits, for the replaced key too', async () => {
    const person = await env.person()
    const expires_at = new Date(env.clock.now() + 2 * HOUR).toISOString()
    const old = await create(person, { perms: ['readFile'], expires_at, ips: ['127.0.0.1'] })
    const { data } = await rotate(person, 24)
    expect(await listed(person)).toMatchObject({ name: 'k', perms: ['readFile'], expires_at, ips: ['127.0.0.1'] })
    for (const token of [old, data.key]) {
      expect(await env.call('folders.list', { parent: 0 }, { token })).toMatchObject({ err: errors.forbidden.err })
      expect(await env.call('accounts.vipInfo', {}, { token, ip: '10.0.0.1' })).toMatchObject({
        err: errors.keyAddress.err,
      })
    }
    env.pass(2 * HOUR)
    expect([await works(old), await works(data.key)]).toEqual([false, false])
  })

  it('shows both keys, and which of them is still used', async () => {
    const person = await env.person()
    const old = await create(person)
    const { data } = await rotate(person, 1)
    expect(await listed(person)).toMatchObject({
      key: data.key.slice(0, 8),
      last_used: null,
      former: [{ key: old.slice(0, 8), until: data.previous_until, last_used: null }],
    })
    await works(old)
    const shown = await listed(person)
    expect(shown?.former[0]?.last_used).not.toBeNull()
    expect(Date.parse(shown?.rotated_at ?? '')).toBeLessThanOrEqual(env.clock.now())
    env.pass(HOUR)
    expect((await listed(person))?.former).toEqual([])
  })

  it('lasts a day by default', async () => {
    const person = await env.person()
    await create(person)
    const { data } = await rotate(person)
    expect(Date.parse(data.previous_until ?? '') - env.clock.now()).toBeLessThanOrEqual(24 * HOUR)
    expect(Date.parse(data.previous_until ?? '') - env.clock.now()).toBeGreaterThan(23 * HOUR)
  })

  it('without an overlap stops all earlier ones within a second', async () => {
    const person = await env.person()
    const first = await create(person)
    const second = (await rotate(person, 24)).data.key
    expect([await works(first), await works(second)]).toEqual([true, true])
    const { data } = await rotate(person, 0)
    expect(data.previous_until).toBeNull()
    env.pass(1000)
    expect([await works(first), await works(second), await works(data.key)]).toEqual([false, false, true])
  })

  it('can be finished early', async () => {
    const person = await env.person()
    const old = await create(person)
    const { data } = await rotate(person, 24)
    expect(await env.call('apiKeys.change', { key_name: 'k', end_former: true }, person)).toMatchObject({ code: 0 })
    env.pass(1000)
    expect([await works(old), await works(data.key)]).toEqual([false, true])
    expect((await listed(person))?.former).toEqual([])
  })

  it('stores hashes only, and is recorded in the audit log without the key', async () => {
    const person = await env.person()
    const old = await create(person)
    const { data } = await rotate(person, 24)
    const { rows } = await env.db.one<{ rows: string }>(sql`
      select concat((select string_agg(k::text, '') from api_keys k), (select string_agg(f::text, '') from former_keys f),
        (select string_agg(a::text, '') from audit_log a)) as rows`)
    for (const text of [old, data.key, data.secret]) expect(rows).not.toContain(text.slice(8))
    const [entry] = await env.db.rows(sql`
      select detail from audit_log where actor_user_id = ${person.id} and action = 'key.rotate'`)
    expect(entry).toMatchObject({ detail: { start: data.key.slice(0, 8), replaced: old.slice(0, 8) } })
  })

  it('ends with the key: no replaced one works after it is deleted', async () => {
    const person = await env.person()
    const old = await create(person)
    const { data } = await rotate(person, 24)
    await env.call('apiKeys.remove', { key_name: 'k' }, person)
    env.pass(1000)
    expect([await works(old), await works(data.key)]).toEqual([false, false])
  })

  it('leaves one current key when it happens many times at once', async () => {
    const person = await env.person()
    await create(person)
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate(person, 1)))
    const made = answers.filter(({ code }) => code === 0)
    expect(made).toHaveLength(FORMER_KEYS_MAX)
    expect(answers.filter(({ err }) => err === errors.tooManyFormerKeys.err)).toHaveLength(20 - FORMER_KEYS_MAX)
    for (const { data } of made) expect(await works(data.key)).toBe(true)
    expect((await listed(person))?.former).toHaveLength(FORMER_KEYS_MAX)
  })

  it.each([-1, KEY_OVERLAP_MAX + 1, 1.5])('is refused with an overlap of %s hours', async (hours) => {
    const person = await env.person()
    await create(person)
    expect(await rotate(person, hours)).toMatchObject({ err: errors.invalidParams.err })
  })

  it('is refused to other accounts, visitors and API keys, and of keys that do not exist', async () => {
    const [person, stranger] = [await env.person(), await env.person()]
    const key = await create(person)
    expect(await rotate(stranger)).toMatchObject({ err: errors.keyUnknown.err })
    expect(await env.call('apiKeys.rotate', { key_name: 'k' }, { token: key })).toMatchObject({
      err: errors.forbidden.err,
    })
    expect(await env.call('apiKeys.rotate', { key_name: 'k' })).toMatchObject({ code: 401 })
    expect(await env.call('apiKeys.rotate', { key_name: 'other' }, person)).toMatchObject({
      err: errors.keyUnknown.err,
    })
    expect(await works(key)).toBe(true)
  })
})
