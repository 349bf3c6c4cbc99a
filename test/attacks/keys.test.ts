import { createCipheriv, createHash } from 'node:crypto'
import { type Auth, contract, errors, PERMISSIONS, type Permission, type Route } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let env: TestEnv
let owner: Person
beforeAll(async () => {
  env = await setup()
  owner = await env.person()
})
afterAll(() => env.close())

interface Endpoint {
  name: string
  auth: Auth
  method: 'GET' | 'POST'
  url: string
}

/** Every method and path of every operation. */
const endpoints: Endpoint[] = Object.entries(contract).flatMap(([module, operations]) =>
  Object.entries(operations as Record<string, Route>).flatMap(([name, route]) =>
    [route.path, ...(route.aliases ?? [])].flatMap((path) =>
      (route.alsoPost ? (['GET', 'POST'] as const) : [route.method]).map((method) => ({
        name: `${module}.${name}`,
        auth: route.auth,
        method,
        url: path.replace(/:\w+/g, '-'),
      })),
    ),
  ),
)
/** Endpoints that authenticate a person or an API key. */
const guarded = endpoints.filter(({ auth }) => auth !== 'public' && auth !== 'node' && auth !== 'gateway')

let places = 0
/** Calls with empty input, so that an admitted caller is refused only because of the input. */
async function call({ method, url }: Endpoint, headers: Record<string, string>): Promise<Verdict> {
  places += 1
  const answer = await env.app.inject({
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

/** The container console does not accept API keys of the portal. */
const exceptConsole =
  (expected: (auth: Auth) => Verdict) =>
  (auth: Auth): Verdict =>
    auth === 'console' ? 'not signed in' : expected(auth)

/** Endpoints whose verdict differs from the contract. */
async function differing(headers: Record<string, string>, expected: (auth: Auth) => Verdict): Promise<string[]> {
  const wrong: string[] = []
  for (const endpoint of guarded) {
    const got = await call(endpoint, headers)
    if (got !== exceptConsole(expected)(endpoint.auth))
      wrong.push(`${endpoint.method} ${endpoint.url} (${endpoint.name}, ${endpoint.auth}): ${got}`)
  }
  return wrong
}

describe('permissions of API keys on all endpoints:', () => {
  it.each(PERMISSIONS)('a key with only %s is admitted where it, or no permission, is required', async (permission) => {
    const key = await env.key(owner, [permission])
    const expected = (auth: Auth): Verdict =>
      auth === permission || auth === 'any' || auth === 'optional' ? 'let in' : 'forbidden'
    expect(await differing({ jwtauthorization: `Bearer ${key}` }, expected)).toEqual([])
  })

  it('a key without one permission is refused only where that one, or more, is required', async () => {
    for (const missing of PERMISSIONS) {
      const key = await env.key(
        owner,
        PERMISSIONS.filter((permission) => permission !== missing),
      )
      const beyond: Auth[] = [missing, 'admin', 'session', 'agent', 'operator']
      expect(await differing({ apikey: key }, (auth) => (beyond.includes(auth) ? 'forbidden' : 'let in'))).toEqual([])
    }
  })

  it('an admin key is admitted everywhere except where a person is required', async () => {
    const key = await env.key(owner, 'admin')
    const person: Auth[] = ['session', 'agent', 'operator']
    expect(await differing({ apikey: key }, (auth) => (person.includes(auth) ? 'forbidden' : 'let in'))).toEqual([])
  })

  it('a key without permissions is admitted where none is required', async () => {
    const key = await env.key(owner, [])
    const expected = (auth: Auth): Verdict => (auth === 'any' || auth === 'optional' ? 'let in' : 'forbidden')
    expect(await differing({ apikey: key }, expected)).toEqual([])
  })

  it('each permission is required by an endpoint', () => {
    for (const permission of PERMISSIONS) expect(guarded.some(({ auth }) => auth === permission)).toBe(true)
  })

  it('an invalid credential is refused before the call is executed', async () => {
    for (const headers of [{}, { apikey: 'bad' }, { jwtauthorization: 'Bearer bad' }, { 'tenant-api-key': 'bad' }])
      expect(
        await differing(headers as Record<string, string>, (auth) =>
          auth === 'optional' ? 'let in' : 'not signed in',
        ),
      ).toEqual([])
  })
})

describe('a key cannot be', () => {
  const profile = (apikey: string) => env.app.inject({ url: '/api/v1/storage/get_vip_info', headers: { apikey } })

  it('forged by encryption with a key from the source code', async () => {
    const secret = createHash('sha256').update('tidenet').digest()
    const cipher = createCipheriv('aes-256-cbc', secret, secret.subarray(0, 16))
    const forged = Buffer.concat([cipher.update(JSON.stringify({ UID: owner.uid, Salt: 'abcdef' })), cipher.final()])
    const credentials: Record<string, string>[] = [
      { apikey: forged.toString('base64') },
      { 'tenant-api-key': forged.toString('base64') },
      { apikey: `tnk_${forged.toString('base64url').slice(0, 43)}` },
    ]
    for (const headers of credentials)
      expect((await env.app.inject({ url: '/api/v1/storage/get_vip_info', headers })).json()).toMatchObject({
        code: 401,
      })
  })

  it('derived from what the database stores', async () => {
    await env.key(owner, 'admin')
    const rows = await env.db.rows<{ key_hash: Buffer; key_start: string; name: string }>(
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

  it('read again after it was created', async () => {
    const person = await env.person()
    const made = (await env.call('apiKeys.create', { key_name: 'once' }, { token: person.token })).data
    for (const operation of ['apiKeys.list', 'apiKeys.permissions', 'accounts.info'] as const) {
      const body = JSON.stringify((await env.call(operation, { key_name: 'once' }, { token: person.token })).data)
      expect(body).not.toContain(made.key.slice(8))
      expect(body).not.toContain(made.secret)
      expect(body).not.toContain(made.secret_access_key)
    }
  })

  it('predicted from the clock or Math.random', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const time = vi.spyOn(env.clock, 'now').mockReturnValue(env.clock.now())
    try {
      const keys = new Set<string>()
      for (let person = 0; person < 20; person++) {
        const { token } = await env.person()
        const { data } = await env.call('apiKeys.create', { key_name: 'k' }, { token })
        keys.add(data.key).add(data.secret).add(data.access_key_id).add(data.secret_access_key)
      }
      expect(keys.size).toBe(80)
    } finally {
      random.mockRestore()
      time.mockRestore()
    }
  })

  it('used to create, read or delete keys', async () => {
    for (const permissions of ['admin', ['createFile']] as ('admin' | Permission[])[]) {
      const token = await env.key(owner, permissions)
      const before = await env.db.one<{ count: number }>(sql`select count(*) as count from api_keys`)
      for (const operation of ['apiKeys.create', 'apiKeys.list', 'apiKeys.permissions', 'apiKeys.remove'] as const)
        for (const method of operation === 'apiKeys.create' || operation === 'apiKeys.remove'
          ? (['GET', 'POST'] as const)
          : (['GET'] as const))
          expect(await env.call(operation, { key_name: 'k' }, { token, method })).toMatchObject({
            err: errors.forbidden.err,
          })
      expect(await env.db.one(sql`select count(*) as count from api_keys`)).toEqual(before)
    }
  })

  it('used for the account if it is for one folder', async () => {
    const person = await env.person()
    const { data } = await env.call('folders.create', { name: 'a folder with a key' }, person)
    const made = await env.call('apiKeys.create', { key_name: 'of a folder', group_id: data.group.ID }, person)
    expect(made).toMatchObject({ code: 0 })
    expect(
      await differing({ apikey: made.data.key }, (auth) => (auth === 'optional' ? 'let in' : 'not signed in')),
    ).toEqual([])
  })

  it('exchanged for a session', async () => {
    const token = await env.key(owner, 'admin')
    const renewed = await env.call('accounts.refresh', {}, { token })
    expect(renewed).toMatchObject({ err: errors.forbidden.err })
    expect(renewed.headers['new-token']).toBeUndefined()
    for (const url of ['/api/v1/storage/new_secret', '/api/v1/storage/get_user_access_token'])
      expect((await env.app.inject({ url, headers: { apikey: token } })).statusCode).toBe(404)
  })

  it('used by a link: no GET accepts credentials from cookies or the query', async () => {
    const person = await env.person()
    for (const cookie of [`token=${person.token}`, `JwtAuthorization=Bearer ${person.token}`]) {
      const url = `/api/v1/storage/create_key?key_name=link&token=${person.token}&apiKey=${person.token}`
      expect((await env.app.inject({ url, headers: { cookie } })).json()).toMatchObject({ code: 401 })
    }
    expect((await env.call('apiKeys.list', {}, { token: person.token })).data.list).toEqual([])
  })

  it('given a name that injects SQL', async () => {
    const person = await env.person()
    const key_name = `'); drop table api_keys; --`
    expect(await env.call('apiKeys.create', { key_name }, { token: person.token })).toMatchObject({ code: 0 })
    expect((await env.call('apiKeys.list', {}, { token: person.token })).data.list[0]?.name).toBe(key_name)
    expect(await env.call('apiKeys.remove', { key_name: `' or '1'='1` }, { token: person.token })).toMatchObject({
      err: errors.keyUnknown.err,
    })
  })

  it('given more permissions by unknown fields', async () => {
    const person = await env.person()
    const input = { key_name: 'k', perms: ['readFile'], kind: 'admin', permissions: 'all', user_id: owner.uid } as never
    const { key } = (await env.call('apiKeys.create', input, { token: person.token, method: 'POST' })).data
    const { data } = await env.call('accounts.vipInfo', {}, { token: key })
    expect(data.uid).toBe(person.uid)
    expect((await env.call('apiKeys.permissions', { key_name: 'k' }, { token: person.token })).data.perms).toEqual([
      'readFile',
    ])
  })
})
