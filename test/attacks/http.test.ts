import { contract, type Route } from '@tidenet/contract'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type SampleChain, startSampleChain } from '../../apps/server/src/payments/chain/sample-chain.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let world: TestEnv
let owner: Person
let chain: SampleChain
let places = 0
beforeAll(async () => {
  chain = await startSampleChain()
  world = await setup({ chain: chain.config })
  owner = await world.person()
  await world.node()
})
afterAll(async () => {
  await world?.close()
  await chain?.stop()
})

/** A place of its own for each call, so that limits do not hide what is tested. */
const place = () => `10.8.${++places >> 8}.${places & 255}`
const ask = async (request: InjectOptions) => {
  const answer = await world.app.inject({ remoteAddress: place(), ...request })
  const json = answer.body !== '' && String(answer.headers['content-type']).includes('json')
  return {
    status: answer.statusCode,
    headers: answer.headers,
    ...(json ? (answer.json() as { code?: number; err?: number }) : {}),
  }
}
const routes = Object.entries(contract).flatMap(([duty, operations]) =>
  Object.entries(operations as Record<string, Route>).map(([key, route]) => ({ name: `${duty}.${key}`, route })),
)
const fieldsOf = (route: Route): string[] => (route.input instanceof z.ZodObject ? Object.keys(route.input.shape) : [])
/** What makes most calls go through; each field in turn is replaced by something bad. */
const SAMPLE: Record<string, unknown> = {
  username: 'a@b.example',
  cid: 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
  asset_cid: 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
  asset_name: 'a',
  asset_size: 1,
  user_id: 'nobody',
  group_id: 1,
  type: 1,
  state: 1,
  transfer_type: 'upload',
  trace_id: 't',
  password: 'tide-Net9',
  verify_code: '123456',
}
const call = (route: Route, fields: Record<string, unknown>, headers: Record<string, string> = {}) => {
  const { url, rest } = addressed(route, fields)
  if (route.method === 'POST') return ask({ method: 'POST', url, payload: rest, headers })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) query.append(name, String(value))
  return ask({ method: 'GET', url: `${url}?${query}`, headers })
}
function addressed(route: Route, fields: Record<string, unknown>) {
  const rest = { ...fields }
  const url = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(Buffer.from(String(rest[name] ?? 'x')).toString())
    delete rest[name]
    return value
  })
  return { url, rest }
}
const census = () =>
  world.db.one(sql`
    select (select count(*) from users) as users, (select count(*) from assets) as assets, (select count(*) from folders) as folders,
      (select count(*) from api_keys) as keys, (select count(*) from links) as links, (select count(*) from reservations) as reservations,
      (select sum(share_status) from assets) as shared`)

describe('text that is more than text', () => {
  const BAD = [
    "' or '1'='1",
    "'; drop table users; --",
    '" or 1=1 #',
    '\\',
    '$1',
    '%',
    '%00',
    '\u0000',
    '\ud800',
    '\u202e',
    '{"$gt":""}',
    '../../etc/passwd',
    '<script>alert(1)</script>',
    '{{7*7}}',
    '-1',
    '1e309',
    'NaN',
    '99999999999999999999',
    'x'.repeat(5000),
  ]
  const open = routes.filter(({ route }) => route.auth === 'public' || route.auth === 'optional')

  it.each(open)('is data or refused in every field of $name', async ({ route }) => {
    const before = await census()
    for (const field of fieldsOf(route)) {
      const fields = Object.fromEntries(
        fieldsOf(route).flatMap((name) => (name in SAMPLE ? [[name, SAMPLE[name]]] : [])),
      )
      for (const bad of BAD) {
        const answer = await call(route, { ...fields, [field]: bad })
        expect([answer.err, field, bad]).not.toEqual([1004, field, bad])
        expect(answer.status).toBeLessThan(500)
      }
      for (const bad of [[], [[]], {}, { length: 1e9 }, null, true, -1, 1.5, 1e300, ['a', { b: 'c' }]]) {
        if (route.method !== 'POST' && !route.alsoPost) continue
        const { url, rest } = addressed(route, { ...fields, [field]: bad })
        const answer = await ask({ method: 'POST', url, payload: rest })
        expect([answer.err, field, bad]).not.toEqual([1004, field, bad])
        expect(answer.status).toBeLessThan(500)
      }
    }
    expect(await census()).toEqual(before)
  })

  it.each(routes.filter(({ route }) => !open.some((other) => other.route === route) && route.auth !== 'node'))(
    'is data or refused in every field of $name, for one who is signed in',
    async ({ route }) => {
      const person = await world.person()
      const { cid } = await sampleFile(world.db, person.id)
      const headers = { jwtauthorization: `Bearer ${person.token}` }
      for (const field of fieldsOf(route))
        for (const bad of BAD) {
          const fields = {
            ...SAMPLE,
            cid,
            asset_cid: cid,
            name: 'n',
            key_name: 'k',
            new_name: 'n',
            id: 'i',
            sha256: '0'.repeat(64),
          }
          const known = Object.fromEntries(
            fieldsOf(route).flatMap((name) => (name in fields ? [[name, fields[name as 'cid']]] : [])),
          )
          const answer = await call(route, { ...known, [field]: bad }, headers)
          expect([answer.err, field, bad]).not.toEqual([1004, field, bad])
          expect(answer.status).toBeLessThan(500)
        }
    },
  )

  it('does not choose order or columns, and pages are pages', async () => {
    const headers = { jwtauthorization: `Bearer ${owner.token}` }
    const lists = ['get_asset_list', 'get_asset_group_list', 'get_groups', 'get_transfers'].map(
      (name) => `/api/v1/storage/${name}`,
    )
    for (const url of lists) {
      const plain = await world.app.inject({ url, headers })
      for (const order of [
        'order=;drop table users',
        'order_field=password_hash&order=desc',
        'sort=1;select pg_sleep(9)',
        'limit=1000000',
      ]) {
        const answer = (await world.app.inject({ url: `${url}?${order}`, headers })).json()
        if (answer.code === 0) expect(answer).toEqual(plain.json())
        else expect(answer).toMatchObject({ code: -1, err: 1001 })
      }
      for (const page of [
        'page=0',
        'page=-1',
        'page=1.5',
        'page=x',
        'page=1e99',
        'page=99999999',
        'page_size=0',
        'page_size=-5',
        'page_size=101',
        'page_size=1e9',
        'page_size=Infinity',
      ])
        expect((await world.app.inject({ url: `${url}?${page}`, headers })).json()).toMatchObject({
          code: -1,
          err: 1001,
        })
      const last = (await world.app.inject({ url: `${url}?page=9999999&page_size=100`, headers })).json()
      expect(last).toMatchObject({ code: 0, data: { list: [] } })
    }
  })
})

describe('bodies', () => {
  const json = { 'content-type': 'application/json' }
  const url = '/api/v1/user/login'

  it('that are too large, too deep, broken or of another kind are refused, and the server goes on', async () => {
    const big = JSON.stringify({ username: 'a@b.example', password: 'x'.repeat(2_000_000) })
    expect((await ask({ method: 'POST', url, payload: big, headers: json })).status).toBe(413)
    const deep = `{"username":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    const wide = `{${Array.from({ length: 50_000 }, (_, index) => `"f${index}":1`).join(',')}}`
    for (const payload of [deep, wide, '[]', '"text"', '5', 'null'])
      expect((await ask({ method: 'POST', url, payload, headers: json })).code).not.toBe(0)
    for (const payload of ['{', '{"username":', '\ufeff{', 'undefined'])
      expect((await ask({ method: 'POST', url, payload, headers: json })).status).toBe(400)
    expect((await ask({ url: '/api/v2/health' })).code).toBe(0)
  })

  it('bring nothing of the machinery with them', async () => {
    for (const payload of ['{"__proto__":{"vip":true}}', '{"constructor":{"prototype":{"vip":true}}}']) {
      const answer = await ask({
        method: 'POST',
        url: '/api/v1/user/info',
        payload,
        headers: { ...json, jwtauthorization: `Bearer ${owner.token}` },
      })
      expect(answer.status === 400 || answer.code === 0).toBe(true)
      expect(({} as { vip?: boolean }).vip).toBeUndefined()
    }
    const name = { name: 'f', user_id: 1, UserID: 1, share_status: 1, id: 1 }
    const made = await world.call('folders.create', name as { name: string }, owner)
    expect(made.data.group).toMatchObject({ UserID: owner.uid, ShareStatus: 0 })
  })

  it('of forms, as pages of other origins may send them, do nothing', async () => {
    const before = await census()
    const headers = { jwtauthorization: `Bearer ${owner.token}` }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'text/json',
    ])
      for (const path of ['create_group', 'create_asset', 'cancel_upload', 'rename_group']) {
        const answer = await ask({
          method: 'POST',
          url: `/api/v1/storage/${path}`,
          payload: '{"name":"x"}',
          headers: { ...headers, 'content-type': type },
        })
        expect(answer.status === 415 || answer.err === 1001).toBe(true)
      }
    expect(await census()).toEqual(before)
  })
})

describe('methods', () => {
  it.each(routes.filter(({ route }) => !['public', 'optional'].includes(route.auth)))(
    '$name takes no credential but that of its header, whatever the method',
    async ({ route }) => {
      const before = await census()
      const { url } = addressed(route, {})
      const stolen = {
        token: owner.token,
        JwtAuthorization: `Bearer ${owner.token}`,
        apikey: owner.token,
        Authorization: owner.token,
      }
      const cookie = Object.entries(stolen)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('; ')
      const query = new URLSearchParams({
        ...stolen,
        name: 'x',
        group_id: '1',
        asset_cid: 'x',
        key_name: 'k',
        cid: 'x',
      })
      for (const method of ['GET', 'POST'] as const) {
        const answer = await ask({
          method,
          url: `${url}?${query}`,
          headers: { cookie },
          ...(method === 'POST' && { payload: { ...stolen, name: 'x' } }),
        })
        expect(answer.code === 401 || answer.status === 404).toBe(true)
      }
      for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD'] as const) {
        const answer = await ask({
          method,
          url: `${url}?${query}`,
          headers: { jwtauthorization: `Bearer ${owner.token}` },
        })
        expect(answer.status).toBe(404)
      }
      expect(await census()).toEqual(before)
    },
  )

  it('are what they are: no header makes a GET of a POST, or anything of a GET', async () => {
    const before = await census()
    for (const override of ['POST', 'DELETE'])
      await ask({
        method: 'GET',
        url: '/api/v1/storage/cancel_upload?trace_id=x',
        headers: {
          'x-http-method-override': override,
          'x-method-override': override,
          jwtauthorization: `Bearer ${owner.token}`,
        },
      })
    for (const url of [
      '/api/v1/storage/create_asset',
      '/api/v1/storage/cancel_upload',
      '/api/v1/user/register',
      '/api/v1/storage/transfer/report',
    ])
      expect(
        (
          await ask({
            method: 'GET',
            url: `${url}?asset_name=x`,
            headers: { jwtauthorization: `Bearer ${owner.token}` },
          })
        ).status,
      ).toBe(404)
    expect(await census()).toEqual(before)
  })

  it('of nodes are not for people, nor the other way round', async () => {
    const node = await world.node()
    for (const { route } of routes) {
      const { url } = addressed(route, {})
      if (route.path.startsWith('/api/node/') && route.auth === 'node')
        expect(
          await ask({
            method: 'POST',
            url,
            payload: {},
            headers: { authorization: `Bearer ${owner.token}`, jwtauthorization: `Bearer ${owner.token}` },
          }),
        ).toMatchObject({ code: 401 })
      else if (!['public', 'optional', 'node'].includes(route.auth))
        expect(
          await ask({
            method: route.method,
            url,
            headers: { authorization: `Bearer ${node.token}`, jwtauthorization: `Bearer ${node.token}` },
            ...(route.method === 'POST' && { payload: {} }),
          }),
        ).toMatchObject({ code: 401 })
    }
  })
})

describe('a header that claims another address', () => {
  const claims = (index: number) => ({
    'x-forwarded-for': `203.0.113.${index}`,
    'x-real-ip': `203.0.113.${index}`,
    forwarded: `for=203.0.113.${index}`,
    'cf-connecting-ip': `203.0.113.${index}`,
  })

  it('frees nobody of a limit', async () => {
    const remoteAddress = place()
    const answers = []
    for (let index = 0; index < 70; index++)
      answers.push(
        await ask({ url: '/api/v1/storage/temp_file/get_upload_file', remoteAddress, headers: claims(index) }),
      )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
    expect((await ask({ url: '/api/v1/storage/temp_file/get_upload_file' })).code).toBe(0)
  })

  it('makes no two visitors of one', async () => {
    const { cid } = await sampleFile(world.db, owner.id, { nodes: [await world.node()] })
    await world.call('shares.setStatus', { cid }, owner)
    const url = `/api/v1/storage/open_asset?user_id=${owner.uid}&asset_cid=${cid}`
    const remoteAddress = place()
    for (let index = 0; index < 15; index++)
      expect((await ask({ url, remoteAddress, headers: { ...claims(index), 'user-agent': 'one' } })).code).toBe(0)
    expect(await world.db.one(sql`select downloads from assets where cid = ${cid}`)).toEqual({ downloads: 1 })
  })

  it('or another host leads no link elsewhere', async () => {
    const { cid } = await sampleFile(world.db, owner.id)
    await world.call('shares.create', { cid }, owner)
    await world.call('shares.setStatus', { cid }, owner)
    for (const headers of [
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    ]) {
      const answer = await world.app.inject({ url: `/link?cid=${cid}`, headers })
      expect(answer.statusCode).toBe(302)
      expect(JSON.stringify(answer.headers) + answer.body).not.toContain('evil.example')
      const shared = await world.app.inject({
        url: `/api/v1/storage/get_link?cid=${cid}`,
        headers: { ...headers, jwtauthorization: `Bearer ${owner.token}` },
      })
      expect(shared.body).not.toContain('evil.example')
    }
  })
})

describe('what answers tell', () => {
  it('no page may be framed, sniffed or scripted by others', async () => {
    const { headers } = await ask({ url: '/' })
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(String(headers['content-security-policy'])).not.toMatch(
      /script-src[^;]*('unsafe-inline'|'unsafe-eval'|http|\*)/,
    )
    expect(String(headers['content-security-policy'])).toContain("frame-ancestors 'none'")
    expect(headers['x-powered-by']).toBeUndefined()
  })

  it('failures name no file, statement or version', async () => {
    const answers = [
      await world.app.inject({
        method: 'POST',
        url: '/api/v1/user/login',
        payload: '{',
        headers: { 'content-type': 'application/json' },
      }),
      await world.app.inject({ url: '/api/v1/storage/%ff' }),
      await world.app.inject({ url: `/api/v1/${'x/'.repeat(500)}` }),
      await world.app.inject({ url: '/api/v1/storage/no_such_call' }),
    ]
    for (const answer of answers) {
      expect(answer.statusCode).toBeLessThan(500)
      expect(answer.body).not.toMatch(/node_modules|\.ts:|\.js:|at Object|select |fastify\/|postgres/i)
    }
  })

  it('files of the server are not served, however they are asked for', async () => {
    for (const path of [
      '/../package.json',
      '/..%2f..%2fpackage.json',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/.env',
      '/assets/../../config.ts',
      '/....//....//etc/passwd',
      '/%00',
      '/.git/config',
      '/node_modules/zod/package.json',
    ])
      expect((await world.app.inject({ url: path })).body).not.toMatch(/"dependencies"|root:|\[core\]|TIDENET_/)
  })
})

describe('a hundred at once', () => {
  it.each(['GET', 'POST'] as const)('%s of everything that is open is answered', async (method) => {
    const open = routes.filter(
      ({ route }) =>
        ['public', 'optional'].includes(route.auth) &&
        (route.method === method || route.alsoPost) &&
        // What goes on as long as somebody listens has no answer to wait for.
        route.media !== 'text/event-stream',
    )
    for (const { route } of open) {
      const fields = Object.fromEntries(
        fieldsOf(route).flatMap((name) => (name in SAMPLE ? [[name, SAMPLE[name]]] : [])),
      )
      const answers = await Promise.all(Array.from({ length: 100 }, () => call(route, fields)))
      for (const answer of answers) {
        expect(answer.status).toBeLessThan(500)
        expect(answer.err).not.toBe(1004)
      }
    }
  })

  it('folders, keys and links of one account stay within their limits', async () => {
    const person = await world.person()
    const { cid } = await sampleFile(world.db, person.id)
    const hundred = <T>(run: (index: number) => Promise<T>) =>
      Promise.all(Array.from({ length: 100 }, (_, index) => run(index)))
    const ok = (answers: { code: number }[]) => answers.filter(({ code }) => code === 0).length
    expect(ok(await hundred((index) => world.call('folders.create', { name: `f${index}` }, person)))).toBe(20)
    expect(ok(await hundred((index) => world.call('apiKeys.create', { key_name: `k${index}` }, person)))).toBe(5)
    await hundred(() => world.call('shares.create', { cid }, person))
    expect(await world.db.rows(sql`select 1 from links where user_id = ${person.id}`)).toHaveLength(1)
  })
})
