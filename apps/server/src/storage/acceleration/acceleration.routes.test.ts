import { ACCELERATION_GRACE_DAYS, ACCELERATION_SAMPLES_MIN, type AccelerationInfo } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { place } from '../../network/placement/place.ts'
import { DAY } from '../../platform/ago.ts'
import { sql } from '../../platform/db/sql.ts'
import { type As, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { type SampleFile, sampleFile } from '../assets/sample-files.fixture.ts'
import { reviewDue } from './review.ts'

/** Addresses in the packaged database of countries. */
const JAPAN = '133.11.0.'
const BRAZIL = '200.144.0.'
const GERMANY = '141.2.1.1'

let env: TestEnv
let german: Awaited<ReturnType<TestEnv['node']>>[]
let japanese: Awaited<ReturnType<TestEnv['node']>>[]
beforeAll(async () => {
  env = await setup({ replicas: 3 })
  german = [await env.node(), await env.node(), await env.node()]
  const area = 'Asia-Japan-Tokyo-Tokyo'
  japanese = [await env.node({ area }), await env.node({ area })]
})
afterAll(() => env.close())

const vip = () => env.person({ vip: true })
/** A file with the copies that every file has. */
const fileOf = (owner: Person, more: { folder?: number; areas?: string[]; size?: number } = {}) =>
  sampleFile(env.db, owner.id, { nodes: german, ...more })
const turn = (on: boolean, target: { cid: string } | { group_id: number }, as: As, more: { areas?: string[] } = {}) =>
  env.call('acceleration.set', { ...target, on, ...more }, as)
const read = async (target: { cid: string } | { group_id: number }, as: As): Promise<AccelerationInfo> =>
  (await env.call('acceleration.get', target, as)).data

/** Reviews every account, and places what became due. */
async function review(): Promise<void> {
  await env.db.run(sql`update accelerations set check_at = ${new Date(0)}`)
  await reviewDue(env.context, new AbortController().signal)
  await place(env.context)
}
/** Copies that are wanted but not there yet become stored. */
const fetchCopies = () =>
  env.db.run(sql`
    update replicas set state = 'stored', pulled = true, verified = true, changed_at = ${new Date(env.clock.now())} where state in ('wanted', 'pulling')`)
const nodesWith = async ({ cid }: SampleFile): Promise<string[]> =>
  (
    await env.db.rows<{ node_id: string }>(
      sql`select node_id from replicas where cid = ${cid} and state in ('wanted', 'stored')`,
    )
  ).map(({ node_id }) => node_id)
const isJapanese = (id: string) => japanese.some((node) => node.id === id)

const download = (owner: Person, { cid }: SampleFile, ip: string) =>
  env.call('downloads.own', { asset_cid: cid }, { token: owner.token, ip })
/** A download with the times that its client measured. */
async function measured(
  owner: Person,
  file: SampleFile,
  ip: string,
  { firstByte, nodes = [] }: { firstByte: number; nodes?: { id: string; ms: number }[] },
): Promise<void> {
  const { data } = await download(owner, file, ip)
  env.pass(20_000)
  await env.call(
    'traces.report',
    {
      trace_id: data.trace_id,
      state: 1,
      transfer_type: 'download',
      cost_ms: 1000,
      total_size: 20,
      first_byte_time: firstByte,
      details: nodes.map(({ id, ms }) => ({ node_id: id, state: 1, size: 20, start_at: 5, end_at: 9, first_byte: ms })),
    },
    { token: owner.token, ip },
  )
}

describe('turning acceleration on', () => {
  it('adds copies where the owner expects readers', async () => {
    const owner = await vip()
    const file = await fileOf(owner)
    const { data } = await turn(true, file, owner, { areas: ['Japan'] })
    expect(data).toMatchObject({ on: true, included: true, areas: ['Japan'], through: null })
    await review()
    expect(await nodesWith(file)).toEqual(expect.arrayContaining(japanese.map(({ id }) => id)))
    expect(await read(file, owner)).toMatchObject({ state: 'warming', near: [{ area: 'Japan', copies: 0, wanted: 2 }] })
    await fetchCopies()
    // Until a review has seen the copies, downloads still count as before.
    expect(await read(file, owner)).toMatchObject({ state: 'warming', near: [{ area: 'Japan', copies: 2 }] })
    await review()
    expect(await read(file, owner)).toMatchObject({
      state: 'active',
      near: [{ area: 'Japan', copies: 2, wanted: 2, cause: 'expected' }],
      cost: { extra_bytes: 40, copied_bytes: 40, used_bytes: 40 },
    })
  })

  it('adds copies where people read, once they did', async () => {
    const owner = await vip()
    const file = await fileOf(owner)
    await turn(true, file, owner)
    await review()
    expect(await read(file, owner)).toMatchObject({ state: 'waiting', near: [] })
    await download(owner, file, `${JAPAN}1`)
    await review()
    expect(await read(file, owner)).toMatchObject({ near: [{ area: 'Japan', cause: 'reads' }] })
    expect((await nodesWith(file)).filter(isJapanese)).toHaveLength(2)
  })

  it('adds copies near the owner while nobody read it', async () => {
    const owner = await vip()
    const file = await fileOf(owner)
    await turn(true, file, { token: owner.token, ip: GERMANY })
    await review()
    expect(await read(file, owner)).toMatchObject({ near: [{ area: 'Germany', cause: 'account' }] })
  })

  it('of a folder applies to what is in it and below it, also later', async () => {
    const owner = await vip()
    const { ID } = (await env.call('folders.create', { name: 'site' }, owner)).data.group
    const below = (await env.call('folders.create', { name: 'images', parent: ID }, owner)).data.group
    const [first, outside] = [await fileOf(owner, { folder: below.ID }), await fileOf(owner)]
    await turn(true, { group_id: ID }, owner, { areas: ['Japan'] })
    await review()
    const later = await fileOf(owner, { folder: ID })
    await review()
    for (const file of [first, later]) expect((await nodesWith(file)).filter(isJapanese)).toHaveLength(2)
    expect((await nodesWith(outside)).filter(isJapanese)).toHaveLength(0)
    expect(await read(first, owner)).toMatchObject({ on: true, through: { ID, Name: 'site' } })
    expect(await read({ group_id: ID }, owner)).toMatchObject({ on: true, near: [{ area: 'Japan', wanted: 4 }] })
    expect((await env.call('acceleration.list', {}, owner)).data.list).toMatchObject([{ group_id: ID, name: 'site' }])
  })

  it('says where people read and no node is near', async () => {
    const owner = await vip()
    const file = await fileOf(owner)
    await turn(true, file, owner)
    await download(owner, file, `${BRAZIL}1`)
    await review()
    const { near, unserved } = await read(file, owner)
    expect(near).toEqual([])
    expect(unserved).toHaveLength(1)
  })

  it('never adds copies outside the areas that the owner chose for the file', async () => {
    const owner = await vip()
    const file = await fileOf(owner, { areas: ['Germany'] })
    await turn(true, file, owner, { areas: ['Japan'] })
    await review()
    expect((await nodesWith(file)).filter(isJapanese)).toEqual([])
    expect(await read(file, owner)).toMatchObject({ near: [], unserved: ['Japan'] })
  })

  it('adds no more bytes than the account may store', async () => {
    const owner = await env.person({ vip: true, storageQuota: 100 })
    const file = await fileOf(owner, { size: 60 })
    await turn(true, file, owner, { areas: ['Japan'] })
    await review()
    expect(await read(file, owner)).toMatchObject({ near: [], cost: { used_bytes: 0, limit_bytes: 100 } })
  })
})

describe('extra copies are given back', () => {
  const accelerated = async () => {
    const owner = await vip()
    const file = await fileOf(owner)
    await turn(true, file, owner, { areas: ['Japan'] })
    await review()
    await fetchCopies()
    await review()
    expect((await nodesWith(file)).filter(isJapanese)).toHaveLength(2)
    return { owner, file }
  }

  it('when it is turned off', async () => {
    const { owner, file } = await accelerated()
    expect((await turn(false, file, owner)).data).toMatchObject({ on: false, state: 'off', near: [] })
    await review()
    expect(await nodesWith(file)).toHaveLength(3)
  })

  it('when the file is deleted, while another account still has it', async () => {
    const { owner, file } = await accelerated()
    const other = await env.person()
    await env.db.run(sql`
      insert into assets (user_id, cid, kind, name, size, created_at, expires_at)
      values (${other.id}, ${file.cid}, 'file', 'mine', 20, ${new Date(env.clock.now())}, ${new Date(env.clock.now() + DAY)})`)
    await env.call('assets.remove', { asset_cid: file.cid, trash: false }, owner)
    await review()
    expect(await nodesWith(file)).toHaveLength(3)
  })

  it('some days after the plan has ended, which it says', async () => {
    const { owner, file } = await accelerated()
    await env.db.run(sql`update users set vip = false where id = ${owner.id}`)
    await review()
    const { ends_at, included, on } = await read(file, owner)
    expect({ included, on }).toEqual({ included: false, on: true })
    expect(new Date(ends_at ?? 0).getTime()).toBeGreaterThan(env.clock.now() + (ACCELERATION_GRACE_DAYS - 1) * DAY)
    expect((await nodesWith(file)).filter(isJapanese)).toHaveLength(2)
    await env.db.run(
      sql`update accelerations set ends_at = ${new Date(env.clock.now() - 1)} where user_id = ${owner.id}`,
    )
    await review()
    expect(await nodesWith(file)).toHaveLength(3)
    expect(await read(file, owner)).toMatchObject({ on: false, state: 'off' })
  })

  it('not at all, if the plan is there again in time', async () => {
    const { owner, file } = await accelerated()
    await env.db.run(sql`update users set vip = false where id = ${owner.id}`)
    await review()
    await env.db.run(sql`update users set vip = true where id = ${owner.id}`)
    await review()
    expect(await read(file, owner)).toMatchObject({ on: true, ends_at: null, state: 'active' })
  })
})

describe('sources of accelerated files', () => {
  it('begin near the reader, and only while it is on', async () => {
    const owner = await vip()
    const file = await fileOf(owner)
    await turn(true, file, owner, { areas: ['Japan'] })
    await review()
    await fetchCopies()
    await review()
    const first = async (ip: string) => (await download(owner, file, ip)).data.node_ids[0] ?? ''
    for (let reader = 1; reader < 8; reader++) {
      expect(isJapanese(await first(`${JAPAN}${reader}`))).toBe(true)
      expect(isJapanese(await first(GERMANY))).toBe(false)
    }
  })

  it('begin with what readers measured, of which one network alone changes nothing', async () => {
    const owner = await vip()
    const file = await sampleFile(env.db, owner.id, { nodes: german.slice(0, 2) })
    await turn(true, file, owner, { areas: ['Germany'] })
    await review()
    const [fast, slow] = german.map(({ id }) => id) as [string, string]
    const first = async () => (await download(owner, file, '163.152.0.99')).data.node_ids[0]
    // One reader says the opposite, again and again.
    for (let time = 0; time < 5; time++)
      await measured(owner, file, '163.152.0.1', {
        firstByte: 30,
        nodes: [
          { id: slow, ms: 30 },
          { id: fast, ms: 9000 },
        ],
      })
    for (let reader = 2; reader < 9; reader++)
      await measured(owner, file, `163.152.0.${reader}`, {
        firstByte: 40,
        nodes: [
          { id: fast, ms: 40 },
          { id: slow, ms: 900 },
        ],
      })
    for (let time = 0; time < 8; time++) expect(await first()).toBe(fast)
  })
})

describe('what readers measured', () => {
  it('is shown per area, before and after', async () => {
    const owner = await vip()
    const file = await fileOf(owner)
    for (let reader = 1; reader <= ACCELERATION_SAMPLES_MIN; reader++)
      await measured(owner, file, `${JAPAN}${reader}`, { firstByte: 310 })
    await turn(true, file, owner)
    await review()
    await fetchCopies()
    await review()
    env.pass(60_000)
    for (let reader = 1; reader <= ACCELERATION_SAMPLES_MIN; reader++)
      await measured(owner, file, `${JAPAN}${100 + reader}`, { firstByte: 90 })
    const [japan] = (await read(file, owner)).measures
    expect(japan).toMatchObject({ area: 'Japan', before: { samples: 5 }, after: { samples: 5 } })
    expect(Math.abs((japan?.before.first_byte ?? 0) - 310)).toBeLessThan(60)
    expect(Math.abs((japan?.after.first_byte ?? 0) - 90)).toBeLessThan(20)
    expect(japan?.days).toHaveLength(2)
  })

  it('has no time while too few have read', async () => {
    const owner = await vip()
    const file = await fileOf(owner)
    for (let reader = 1; reader < ACCELERATION_SAMPLES_MIN; reader++)
      await measured(owner, file, `${JAPAN}${reader}`, { firstByte: 310 })
    expect((await read(file, owner)).measures).toMatchObject([{ before: { samples: 4, first_byte: null, rate: null } }])
  })

  it('counts a network once a day, and no time longer than the server saw', async () => {
    const owner = await vip()
    const file = await fileOf(owner)
    for (let time = 0; time < 5; time++) await measured(owner, file, `${JAPAN}1`, { firstByte: 310 })
    await measured(owner, file, `${JAPAN}2`, { firstByte: 3_000_000 })
    expect((await read(file, owner)).measures).toMatchObject([{ before: { samples: 1 } }])
  })

  it('is not collected for accounts whose plan does not include acceleration', async () => {
    const owner = await env.person()
    const file = await fileOf(owner)
    await measured(owner, file, `${JAPAN}1`, { firstByte: 310 })
    expect((await read(file, owner)).measures).toEqual([])
    const { count } = await env.db.one<{ count: number }>(
      sql`select count(*) from area_readers where user_id = ${owner.id}`,
    )
    expect(count).toBe(0)
  })
})

describe('acceleration is refused', () => {
  it('without a plan that includes it, while turning it off always works', async () => {
    const owner = await env.person()
    const file = await fileOf(owner)
    expect(await turn(true, file, owner)).toMatchObject({ code: -1, err: 2110 })
    expect(await turn(false, file, owner)).toMatchObject({ code: 0, data: { on: false, included: false } })
  })

  it('for files and folders of others, unknown ones, and both or neither of the two', async () => {
    const [owner, other] = [await vip(), await vip()]
    const file = await fileOf(owner)
    const { ID } = (await env.call('folders.create', { name: 'mine' }, owner)).data.group
    expect(await turn(true, file, other)).toMatchObject({ code: -1, err: 10028 })
    expect(await turn(true, { group_id: ID }, other)).toMatchObject({ code: -1, err: 10018 })
    expect(await turn(true, { group_id: 0 }, owner)).toMatchObject({ code: -1, err: 10018 })
    expect(await turn(true, { ...file, group_id: ID }, owner)).toMatchObject({ code: -1, err: 1001 })
    expect(await env.call('acceleration.get', {}, owner)).toMatchObject({ code: -1 })
    expect(await env.call('acceleration.get', file)).toMatchObject({ code: 401 })
  })

  it('for unknown areas, and for too many', async () => {
    const owner = await vip()
    const file = await fileOf(owner)
    expect(await turn(true, file, owner, { areas: ['Atlantis'] })).toMatchObject({ code: -1, err: 1005 })
    const areas = ['Japan', 'Germany', 'France', 'Chile', 'Brazil', 'Spain']
    expect(await turn(true, file, owner, { areas })).toMatchObject({ code: -1, err: 1001 })
  })

  it('to API keys without the permission', async () => {
    const owner = await vip()
    const file = await fileOf(owner)
    const token = await env.key(owner, ['readFile'])
    expect(await turn(true, file, { token })).toMatchObject({ code: -1, err: 1028 })
    expect(await env.call('acceleration.get', file, { token })).toMatchObject({ code: 0 })
  })
})
