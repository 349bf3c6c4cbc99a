import { FREE_FOLDERS, type Route } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type SampleChain, startSampleChain } from '../../apps/server/src/payments/chain/sample-chain.fixture.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { rawCalls, routes } from './raw-calls.ts'
import { long } from './sizes.ts'

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

const { send } = rawCalls(() => env)

const fieldsOf = (route: Route): string[] => (route.input instanceof z.ZodObject ? Object.keys(route.input.shape) : [])
/** Valid values for most calls; each field in turn is replaced by a hostile value. */
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
  if (route.method === 'POST') return send({ method: 'POST', url, payload: rest, headers })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) query.append(name, String(value))
  return send({ method: 'GET', url: `${url}?${query}`, headers })
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
const countRows = () =>
  env.db.one(sql`
    select (select count(*) from users) as users, (select count(*) from assets) as assets, (select count(*) from folders) as folders,
      (select count(*) from api_keys) as keys, (select count(*) from links) as links, (select count(*) from reservations) as reservations,
      (select sum(share_status) from assets) as shared`)

describe('hostile values in every field', () => {
  const HOSTILE = [
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
  let asked = 0
  /** Every third of the values, other ones for each field; all of them in `npm run test:long`. */
  const some = <T>(values: readonly T[]): T[] => {
    asked += 1
    return values.filter((_, index) => long || (index + asked) % 3 === 0)
  }

  it.each(open)('are stored as text or rejected by $name', async ({ route }) => {
    const before = await countRows()
    for (const field of fieldsOf(route)) {
      const fields = Object.fromEntries(
        fieldsOf(route).flatMap((name) => (name in SAMPLE ? [[name, SAMPLE[name]]] : [])),
      )
      for (const bad of some(HOSTILE)) {
        const answer = await call(route, { ...fields, [field]: bad })
        expect([answer.err, field, bad]).not.toEqual([1004, field, bad])
        expect(answer.status).toBeLessThan(500)
      }
      for (const bad of some([[], [[]], {}, { length: 1e9 }, null, true, -1, 1.5, 1e300, ['a', { b: 'c' }]])) {
        if (route.method !== 'POST' && !route.alsoPost) continue
        const { url, rest } = addressed(route, { ...fields, [field]: bad })
        const answer = await send({ method: 'POST', url, payload: rest })
        expect([answer.err, field, bad]).not.toEqual([1004, field, bad])
        expect(answer.status).toBeLessThan(500)
      }
    }
    expect(await countRows()).toEqual(before)
  })

  it.each(
    routes.filter(
      ({ route }) => !open.some((other) => other.route === route) && !['node', 'gateway'].includes(route.auth),
    ),
  )('are stored as text or rejected by $name, for a signed-in caller', async ({ route }) => {
    const person = await env.person()
    const { cid } = await sampleFile(env.db, person.id)
    const headers = { jwtauthorization: `Bearer ${person.token}` }
    for (const field of fieldsOf(route))
      for (const bad of some(HOSTILE)) {
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
  })

  it('do not inject into the order of lists, or exceed page limits', async () => {
    const headers = { jwtauthorization: `Bearer ${owner.token}` }
    const lists = ['get_asset_list', 'get_asset_group_list', 'get_groups', 'get_transfers'].map(
      (name) => `/api/v1/storage/${name}`,
    )
    for (const url of lists) {
      const plain = await env.app.inject({ url, headers })
      for (const order of [
        'order=;drop table users',
        'order_field=password_hash&order=desc',
        'sort=1;select pg_sleep(9)',
        'limit=1000000',
      ]) {
        const answer = (await env.app.inject({ url: `${url}?${order}`, headers })).json()
        if (answer.code === 0) expect(answer).toEqual(plain.json())
        else expect(answer).toMatchObject({ code: -1, err: 1001 })
      }
      for (const page of [
        // Where clients of the first API send it, 0 is the default.
        ...(url.endsWith('get_asset_group_list') ? [] : ['page=0', 'page_size=0']),
        'page=-1',
        'page=1.5',
        'page=x',
        'page=1e99',
        'page=99999999',
        'page_size=-5',
        'page_size=101',
        'page_size=1e9',
        'page_size=Infinity',
      ])
        expect((await env.app.inject({ url: `${url}?${page}`, headers })).json()).toMatchObject({
          code: -1,
          err: 1001,
        })
      const last = (await env.app.inject({ url: `${url}?page=9999999&page_size=100`, headers })).json()
      expect(last).toMatchObject({ code: 0, data: { list: [] } })
    }
  })
})

describe('many concurrent requests', () => {
  it.each(['GET', 'POST'] as const)('to every public operation are answered (%s)', async (method) => {
    const open = routes.filter(
      ({ route }) =>
        ['public', 'optional'].includes(route.auth) &&
        (route.method === method || route.alsoPost) &&
        // An event stream does not end.
        route.media !== 'text/event-stream',
    )
    for (const { route } of open) {
      const fields = Object.fromEntries(
        fieldsOf(route).flatMap((name) => (name in SAMPLE ? [[name, SAMPLE[name]]] : [])),
      )
      const answers = await Promise.all(Array.from({ length: long ? 100 : 30 }, () => call(route, fields)))
      for (const answer of answers) {
        expect(answer.status).toBeLessThan(500)
        expect(answer.err).not.toBe(1004)
      }
    }
  })

  it('do not exceed the limits of folders, keys and links of an account', async () => {
    const person = await env.person()
    const { cid } = await sampleFile(env.db, person.id)
    const hundredTimes = <T>(run: (index: number) => Promise<T>) =>
      Promise.all(Array.from({ length: 100 }, (_, index) => run(index)))
    const ok = (answers: { code: number }[]) => answers.filter(({ code }) => code === 0).length
    const before = Array.from({ length: FREE_FOLDERS - 20 }, (_, index) => `before ${index}`)
    await env.call('folderUploads.folders', { paths: before }, person)
    expect(ok(await hundredTimes((index) => env.call('folders.create', { name: `f${index}` }, person)))).toBe(20)
    expect(ok(await hundredTimes((index) => env.call('apiKeys.create', { key_name: `k${index}` }, person)))).toBe(5)
    await hundredTimes(() => env.call('shares.create', { cid }, person))
    expect(await env.db.rows(sql`select 1 from links where user_id = ${person.id}`)).toHaveLength(1)
  })
})
