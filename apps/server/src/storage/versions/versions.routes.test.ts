import { randomUUID } from 'node:crypto'
import { VERSION_LIMITS, VERSION_UNDO } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { contentsToRelease, releaseContents } from '../contents/release.ts'
import { purgeVersions } from './service.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node({ url: 'http://127.0.0.1:7001' })
})
afterAll(() => env.close())

const DAY = 24 * 3600 * 1000
/** Uploads new content under this name. @returns its CID */
async function save(person: Person, more: { name?: string; size?: number; cid?: string; token?: string } = {}) {
  const { name = 'a.txt', size = 20 } = more
  const cid = more.cid ?? (await sampleFile(env.db, uploader.id, { nodes: [node], text: randomUUID(), size })).cid
  const receipt = await node.receipt({ sub: person.uid, cid, size })
  const answer = await env.call(
    'assets.create',
    { asset_name: name, asset_type: 'file', asset_size: size, asset_cid: cid, receipt, on_conflict: 'replace' },
    more.token ? { token: more.token } : person,
  )
  return { cid, ...answer }
}
let uploader: Person
beforeAll(async () => {
  uploader = await env.person()
})

const entry = async (person: Person) => {
  const [item] = (await env.call('folders.contents', { parent: 0, sort: 'name' }, person)).data.list
  return item?.AssetOverview?.UserAssetDetail
}
const versionsOf = async (person: Person) =>
  (await env.call('versions.list', { cid: (await entry(person))?.Cid ?? '' }, person)).data
const numbers = async (person: Person) => (await versionsOf(person)).list.map(({ version }) => version)
const usage = async (person: Person) => (await env.call('usage.storageSize', {}, person)).data
const readable = async (person: Person, cid: string) =>
  (await env.call('downloads.own', { asset_cid: cid, preview: true }, person)).code === 0
/** Runs the queued releases. */
async function release() {
  const { rows } = await env.db.pool.query(
    `delete from graphile_worker._private_jobs where task_id in (select id from graphile_worker._private_tasks where identifier = $1) returning payload`,
    [contentsToRelease.name],
  )
  for (const { payload } of rows)
    await env.db.transaction((tx) => releaseContents(env.context, tx, (payload as { cids: string[] }).cids))
}
const stored = async (cid: string) =>
  (await env.db.maybe(sql`select 1 from replicas where cid = ${cid} and state = 'stored'`)) !== undefined

describe('replacing a file', () => {
  it('keeps the earlier content as a version of the same entry', async () => {
    const person = await env.person()
    const first = await save(person)
    const before = await entry(person)
    const second = await save(person, { size: 30 })
    expect(second.code).toBe(0)
    expect(await entry(person)).toMatchObject({ AssetID: before?.AssetID, Cid: second.cid, TotalSize: 30, Version: 2 })
    const { list, ...rest } = await versionsOf(person)
    expect(rest).toMatchObject({ total: 1, version: 2, keep: VERSION_LIMITS.free, asset_id: before?.AssetID })
    expect(list).toMatchObject([
      {
        version: 1,
        cid: first.cid,
        size: 20,
        removed: false,
        created_at: before?.CreatedTime,
        receipt_id: before?.receipt_id,
      },
    ])
    const [kept] = list
    expect(Date.parse(kept?.purge_at ?? '') - Date.parse(kept?.replaced_at ?? '')).toBe(VERSION_LIMITS.free.days * DAY)
    expect(await usage(person)).toMatchObject({ UsedSize: 30, VersionSize: 20, AssetCount: 1 })
    expect(await stored(first.cid)).toBe(true)
  })

  it('changes nothing for the same content, however often it is repeated', async () => {
    const person = await env.person()
    const { cid } = await save(person)
    await save(person, { cid })
    expect(await entry(person)).toMatchObject({ Cid: cid, Version: 1 })
    expect(await numbers(person)).toEqual([])
  })

  it('lets links by entry follow, and ends links that name the earlier content', async () => {
    const [owner, visitor] = [await env.person(), await env.person()]
    const { cid } = await save(owner)
    const { id } = (await env.call('shares.create', { cid, short_pass: 'abc123' }, owner)).data
    await env.call('shares.setStatus', { cid }, owner)
    const { ticket } = (await env.call('shares.check', { username: owner.uid, cid, password: 'abc123' }, visitor)).data
    const open = async (asset_cid: string) =>
      (await env.call('downloads.open', { asset_cid, user_id: owner.uid, ticket }, visitor)).err ?? 0
    expect(await open(cid)).toBe(0)
    const ended = () => env.db.rows(sql`select 1 from ended_shares where account = ${owner.uid} and target = ${cid}`)
    const before = (await ended()).length
    const replaced = await save(owner)
    expect([await open(cid), await open(replaced.cid)]).toEqual([10028, 0])
    expect(await env.call('shares.target', { id }, visitor)).toMatchObject({ data: { cid: replaced.cid } })
    expect(await env.call('shares.needPass', { username: owner.uid, cid }, visitor)).toMatchObject({ err: 1000 })
    // Nodes refuse the tokens of before.
    expect((await ended()).length).toBe(before + 1)
  })

  it('keeps as many versions as the plan includes, and lets nodes delete the rest', async () => {
    for (const [vip, limits] of [
      [false, VERSION_LIMITS.free],
      [true, VERSION_LIMITS.paid],
    ] as const) {
      const person = await env.person({ vip })
      const cids: string[] = []
      for (let n = 0; n < Math.min(8, limits.versions + 3); n++) cids.push((await save(person)).cid)
      expect(await numbers(person)).toHaveLength(Math.min(7, limits.versions))
      await env.db.run(sql`delete from assets where user_id = ${uploader.id}`)
      await release()
      expect(await Promise.all(cids.map(stored))).toEqual(cids.map((_, n) => vip || n >= cids.length - 6))
    }
  })

  it('uses only quota that nothing else needs: the trash goes first, then the oldest versions', async () => {
    const person = await env.person({ storageQuota: 100 })
    await sampleFile(env.db, person.id, { name: 'z', size: 10 })
    await env.call('assets.remove', { asset_cid: (await entry(person))?.Cid ?? '', trash: true }, person)
    for (const size of [30, 30, 30]) await save(person, { size })
    expect(await usage(person)).toMatchObject({ UsedSize: 30, VersionSize: 60, TrashSize: 10 })
    await save(person, { name: 'b.txt', size: 15 })
    expect(await usage(person)).toMatchObject({ UsedSize: 45, VersionSize: 30, TrashSize: 0 })
    expect(await numbers(person)).toEqual([2])
    await save(person, { size: 85 })
    expect(await usage(person)).toMatchObject({ UsedSize: 100, VersionSize: 0 })
    expect(await save(person, { size: 86 })).toMatchObject({ code: -1, err: 10004 })
  })

  it('works for an upload that was announced', async () => {
    const person = await env.person()
    const first = await save(person)
    const { cid } = await sampleFile(env.db, uploader.id, { nodes: [node], text: randomUUID(), size: 25 })
    const announced = { asset_name: 'a.txt', asset_type: 'file', asset_size: 25, asset_cid: cid } as const
    expect((await env.call('assets.create', { ...announced, on_conflict: 'replace' }, person)).data).not.toEqual([])
    expect(await entry(person)).toMatchObject({ Cid: first.cid })
    await env.call('nodeControl.receipts', { receipts: [await node.receipt({ sub: person.uid, cid, size: 25 })] }, node)
    expect(await entry(person)).toMatchObject({ Cid: cid, Version: 2 })
    expect(await usage(person)).toMatchObject({ UsedSize: 25, VersionSize: 20, ReservedSize: 0 })
  })

  it('loses nothing when many replace a file at once', async () => {
    const person = await env.person({ vip: true })
    const answers = await Promise.all(Array.from({ length: 8 }, () => save(person)))
    const { list, version } = await versionsOf(person)
    expect(version).toBe(8)
    expect(new Set([...list.map(({ cid }) => cid), (await entry(person))?.Cid])).toEqual(
      new Set(answers.map(({ cid }) => cid)),
    )
    expect(await usage(person)).toMatchObject({ UsedSize: 20, VersionSize: 140, AssetCount: 1 })
  })
})

describe('an earlier version', () => {
  it('can be read by its owner, by its id or CID', async () => {
    const person = await env.person()
    const { cid } = await save(person)
    await save(person)
    const [version] = (await versionsOf(person)).list
    const { data } = await env.call('downloads.own', { asset_cid: cid, version_id: version?.id }, person)
    expect(data).toMatchObject({ asset_cid: cid, size: 20, file_name: 'a.txt', node_ids: [node.id] })
    expect(await readable(person, cid)).toBe(true)
  })

  it('is restored as a new version; what was current is kept', async () => {
    const person = await env.person()
    const [first, second] = [await save(person), await save(person, { size: 30 })]
    const [version] = (await versionsOf(person)).list
    const id = version?.id ?? 0
    const restored = await env.call('versions.restore', { id }, person)
    expect(restored.data).toMatchObject({ cid: first.cid, version: 3 })
    expect(await entry(person)).toMatchObject({
      Cid: first.cid,
      TotalSize: 20,
      Version: 3,
      receipt_id: version?.receipt_id,
    })
    expect((await versionsOf(person)).list.map((each) => [each.version, each.cid])).toEqual([
      [2, second.cid],
      [1, first.cid],
    ])
    expect(await usage(person)).toMatchObject({ UsedSize: 20, VersionSize: 50 })
    expect((await env.call('versions.restore', { id }, person)).data).toEqual(restored.data)
  })

  it('is deleted a day after its owner deletes it, and comes back until then', async () => {
    const person = await env.person()
    const { cid } = await save(person)
    await save(person)
    const id = (await versionsOf(person)).list[0]?.id ?? 0
    const kept = (await versionsOf(person)).list
    const { purge_at } = (await env.call('versions.remove', { id }, person)).data
    expect(Math.abs(Date.parse(purge_at) - env.clock.now() - VERSION_UNDO)).toBeLessThan(5000)
    expect((await versionsOf(person)).list).toMatchObject([{ removed: true }])
    expect(await readable(person, cid)).toBe(false)
    expect(await env.call('versions.restore', { id }, person)).toMatchObject({ err: 1000 })
    await env.call('versions.undelete', { id }, person)
    expect((await versionsOf(person)).list).toEqual(kept)
    await env.call('versions.remove', { id }, person)
    const token = await env.key(person, 'admin')
    env.clock.move(VERSION_UNDO + 1000)
    try {
      expect(await env.call('versions.undelete', { id }, { token })).toMatchObject({ err: 1000 })
      await purgeVersions(env.context)
    } finally {
      env.clock.move(0)
    }
    expect(await usage(person)).toMatchObject({ VersionSize: 0 })
    expect(await numbers(person)).toEqual([])
  })

  it('that comes back is kept for as long as before, also if the plan has ended since', async () => {
    const person = await env.person({ vip: true })
    const { cid } = await save(person)
    await save(person)
    const [before] = (await versionsOf(person)).list
    const id = before?.id ?? 0
    await env.db.run(sql`update users set vip = false where id = ${person.id}`)
    env.clock.move((VERSION_LIMITS.free.days + 1) * DAY)
    try {
      const token = await env.key(person, 'admin')
      await env.call('versions.remove', { id }, { token })
      expect(await env.call('versions.undelete', { id }, { token })).toMatchObject({ code: 0 })
      await purgeVersions(env.context)
    } finally {
      env.clock.move(0)
    }
    expect((await versionsOf(person)).list).toEqual([before])
    expect(await readable(person, cid)).toBe(true)
  })

  it('is deleted when its time is over, and only then its content', async () => {
    const person = await env.person()
    const { cid } = await save(person)
    const current = await save(person)
    await env.db.run(sql`delete from assets where user_id = ${uploader.id}`)
    await purgeVersions(env.context)
    expect(await stored(cid)).toBe(true)
    env.clock.move((VERSION_LIMITS.free.days + 1) * DAY)
    try {
      await purgeVersions(env.context)
    } finally {
      env.clock.move(0)
    }
    expect([await stored(cid), await stored(current.cid)]).toEqual([false, true])
  })

  it('keeps its content although the same version of another account is over', async () => {
    const [first, second] = [await env.person(), await env.person()]
    const { cid } = await save(first)
    await save(first)
    await save(second, { cid })
    await save(second)
    await env.db.run(sql`delete from assets where user_id = ${uploader.id}`)
    await env.db.run(sql`update receipts set spent = true where cid = ${cid}`)
    await env.db.run(sql`update asset_versions set purge_at = now() - interval '1 day' where user_id = ${first.id}`)
    await purgeVersions(env.context)
    await release()
    expect([(await versionsOf(first)).total, (await versionsOf(second)).total, await stored(cid)]).toEqual([0, 1, true])
  })

  it('goes to the trash with its file, and comes back or is deleted with it', async () => {
    const person = await env.person()
    const first = await save(person)
    const { cid } = await save(person)
    const { AssetID: asset = 0 } = (await entry(person)) ?? {}
    const id = (await versionsOf(person)).list[0]?.id ?? 0
    const put = async () => (await env.call('trash.put', { asset_ids: [asset] }, person)).data.trash_ids
    const ids = await put()
    expect(await readable(person, first.cid)).toBe(false)
    expect(await env.call('versions.restore', { id }, person)).toMatchObject({ err: 1000 })
    // The content is needed while it can come back, also if it is uploaded again.
    await env.db.run(sql`delete from assets where user_id = ${uploader.id}`)
    await env.call('trash.restore', { ids }, person)
    expect(await numbers(person)).toEqual([1])
    expect(await entry(person)).toMatchObject({ AssetID: asset, Version: 2 })
    await put()
    const again = { asset_name: 'again', asset_type: 'file', asset_size: 20, asset_cid: cid } as const
    await env.call('assets.create', again, person)
    expect((await env.call('trash.list', {}, person)).data.total).toBe(1)
    await env.call('trash.empty', {}, person)
    expect([await stored(first.cid), await stored(cid)]).toEqual([false, true])
    expect(await usage(person)).toMatchObject({ VersionSize: 0, TrashSize: 0 })
  })

  it('is deleted with its file, alone, in a folder, and when it expires', async () => {
    const { expireAssets } = await import('../files/expired.ts')
    const person = await env.person()
    const remove = [
      async (cid: string) => env.call('assets.remove', { asset_cid: cid }, person),
      async (cid: string) => {
        const group = (await env.call('folders.create', { name: 'f' }, person)).data.group.ID
        await env.call('assets.move', { asset_cid: cid, group_id: group }, person)
        return env.call('folders.remove', { group_id: group, trash: false }, person)
      },
      async (cid: string) => {
        await env.db.run(
          sql`update assets set expires_at = ${new Date(env.clock.now() - 1)}, ending_stage = 3 where cid = ${cid}`,
        )
        return expireAssets(env.context)
      },
    ]
    for (const each of remove) {
      const first = await save(person)
      const { cid } = await save(person)
      await env.db.run(sql`delete from assets where user_id = ${uploader.id}`)
      await each(cid)
      expect([await stored(first.cid), await stored(cid)]).toEqual([false, false])
      expect(await usage(person)).toMatchObject({ UsedSize: 0, VersionSize: 0 })
    }
  })

  it('is unknown to others, and untouched by keys without the permissions', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const { cid } = await save(owner)
    await save(owner)
    const id = (await versionsOf(owner)).list[0]?.id ?? 0
    for (const call of ['versions.restore', 'versions.remove', 'versions.undelete'] as const)
      expect(await env.call(call, { id }, other)).toMatchObject({ code: -1, err: 1000 })
    expect(await env.call('downloads.own', { asset_cid: cid, version_id: id }, other)).toMatchObject({ err: 10028 })
    expect(await env.call('versions.list', { cid }, owner)).toMatchObject({ err: 10028 })
    const token = await env.key(owner, ['createFile', 'readFile'])
    const { err } = await env.call('versions.remove', { id }, { token })
    expect(await env.call('versions.restore', { id }, { token })).toMatchObject({ code: -1, err })
    expect(await save(owner, { token })).toMatchObject({ code: -1, err })
    expect((await versionsOf(owner)).list).toHaveLength(1)
  })

  it('that only edges confirmed stays restricted when it is restored', async () => {
    const person = await env.person()
    await save(person)
    await env.db.run(sql`update assets set restricted_to = ${['e_1']} where user_id = ${person.id}`)
    await save(person)
    const id = (await versionsOf(person)).list[0]?.id ?? 0
    await env.call('versions.restore', { id }, person)
    expect(await env.db.rows(sql`select version, restricted_to from assets where user_id = ${person.id}`)).toEqual([
      { version: 3, restricted_to: ['e_1'] },
    ])
  })
})
