import { rawCid } from '@tidenet/content/cid'
import { errorText, type Permission } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'

import { PINS_MAX } from './pins.ts'

const SECRET = 'g'.repeat(64)

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup({
    s3GatewaySecret: SECRET,
    imports: { ipfsSources: ['https://ipfs.example'], privateToo: true },
  })
  node = await env.node()
  // A gateway asks, so imports are offered.
  await env.call('imports.claim', {}, { token: SECRET })
})
afterAll(() => env?.close())

interface Pin {
  requestid: string
  status: string
  pin: { cid: string; name: string; meta: Record<string, string>; origins: string[] }
  delegates: string[]
}
let count = 0
const newCid = async () => (await rawCid(new TextEncoder().encode(`pin ${count++}`))).toString()

async function pinner(permissions: readonly Permission[] | 'admin' = 'admin', of?: Person) {
  const person = of ?? (await env.person())
  const key = await env.key(person, permissions)
  const send = async (method: 'GET' | 'POST' | 'DELETE', path = '', body?: object) => {
    const answer = await env.app.inject({
      method,
      url: `/api/pinning/v1/pins${path}`,
      headers: { authorization: `Bearer ${key}` },
      ...(body && { payload: body }),
    })
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
  }
  const add = async (pin: object) => (await send('POST', '', pin)).body as Pin
  const list = async (query: Record<string, string> = {}) =>
    (await send('GET', `?${new URLSearchParams(query)}`)).body as { count: number; results: Pin[] }
  return { person, send, add, list, status: async (id: string) => ((await send('GET', `/${id}`)).body as Pin).status }
}

/** Does what a gateway does for the next import. */
async function fulfil(person: Person): Promise<void> {
  const { job } = (await env.call('imports.claim', {}, { token: SECRET })).data
  if (!job) throw new Error('there is no import')
  const { token, group_id, source: cid } = job
  const info = await env.call('uploads.info', { size: 20, group_id }, { token })
  const receipt = await node.receipt({ sub: person.uid, tid: info.data.TraceID, cid, size: 20 })
  const asset = { asset_name: job.name, asset_type: 'file' as const, asset_size: 20, asset_cid: cid, group_id, receipt }
  await env.call('assets.create', asset, { token })
  await env.call('imports.finish', { id: job.id, lease: job.lease, received: 20, reason: '', cid }, { token: SECRET })
}
async function fail(): Promise<void> {
  const { job } = (await env.call('imports.claim', {}, { token: SECRET })).data
  await env.call(
    'imports.finish',
    { id: job?.id ?? 0, lease: job?.lease ?? '', received: 0, reason: 'unsupported' },
    { token: SECRET },
  )
}
const files = async (person: Person) => {
  const { list } = (await env.call('folders.contents', {}, person)).data
  const folder = list.find(({ Group }) => Group?.Name === 'Pins')?.Group?.ID
  if (folder === undefined) return []
  const inside = (await env.call('assets.list', { group_id: folder }, person)).data.list
  return inside.map(({ UserAssetDetail }) => UserAssetDetail)
}

describe('the Pinning Service API', () => {
  it('queues a pin, which becomes a file of the folder Pins', async () => {
    const { person, send, add, status } = await pinner()
    const cid = await newCid()
    const sent = { cid, name: 'my pin', meta: { app: 'test' }, origins: ['/ip4/10.0.0.1/tcp/4001/p2p/x'] }
    const answer = await send('POST', '', sent)
    expect(answer).toMatchObject({ status: 202, body: { status: 'queued', pin: sent, delegates: [] } })
    const { requestid } = answer.body as Pin
    await fulfil(person)
    expect(await status(requestid)).toBe('pinned')
    expect(await files(person)).toMatchObject([{ AssetName: 'my pin' }])
    const failing = await add({ cid: await newCid() })
    await fail()
    expect((await send('GET', `/${failing.requestid}`)).body).toMatchObject({
      status: 'failed',
      info: { status_details: expect.stringMatching(/\w/) },
    })
  })

  it('ends a pin with its file, and the file with its pin, which the trash keeps', async () => {
    const { person, send, add, list } = await pinner()
    const first = await add({ cid: await newCid(), name: 'one' })
    await fulfil(person)
    const second = await add({ cid: await newCid(), name: 'two' })
    await fulfil(person)
    expect(await send('DELETE', `/${first.requestid}`)).toEqual({ status: 202, body: undefined })
    expect((await files(person)).map(({ AssetName }) => AssetName)).toEqual(['two'])
    const { trash_ids: ids } = (await env.call('trash.put', { assets: [second.pin.cid] }, person)).data
    expect(await list()).toEqual({ count: 0, results: [] })
    await env.call('trash.restore', { ids }, person)
    expect((await list()).results).toMatchObject([{ requestid: second.requestid, status: 'pinned' }])
  })

  it('replaces a pin by another one, and cancels one that waits', async () => {
    const { person, send, add, list } = await pinner()
    const old = await add({ cid: await newCid() })
    const cid = await newCid()
    const replaced = (await send('POST', `/${old.requestid}`, { cid })).body as Pin
    expect(replaced.requestid).not.toBe(old.requestid)
    expect((await list({ status: 'queued,pinning,pinned,failed' })).results.map(({ pin }) => pin.cid)).toEqual([cid])
    await fulfil(person)
    expect((await list()).count).toBe(1)
  })

  it('keeps the file and its import if a pin is replaced by one of the same CID', async () => {
    const { person, send, add, list } = await pinner()
    const trash = async () => (await env.call('trash.list', {}, person)).data.total
    const v0 = 'QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n'
    const v1 = 'bafybeihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
    const waiting = await add({ cid: v0, name: 'old' })
    const still = (await send('POST', `/${waiting.requestid}`, { cid: v1, name: 'new' })).body as Pin
    expect(still).toMatchObject({ status: 'queued', pin: { cid: v1, name: 'new' } })
    await send('DELETE', `/${still.requestid}`)
    const first = await add({ cid: await newCid(), name: 'one', meta: { a: '1' } })
    await fulfil(person)
    const before = await files(person)
    const second = (await send('POST', `/${first.requestid}`, { ...first.pin, meta: { a: '2' } })).body as Pin
    expect(second).toMatchObject({ status: 'pinned', pin: { meta: { a: '2' } } })
    expect((await list({ status: 'queued,pinning,pinned,failed' })).results).toEqual([second])
    expect(await files(person)).toEqual(before)
    expect(await trash()).toBe(0)
    expect((await send('GET', `/${first.requestid}`)).status).toBe(404)
    await send('DELETE', `/${second.requestid}`)
    expect(await files(person)).toEqual([])
  })

  it('ends a pin when its owner replaces the file by another one, which unpinning does not delete', async () => {
    const { person, send, add, list, status } = await pinner()
    const { requestid } = await add({ cid: await newCid(), name: 'mine' })
    await fulfil(person)
    const cid = await newCid()
    const [{ group_id } = { group_id: 0 }] = (await env.call('folders.contents', {}, person)).data.list.flatMap(
      ({ Group }) => (Group?.Name === 'Pins' ? [{ group_id: Group.ID }] : []),
    )
    const receipt = await node.receipt({ sub: person.uid, cid, size: 20 })
    const asset = { asset_name: 'mine', asset_type: 'file' as const, asset_size: 20, asset_cid: cid, group_id, receipt }
    expect(await status(requestid)).toBe('pinned')
    expect(await env.call('assets.create', { ...asset, on_conflict: 'replace' }, person)).toMatchObject({ code: 0 })
    expect((await list()).results).toEqual([])
    expect((await send('DELETE', `/${requestid}`)).status).toBe(404)
    expect(await files(person)).toMatchObject([{ AssetName: 'mine' }])
  })

  it('refuses more pins than an account can have', async () => {
    const { person, send } = await pinner()
    await env.db.run(sql`
      insert into pins (id, user_id, cid, content, name, meta, origins, created_at)
      select 'pin ' || n, ${person.id}, 'x', 'x', '', '{}', '[]', ${new Date(env.context.clock.now())} from generate_series(1, ${PINS_MAX}) n`)
    const refused = { status: 429, body: { error: { reason: 'TOO_MANY_PINS', details: expect.stringMatching(/\w/) } } }
    expect(await send('POST', '', { cid: await newCid() })).toEqual(refused)
    await env.db.run(sql`delete from pins where user_id = ${person.id}`)
    expect((await send('POST', '', { cid: await newCid() })).status).toBe(202)
    await env.db.run(sql`delete from imports where user_id = ${person.id}`)
  })

  it('lists pins by CID in every spelling, name, status, time, meta and number, newest first', async () => {
    const { person, add, list } = await pinner()
    const v0 = 'QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n'
    const v1 = 'bafybeihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
    const all = { status: 'queued,pinning,pinned,failed' }
    await add({ cid: v0, name: 'Alpha', meta: { app: 'a', more: 'x' } })
    env.pass(1000)
    const second = await add({ cid: await newCid(), name: 'alphabet' })
    const names = async (query: Record<string, string>) =>
      (await list({ ...all, ...query })).results.map(({ pin }) => pin.name)
    expect(await names({})).toEqual(['alphabet', 'Alpha'])
    expect(await list({ ...all, limit: '1' })).toMatchObject({ count: 2, results: [{ pin: { name: 'alphabet' } }] })
    expect(await names({ cid: v1 })).toEqual(['Alpha'])
    expect(await names({ name: 'alpha' })).toEqual([])
    expect(await names({ name: 'alpha', match: 'iexact' })).toEqual(['Alpha'])
    expect(await names({ name: 'pha', match: 'partial' })).toEqual(['alphabet', 'Alpha'])
    expect(await names({ name: 'ALPHAB', match: 'ipartial' })).toEqual(['alphabet'])
    expect(await names({ meta: '{"app":"a"}' })).toEqual(['Alpha'])
    const { created } = second as unknown as { created: string }
    expect(await names({ before: created })).toEqual(['Alpha'])
    expect(await names({ after: new Date(Date.parse(created) - 1).toISOString() })).toEqual(['alphabet'])
    // By default only what is pinned.
    expect((await list()).count).toBe(0)
    await env.db.run({ text: 'delete from imports where user_id = $1', values: [person.id] })
  })

  it('fails if the worker stored another content of the account', async () => {
    const { person, add, status } = await pinner()
    const stored = await add({ cid: await newCid() })
    await fulfil(person)
    const { requestid } = await add({ cid: await newCid() })
    const { job } = (await env.call('imports.claim', {}, { token: SECRET })).data
    const end = { id: job?.id ?? 0, lease: job?.lease ?? '', received: 20, reason: '' as const, cid: stored.pin.cid }
    await env.call('imports.finish', end, { token: SECRET })
    expect(await status(requestid)).not.toBe('pinned')
  })

  it('refuses in the form of the specification', async () => {
    const { send, add, person } = await pinner()
    const error = (status: number, reason: string) => ({
      status,
      body: { error: { reason, details: expect.stringMatching(/\w/) } },
    })
    const meta = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`key ${index}`, 'x'.repeat(500)]))
    const cid = await newCid()
    for (const pin of [{}, { cid: 'no cid' }, { cid, name: 'x'.repeat(256) }, { cid, meta }])
      expect(await send('POST', '', pin)).toEqual(error(400, 'BAD_REQUEST'))
    for (const query of ['?status=unknown', '?limit=0', '?limit=1001', '?before=yesterday', '?meta=x', '?match=any'])
      expect(await send('GET', query), query).toEqual(error(400, 'BAD_REQUEST'))
    const { requestid } = await add({ cid: await newCid() })
    const stranger = await pinner()
    for (const id of ['unknown', requestid]) {
      expect(await stranger.send('GET', `/${id}`)).toEqual(error(404, 'NOT_FOUND'))
      expect(await stranger.send('DELETE', `/${id}`)).toEqual(error(404, 'NOT_FOUND'))
      expect(await stranger.send('POST', `/${id}`, { cid: await newCid() })).toEqual(error(404, 'NOT_FOUND'))
    }
    const reader = await pinner(['readFile'], person)
    expect((await reader.send('GET')).status).toBe(200)
    expect(await reader.send('POST', '', { cid: await newCid() })).toEqual(error(403, 'FORBIDDEN'))
    expect(await reader.send('DELETE', `/${requestid}`)).toEqual(error(403, 'FORBIDDEN'))
    const nobody = await env.app.inject({ method: 'GET', url: '/api/pinning/v1/pins' })
    expect({ status: nobody.statusCode, body: nobody.json() }).toEqual(error(401, 'UNAUTHORIZED'))
    expect(nobody.json().error.details).toBe(errorText('keyMissing', 'en'))
    const authorization = 'Bearer secret'
    const wrong = await env.app.inject({ method: 'GET', url: '/api/pinning/v1/pins', headers: { authorization } })
    expect(wrong.json().error).toEqual({ reason: 'UNAUTHORIZED', details: errorText('keyRejected', 'en') })
  })
})

it('answers addresses without a known version in the same format, because clients show no other errors', async () => {
  for (const url of ['/api/pinning/pins', '/api/pinning/v2/pins']) {
    const answer = await env.app.inject({ method: 'GET', url })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({
      error: { reason: 'NOT_FOUND', details: expect.stringContaining('/api/pinning/v1') },
    })
  }
})

describe('what PostgreSQL cannot hold', () => {
  it.each([
    ['GET', '/%00', 404],
    ['GET', `?meta=${encodeURIComponent(JSON.stringify({ a: '\u0000' }))}`, 400],
    ['GET', `?meta=${encodeURIComponent(JSON.stringify({ 'a\u0000': 'b' }))}`, 400],
    ['GET', `?meta=${encodeURIComponent('{"a":"\\ud800"}')}`, 400],
    ['GET', '?cid=a%00', 400],
    ['GET', '?after=0000-01-01T00:00:00Z', 200],
    ['GET', '?before=%2B275760-09-13T00:00:00Z', 400],
    ['DELETE', '/%00', 404],
  ] as const)('is refused or not found: %s %s', async (method, path, status) => {
    const { send } = await pinner()
    expect((await send(method, path)).status).toBe(status)
  })

  it.each([[{ meta: { a: '\ud800' } }], [{ name: '\ud800' }], [{ origins: ['\ud800'] }], [{ origins: ['\u0000'] }]])(
    'is refused in a pin: %j',
    async (more) => {
      const { send } = await pinner()
      expect((await send('POST', '', { cid: await newCid(), ...more })).status).toBeLessThan(500)
    },
  )
})

it('a key that is limited to folders neither sees nor makes nor ends pins', async () => {
  const { person, add } = await pinner()
  const { requestid } = await add({ cid: await newCid() })
  const { ID } = (await env.call('folders.create', { name: 'own' }, person)).data.group
  const key = await env.key(person, 'admin', [ID])
  for (const [method, path, payload] of [
    ['GET', ''],
    ['GET', `/${requestid}`],
    ['POST', '', { cid: await newCid() }],
    ['POST', `/${requestid}`, { cid: await newCid() }],
    ['DELETE', `/${requestid}`],
  ] as const) {
    const url = `/api/pinning/v1/pins${path}`
    const headers = { authorization: `Bearer ${key}` }
    const answer = await env.app.inject({ method, url, headers, ...(payload && { payload }) })
    expect(answer.statusCode, `${method} ${path}`).toBe(403)
  }
})
