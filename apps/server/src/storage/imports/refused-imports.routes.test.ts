import {
  errors,
  errorText,
  IMPORTS_OPEN_MAX,
  IMPORTS_PER_DAY,
  IMPORTS_RUNNING_MAX,
  type Permission,
} from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { cidOf, gateway, SECRET, SETTINGS, sampleImports, URL_OF } from './sample-imports.fixture.ts'

let env: TestEnv
/** As in production: only public addresses. */
let strict: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup(SETTINGS)
  strict = await setup({ s3GatewaySecret: SECRET, imports: { ipfsSources: [], privateToo: false } })
  node = await env.node()
  // A gateway asks, so imports are offered.
  for (const each of [env, strict]) await each.call('imports.claim', {}, gateway)
})
afterAll(async () => {
  await env?.close()
  await strict?.close()
})

const { begin, list, of, claim, claimed, finish, folder, store } = sampleImports(
  () => env,
  () => node,
)

describe('the token of an import', () => {
  it('stores in its folder, and can do nothing else, in no other place', async () => {
    const person = await env.person()
    const group_id = await folder(person)
    const other = await folder(person, 'other')
    const job = await claimed(await begin(person, { group_id }))
    expect(await store(person, job)).toMatchObject({ code: 0 })
    expect(await store(person, { ...job, group_id: other })).toMatchObject({ code: -1 })
    const as = { token: job.token }
    const receipt = await node.receipt({ sub: person.uid, cid: await cidOf('anonymous'), size: 20 })
    const anonymous = {
      asset_name: 'a',
      asset_type: 'file' as const,
      asset_size: 20,
      asset_cid: await cidOf('anonymous'),
    }
    const announced = (await env.call('uploads.info', { size: 30 }, person)).data.TraceID
    for (const answer of [
      await env.call('assets.create', { ...anonymous, group_id: -1, receipt }, as),
      await env.call('uploads.cancel', { trace_id: announced }, as),
      await env.call('folders.contents', { parent: group_id }, as),
      await env.call('folders.create', { name: 'x', parent: group_id }, as),
      await env.call('accounts.info', {}, as),
      await env.call('apiKeys.list', {}, as),
      await env.call('imports.url', { url: URL_OF, group_id }, as),
      await env.call('trash.put', { assets: ['x'] }, as),
      await env.call('shares.create', { cid: 'x' }, as),
    ])
      expect(answer.code).not.toBe(0)
    await finish(job, { reason: 'missing' })
    env.pass(1000)
    expect(await store(person, job)).toMatchObject({ code: 401 })
  })

  it('of the root reads nothing', async () => {
    const person = await env.person()
    const job = await claimed(await begin(person))
    expect(await store(person, job)).toMatchObject({ code: 0 })
    const as = { token: job.token }
    expect(await env.call('folders.contents', {}, as)).toMatchObject({ err: errors.forbidden.err })
    expect(await store(person, { ...job, group_id: await folder(person) })).toMatchObject({ err: errors.forbidden.err })
    for (const group_id of [0, job.group_id])
      expect(await env.call('imports.cid', { cid: await cidOf('x'), group_id }, as)).toMatchObject({
        err: errors.forbidden.err,
      })
    const pin = {
      method: 'POST',
      url: '/api/pinning/v1/pins',
      headers: { authorization: `Bearer ${job.token}` },
    } as const
    expect((await env.app.inject({ ...pin, payload: { cid: await cidOf('x') } })).statusCode).toBe(403)
  })

  it('ends with the API key with which the import began, and with the account', async () => {
    const person = await env.person()
    const { key } = (await env.call('apiKeys.create', { key_name: 'k' }, person)).data
    const job = await claimed(await begin({ token: key }))
    const waiting = await begin({ token: key })
    await env.call('apiKeys.remove', { key_name: 'k' }, person)
    env.pass(1000)
    expect(await store(person, job)).toMatchObject({ code: 401 })
    await finish(job, { reason: 'missing' })
    while (await claim());
    expect(await of(person, waiting)).toMatchObject({ state: 'failed', reason: 'access' })
  })
})

describe('refused is', () => {
  it('an address that is not public, with a password, of another protocol or of a port of other services', async () => {
    const person = await strict.person()
    for (const url of [
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://10.1.2.3/',
      'http://169.254.169.254/latest/meta-data',
      'http://100.64.0.1/',
      'http://2130706433/',
      'http://[::ffff:127.0.0.1]/',
      'http://224.0.0.1/',
      'https://user:pass@source.example/',
      'ftp://source.example/',
      'file:///etc/passwd',
      'https://source.example:25/',
      'no address',
    ])
      expect(await strict.call('imports.url', { url }, person), url).toMatchObject({ err: errors.importUrl.err })
    const s3 = { bucket: 'b', access_key_id: 'k', secret_access_key: 's', group_id: 1 }
    for (const endpoint of ['http://192.168.1.1:9000', 'https://s3.example/?x'])
      expect(await strict.call('imports.s3', { ...s3, endpoint }, person)).toMatchObject({ err: errors.importUrl.err })
  })

  it('a kind that the operator does not offer', async () => {
    const person = await strict.person()
    expect((await strict.call('imports.options', {}, person)).data).toEqual({ url: true, cid: false, s3: true })
    const cid = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
    expect(await strict.call('imports.cid', { cid }, person)).toMatchObject({ err: errors.importNotOffered.err })
  })

  it('any kind while no gateway asks for imports', async () => {
    const person = await env.person()
    await env.db.run(sql`update import_gateways set seen_at = seen_at - interval '1 day'`)
    expect((await env.call('imports.options', {}, person)).data).toEqual({ url: false, cid: false, s3: false })
    expect(await env.call('imports.url', { url: URL_OF }, person)).toMatchObject({ err: errors.importNotOffered.err })
    await claim()
    expect((await env.call('imports.options', {}, person)).data).toEqual({ url: true, cid: true, s3: true })
  })

  it('more imports than an account may have', async () => {
    const person = await env.person()
    for (let n = 0; n < IMPORTS_OPEN_MAX; n++) await begin(person)
    const refused = await env.call('imports.url', { url: URL_OF }, person)
    expect(refused).toMatchObject({ err: errors.tooManyImports.err })
    await env.db.run(sql`delete from imports where user_id = ${person.id}`)
  })

  it('more than an account may begin or retry in a day', async () => {
    const person = await env.person()
    const id = await begin(person)
    const end = () => env.call('imports.cancel', { id }, person)
    await end()
    await env.db.run(sql`update imports set begun = ${IMPORTS_PER_DAY - 1} where id = ${id}`)
    expect(await env.call('imports.retry', { id }, person)).toMatchObject({ code: 0 })
    await end()
    expect(await env.call('imports.retry', { id }, person)).toMatchObject({ err: errors.tooManyImports.err })
    await env.db.run(sql`update imports set begun_at = begun_at - interval '1 day' where id = ${id}`)
    expect(await env.call('imports.retry', { id }, person)).toMatchObject({ code: 0 })
    await end()
  })

  it('more than two of an account at the same time, also to gateways that ask at once', async () => {
    const person = await env.person()
    while (await claim());
    const ids: number[] = []
    for (let n = 0; n < 6; n++) ids.push(await begin(person))
    const jobs = await Promise.all(Array.from({ length: 8 }, claim))
    expect(jobs.filter((job) => job && ids.includes(job.id))).toHaveLength(IMPORTS_RUNNING_MAX)
    await env.db.run(sql`delete from imports where user_id = ${person.id}`)
  })

  it('a full account, a folder of another one, and an API key without the permission or the folder', async () => {
    const person = await env.person()
    const full = await env.person({ storageQuota: 0 })
    const quota = await env.call('imports.url', { url: URL_OF }, full)
    expect(quota).toMatchObject({ err: errors.quotaExceeded.err })
    const foreign = await folder(await env.person())
    const answer = await env.call('imports.url', { url: URL_OF, group_id: foreign }, person)
    expect(answer).toMatchObject({ err: errors.folderUnknown.err })
    const [own, other] = [await folder(person, 'own'), await folder(person, 'other')]
    const key = async (perms: Permission[], folders?: number[]) => ({ token: await env.key(person, perms, folders) })
    const reader = await key(['readFile'])
    expect(await env.call('imports.url', { url: URL_OF }, reader)).toMatchObject({ err: errors.forbidden.err })
    const capped = { token: await env.key(person, ['createFile']) }
    await env.db.run(sql`update api_keys set traffic_cap = 1000 where user_id = ${person.id}`)
    expect(await env.call('imports.url', { url: URL_OF }, capped)).toMatchObject({
      err: errors.keyCapped.err,
      msg: errorText('keyCapped', 'en'),
    })
    await env.db.run(sql`update api_keys set traffic_cap = null where user_id = ${person.id}`)
    const limited = await key(['readFile', 'createFile'], [own])
    for (const group_id of [0, other])
      expect((await env.call('imports.url', { url: URL_OF, group_id }, limited)).code).not.toBe(0)
    const hidden = await begin(person, { group_id: other })
    const visible = await begin(limited, { group_id: own })
    expect((await list(limited)).map(({ id }) => id)).toEqual([visible])
    expect(await env.call('imports.cancel', { id: hidden }, limited)).toMatchObject({ err: errors.notFound.err })
  })

  it('who has not the secret of gateways, and strangers', async () => {
    const [person, stranger] = [await env.person(), await env.person()]
    const id = await begin(person)
    for (const as of [person, { token: 'x'.repeat(64) }, {}])
      expect(await env.call('imports.claim', {}, as)).toMatchObject({ code: 401 })
    for (const name of ['imports.cancel', 'imports.retry'] as const)
      expect(await env.call(name, { id }, stranger)).toMatchObject({ err: errors.notFound.err })
    expect(await list(stranger)).toEqual([])
  })
})
