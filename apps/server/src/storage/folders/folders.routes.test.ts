import { errorText } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { features } from '../../features.ts'
import { sql } from '../../platform/db/sql.ts'
import { startJobs } from '../../platform/jobs/jobs.ts'
import { type As, type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile, sampleFiles } from '../assets/sample-files.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const create = (person: Person, name: string, parent = 0) => env.call('folders.create', { name, parent }, person)
const made = async (person: Person, name: string, parent = 0) => (await create(person, name, parent)).data.group.ID
const contents = async (person: Person, parent = 0, page = 1, page_size = 100) =>
  (await env.call('folders.contents', { parent, page, page_size }, person)).data
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('creating folders', () => {
  it('returns the folder, for POST too', async () => {
    const person = await env.person()
    const { data } = await create(person, '  Holidays 假期 ')
    expect(data.group).toMatchObject({
      Name: 'Holidays 假期',
      Parent: 0,
      UserID: person.uid,
      AssetCount: 0,
      AssetSize: 0,
      ShareStatus: 0,
      VistitCount: 0,
    })
    const inner = await env.call(
      'folders.create',
      { name: 'Inner', parent: data.group.ID },
      { ...person, method: 'POST' },
    )
    expect(inner.data.group.Parent).toBe(data.group.ID)
  })

  it('accepts any 50 characters as a name', async () => {
    const person = await env.person()
    expect((await create(person, '名'.repeat(50))).code).toBe(0)
    expect((await create(person, '🌊'.repeat(50))).code).toBe(0)
  })

  it('limits a free account to 1,000, also for simultaneous requests, and a VIP to more', async () => {
    const [free, vip] = [await env.person(), await env.person({ vip: true })]
    for (const person of [free, vip])
      await env.call('folderUploads.folders', { paths: numbers(980).map((index) => `before ${index}`) }, person)
    const answers = await Promise.all(numbers(50).map((index) => create(free, `f${index}`)))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(20)
    expect(answers.filter((answer) => answer.err === 10019)).toHaveLength(30)
    for (const index of numbers(21)) expect((await create(vip, `f${index}`)).code).toBe(0)
  })

  it('refuses bad names, unknown parents and folders of others', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const foreign = await made(other, 'theirs')
    for (const name of ['', '   ', 'x'.repeat(51), 'a/b', 'a\\b', 'a\u0000b', 'a\nb'])
      expect(await create(person, name)).toMatchObject({ code: -1, err: 1001 })
    for (const parent of [foreign, 2_000_000_000])
      expect(await create(person, 'x', parent)).toMatchObject({ code: -1, err: 10018 })
    expect(await create(person, 'x', -1)).toMatchObject({ code: -1, err: 1001 })
    expect(await env.call('folders.create', { name: 'x' })).toMatchObject({ code: 401 })
    const reader = { token: await env.key(person, ['readFolder', 'createFile', 'deleteFolder']) }
    expect(await env.call('folders.create', { name: 'x' }, reader)).toMatchObject({ code: -1, err: 1028 })
  })
})

describe('listing a folder', () => {
  it('lists folders, then files, each newest first, in common pages', async () => {
    const person = await env.person()
    const folder = await made(person, 'all')
    const inner = [
      await made(person, 'first', folder),
      await made(person, 'second', folder),
      await made(person, 'third', folder),
    ]
    const files = []
    for (const _ of numbers(4)) files.push((await sampleFile(env.db, person.id, { folder })).cid)
    const shown = [...inner.reverse(), ...files.reverse()]
    for (const size of [1, 2, 3, 4, 5, 7, 10]) {
      const seen = []
      for (let page = 1; seen.length < 7; page++) {
        const { list, total } = await contents(person, folder, page, size)
        expect(total).toBe(7)
        expect(list).toHaveLength(Math.min(size, 7 - seen.length))
        seen.push(...list.map((item) => item.Group?.ID ?? item.AssetOverview?.UserAssetDetail.Cid))
      }
      expect(seen).toEqual(shown)
    }
    expect((await contents(person, folder, 5, 2)).list).toEqual([])
    expect((await contents(person, folder, 10_000_000, 100)).list).toEqual([])
  })

  it('lists 237 items in pages of any size', async () => {
    const person = await env.person({ vip: true })
    await Promise.all(numbers(37).map((index) => create(person, `f${index}`)))
    await sampleFiles(env.db, person.id, 200)
    for (const size of [10, 20, 25, 50, 100]) {
      const last = Math.ceil(237 / size)
      expect((await contents(person, 0, last, size)).list).toHaveLength(237 - (last - 1) * size)
    }
  })

  it('counts direct children', async () => {
    const person = await env.person()
    const folder = await made(person, 'counted')
    const inner = await made(person, 'inner', folder)
    await sampleFile(env.db, person.id, { folder, size: 30 })
    await sampleFile(env.db, person.id, { folder, size: 12 })
    await sampleFile(env.db, person.id, { folder: inner, size: 500 })
    const { data } = await env.call('folders.list', { parent: 0 }, person)
    expect(data).toMatchObject({ total: 1, list: [{ ID: folder, AssetCount: 2, AssetSize: 42 }] })
  })

  it('returns the same pages as a plain OFFSET after inserts, moves and deletions', async () => {
    const person = await env.person()
    const [a, b] = [await made(person, 'a'), await made(person, 'b')]
    await sampleFiles(env.db, person.id, 1300, a)
    await sampleFiles(env.db, person.id, 700, b)
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    const some = (folder: number, count: number) => sql`
      select id from assets where user_id = ${person.id} and folder_id = ${folder} order by md5(id::text || ${seed}::text) limit ${count}`
    for (const _ of numbers(12)) {
      const [from, to] = random(2) === 0 ? [a, b] : [b, a]
      await sampleFiles(env.db, person.id, random(300), from)
      await env.db.run(sql`update assets set folder_id = ${to} where id in (${some(from, random(200))})`)
      await env.db.run(sql`delete from assets where id in (${some(from, random(250))})`)
      for (const folder of [a, b]) {
        const plain = (
          await env.db.rows<{ cid: string }>(
            sql`select cid from assets where user_id = ${person.id} and folder_id = ${folder} order by seq desc`,
          )
        ).map((row) => row.cid)
        const size = 1 + random(100)
        for (const page of [1, 2, 1 + random(Math.ceil(plain.length / size)), Math.ceil(plain.length / size)]) {
          const { list, total } = await contents(person, folder, page, size)
          expect(total).toBe(plain.length)
          expect(list.map((item) => item.AssetOverview?.UserAssetDetail.Cid)).toEqual(
            plain.slice((page - 1) * size, page * size),
          )
        }
      }
    }
    const [counted] = await env.db.rows(sql`
      select (select asset_count from users where id = ${person.id}) as assets,
        (select sum(files) from folder_runs where user_id = ${person.id}) as runs,
        (select sum(files) from folder_totals where user_id = ${person.id}) as totals,
        (select used_bytes from users where id = ${person.id}) as bytes,
        (select count(*) from assets where user_id = ${person.id}) as rows`)
    const rows = (counted as { rows: number }).rows
    expect(counted).toEqual({ assets: rows, runs: rows, totals: rows, bytes: rows * 10, rows })
  })

  it('refuses folders of others, unknown folders and invalid pages', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const folder = await made(person, 'mine')
    for (const operation of ['folders.contents', 'folders.list'] as const) {
      expect(await env.call(operation, { parent: folder }, other)).toMatchObject({ code: -1, err: 10018 })
      expect(await env.call(operation, { parent: 2_000_000_000 }, person)).toMatchObject({ code: -1, err: 10018 })
      for (const input of [{ page: -1 }, { page_size: 101 }, { page: 1.5 }])
        expect(await env.call(operation, input, person)).toMatchObject({ code: -1, err: 1001 })
      expect(await env.call(operation, {})).toMatchObject({ code: 401 })
    }
  })
})

describe('one item', () => {
  it('counts all that is below a folder if asked, and nothing of folders that a key or account does not have', async () => {
    const person = await env.person()
    const outer = await made(person, 'outer')
    const inner = await made(person, 'inner', outer)
    const beside = await made(person, 'beside')
    const sizes = [
      [outer, 5],
      [inner, 70],
      [inner, 900],
      [beside, 1000],
    ] as const
    for (const [folder, size] of sizes) await sampleFile(env.db, person.id, { folder, size })
    const total = async (groupid: number, as: As) => {
      const { err, data } = await env.call('folders.item', { groupid, total: true }, as)
      return err ?? (data as unknown as { data: { total: unknown } }).data.total
    }
    expect(await total(outer, person)).toEqual({ folders: 1, files: 3, bytes: 975 })
    expect(await total(inner, person)).toEqual({ folders: 0, files: 2, bytes: 970 })
    const key = { token: await env.key(person, ['readFolder'], [outer]) }
    expect(await total(inner, key)).toEqual({ folders: 0, files: 2, bytes: 970 })
    expect(await total(beside, key)).toBe(10018)
    expect(await total(outer, await env.person())).toBe(10018)
  })

  it('returns a file or a folder with its path', async () => {
    const person = await env.person()
    const outer = await made(person, 'outer')
    const inner = await made(person, 'inner', outer)
    const { cid } = await sampleFile(env.db, person.id, { folder: inner, name: 'deep.txt' })
    const path = [
      { ID: outer, Name: 'outer' },
      { ID: inner, Name: 'inner' },
    ]
    const item = async (input: { cid?: string; groupid?: number }) =>
      ((await env.call('folders.item', input, person)).data as unknown as { data: unknown }).data
    expect(await item({ cid })).toMatchObject({
      Group: null,
      path,
      AssetOverview: { UserAssetDetail: { AssetName: 'deep.txt', GroupID: inner } },
    })
    expect(await item({ groupid: inner })).toMatchObject({ AssetOverview: null, path, Group: { Name: 'inner' } })
    const key = { token: await env.key(person, ['readFile']) }
    const { data } = await env.call('folders.item', { cid }, key)
    expect((data as unknown as { data: unknown }).data).toMatchObject({
      path: [],
      AssetOverview: { UserAssetDetail: { AssetName: 'deep.txt' } },
    })
    expect(await env.call('folders.item', { groupid: inner }, key)).toMatchObject({ code: -1, err: 1028 })
  })

  it('refuses other accounts, and requests that name nothing', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const folder = await made(person, 'mine')
    const { cid } = await sampleFile(env.db, person.id)
    expect(await env.call('folders.item', { cid }, other)).toMatchObject({ code: -1, err: 10028 })
    expect(await env.call('folders.item', { groupid: folder }, other)).toMatchObject({ code: -1, err: 10018 })
    expect(await env.call('folders.item', {}, person)).toMatchObject({ code: -1, err: 1001 })
    expect(await env.call('folders.item', { cid: 'rubbish' }, person)).toMatchObject({ code: -1, err: 1001 })
  })
})

describe('renaming', () => {
  it('renames a folder, or a file if a CID is given', async () => {
    const person = await env.person()
    const folder = await made(person, 'old')
    const { cid } = await sampleFile(env.db, person.id)
    expect((await env.call('folders.rename', { group_id: folder, new_name: ' new ' }, person)).code).toBe(0)
    expect((await env.call('folders.rename', { asset_cid: cid, new_name: 'x'.repeat(255) }, person)).code).toBe(0)
    const { list } = await contents(person)
    expect(list[0]?.Group?.Name).toBe('new')
    // As long as those of folders that were uploaded.
    expect((await env.call('folders.rename', { group_id: folder, new_name: '名'.repeat(255) }, person)).code).toBe(0)
    expect((await contents(person)).list[0]?.Group?.Name).toBe('名'.repeat(255))
    expect(list[1]?.AssetOverview?.UserAssetDetail.AssetName).toBe('x'.repeat(255))
  })

  it('counts characters of any script, and says in both languages how many a name may have', async () => {
    const person = await env.person()
    const folder = await made(person, 'old')
    const { cid } = await sampleFile(env.db, person.id)
    for (const letter of ['x', '夏', '🌊']) {
      const full = letter.repeat(255)
      const file = { asset_cid: cid, new_name: full }
      expect((await env.call('folders.rename', file, person)).code).toBe(0)
      expect((await env.call('folders.rename', { group_id: folder, new_name: full }, person)).code).toBe(0)
      const { list } = await contents(person)
      expect(list[0]?.Group?.Name).toBe(full)
      expect(list[1]?.AssetOverview?.UserAssetDetail.AssetName).toBe(full)
      for (const lang of ['en', 'cn'] as const)
        for (const entry of [{ asset_cid: cid }, { group_id: folder }])
          expect(
            await env.call('folders.rename', { ...entry, new_name: full + letter }, { ...person, lang }),
          ).toMatchObject({ code: -1, err: 1001, msg: errorText('nameTooLong', lang, { max: 255 }) })
    }
  })

  it('refuses both at once, neither, names that are too long, keys without the permission, and items of others', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const folder = await made(person, 'mine')
    const { cid } = await sampleFile(env.db, person.id)
    const rename = (input: { group_id?: number; asset_cid?: string; new_name?: string }, as: { token?: string }) =>
      env.call('folders.rename', input, as)
    expect(await rename({ group_id: folder, asset_cid: cid, new_name: 'x' }, person)).toMatchObject({ err: 1001 })
    expect(await rename({ new_name: 'x' }, person)).toMatchObject({ code: -1, err: 10018 })
    expect(await rename({ group_id: folder }, person)).toMatchObject({ code: -1, err: 1001 })
    expect(await rename({ group_id: folder, new_name: 'x'.repeat(256) }, person)).toMatchObject({ code: -1, err: 1001 })
    expect(await rename({ asset_cid: cid, new_name: 'x'.repeat(256) }, person)).toMatchObject({ code: -1, err: 1001 })
    const files = { token: await env.key(person, ['createFile']) }
    const folders = { token: await env.key(person, ['createFolder']) }
    expect(await rename({ group_id: folder, new_name: 'x' }, files)).toMatchObject({ code: -1, err: 1028 })
    expect(await rename({ asset_cid: cid, new_name: 'x' }, folders)).toMatchObject({ code: -1, err: 1028 })
    expect((await rename({ asset_cid: cid, new_name: 'x' }, files)).code).toBe(0)
    expect((await rename({ group_id: folder, new_name: 'x' }, folders)).code).toBe(0)
    expect(await rename({ group_id: folder, new_name: 'x' }, other)).toMatchObject({ code: -1, err: 10018 })
    expect(await rename({ asset_cid: cid, new_name: 'x' }, other)).toMatchObject({ code: -1, err: 10028 })
  })
})

describe('deleting a folder', () => {
  it('deletes everything in it, frees the quota, and returns the counts', async () => {
    const person = await env.person()
    const [outer, beside] = [await made(person, 'outer'), await made(person, 'beside')]
    const inner = await made(person, 'inner', outer)
    await sampleFile(env.db, person.id, { folder: outer, size: 100 })
    const { cid } = await sampleFile(env.db, person.id, { folder: inner, size: 50 })
    await sampleFile(env.db, person.id, { folder: beside, size: 7 })
    const { data } = await env.call('folders.remove', { group_id: outer }, person)
    expect(data).toMatchObject({ folders: 2, assets: 2 })
    expect((await contents(person)).list.map((item) => item.Group?.Name)).toEqual(['beside'])
    expect((await env.call('usage.storageSize', {}, person)).data).toMatchObject({ UsedSize: 7, AssetCount: 1 })
    expect(await env.call('folders.item', { cid }, person)).toMatchObject({ code: -1, err: 10028 })
  })

  it('removes from nodes only contents that nobody else has', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const node = await env.node()
    const folder = await made(person, 'x')
    const alone = await sampleFile(env.db, person.id, { folder, nodes: [node] })
    const both = await sampleFile(env.db, person.id, { folder, nodes: [node], text: 'kept by two' })
    await sampleFile(env.db, other.id, { text: 'kept by two' })
    await env.call('folders.remove', { group_id: folder, trash: false }, person)
    const stateOf = async (cid: string) =>
      (await env.db.one<{ state: string }>(sql`select state from replicas where cid = ${cid}`)).state
    expect(await stateOf(alone.cid)).toBe('removed')
    expect(await stateOf(both.cid)).toBe('stored')
  })

  it('cancels announced uploads into it', async () => {
    const person = await env.person()
    const folder = await made(person, 'x')
    await env.db.run(sql`
      insert into reservations (user_id, cid, folder_id, kind, name, size, encrypted, areas, trace_id, created_at)
      values (${person.id}, 'coming', ${folder}, 'folder', 'coming', 400, false, '{}', '', ${new Date()})`)
    expect(await env.call('folders.remove', { group_id: folder, force: false }, person)).toMatchObject({ err: 10017 })
    await env.call('folders.remove', { group_id: folder }, person)
    expect((await env.call('usage.storageSize', {}, person)).data).toMatchObject({ UsedSize: 0, ReservedSize: 0 })
  })

  it('leaves nothing behind if items are created in it at the same time', async () => {
    const person = await env.person()
    for (const round of numbers(5)) {
      const folder = await made(person, `round ${round}`)
      const [removed, ...answers] = await Promise.all([
        env.call('folders.remove', { group_id: folder }, person),
        ...numbers(8).map((index) => create(person, `inner ${index}`, folder)),
      ])
      expect(removed.code).toBe(0)
      for (const answer of answers) expect([undefined, 10018]).toContain(answer.err)
    }
    expect(await contents(person)).toMatchObject({ total: 0 })
    expect(await env.db.one(sql`select count(*) from folders where user_id = ${person.id}`)).toEqual({ count: 0 })
  })

  it('deletes a folder of many files quickly and releases their contents later', async () => {
    const person = await env.person()
    const node = await env.node()
    const folder = await made(person, 'many')
    await sampleFiles(env.db, person.id, 3000, folder)
    await env.db.run(sql`
      insert into replicas (cid, node_id, state, changed_at)
      select cid, ${node.id}, 'stored', ${new Date()} from assets where user_id = ${person.id}`)
    const begun = performance.now()
    const { data } = await env.call('folders.remove', { group_id: folder, trash: false }, person)
    expect(data.assets).toBe(3000)
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect((await env.call('usage.storageSize', {}, person)).data).toMatchObject({ UsedSize: 0, AssetCount: 0 })
    const stop = await startJobs(env.context, features)
    try {
      await vi.waitFor(
        async () =>
          expect(
            await env.db.one(sql`select count(*) from replicas where node_id = ${node.id} and state = 'removed'`),
          ).toEqual({ count: 3000 }),
        10_000,
      )
    } finally {
      await stop()
    }
  })

  it('refuses the root, a non-empty folder without force, folders of others, and keys without the permission', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const folder = await made(person, 'mine')
    const inner = await made(person, 'inner', folder)
    const remove = (group_id: number, as: { token?: string }, force = true) =>
      env.call('folders.remove', { group_id, force }, as)
    expect(await remove(0, person)).toMatchObject({ code: -1, err: 10021 })
    expect(await remove(folder, person, false)).toMatchObject({ code: -1, err: 10017 })
    expect(await remove(folder, other)).toMatchObject({ code: -1, err: 10018 })
    const key = { token: await env.key(person, ['deleteFile', 'createFolder', 'readFolder']) }
    expect(await remove(folder, key)).toMatchObject({ code: -1, err: 1028 })
    expect((await remove(inner, person, false)).code).toBe(0)
    expect((await remove(folder, person)).code).toBe(0)
    expect(await remove(folder, person)).toMatchObject({ code: -1, err: 10018 })
  })
})

describe('moving a folder', () => {
  const move = (group_id: number, target_group_id: number, as: { token?: string }) =>
    env.call('folders.move', { group_id, target_group_id }, as)

  it('moves everything in it', async () => {
    const person = await env.person()
    const [a, b] = [await made(person, 'a'), await made(person, 'b')]
    await sampleFile(env.db, person.id, { folder: a })
    expect((await move(a, b, person)).code).toBe(0)
    expect((await contents(person, b)).list[0]?.Group).toMatchObject({ ID: a, AssetCount: 1, Parent: b })
    expect((await move(a, 0, person)).code).toBe(0)
    expect((await contents(person)).total).toBe(2)
  })

  it('never creates a cycle, also when two folders are moved into each other at once', async () => {
    const person = await env.person()
    for (const round of numbers(8)) {
      const [a, b] = [await made(person, `a${round}`), await made(person, `b${round}`)]
      const answers = await Promise.all([move(a, b, person), move(b, a, person)])
      expect(answers.map((answer) => answer.err).sort()).toEqual([10020, undefined])
      await env.call('folders.remove', { group_id: (await contents(person)).list[0]?.Group?.ID ?? 0 }, person)
    }
  })

  it('refuses the root, itself, its descendants, the same parent, and folders of others', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const a = await made(person, 'a')
    const b = await made(person, 'b', a)
    const c = await made(person, 'c', b)
    const foreign = await made(other, 'theirs')
    expect(await move(0, a, person)).toMatchObject({ code: -1, err: 10021 })
    for (const target of [a, b, c]) expect(await move(a, target, person)).toMatchObject({ code: -1, err: 10020 })
    expect(await move(b, a, person)).toMatchObject({ code: -1, err: 10022 })
    expect(await move(a, 0, person)).toMatchObject({ code: -1, err: 10022 })
    expect(await move(a, foreign, person)).toMatchObject({ code: -1, err: 10018 })
    expect(await move(foreign, a, person)).toMatchObject({ code: -1, err: 10018 })
    expect(await env.call('folders.move', { group_id: a, target_group_id: b })).toMatchObject({ code: 401 })
  })
})
