import type { Route } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SampleChain, startSampleChain } from '../../apps/server/src/payments/chain/sample-chain.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { rawCalls, routes } from './raw-calls.ts'

let env: TestEnv
let owner: Person
let chain: SampleChain
beforeAll(async () => {
  chain = await startSampleChain()
  env = await setup({ chain: chain.config })
  owner = await env.person()
  await env.node()
})
afterAll(async () => {
  await env?.close()
  await chain?.stop()
})

const { newNetwork, send } = rawCalls(() => env)

function addressed(route: Route, fields: Record<string, unknown>) {
  const rest = { ...fields }
  const url = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(Buffer.from(String(rest[name] ?? 'x')).toString())
    delete rest[name]
    return value
  })
  return { url, rest }
}
const countRows = () =>
  env.db.one(sql`
    select (select count(*) from users) as users, (select count(*) from assets) as assets, (select count(*) from folders) as folders,
      (select count(*) from api_keys) as keys, (select count(*) from links) as links, (select count(*) from reservations) as reservations,
      (select sum(share_status) from assets) as shared`)

describe('request bodies', () => {
  const json = { 'content-type': 'application/json' }
  const url = '/api/v1/user/login'

  it('are rejected if too large, too deep, malformed or of another type, and the server continues', async () => {
    const big = JSON.stringify({ username: 'a@b.example', password: 'x'.repeat(2_000_000) })
    expect((await send({ method: 'POST', url, payload: big, headers: json })).status).toBe(413)
    const deep = `{"username":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    const wide = `{${Array.from({ length: 50_000 }, (_, index) => `"f${index}":1`).join(',')}}`
    for (const payload of [deep, wide, '[]', '"text"', '5', 'null'])
      expect((await send({ method: 'POST', url, payload, headers: json })).code).not.toBe(0)
    for (const payload of ['{', '{"username":', '\ufeff{', 'undefined'])
      expect((await send({ method: 'POST', url, payload, headers: json })).status).toBe(400)
    expect((await send({ url: '/api/v2/health' })).code).toBe(0)
  })

  it('cannot set prototypes or internal fields', async () => {
    for (const payload of ['{"__proto__":{"vip":true}}', '{"constructor":{"prototype":{"vip":true}}}']) {
      const answer = await send({
        method: 'POST',
        url: '/api/v1/user/info',
        payload,
        headers: { ...json, jwtauthorization: `Bearer ${owner.token}` },
      })
      expect(answer.status === 400 || answer.code === 0).toBe(true)
      expect(({} as { vip?: boolean }).vip).toBeUndefined()
    }
    const name = { name: 'f', user_id: 1, UserID: 1, share_status: 1, id: 1 }
    const made = await env.call('folders.create', name as { name: string }, owner)
    expect(made.data.group).toMatchObject({ UserID: owner.uid, ShareStatus: 0 })
  })

  it('of HTML forms, which other origins can send, are rejected', async () => {
    const before = await countRows()
    const headers = { jwtauthorization: `Bearer ${owner.token}` }
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'text/json',
    ])
      for (const path of ['create_group', 'create_asset', 'cancel_upload', 'rename_group']) {
        const answer = await send({
          method: 'POST',
          url: `/api/v1/storage/${path}`,
          payload: '{"name":"x"}',
          headers: { ...headers, 'content-type': type },
        })
        expect(answer.status === 415 || answer.err === 1001).toBe(true)
      }
    // Plain text is read as JSON, but a form can send no header, and nothing else is a credential.
    const session = { cookie: `token=${owner.token}; JwtAuthorization=${owner.token}` }
    for (const path of ['create_group', 'create_asset', 'cancel_upload', 'rename_group']) {
      const payload = `{"name":"x","JwtAuthorization":"Bearer ${owner.token}","token":"${owner.token}"}`
      const url = `/api/v1/storage/${path}?token=${owner.token}`
      const answer = await send({ method: 'POST', url, payload, headers: { ...session, 'content-type': 'text/plain' } })
      expect(answer.code).toBe(401)
    }
    expect(await countRows()).toEqual(before)
  })
})

describe('methods', () => {
  it.each(routes.filter(({ route }) => !['public', 'optional'].includes(route.auth)))(
    '$name accepts credentials only from its header, with any method',
    async ({ route }) => {
      const before = await countRows()
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
        const answer = await send({
          method,
          url: `${url}?${query}`,
          headers: { cookie },
          ...(method === 'POST' && { payload: { ...stolen, name: 'x' } }),
        })
        expect(answer.code === 401 || answer.status === 404).toBe(true)
      }
      for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD'] as const) {
        const answer = await send({
          method,
          url: `${url}?${query}`,
          headers: { jwtauthorization: `Bearer ${owner.token}` },
        })
        expect(answer.status).toBe(404)
      }
      expect(await countRows()).toEqual(before)
    },
  )

  it('cannot be overridden by headers', async () => {
    const before = await countRows()
    for (const override of ['POST', 'DELETE'])
      await send({
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
          await send({
            method: 'GET',
            url: `${url}?asset_name=x`,
            headers: { jwtauthorization: `Bearer ${owner.token}` },
          })
        ).status,
      ).toBe(404)
    expect(await countRows()).toEqual(before)
  })

  it('of nodes do not accept sessions, and the other way round', async () => {
    const node = await env.node()
    for (const { route } of routes) {
      const { url } = addressed(route, {})
      if (route.path.startsWith('/api/node/') && route.auth === 'node')
        expect(
          await send({
            method: 'POST',
            url,
            payload: {},
            headers: { authorization: `Bearer ${owner.token}`, jwtauthorization: `Bearer ${owner.token}` },
          }),
        ).toMatchObject({ code: 401 })
      else if (!['public', 'optional', 'node'].includes(route.auth))
        expect(
          await send({
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

  it('does not bypass rate limits', async () => {
    const remoteAddress = newNetwork()
    const answers = []
    for (let index = 0; index < 70; index++)
      answers.push(
        await send({ url: '/api/v1/storage/temp_file/get_upload_file', remoteAddress, headers: claims(index) }),
      )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
    expect((await send({ url: '/api/v1/storage/temp_file/get_upload_file' })).code).toBe(0)
  })

  it('does not count one visitor as several', async () => {
    const { cid } = await sampleFile(env.db, owner.id, { nodes: [await env.node()] })
    await env.call('shares.setStatus', { cid }, owner)
    const url = `/api/v1/storage/open_asset?user_id=${owner.uid}&asset_cid=${cid}`
    const remoteAddress = newNetwork()
    for (let index = 0; index < 15; index++)
      expect((await send({ url, remoteAddress, headers: { ...claims(index), 'user-agent': 'one' } })).code).toBe(0)
    expect(await env.db.one(sql`select downloads from assets where cid = ${cid}`)).toEqual({ downloads: 1 })
  })

  it('or host does not change the target of links', async () => {
    const { cid } = await sampleFile(env.db, owner.id)
    await env.call('shares.create', { cid }, owner)
    await env.call('shares.setStatus', { cid }, owner)
    for (const headers of [
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    ]) {
      const answer = await env.app.inject({ url: `/link?cid=${cid}`, headers })
      expect(answer.statusCode).toBe(302)
      expect(JSON.stringify(answer.headers) + answer.body).not.toContain('evil.example')
      const shared = await env.app.inject({
        url: `/api/v1/storage/get_link?cid=${cid}`,
        headers: { ...headers, jwtauthorization: `Bearer ${owner.token}` },
      })
      expect(shared.body).not.toContain('evil.example')
    }
  })
})

describe('answers', () => {
  it('forbid framing, content sniffing and foreign scripts', async () => {
    const { headers } = await send({ url: '/' })
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(String(headers['content-security-policy'])).not.toMatch(
      /script-src[^;]*('unsafe-inline'|'unsafe-eval'|http|\*)/,
    )
    expect(String(headers['content-security-policy'])).toContain("frame-ancestors 'none'")
    expect(headers['x-powered-by']).toBeUndefined()
  })

  it('to failed requests reveal no file, statement or version', async () => {
    const answers = [
      await env.app.inject({
        method: 'POST',
        url: '/api/v1/user/login',
        payload: '{',
        headers: { 'content-type': 'application/json' },
      }),
      await env.app.inject({ url: '/api/v1/storage/%ff' }),
      await env.app.inject({ url: `/api/v1/${'x/'.repeat(500)}` }),
      await env.app.inject({ url: '/api/v1/storage/no_such_call' }),
    ]
    for (const answer of answers) {
      expect(answer.statusCode).toBeLessThan(500)
      expect(answer.body).not.toMatch(/node_modules|\.ts:|\.js:|at Object|select |fastify\/|postgres/i)
    }
  })

  it('contain no files of the server for any path', async () => {
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
      expect((await env.app.inject({ url: path })).body).not.toMatch(/"dependencies"|root:|\[core\]|TIDENET_/)
  })
})
