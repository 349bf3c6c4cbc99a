import { FREE_FOLDERS } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { place } from '../../network/placement/place.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile, sampleFiles } from '../assets/sample-files.fixture.ts'
import { purgeDue } from './purge.ts'
import { TRASH_MAX_ENTRIES } from './service.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const DAY = 24 * 3600 * 1000
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const folder = async (person: Person, name: string, parent = 0) =>
  (await env.call('folders.create', { name, parent }, person)).data.group.ID
const put = async (person: Person, what: { assets?: string[]; folders?: number[] }) =>
  (await env.call('trash.put', what, person)).data
const restore = async (person: Person, ids: number[]) => (await env.call('trash.restore', { ids }, person)).data.results
const lying = async (person: Person) => (await env.call('trash.list', { page_size: 100 }, person)).data
const names = async (person: Person, parent = 0) =>
  (await env.call('folders.contents', { parent, page_size: 100 }, person)).data.list.map(
    ({ AssetOverview, Group }) => Group?.Name ?? AssetOverview?.UserAssetDetail.AssetName,
  )
const usage = async (person: Person) => (await env.call('usage.storageSize', {}, person)).data
const bytesInTrash = async (person: Person) =>
  (await env.db.one<{ trash_bytes: number }>(sql`select trash_bytes from users where id = ${person.id}`)).trash_bytes

describe('the trash', () => {
  it('accepts files and folders in one request, and lists them with path and expiry', async () => {
    const person = await env.person()
    const [outer, beside] = [await folder(person, 'outer'), await folder(person, 'beside')]
    const inner = await folder(person, 'inner', outer)
    const { cid } = await sampleFile(env.db, person.id, { folder: inner, name: 'deep.txt', size: 30 })
    await sampleFile(env.db, person.id, { folder: outer, size: 12 })
    const alone = await sampleFile(env.db, person.id, { folder: beside, name: 'alone.txt', size: 7 })
    const result = await put(person, { folders: [outer], assets: [alone.cid] })
    expect(result).toMatchObject({ folders: 2, assets: 3, results: [{ ok: true }, { id: alone.cid, ok: true }] })
    expect(await names(person)).toEqual(['beside'])
    expect(await usage(person)).toMatchObject({ UsedSize: 0, AssetCount: 0, FolderCount: 1 })
    const { list, total, size } = await lying(person)
    expect({ total, size }).toEqual({ total: 2, size: 49 })
    expect(list).toMatchObject([
      { kind: 'file', name: 'alone.txt', cid: alone.cid, size: 7, path: ['beside'] },
      { kind: 'group', name: 'outer', size: 42, files: 2, folders: 1, path: [], cid: '' },
    ])
    const [first] = list
    expect(Date.parse(first?.purge_at ?? '') - Date.parse(first?.deleted_at ?? '')).toBe(30 * DAY)
    expect(await env.call('downloads.own', { asset_cid: cid }, person)).toMatchObject({ code: -1, err: 10028 })
  })

  it('restores everything: folders, names, shares and counts', async () => {
    const person = await env.person()
    const outer = await folder(person, 'outer')
    const inner = await folder(person, 'inner', outer)
    const { cid } = await sampleFile(env.db, person.id, { folder: inner, name: 'kept.txt', size: 40 })
    await env.call('shares.create', { cid, short_pass: 'abc123' }, person)
    await env.call('shares.setStatus', { cid, status: 1 }, person)
    const exists = async () =>
      (
        (await env.call('assets.status', { username: person.uid, cid })).data as unknown as {
          data: { IsExist: boolean }
        }
      ).data.IsExist
    expect(await exists()).toBe(true)
    const { trash_ids } = await put(person, { folders: [outer] })
    expect(await exists()).toBe(false)
    expect(await env.call('shares.needPass', { username: person.uid, cid })).toMatchObject({ code: -1 })
    expect(await restore(person, trash_ids)).toMatchObject([{ ok: true, name: 'outer', folder: 0 }])
    expect(await names(person, inner)).toEqual(['kept.txt'])
    expect(await exists()).toBe(true)
    expect(await usage(person)).toMatchObject({ UsedSize: 40, AssetCount: 1, FolderCount: 2 })
    expect(await lying(person)).toMatchObject({ total: 0, size: 0 })
  })

  it('does not restore a share that was revoked or turned off meanwhile', async () => {
    const person = await env.person()
    const top = await folder(person, 'top')
    const inner = await folder(person, 'inner', top)
    const node = await env.node()
    const [revoked, off] = [
      await sampleFile(env.db, person.id, { nodes: [node] }),
      await sampleFile(env.db, person.id, { folder: inner, nodes: [node] }),
    ]
    const linkOf = async (cid: string) => {
      const { data } = await env.call('shares.create', { cid, short_pass: 'abc123' }, person)
      await env.call('shares.setStatus', { cid, status: 1 }, person)
      return data.id
    }
    const links = [await linkOf(revoked.cid), await linkOf(String(inner))]
    await linkOf(off.cid)
    const { trash_ids } = await put(person, { assets: [revoked.cid], folders: [top] })
    for (const id of links) expect(await env.call('shares.revoke', { id }, person)).toMatchObject({ code: 0 })
    expect(await env.call('shares.setStatus', { cid: off.cid, status: 1 }, person)).toMatchObject({ err: 10028 })
    expect(await env.call('shares.setStatus', { cid: off.cid, status: 0 }, person)).toMatchObject({ code: 0 })
    expect((await restore(person, trash_ids)).every(({ ok }) => ok)).toBe(true)
    for (const cid of [revoked.cid, off.cid, String(inner)])
      expect(await env.call('shares.needPass', { username: person.uid, cid })).toMatchObject({ code: -1, err: 1000 })
    for (const { cid } of [revoked, off])
      expect(await env.call('downloads.open', { user_id: person.uid, asset_cid: cid, group_id: inner })).toMatchObject({
        code: -1,
        err: 10028,
      })
  })

  it('restores to the root if the folder is gone, and numbers a taken name', async () => {
    const person = await env.person()
    const home = await folder(person, 'home')
    const { cid } = await sampleFile(env.db, person.id, { folder: home, name: 'report.final.pdf' })
    const file = await put(person, { assets: [cid] })
    await env.call('folders.remove', { group_id: home, trash: false }, person)
    await sampleFile(env.db, person.id, { name: 'report.final.pdf' })
    await sampleFile(env.db, person.id, { name: 'report.final (2).pdf' })
    expect(await restore(person, file.trash_ids)).toMatchObject([{ ok: true, name: 'report.final (3).pdf', folder: 0 }])
    const uploaded = async () =>
      (await env.call('folderUploads.folders', { paths: ['名'.repeat(255)] }, person)).data.list[0]?.id ?? 0
    const { trash_ids } = await put(person, { folders: [await uploaded()] })
    await uploaded()
    expect(await restore(person, trash_ids)).toMatchObject([{ ok: true, name: `${'名'.repeat(251)} (2)` }])
  })

  it('can be emptied entirely or in part; only then contents are removed from nodes', async () => {
    const person = await env.person()
    const node = await env.node()
    const [one, two] = [
      await sampleFile(env.db, person.id, { nodes: [node] }),
      await sampleFile(env.db, person.id, { nodes: [node] }),
    ]
    const stateOf = async (cid: string) =>
      (await env.db.maybe<{ state: string }>(sql`select state from replicas where cid = ${cid}`))?.state
    const { trash_ids } = await put(person, { assets: [one.cid, two.cid] })
    await env.db.run(sql`update contents set check_at = ${new Date(env.clock.now())} where cid = ${one.cid}`)
    await place(env.context)
    expect(await stateOf(one.cid)).toBe('stored')
    const [first, second] = trash_ids as [number, number]
    expect((await env.call('trash.remove', { ids: [first] }, person)).data).toEqual({ removed: 1 })
    expect([await stateOf(one.cid), await stateOf(two.cid)]).toEqual(['removed', 'stored'])
    expect((await env.call('trash.empty', {}, person)).data).toEqual({ removed: 1 })
    expect(await stateOf(two.cid)).toBe('removed')
    expect(await restore(person, [second])).toMatchObject([{ ok: false, err: 1000 }])
    expect(await bytesInTrash(person)).toBe(0)
  })

  it('deletes permanently after thirty days, with links', async () => {
    const env = await setup()
    try {
      const person = await env.person()
      const node = await env.node()
      const { cid } = await sampleFile(env.db, person.id, { nodes: [node] })
      await env.call('shares.create', { cid }, person)
      await env.call('trash.put', { assets: [cid] }, person)
      env.pass(30 * DAY - 1000)
      await purgeDue(env.context)
      expect(await env.db.one(sql`select count(*) from trash`)).toEqual({ count: 1 })
      env.pass(1000)
      await Promise.all([purgeDue(env.context), purgeDue(env.context)])
      expect(
        await env.db.one(sql`select (select count(*) from trash) as trash, (select count(*) from links) as links,
          (select trash_bytes from users where id = ${person.id}) as bytes`),
      ).toEqual({ trash: 0, links: 0, bytes: 0 })
      expect(await env.db.one(sql`select state from replicas where cid = ${cid}`)).toEqual({ state: 'removed' })
    } finally {
      await env.close()
    }
  })

  it('is limited in entries, because empty folders use no quota; the oldest are purged', async () => {
    const person = await env.person({ vip: true })
    const at = new Date(env.clock.now())
    await env.db.run(sql`
      insert into trash (user_id, kind, target, name, encrypted, folder_id, path, folders, deleted_at, purge_at)
      select ${person.id}, 'group', i, 'empty', false, 0, '{}', 9, ${at}, ${new Date(at.getTime() + DAY)}
      from generate_series(1, ${TRASH_MAX_ENTRIES / 10}::int) i`)
    const total = async () => (await lying(person)).total
    expect(await total()).toBe(TRASH_MAX_ENTRIES / 10)
    const [one, two] = [await folder(person, 'one'), await folder(person, 'two')]
    await env.call('folders.remove', { group_id: one }, person)
    expect(await total()).toBe(TRASH_MAX_ENTRIES / 10)
    const { cid } = await sampleFile(env.db, person.id)
    await env.call('assets.remove', { asset_cid: cid, trash: true }, person)
    await put(person, { folders: [two] })
    // Ten positions were reserved for the first of the three.
    expect(await total()).toBe(TRASH_MAX_ENTRIES / 10 + 2)
    expect((await lying(person)).list.slice(0, 3)).toMatchObject([{ name: 'two' }, { cid }, { name: 'one' }])
  })

  it('purges everything that is due', async () => {
    const person = await env.person()
    const at = new Date(env.clock.now())
    await env.db.run(sql`
      insert into trash (user_id, kind, target, name, encrypted, folder_id, path, deleted_at, purge_at)
      select ${person.id}, 'group', i, 'empty', false, 0, '{}', ${at}, ${at} from generate_series(1, 450) i`)
    await purgeDue(env.context)
    expect(await lying(person)).toMatchObject({ total: 0 })
  })

  it('purges the oldest entries when a new asset needs the quota', async () => {
    const person = await env.person({ storageQuota: 1000 })
    const node = await env.node()
    const stored = async (size: number) => {
      const { cid } = await sampleFile(env.db, person.id, { size, nodes: [node] })
      return cid
    }
    const [old, young] = [await stored(400), await stored(500)]
    await put(person, { assets: [old] })
    await put(person, { assets: [young] })
    expect(await usage(person)).toMatchObject({ UsedSize: 0 })
    const { cid } = await sampleFile(env.db, (await env.person()).id, { size: 300, text: 'something new' })
    const receipt = await node.receipt({ sub: person.uid, cid, size: 300 })
    const answer = await env.call(
      'assets.create',
      { asset_name: 'new', asset_type: 'file', asset_size: 300, asset_cid: cid, receipt },
      person,
    )
    expect(answer).toMatchObject({ code: 0 })
    expect((await lying(person)).list.map((item) => item.cid)).toEqual([young])
    expect(await usage(person)).toMatchObject({ UsedSize: 300 })
  })

  it('is not purged for an announced upload, which may be cancelled', async () => {
    const person = await env.person({ storageQuota: 1000 })
    const node = await env.node()
    const old = await sampleFile(env.db, person.id, { size: 900, nodes: [node] })
    await put(person, { assets: [old.cid] })
    const key = { token: await env.key(person, ['createFile']) }
    const { cid } = await sampleFile(env.db, (await env.person()).id, { size: 800, text: 'to come' })
    const announced = await env.call(
      'assets.create',
      { asset_name: 'to come', asset_type: 'file', asset_size: 800, asset_cid: cid },
      key,
    )
    expect(announced).toMatchObject({ code: 0 })
    expect(await usage(person)).toMatchObject({ ReservedSize: 800 })
    // A small file is added meanwhile: it only needs space for itself.
    const small = await sampleFile(env.db, (await env.person()).id, { size: 50, text: 'small' })
    const receipt = await node.receipt({ sub: person.uid, cid: small.cid, size: 50 })
    await env.call(
      'assets.create',
      { asset_name: 'small', asset_type: 'file', asset_size: 50, asset_cid: small.cid, receipt },
      key,
    )
    const trace_id = announced.data[0]?.TraceID ?? ''
    expect(await env.call('uploads.cancel', { trace_id, asset_cid: cid }, key)).toMatchObject({ code: 0 })
    expect(await usage(person)).toMatchObject({ ReservedSize: 0, UsedSize: 50 })
    expect((await lying(person)).list.map((item) => item.cid)).toEqual([old.cid])
  })

  it('drops a file that is uploaded again', async () => {
    const person = await env.person()
    const node = await env.node()
    const { cid } = await sampleFile(env.db, person.id, { size: 20, nodes: [node], name: 'before' })
    await env.call('shares.create', { cid, short_pass: 'abc123' }, person)
    await put(person, { assets: [cid] })
    const receipt = await node.receipt({ sub: person.uid, cid, size: 20 })
    await env.call(
      'assets.create',
      { asset_name: 'after', asset_type: 'file', asset_size: 20, asset_cid: cid, receipt },
      person,
    )
    expect(await names(person)).toEqual(['after'])
    expect(await lying(person)).toMatchObject({ total: 0, size: 0 })
    expect(await env.call('shares.info', { username: person.uid, cid }, person)).toMatchObject({ code: -1 })
  })

  it('receives deleted folders by default, and files on request', async () => {
    const person = await env.person()
    const group = await folder(person, 'group')
    const [inside, gone, kept] = [
      await sampleFile(env.db, person.id, { folder: group, name: 'inside' }),
      await sampleFile(env.db, person.id, { name: 'gone' }),
      await sampleFile(env.db, person.id, { name: 'kept' }),
    ]
    expect((await env.call('folders.remove', { group_id: group }, person)).data).toMatchObject({
      folders: 1,
      assets: 1,
    })
    await env.call('assets.remove', { asset_cid: gone.cid }, person)
    await env.call('assets.remove', { asset_cid: kept.cid, trash: true }, person)
    expect((await lying(person)).list.map((item) => item.name)).toEqual(['kept', 'group'])
    expect(await usage(person)).toMatchObject({ UsedSize: 0 })
    expect(inside.cid).toBeTruthy()
  })

  it('moves and restores a folder of thousands of files in seconds', async () => {
    const person = await env.person({ vip: true })
    const group = await folder(person, 'many')
    await sampleFiles(env.db, person.id, 3000, group)
    const begun = performance.now()
    const { trash_ids } = await put(person, { folders: [group] })
    expect(await restore(person, trash_ids)).toMatchObject([{ ok: true }])
    expect(performance.now() - begun).toBeLessThan(30_000)
    expect(
      (await env.call('folders.contents', { parent: group, page: 30, page_size: 100 }, person)).data,
    ).toMatchObject({ total: 3000 })
    await put(person, { folders: [group] })
    await env.call('trash.empty', {}, person)
    expect(await bytesInTrash(person)).toBe(0)
  })

  it('counts correctly under concurrency', async () => {
    const person = await env.person({ vip: true })
    const files = await Promise.all(numbers(20).map(() => sampleFile(env.db, person.id, { size: 10 })))
    const cids = files.map(({ cid }) => cid)
    const answers = await Promise.all(numbers(10).map(() => put(person, { assets: cids })))
    expect(answers.flatMap((answer) => answer.trash_ids)).toHaveLength(20)
    const ids = answers.flatMap((answer) => answer.trash_ids)
    const back = await Promise.all(numbers(5).map(() => restore(person, ids)))
    expect(back.flat().filter(({ ok }) => ok)).toHaveLength(20)
    await Promise.all([put(person, { assets: cids }), restore(person, ids), env.call('trash.empty', {}, person)])
    expect(
      await env.db.one(sql`
        select u.used_bytes = (select coalesce(sum(size), 0) from assets where user_id = u.id)
          and u.trash_bytes = (select coalesce(sum(size), 0) from trashed_assets where user_id = u.id)
          and (select coalesce(sum(size), 0) from trash where user_id = u.id) = u.trash_bytes as right
        from users u where id = ${person.id}`),
    ).toEqual({ right: true })
  })

  it('hides folder names from keys that may not read folders', async () => {
    const person = await env.person()
    const [home, gone] = [await folder(person, 'home'), await folder(person, 'gone')]
    const { cid } = await sampleFile(env.db, person.id, { folder: home, name: 'file.txt' })
    const { trash_ids } = await put(person, { assets: [cid], folders: [gone] })
    const keyed = async (rights: Parameters<typeof env.key>[1]) => ({ token: await env.key(person, rights) })
    const seen = async (caller: { token: string }) =>
      (await env.call('trash.list', {}, caller)).data.list.map(({ name, path }) => ({ name, path }))
    expect(await seen(await keyed(['readFile']))).toEqual([
      { name: 'file.txt', path: [] },
      { name: '', path: [] },
    ])
    expect(await seen(await keyed(['readFile', 'readFolder']))).toEqual([
      { name: 'file.txt', path: ['home'] },
      { name: 'gone', path: [] },
    ])
    const maker = await keyed(['createFolder', 'createFile'])
    const { results } = (await env.call('trash.restore', { ids: trash_ids }, maker)).data
    expect(results.map(({ ok, name }) => ({ ok, name }))).toEqual([
      { ok: true, name: 'file.txt' },
      { ok: true, name: undefined },
    ])
  })

  it('refuses, item by item, entries of others, keys without the permission, folders beyond the limit, and unknown entries', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const mine = await sampleFile(env.db, person.id)
    const group = await folder(person, 'mine')
    const { trash_ids } = await put(person, { folders: [group] })
    const [id] = trash_ids as [number]
    expect((await put(other, { assets: [mine.cid], folders: [group] })).results).toMatchObject([
      { ok: false, err: 10018 },
      { ok: false, err: 10028 },
    ])
    expect(await restore(other, [id])).toMatchObject([{ ok: false, err: 1000 }])
    expect((await env.call('trash.remove', { ids: [id] }, other)).data).toEqual({ removed: 0 })
    expect((await lying(other)).total).toBe(0)
    const key = { token: await env.key(person, ['readFile', 'deleteFile']) }
    expect(await env.call('trash.put', { folders: [group] }, key)).toMatchObject({ code: -1, err: 1028 })
    expect(await env.call('trash.restore', { ids: [id] }, key)).toMatchObject({ code: -1, err: 1028 })
    expect(await env.call('trash.empty', {}, key)).toMatchObject({ code: -1, err: 1028 })
    await env.call('folderUploads.folders', { paths: numbers(FREE_FOLDERS).map((index) => `f${index}`) }, person)
    expect(await restore(person, [id, 2_000_000_000])).toMatchObject([
      { ok: false, err: 1000 },
      { id: String(id), ok: false, err: 10019 },
    ])
    expect(await env.call('trash.put', { assets: ['rubbish'] }, person)).toMatchObject({ code: -1, err: 1001 })
    expect(await env.call('trash.restore', { ids: [] }, person)).toMatchObject({ code: -1, err: 1001 })
    for (const operation of ['trash.list', 'trash.empty'] as const)
      expect(await env.call(operation, {})).toMatchObject({ code: 401 })
  })
})
