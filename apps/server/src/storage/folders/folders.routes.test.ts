import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type As, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile, sampleFiles } from '../assets/sample-files.fixture.ts'
import { sampleFolders } from './sample-folders.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const { create, made, contents } = sampleFolders(() => env)
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
