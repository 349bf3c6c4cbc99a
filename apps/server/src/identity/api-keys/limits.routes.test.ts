import { errors, KEY_IPS_MAX } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const HOUR = 3_600_000
const inFuture = (ms: number) => new Date(env.clock.now() + ms).toISOString()

interface Terms {
  new_name?: string
  type?: 'admin' | 'normal'
  perms?: string[]
  expires_at?: string
  ips?: string[] | string
  end_former?: boolean
}
const create = async (person: Person, terms: Terms = {}) => {
  const made = await env.call('apiKeys.create', { key_name: 'k', ...terms } as never, { ...person, method: 'POST' })
  expect(made).toMatchObject({ code: 0 })
  return made.data.key
}
const change = (person: Person, terms: Terms) =>
  env.call('apiKeys.change', { key_name: 'k', ...terms } as never, person)
const listed = async (person: Person) => (await env.call('apiKeys.list', {}, person)).data.list[0]
const use = (key: string, ip?: string) => env.call('accounts.vipInfo', {}, { token: key, ...(ip && { ip }) })

const expired = { code: 401, msg: errors.keyExpired.en() }
const refused = { code: -1, err: errors.keyAddress.err }

describe('a key that expires', () => {
  it('works until then, and is listed with its expiry', async () => {
    const person = await env.person()
    const expires_at = inFuture(HOUR)
    const key = await create(person, { expires_at })
    expect(await listed(person)).toMatchObject({ expires_at })
    env.pass(HOUR - 60_000)
    expect(await use(key)).toMatchObject({ code: 0 })
    env.pass(60_000)
    expect(await use(key)).toMatchObject(expired)
    expect(await listed(person)).toMatchObject({ expires_at })
  })

  it('is refused from its expiry on, even if it was used just before', async () => {
    const person = await env.person()
    const key = await create(person, { expires_at: inFuture(200) })
    expect(await use(key)).toMatchObject({ code: 0 })
    env.pass(200)
    expect(await use(key)).toMatchObject(expired)
  })

  it('works longer, or without end, when its owner says so', async () => {
    const person = await env.person()
    const key = await create(person, { expires_at: inFuture(HOUR) })
    env.pass(2 * HOUR)
    expect(await change(person, { expires_at: inFuture(HOUR) })).toMatchObject({ code: 0 })
    expect(await use(key)).toMatchObject({ code: 0 })
    expect(await change(person, { expires_at: '' })).toMatchObject({ code: 0 })
    env.pass(20 * HOUR)
    expect(await use(key)).toMatchObject({ code: 0 })
    expect(await listed(person)).toMatchObject({ expires_at: null })
  })

  it('is a visitor where visitors are admitted, as an unknown key is', async () => {
    const person = await env.person()
    const key = await create(person, { expires_at: inFuture(HOUR) })
    env.pass(HOUR)
    const open = (token: string) => env.call('assets.status', { user_id: person.uid, cid: 'x' } as never, { token })
    expect(await open(key)).toMatchObject({ err: (await open('tnk_unknown')).err })
  })

  it.each(['2020-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '2030-01-01', 'tomorrow', '2030-02-31T00:00:00Z'])(
    'cannot expire at %s',
    async (expires_at) => {
      const person = await env.person()
      const input = { key_name: 'k', expires_at }
      expect(await env.call('apiKeys.create', input, person)).toMatchObject({ err: errors.keyExpiry.err })
      await create(person)
      expect(await change(person, { expires_at })).toMatchObject({ err: errors.keyExpiry.err })
      expect(await listed(person)).toMatchObject({ expires_at: null })
    },
  )
})

describe('a key with IP addresses', () => {
  it('works from these addresses and ranges', async () => {
    const person = await env.person()
    const key = await create(person, { ips: ['203.0.113.0/24', '198.51.100.7', '2001:db8::/32'] })
    for (const ip of ['203.0.113.9', '198.51.100.7', '::ffff:198.51.100.7', '2001:db8:5::1'])
      expect(await use(key, ip)).toMatchObject({ code: 0 })
    expect(await listed(person)).toMatchObject({ ips: ['203.0.113.0/24', '198.51.100.7', '2001:db8::/32'] })
  })

  it('is refused from others, and the answer names the address that the server saw', async () => {
    const person = await env.person()
    const key = await create(person, { ips: ['203.0.113.0/24'] })
    // The key was used just before from an address in the list.
    expect(await use(key, '203.0.113.9')).toMatchObject({ code: 0 })
    for (const [ip, seen] of [
      ['198.51.100.8', '198.51.100.8'],
      ['::ffff:198.51.100.8', '198.51.100.8'],
      ['2001:db8::1', '2001:db8::1'],
    ] as const) {
      const answer = await use(key, ip)
      expect(answer).toMatchObject(refused)
      expect(answer.msg).toContain(seen)
    }
    // Where visitors are admitted, too.
    const open = { user_id: person.uid, asset_cid: 'x' } as never
    expect(await env.call('downloads.open', open, { token: key, ip: '198.51.100.8' })).toMatchObject(refused)
  })

  it('gets other addresses, or works from all again, when its owner says so', async () => {
    const person = await env.person()
    const key = await create(person, { ips: '203.0.113.1,203.0.113.2' })
    expect(await use(key, '203.0.113.2')).toMatchObject({ code: 0 })
    await change(person, { ips: ['203.0.113.1'] })
    env.pass(1000)
    expect(await use(key, '203.0.113.2')).toMatchObject(refused)
    await change(person, { ips: [] })
    env.pass(1000)
    expect(await use(key, '198.51.100.1')).toMatchObject({ code: 0 })
  })

  it('does not count a refused call as its use', async () => {
    const person = await env.person()
    const key = await create(person, { ips: ['203.0.113.1'] })
    await use(key, '198.51.100.1')
    expect(await listed(person)).toMatchObject({ last_used: null, last_used_from: null })
  })

  it.each(['example.com', '203.0.113.0/33', '1.2.3', '::1%eth0'])('cannot have the address %s', async (ip) => {
    const person = await env.person()
    expect(await env.call('apiKeys.create', { key_name: 'k', ips: [ip] } as never, person)).toMatchObject({
      err: errors.keyIps.err,
    })
    await create(person)
    expect(await change(person, { ips: ['203.0.113.1', ip] })).toMatchObject({ err: errors.keyIps.err })
    expect(await listed(person)).toMatchObject({ ips: [] })
  })

  it('cannot have more addresses than its limit', async () => {
    const person = await env.person()
    await create(person)
    const many = (count: number) => Array.from({ length: count }, (_, index) => `10.0.0.${index}`)
    expect(await change(person, { ips: many(KEY_IPS_MAX) })).toMatchObject({ code: 0 })
    expect(await change(person, { ips: many(KEY_IPS_MAX + 1) })).toMatchObject({ err: errors.tooManyKeyIps.err })
  })
})

describe('the last use of a key', () => {
  it.each([
    ['203.0.113.77', '203.0.113.x'],
    ['2001:db8:1:2::3', '2001:db8:1::'],
  ])('from %s is shown with the network only', async (ip, network) => {
    const person = await env.person()
    const key = await create(person)
    await use(key, ip)
    expect(await listed(person)).toMatchObject({ last_used_from: network })
    const row = await env.db.one<{ row: string }>(
      sql`select k::text as row from api_keys k where user_id = ${person.id}`,
    )
    expect(row.row).not.toContain(ip)
  })
})

describe('changing a key', () => {
  it('changes its permissions within a second, and keeps what is absent', async () => {
    const person = await env.person()
    const limits = { expires_at: inFuture(HOUR), ips: ['127.0.0.1'] }
    const key = await create(person, { perms: ['readFile'], ...limits })
    const list = () => env.call('folders.list', { parent: 0 }, { token: key })
    expect(await list()).toMatchObject({ err: errors.forbidden.err })
    expect(await change(person, { perms: ['readFolder'] })).toMatchObject({ code: 0 })
    env.pass(1000)
    expect(await list()).toMatchObject({ code: 0 })
    expect(await listed(person)).toMatchObject({ type: 'normal', perms: ['readFolder'], ...limits })
    await change(person, { type: 'admin' })
    expect(await listed(person)).toMatchObject({ type: 'admin', ...limits })
    // An admin key has no list of permissions that a normal one could keep.
    expect(await change(person, { type: 'normal' })).toMatchObject({ err: errors.keyPermissions.err })
  })

  it('renames it, and it works on', async () => {
    const person = await env.person()
    const key = await create(person, { perms: ['readFile'] })
    expect(await change(person, { new_name: 'backup' })).toMatchObject({ code: 0 })
    expect(await listed(person)).toMatchObject({ name: 'backup', perms: ['readFile'] })
    expect(await use(key)).toMatchObject({ code: 0 })
    expect(await change(person, {})).toMatchObject({ err: errors.keyUnknown.err })
  })

  it('refuses the name of another key of the account, but not its own or one of another account', async () => {
    const [person, stranger] = [await env.person(), await env.person()]
    await create(person)
    await env.call('apiKeys.create', { key_name: 'taken' }, person)
    await env.call('apiKeys.create', { key_name: 'theirs' }, stranger)
    const ips = ['203.0.113.1']
    expect(await change(person, { new_name: 'taken', ips })).toMatchObject({ err: errors.keyNameTaken.err })
    const { list } = (await env.call('apiKeys.list', {}, person)).data
    expect(list.map(({ name, ips }) => [name, ips])).toEqual([
      ['taken', []],
      ['k', []],
    ])
    for (const new_name of ['k', 'theirs']) {
      expect(await change(person, { new_name })).toMatchObject({ code: 0 })
      await env.call('apiKeys.change', { key_name: new_name, new_name: 'k' }, person)
    }
    for (const new_name of ['', 'a/b', 'x'.repeat(51)]) expect((await change(person, { new_name })).code).toBe(-1)
  })

  it('is recorded in the audit log', async () => {
    const person = await env.person()
    await create(person)
    await change(person, { ips: ['203.0.113.1'] })
    const rows = await env.db.rows(
      sql`select action, detail from audit_log where actor_user_id = ${person.id} order by id`,
    )
    expect(rows).toMatchObject([
      { action: 'key.create' },
      { action: 'key.change', detail: { kind: 'admin', ips: ['203.0.113.1'] } },
    ])
  })

  it('is refused for permissions of a key that copies a folder into a workspace', async () => {
    const person = await env.person()
    const { data } = await env.call('folders.create', { name: 'f' }, person)
    await env.call('apiKeys.create', { key_name: 'k', group_id: data.group.ID }, person)
    for (const terms of [{ type: 'admin' as const }, { perms: ['readFile'] }])
      expect(await change(person, terms)).toMatchObject({ err: errors.invalidParams.err })
    expect(await change(person, { ips: ['203.0.113.1'] })).toMatchObject({ code: 0 })
    expect(await listed(person)).toMatchObject({ type: 'normal', group_id: data.group.ID, ips: ['203.0.113.1'] })
  })

  it('is refused to other accounts, visitors and API keys', async () => {
    const [person, stranger] = [await env.person(), await env.person()]
    const key = await create(person, { ips: ['127.0.0.1'] })
    const input = { key_name: 'k', ips: [] } as never
    expect(await env.call('apiKeys.change', input, stranger)).toMatchObject({ err: errors.keyUnknown.err })
    expect(await env.call('apiKeys.change', input, { token: key })).toMatchObject({ err: errors.forbidden.err })
    expect(await env.call('apiKeys.change', input)).toMatchObject({ code: 401 })
    expect(await listed(person)).toMatchObject({ ips: ['127.0.0.1'] })
  })
})
