import { randomBytes } from 'node:crypto'
import { cidOfDigest, DAG_PB } from '@tidenet/content/cid'
import { folderOfOne } from '@tidenet/content/unixfs'
import { errors, type ImportReason, importErrorText, TEMPORARY_REASONS } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { endCancelled } from './leases.ts'
import { cidOf, gateway, HOUR, SETTINGS, sampleImports, URL_OF } from './sample-imports.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup(SETTINGS)
  node = await env.node()
  // A gateway asks, so imports are offered.
  await env.call('imports.claim', {}, gateway)
})
afterAll(() => env?.close())

const { begin, of, claim, claimed, progress, finish, folder, store } = sampleImports(
  () => env,
  () => node,
)
type Job = Awaited<ReturnType<typeof claimed>>

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
    expect(await of(person, id)).toMatchObject({ state: 'queued', reason: 'slow' })
    env.pass(HOUR)
    await finish(await claimed(id), { reason: 'missing' })
    expect(await of(person, id)).toMatchObject({ state: 'failed', reason: 'missing' })
    const [{ error } = { error: '' }] = (await env.call('imports.list', {}, { ...person, lang: 'cn' })).data.list
    expect(error).toMatch(/\p{Script=Han}/u)
  })

  it('says why it waits for another try, in both languages, and nothing before the first', async () => {
    const person = await env.person()
    const id = await begin(person)
    expect(await of(person, id)).toMatchObject({ state: 'queued', reason: '', error: '' })
    const reasons: ImportReason[] = [...TEMPORARY_REASONS, 'interrupted']
    for (const reason of reasons) {
      expect(importErrorText('queued', reason, 'cn')).toMatch(/\p{Script=Han}/u)
      expect(importErrorText('queued', reason, 'en')).not.toBe(importErrorText('failed', reason, 'en'))
    }
    await finish(await claimed(id), { reason: 'unreachable' })
    const error = importErrorText('queued', 'unreachable', 'en')
    expect(await of(person, id)).toMatchObject({ state: 'queued', reason: 'unreachable', error })
    // While it is tried, the last reason is no longer true.
    env.pass(HOUR)
    await claimed(id)
    expect(await of(person, id)).toMatchObject({ state: 'running', reason: '', error: '' })
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
