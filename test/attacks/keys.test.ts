import { createCipheriv, createHash } from 'node:crypto'
import { type Auth, contract, errors, PERMISSIONS, type Permission, type Route } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let world: TestEnv
let owner: Person
beforeAll(async () => {
  world = await setup()
  owner = await world.person()
})
afterAll(() => world.close())

interface Way {
  name: string
  auth: Auth
  method: 'GET' | 'POST'
  url: string
}

/** Every method and address of every operation. */
const ways: Way[] = Object.entries(contract).flatMap(([duty, operations]) =>
  Object.entries(operations as Record<string, Route>).flatMap(([name, route]) =>
    [route.path, ...(route.aliases ?? [])].flatMap((path) =>
      (route.alsoPost ? (['GET', 'POST'] as const) : [route.method]).map((method) => ({
        name: `${duty}.${name}`,
        auth: route.auth,
        method,
        url: path.replace(/:\w+/g, '-'),
      })),
    ),
  ),
)
/** Those that look at who calls, whether a person or a key. */
const guarded = ways.filter(({ auth }) => auth !== 'public' && auth !== 'node')

let places = 0
/** Calls with input that says nothing, so that whoever is let in is refused for the input, if for anything. */
async function call({ method, url }: Way, headers: Record<string, string>): Promise<Verdict> {
  places += 1
  const answer = await world.app.inject({
    method,
    url,
    headers,
    ...(method === 'POST' && { payload: {} }),
    remoteAddress: `10.${places >> 16}.${(places >> 8) & 255}.${places & 255}`,
  })
  if (answer.statusCode !== 200) return `HTTP ${answer.statusCode}`
  return verdict(answer.json())
}

type Verdict = 'let in' | 'forbidden' | 'not signed in' | `HTTP ${number}`
function verdict({ code, err }: { code: number; err?: number }): Verdict {
  if (code === 401) return 'not signed in'
  return err === errors.forbidden.err ? 'forbidden' : 'let in'
}

/** The console has keys of its own: one of the portal says nothing to it, whatever it may do there. */
const beside =
  (expected: (auth: Auth) => Verdict) =>
  (auth: Auth): Verdict =>
    auth === 'console' ? 'not signed in' : expected(auth)

/** Who differs from what the contract says, as `operation method`; empty when nobody does. */
async function differing(headers: Record<string, string>, expected: (auth: Auth) => Verdict): Promise<string[]> {
  const wrong: string[] = []
  for (const way of guarded) {
    const got = await call(way, headers)
    if (got !== beside(expected)(way.auth)) wrong.push(`${way.method} ${way.url} (${way.name}, ${way.auth}): ${got}`)
  }
  return wrong
}

describe('six permissions and all calls', () => {
  it.each(PERMISSIONS)('a key with %s alone passes where it, or no permission, is asked for', async (permission) => {
    const key = await world.key(owner, [permission])
    const expected = (auth: Auth): Verdict =>
      auth === permission || auth === 'any' || auth === 'optional' ? 'let in' : 'forbidden'
    expect(await differing({ jwtauthorization: `Bearer ${key}` }, expected)).toEqual([])
  })

  it('a key with all but one permission is refused only where that one, or more, is asked for', async () => {
    for (const missing of PERMISSIONS) {
      const key = await world.key(
        owner,
        PERMISSIONS.filter((permission) => permission !== missing),
      )
      const beyond: Auth[] = [missing, 'admin', 'session', 'operator']
      expect(await differing({ apikey: key }, (auth) => (beyond.includes(auth) ? 'forbidden' : 'let in'))).toEqual([])
    }
  })

  it('an admin key passes everywhere but where a person is asked for', async () => {
    const key = await world.key(owner, 'admin')
    const person: Auth[] = ['session', 'operator']
    expect(await differing({ apikey: key }, (auth) => (person.includes(auth) ? 'forbidden' : 'let in'))).toEqual([])
  })

  it('a key without any permission passes where none is asked for', async () => {
    const key = await world.key(owner, [])
    const expected = (auth: Auth): Verdict => (auth === 'any' || auth === 'optional' ? 'let in' : 'forbidden')
    expect(await differing({ apikey: key }, expected)).toEqual([])
  })

  it('each permission opens something', () => {
    for (const permission of PERMISSIONS) expect(guarded.some(({ auth }) => auth === permission)).toBe(true)
  })

  it('the answer to a wrong credential is the refusal alone: the call is not carried out', async () => {
    for (const headers of [{}, { apikey: 'bad' }, { jwtauthorization: 'Bearer bad' }, { 'tenant-api-key': 'bad' }])
      expect(
        await differing(headers as Record<string, string>, (auth) =>
          auth === 'optional' ? 'let in' : 'not signed in',
        ),
      ).toEqual([])
  })
})

describe('a key cannot be', () => {
  const profile = (apikey: string) => world.app.inject({ url: '/api/v1/storage/get_vip_info', headers: { apikey } })

  it('forged by encrypting a name with a key that stands in a source', async () => {
    const secret = createHash('sha256').update('tidenet').digest()
    const cipher = createCipheriv('aes-256-cbc', secret, secret.subarray(0, 16))
    const forged = Buffer.concat([cipher.update(JSON.stringify({ UID: owner.uid, Salt: 'abcdef' })), cipher.final()])
    const ways: Record<string, string>[] = [
      { apikey: forged.toString('base64') },
      { 'tenant-api-key': forged.toString('base64') },
      { apikey: `tnk_${forged.toString('base64url').slice(0, 43)}` },
    ]
    for (const headers of ways)
      expect((await world.app.inject({ url: '/api/v1/storage/get_vip_info', headers })).json()).toMatchObject({
        code: 401,
      })
  })

  it('taken from the database: what is stored there lets nobody in', async () => {
    await world.key(owner, 'admin')
    const rows = await world.db.rows<{ key_hash: Buffer; key_start: string; name: string }>(
      sql`select key_hash, key_start, name from api_keys`,
    )
    for (const { key_hash, key_start, name } of rows)
      for (const apikey of [
        key_hash.toString('hex'),
        key_hash.toString('base64url'),
        `tnk_${key_hash.toString('base64url')}`,
        key_start,
        name,
      ])
        expect((await profile(apikey)).json()).toMatchObject({ code: 401 })
  })

  it('read again: no call shows key or secret after the one that made them', async () => {
    const person = await world.person()
    const made = (await world.call('apiKeys.create', { key_name: 'once' }, { token: person.token })).data
    for (const operation of ['apiKeys.list', 'apiKeys.permissions', 'accounts.info'] as const) {
      const body = JSON.stringify((await world.call(operation, { key_name: 'once' }, { token: person.token })).data)
      expect(body).not.toContain(made.key.slice(8))
      expect(body).not.toContain(made.secret)
    }
  })

  it('predicted from the clock or a weak generator', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const time = vi.spyOn(world.clock, 'now').mockReturnValue(world.clock.now())
    try {
      const keys = new Set<string>()
      for (let person = 0; person < 20; person++) {
        const { token } = await world.person()
        const { key, secret } = (await world.call('apiKeys.create', { key_name: 'k' }, { token })).data
        keys.add(key).add(secret)
      }
      expect(keys.size).toBe(40)
    } finally {
      random.mockRestore()
      time.mockRestore()
    }
  })

  it('used to make a stronger key, to read keys or to delete one', async () => {
    for (const held of ['admin', ['createFile']] as ('admin' | Permission[])[]) {
      const token = await world.key(owner, held)
      const before = await world.db.one<{ count: number }>(sql`select count(*) as count from api_keys`)
      for (const operation of ['apiKeys.create', 'apiKeys.list', 'apiKeys.permissions', 'apiKeys.remove'] as const)
        for (const method of operation === 'apiKeys.create' || operation === 'apiKeys.remove'
          ? (['GET', 'POST'] as const)
          : (['GET'] as const))
          expect(await world.call(operation, { key_name: 'k' }, { token, method })).toMatchObject({
            err: errors.forbidden.err,
          })
      expect(await world.db.one(sql`select count(*) as count from api_keys`)).toEqual(before)
    }
  })

  it('for one folder used for the account', async () => {
    const person = await world.person()
    const { data } = await world.call('folders.create', { name: 'a folder with a key' }, person)
    const made = await world.call('apiKeys.create', { key_name: 'of a folder', group_id: data.group.ID }, person)
    expect(made).toMatchObject({ code: 0 })
    expect(
      await differing({ apikey: made.data.key }, (auth) => (auth === 'optional' ? 'let in' : 'not signed in')),
    ).toEqual([])
  })

  it('exchanged for a session', async () => {
    const token = await world.key(owner, 'admin')
    const renewed = await world.call('accounts.refresh', {}, { token })
    expect(renewed).toMatchObject({ err: errors.forbidden.err })
    expect(renewed.headers['new-token']).toBeUndefined()
    for (const url of ['/api/v1/storage/new_secret', '/api/v1/storage/get_user_access_token'])
      expect((await world.app.inject({ url, headers: { apikey: token } })).statusCode).toBe(404)
  })

  it('fired by a link: a GET that changes something takes no cookie and no query', async () => {
    const person = await world.person()
    for (const cookie of [`token=${person.token}`, `JwtAuthorization=Bearer ${person.token}`]) {
      const url = `/api/v1/storage/create_key?key_name=link&token=${person.token}&apiKey=${person.token}`
      expect((await world.app.inject({ url, headers: { cookie } })).json()).toMatchObject({ code: 401 })
    }
    expect((await world.call('apiKeys.list', {}, { token: person.token })).data.list).toEqual([])
  })

  it('named so that it breaks the statement or the page that shows it', async () => {
    const person = await world.person()
    const key_name = `'); drop table api_keys; --`
    expect(await world.call('apiKeys.create', { key_name }, { token: person.token })).toMatchObject({ code: 0 })
    expect((await world.call('apiKeys.list', {}, { token: person.token })).data.list[0]?.name).toBe(key_name)
    expect(await world.call('apiKeys.remove', { key_name: `' or '1'='1` }, { token: person.token })).toMatchObject({
      err: errors.keyUnknown.err,
    })
  })

  it('widened by a field that the call does not have', async () => {
    const person = await world.person()
    const input = { key_name: 'k', perms: ['readFile'], kind: 'admin', permissions: 'all', user_id: owner.uid } as never
    const { key } = (await world.call('apiKeys.create', input, { token: person.token, method: 'POST' })).data
    const { data } = await world.call('accounts.vipInfo', {}, { token: key })
    expect(data.uid).toBe(person.uid)
    expect((await world.call('apiKeys.permissions', { key_name: 'k' }, { token: person.token })).data.perms).toEqual([
      'readFile',
    ])
  })
})
