import { randomUUID } from 'node:crypto'
import { DOWNLOAD_TOKEN_LIFE, errors, UPLOAD_TOKEN_LIFE } from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionRequest } from '../../apps/server/src/identity/api-keys/s3-client.fixture.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { sampleUploads } from '../../apps/server/src/storage/uploads/sample-uploads.fixture.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
afterAll(() => env.close())

const { cidOf } = sampleUploads(() => env)
const MB = 1_000_000
const refused = { code: -1, err: errors.keyTraffic.err }

const makeKey = async (person: Person, more: object = {}) =>
  (await env.call('apiKeys.create', { key_name: 'agent', traffic_cap: 10 * MB, ...more } as never, person)).data
const capsOf = async (token: string) => (await env.call('apiKeys.own', {}, { token })).data
const upload = (token: string, size?: number, trace_id?: string) =>
  env.call('uploads.info', { ...(size !== undefined && { size }), ...(trace_id && { trace_id }) }, { token })

/** A capped key, and a file of 1 MB of its account. */
async function reader(more: object = {}) {
  const person = await env.person()
  const { cid } = await sampleFile(env.db, person.id, { size: MB, nodes: [node] })
  const made = await makeKey(person, more)
  const open = (token = made.key) => env.call('downloads.own', { asset_cid: cid }, { token })
  const sent = (url: string, bytes: number) => {
    const { sub, tid } = decodeJwt(new URL(url).searchParams.get('token') ?? '')
    const transfer = {
      account: String(sub),
      trace_id: String(tid),
      cid,
      bytes,
      requests: 4,
      peak: 1,
      time: env.clock.now(),
    }
    return env.call('nodeControl.served', { batch: randomUUID(), transfers: [transfer] }, node)
  }
  return { person, cid, made, key: made.key, open, sent }
}

/** Begins an upload of unknown size. @returns sends its receipt */
async function unsized(person: Person, token: string) {
  const { TraceID, List } = (await upload(token)).data
  const { jti, aud } = decodeJwt(List[0]?.Token ?? '')
  expect(aud).toBe(node.id)
  return async (text: string) => {
    const claims = { sub: person.uid, cid: await cidOf(text), size: text.length, tid: TraceID, jti: String(jti) }
    await env.call('nodeControl.receipts', { receipts: [await node.receipt(claims)] }, node)
  }
}

describe('the cap of traffic of an API key', () => {
  it('counts what nodes report of its downloads, and what receipts prove of its uploads', async () => {
    const { person, key, open, sent } = await reader()
    await sent((await open()).data.url[0] ?? '', 400_000)
    const text = 'uploaded by an agent'
    const info = (await upload(key, text.length)).data
    const [at] = info.List
    const { jti } = decodeJwt(at?.Token ?? '')
    const receipt = await node.receipt({
      sub: person.uid,
      cid: await cidOf(text),
      size: text.length,
      tid: info.TraceID,
      jti: String(jti),
    })
    await env.call('nodeControl.receipts', { receipts: [receipt, receipt] }, node)
    expect(await capsOf(key)).toMatchObject({
      traffic_cap: 10 * MB,
      traffic_used: 400_000 + text.length,
      traffic_reserved: MB - 400_000,
    })
    env.pass(DOWNLOAD_TOKEN_LIFE + 1000)
    expect(await capsOf(key)).toMatchObject({ traffic_used: 400_000 + text.length, traffic_reserved: 0 })
  })

  it('has room again once an upload of unknown size has arrived', async () => {
    const { person, key, open } = await reader()
    const text = 'as long as it is'
    const receive = await unsized(person, key)
    expect(await open()).toMatchObject(refused)
    await receive(text)
    expect(await capsOf(key)).toMatchObject({ traffic_used: text.length, traffic_reserved: 0 })
    expect(await open()).toMatchObject({ code: 0 })
  })

  it('is not used by a download that no node can serve', async () => {
    const person = await env.person()
    const away = await env.node({ status: 'offline' })
    const { cid } = await sampleFile(env.db, person.id, { size: MB, nodes: [away] })
    const { key } = await makeKey(person)
    const answer = await env.call('downloads.own', { asset_cid: cid }, { token: key })
    expect(answer).toMatchObject({ err: errors.nodesOffline.err })
    expect(await capsOf(key)).toMatchObject({ traffic_reserved: 0 })
  })

  it('is shown to its owner with what was used', async () => {
    const { person, open } = await reader({ spending_cap: 5 })
    await open()
    const { list } = (await env.call('apiKeys.list', {}, person)).data
    expect(list[0]).toMatchObject({
      traffic_cap: 10 * MB,
      traffic_used: 0,
      traffic_reserved: MB,
      spending_cap: 5,
      spent: 0,
    })
    expect(new Date(list[0]?.caps_renewed_at ?? '').getUTCDate()).toBe(1)
  })

  it('begins again with the next calendar month', async () => {
    const { key, open, sent } = await reader({ traffic_cap: MB })
    await sent((await open()).data.url[0] ?? '', MB)
    expect(await open()).toMatchObject(refused)
    const { caps_renewed_at: next } = await capsOf(key)
    env.pass(Date.parse(next) - env.clock.now())
    expect(await open()).toMatchObject({ code: 0 })
    expect(await open()).toMatchObject(refused)
  })

  it('can be changed and removed', async () => {
    const { person, open } = await reader({ traffic_cap: MB })
    expect(await open()).toMatchObject({ code: 0 })
    expect(await open()).toMatchObject(refused)
    await env.call('apiKeys.change', { key_name: 'agent', traffic_cap: 2 * MB }, person)
    expect(await open()).toMatchObject({ code: 0 })
    await env.call('apiKeys.change', { key_name: 'agent', traffic_cap: '' }, person)
    env.pass(1000)
    for (let each = 0; each < 5; each++) expect(await open()).toMatchObject({ code: 0 })
  })

  it('lets an upload be repeated and resumed without counting it twice', async () => {
    const { key } = await reader()
    const { TraceID } = (await upload(key, 8 * MB)).data
    for (let each = 0; each < 3; each++) expect((await upload(key, 8 * MB, TraceID)).data).toMatchObject({ TraceID })
    expect(await capsOf(key)).toMatchObject({ traffic_reserved: 8 * MB })
  })

  it.each(['session', 'key'])('does not count what another caller, a %s, uploads in its place', async (other) => {
    const { person, key } = await reader()
    const text = 'resumed by another'
    const { TraceID } = (await upload(key, text.length)).data
    const token = other === 'session' ? person.token : (await env.key(person, 'admin')).toString()
    const again = (await upload(token, text.length, TraceID)).data
    expect(again.TraceID).toBe(TraceID)
    const jti = String(decodeJwt(again.List[0]?.Token ?? '').jti)
    const claims = { sub: person.uid, cid: await cidOf(text), size: text.length, tid: TraceID, jti }
    await env.call('nodeControl.receipts', { receipts: [await node.receipt(claims)] }, node)
    expect(await capsOf(key)).toMatchObject({ traffic_used: 0, traffic_reserved: 0 })
  })

  it('does not limit the owner, or other keys', async () => {
    const { person, open } = await reader({ traffic_cap: 0 })
    expect(await open(person.token)).toMatchObject({ code: 0 })
    expect(await open(await env.key(person, 'admin'))).toMatchObject({ code: 0 })
  })
})

describe('a key cannot exceed its cap of traffic', () => {
  it('with 100 downloads in parallel', async () => {
    const { key, open } = await reader()
    const answers = await Promise.all(Array.from({ length: 100 }, () => open()))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(10)
    expect(answers.filter(({ err }) => err === errors.keyTraffic.err)).toHaveLength(90)
    expect(await capsOf(key)).toMatchObject({ traffic_used: 0, traffic_reserved: 10 * MB })
  })

  it('with 100 uploads and downloads in parallel', async () => {
    const { key, open } = await reader()
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => (at % 2 ? open() : upload(key, MB))))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(10)
  })

  it('with its S3 access key, or after it was rotated', async () => {
    const { person, made, open } = await reader()
    const session = (await env.call('s3Access.session', sessionRequest(env, made), {})).data
    const rotated = (await env.call('apiKeys.rotate', { key_name: 'agent', overlap_hours: 1 }, person)).data.key
    const tokens = [made.key, session.token, rotated]
    const answers = await Promise.all(Array.from({ length: 99 }, (_, at) => open(tokens[at % 3])))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(10)
  })

  it('with uploads of which it says no size, or a smaller one, or that it cancels', async () => {
    const { key } = await reader()
    const first = (await upload(key)).data
    const { max } = decodeJwt(first.List[0]?.Token ?? '')
    expect(max).toBe(10 * MB)
    expect(await upload(key, 1)).toMatchObject(refused)
    // Cancelled uploads can be resumed: their tokens are still valid.
    await env.call('uploads.cancel', { trace_id: first.TraceID }, { token: key })
    expect(await upload(key, 1)).toMatchObject(refused)
    env.pass(UPLOAD_TOKEN_LIFE + 1000)
    const small = (await upload(key, 5)).data
    expect(decodeJwt(small.List[0]?.Token ?? '')).toMatchObject({ max: 5, size: 5 })
  })

  it('with the files of a folder', async () => {
    const { key } = await reader()
    const files = (count: number) => Array.from({ length: count }, (_, item) => ({ item, size: MB }))
    const folder = (count: number) =>
      env.call('folderUploads.info', { name: 'folder', files: files(count) } as never, { token: key })
    expect(await folder(11)).toMatchObject(refused)
    expect(await folder(10)).toMatchObject({ code: 0 })
    expect(await folder(1)).toMatchObject(refused)
  })

  it('with previews, replica checks and its own share', async () => {
    const { person, cid, key } = await reader({ traffic_cap: MB - 1 })
    await env.call('shares.create', { cid }, person)
    const as = { token: key }
    expect(await env.call('downloads.own', { asset_cid: cid, preview: true }, as)).toMatchObject(refused)
    expect(await env.call('assets.challenge', { cid, node_id: node.id }, as)).toMatchObject(refused)
    expect(await env.call('downloads.open', { asset_cid: cid, user_id: person.uid }, as)).toMatchObject(refused)
  })

  it('by reports of its own', async () => {
    const { key, open } = await reader({ traffic_cap: MB })
    const { trace_id, url, node_ids } = (await open()).data
    expect(url).toHaveLength(1)
    const report = { trace_id, state: 1, total_size: 0, cost_ms: 1, node_id: node_ids[0], transfer_type: 'download' }
    await env.call('traces.report', report as never, { token: key })
    expect(await open()).toMatchObject(refused)
  })

  it('as a node that reports more than four reads of a content', async () => {
    const { key, open, sent } = await reader()
    const [url = ''] = (await open()).data.url
    for (let each = 0; each < 20; each++) await sent(url, 4 * MB)
    const { traffic_used } = await capsOf(key)
    expect(traffic_used).toBeGreaterThan(4 * MB)
    expect(traffic_used).toBeLessThan(5 * MB)
  })

  it('by changing its own caps, or those of a key for one folder', async () => {
    const { person, key } = await reader()
    const change = { key_name: 'agent', traffic_cap: '' }
    expect(await env.call('apiKeys.change', change as never, { token: key })).toMatchObject({
      err: errors.forbidden.err,
    })
    const { group } = (await env.call('folders.create', { name: 'f' }, person)).data
    const one = { key_name: 'one', group_id: group.ID, traffic_cap: 1 }
    expect(await env.call('apiKeys.create', one, person)).toMatchObject({ err: errors.invalidParams.err })
    for (const traffic_cap of [-1, 1.5, 'much', 2 ** 60])
      expect(await env.call('apiKeys.create', { key_name: 'k', traffic_cap } as never, person)).toMatchObject({
        err: errors.invalidParams.err,
      })
  })

  it('with tokens for several nodes of an upload of which it says no size', async () => {
    const { person, key } = await reader()
    await Promise.all([env.node(), env.node()])
    expect((await upload(person.token)).data.List).toHaveLength(3)
    expect((await upload(key)).data.List.map(({ Token }) => decodeJwt(Token).max)).toEqual([10 * MB])
  })
})
