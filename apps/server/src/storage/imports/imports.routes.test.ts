import { randomBytes } from 'node:crypto'
import { cidOfDigest, DAG_PB, rawCid } from '@tidenet/content/cid'
import { folderOfOne } from '@tidenet/content/unixfs'
import {
  errors,
  errorText,
  IMPORTS_OPEN_MAX,
  IMPORTS_PER_DAY,
  IMPORTS_RUNNING_MAX,
  type ImportReason,
  type Permission,
} from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type As, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { endCancelled } from './leases.ts'

const SECRET = 'g'.repeat(64)
const gateway = { token: SECRET }
const HOUR = 3_600_000

let env: TestEnv
/** As in production: only public addresses. */
let strict: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup({
    s3GatewaySecret: SECRET,
    imports: { ipfsSources: ['https://ipfs.example'], privateToo: true },
  })
  strict = await setup({ s3GatewaySecret: SECRET, imports: { ipfsSources: [], privateToo: false } })
  node = await env.node()
  // A gateway asks, so imports are offered.
  for (const each of [env, strict]) await each.call('imports.claim', {}, gateway)
})
afterAll(async () => {
  await env?.close()
  await strict?.close()
})

const cidOf = async (text: string) => (await rawCid(new TextEncoder().encode(text))).toString()
const URL_OF = 'https://source.example/file.bin'
const begin = async (as: As, more: { url?: string; group_id?: number } = {}) =>
  (await env.call('imports.url', { url: URL_OF, ...more }, as)).data.id
const list = async (as: As) => (await env.call('imports.list', {}, as)).data.list
const of = async (as: As, id: number) => (await list(as)).find((one) => one.id === id)
const claim = async () => (await env.call('imports.claim', {}, gateway)).data.job
type Job = NonNullable<Awaited<ReturnType<typeof claim>>>
/** Leases imports until this one comes; others end. */
async function claimed(id: number): Promise<Job> {
  for (;;) {
    const job = await claim()
    if (!job) throw new Error('there is no such import')
    if (job.id === id) return job
    await finish(job, { reason: 'missing' })
  }
}
const progress = async ({ id, lease }: Job, received = 1) =>
  (await env.call('imports.progress', { id, lease, received }, gateway)).data
const finish = ({ id, lease }: Job, more: { reason?: ImportReason | ''; cid?: string; wrapped_bytes?: number } = {}) =>
  env.call('imports.finish', { id, lease, received: 7, reason: '', ...more }, gateway)
const folder = async (person: Person, name = 'incoming') =>
  (await env.call('folders.create', { name }, person)).data.group.ID

/** Stores a file as a gateway does. */
async function store(
  person: Person,
  { token, group_id }: Pick<Job, 'token' | 'group_id'>,
  name = 'a',
  wanted?: string,
) {
  const info = await env.call('uploads.info', { size: 20, group_id }, { token })
  if (info.code !== 0) return info
  const cid = wanted ?? (await cidOf(`${name} ${Math.random()}`))
  const receipt = await node.receipt({ sub: person.uid, tid: info.data.TraceID, cid, size: 20 })
  const asset = { asset_name: name, asset_type: 'file' as const, asset_size: 20, asset_cid: cid, group_id, receipt }
  return { ...(await env.call('assets.create', asset, { token })), cid }
}

describe('an import', () => {
  it('is leased once, reports progress, and ends with the file that it made', async () => {
    const person = await env.person()
    const group_id = await folder(person)
    const id = await begin(person, { url: `${URL_OF}?signature=secret`, group_id })
    expect(await of(person, id)).toMatchObject({ state: 'queued', source: `${URL_OF}?…`, group_id })
    const job = await claimed(id)
    expect(job).toMatchObject({ source: `${URL_OF}?signature=secret`, kind: 'url' })
    expect(await claim()).toBeNull()
    expect(await progress(job, 5)).toMatchObject({ go: true })
    expect(await of(person, id)).toMatchObject({ state: 'running', received: 5 })
    const stored = (await store(person, job)) as { cid: string }
    await finish(job, { cid: stored.cid })
    expect(await of(person, id)).toMatchObject({ state: 'done', received: 7, cid: stored.cid })
    // What is secret of the source is forgotten.
    const [row] = await env.db.rows<{ sealed: unknown }>(sql`select sealed from imports where id = ${id}`)
    expect(row?.sealed).toBeNull()
    const actions = await env.db.rows<{ action: string; row: string }>(
      sql`select action, a::text as row from audit_log a where actor_user_id = ${person.id}`,
    )
    expect(actions.map(({ action }) => action)).toContain('import.begin')
    expect(JSON.stringify(actions)).not.toContain('signature=secret')
  })

  it('of a file without raw leaves is done with a folder whose CID proves that the file is in it', async () => {
    const person = await env.person()
    const ended = async (tell: { wrapped_bytes: number }) => {
      const file = cidOfDigest(DAG_PB, randomBytes(32))
      const id = (await env.call('imports.cid', { cid: String(file), name: 'old.bin' }, person)).data.id
      const job = await claimed(id)
      const cid = String((await folderOfOne('old.bin', file, 1234)).cid)
      await store(person, job, 'old.bin', cid)
      await finish(job, { cid, ...tell })
      return of(person, id)
    }
    expect(await ended({ wrapped_bytes: 1234 })).toMatchObject({ state: 'done', reason: '' })
    for (const wrapped_bytes of [0, 1235])
      expect(await ended({ wrapped_bytes })).toMatchObject({ state: 'failed', reason: 'storing' })
  })

  it('is not done because a gateway says so', async () => {
    const person = await env.person()
    const id = await begin(person)
    await finish(await claimed(id), { cid: await cidOf('nobody stored this') })
    expect(await of(person, id)).toMatchObject({ state: 'failed', reason: 'storing' })
  })

  it('waits behind no queue of another account, whose workers learn that others wait', async () => {
    while (await claim().then((job) => job && finish(job, { reason: 'missing' })));
    const [greedy, person] = [await env.person(), await env.person()]
    const many: number[] = []
    for (let n = 0; n < 5; n++) many.push(await begin(greedy))
    const first = [await claim(), await claim()] as Job[]
    expect(first.map(({ id }) => id)).toEqual(many.slice(0, 2))
    // Its own imports wait for its own.
    expect(await progress(first[0] as Job)).toMatchObject({ go: true, awaited: false })
    const id = await begin(person)
    expect(await progress(first[0] as Job)).toMatchObject({ go: true, awaited: true })
    await finish(first[0] as Job, { reason: 'missing' })
    const job = (await claim()) as Job
    expect(job.id).toBe(id)
    expect(await progress(first[1] as Job)).toMatchObject({ awaited: false })
    await finish(job, { reason: 'missing' })
    const next = await begin(person)
    const second = (await claim()) as Job
    expect([next, many[2]]).toContain(second.id)
    env.pass(HOUR)
    while (await claim().then((left) => left && finish(left, { reason: 'missing' })));
  })

  it('is taken over when its lease has ended, and then nobody listens to the first worker', async () => {
    const person = await env.person()
    const id = await begin(person)
    const first = await claimed(id)
    env.pass(first.lease_ms)
    const second = await claimed(id)
    expect(await progress(first)).toEqual({ go: false, free: 0, awaited: false })
    await finish(first, { reason: 'missing' })
    expect(await of(person, id)).toMatchObject({ state: 'running' })
    expect(await store(person, first)).toMatchObject({ code: 401 })
    expect(await progress(second)).toMatchObject({ go: true })
    await finish(second, { reason: 'missing' })
  })

  it('is tried again after what may pass, and fails after what does not', async () => {
    const person = await env.person()
    const id = await begin(person)
    await finish(await claimed(id), { reason: 'slow' })
    expect(await of(person, id)).toMatchObject({ state: 'queued', error: '' })
    env.pass(HOUR)
    await finish(await claimed(id), { reason: 'missing' })
    expect(await of(person, id)).toMatchObject({ state: 'failed', reason: 'missing' })
    const [{ error } = { error: '' }] = (await env.call('imports.list', {}, { ...person, lang: 'cn' })).data.list
    expect(error).toMatch(/\p{Script=Han}/u)
  })

  it('ends at once if it waits, and as soon as its worker hears of it if it runs', async () => {
    const person = await env.person()
    const [waiting, running] = [await begin(person), await begin(person)]
    await env.call('imports.cancel', { id: waiting }, person)
    expect(await of(person, waiting)).toMatchObject({ state: 'cancelled' })
    const job = await claimed(running)
    await env.call('imports.cancel', { id: running }, person)
    expect(await progress(job)).toMatchObject({ go: false })
    await finish(job, { reason: 'missing' })
    expect(await of(person, running)).toMatchObject({ state: 'cancelled' })
  })

  it('is in the activity of the account with its source, as is its end', async () => {
    const person = await env.person()
    const id = await begin(person)
    env.pass(1000)
    await env.call('imports.cancel', { id }, person)
    const { list: entries } = (await env.call('activity.list', { kind: 'files' }, person)).data
    expect(entries.map(({ action, about }) => [action, about])).toEqual([
      ['import.cancel', URL_OF],
      ['import.begin', URL_OF],
    ])
  })

  it('of another S3 keeps the secret only while it runs', async () => {
    const person = await env.person()
    const s3 = { endpoint: 'https://s3.example', bucket: 'b', access_key_id: 'AKEY', secret_access_key: 'its secret' }
    const { id } = (await env.call('imports.s3', { ...s3, group_id: await folder(person) }, person)).data
    const job = await claimed(id)
    expect(job).toMatchObject({ secret_access_key: 'its secret', to_bucket: 'incoming' })
    await finish(job, { reason: 'missing' })
    expect(await env.call('imports.retry', { id }, person)).toMatchObject({ err: errors.importSecret.err })
    await env.call('imports.retry', { id, secret_access_key: 'another' }, person)
    expect(await claimed(id)).toMatchObject({ secret_access_key: 'another', access_key_id: 'AKEY' })
  })

  it('of an account that has many leaves room for others', async () => {
    const [many, one] = [await env.person(), await env.person()]
    while (await claim());
    for (let n = 0; n < 5; n++) await begin(many)
    const id = await begin(one)
    const jobs = [await claim(), await claim(), await claim()]
    expect(jobs.map((job) => job?.id)).toContain(id)
    expect(await claim()).toBeNull()
  })
})

describe('an import whose worker died', () => {
  it('is done, and not stored again, if its file is there already', async () => {
    for (const kind of ['url', 'cid'] as const) {
      const person = await env.person()
      const group_id = await folder(person)
      const wanted = await cidOf(`content ${kind}`)
      const id =
        kind === 'url'
          ? await begin(person, { group_id })
          : (await env.call('imports.cid', { cid: wanted, group_id }, person)).data.id
      const job = await claimed(id)
      expect(await store(person, job, 'a', wanted)).toMatchObject({ code: 0 })
      // Killed before `finish`.
      env.pass(job.lease_ms)
      while (await claim());
      expect(await of(person, id)).toMatchObject({ state: 'done', cid: wanted })
      expect((await env.call('assets.list', { group_id }, person)).data.total).toBe(1)
    }
  })

  it('is done with the folder that it made for a file without raw leaves, and with no other one', async () => {
    const stored = async (told: number) => {
      const person = await env.person()
      const file = cidOfDigest(DAG_PB, randomBytes(32))
      const id = (await env.call('imports.cid', { cid: String(file), name: 'old.bin' }, person)).data.id
      const job = await claimed(id)
      await env.call('imports.progress', { id, lease: job.lease, received: 1, wrapped_bytes: told }, gateway)
      await progress(job)
      const cid = String((await folderOfOne('old.bin', file, 1234)).cid)
      expect(await store(person, job, 'old.bin', cid)).toMatchObject({ code: 0 })
      env.pass(job.lease_ms)
      for (let next = await claim(); next; next = await claim()) await finish(next, { reason: 'missing' })
      return { cid, found: await of(person, id) }
    }
    const { cid, found } = await stored(1234)
    expect(found).toMatchObject({ state: 'done', cid })
    for (const told of [0, 1235]) expect((await stored(told)).found).toMatchObject({ state: 'failed', cid: '' })
  })

  it('is done if the worker did not hear that its file was listed, and the same end can be reported again', async () => {
    const person = await env.person()
    const id = await begin(person)
    const job = await claimed(id)
    const { cid } = (await store(person, job)) as { cid: string }
    for (let time = 0; time < 2; time++) expect(await finish(job, { reason: 'storing' })).toMatchObject({ code: 0 })
    expect(await of(person, id)).toMatchObject({ state: 'done', cid })
  })

  it('is stored again if its owner deleted the file', async () => {
    const person = await env.person()
    const id = await begin(person)
    const job = await claimed(id)
    const { cid } = (await store(person, job)) as { cid: string }
    await env.call('trash.put', { assets: [cid] }, person)
    env.pass(job.lease_ms)
    expect((await claimed(id)).id).toBe(id)
    await env.call('imports.cancel', { id }, person)
  })

  it('gives the space back that it had reserved, to the next worker and at its end', async () => {
    const person = await env.person()
    const reserved = async () => (await env.call('usage.storageSize', {}, person)).data.ReservedSize
    const cid = await cidOf('announced')
    const { id } = (await env.call('imports.cid', { cid }, person)).data
    const announce = async ({ token }: Job) => {
      const asset = { asset_name: 'a', asset_type: 'folder' as const, asset_size: 1000, asset_cid: cid, group_id: 0 }
      expect(await env.call('assets.create', { ...asset, on_conflict: 'keep_both' }, { token })).toMatchObject({
        code: 0,
      })
      expect(await reserved()).toBe(1000)
    }
    const first = await claimed(id)
    await announce(first)
    env.pass(first.lease_ms)
    const second = await claimed(id)
    expect(await reserved()).toBe(0)
    expect(second.free).toBe(first.free)
    await announce(second)
    await finish(second, { reason: 'missing' })
    expect(await reserved()).toBe(0)
    await env.call('imports.retry', { id }, person)
    const third = await claimed(id)
    await announce(third)
    await env.call('imports.cancel', { id }, person)
    env.pass(third.lease_ms)
    await endCancelled(env.context)
    expect(await reserved()).toBe(0)
    expect(await of(person, id)).toMatchObject({ state: 'cancelled' })
  })

  it('has not used up an attempt if its gateway was only stopped', async () => {
    const person = await env.person()
    const id = await begin(person)
    for (let stops = 0; stops < 10; stops++) await finish(await claimed(id), { reason: 'interrupted' })
    expect(await of(person, id)).toMatchObject({ state: 'queued' })
    for (let deaths = 0; deaths < 4; deaths++) env.pass((await claimed(id)).lease_ms)
    while (await claim());
    expect(await of(person, id)).toMatchObject({ state: 'failed', reason: 'interrupted' })
  })
})

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
