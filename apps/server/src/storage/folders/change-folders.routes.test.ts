import { errorText } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { features } from '../../features.ts'
import { sql } from '../../platform/db/sql.ts'
import { startJobs } from '../../platform/jobs/jobs.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile, sampleFiles } from '../assets/sample-files.fixture.ts'
import { sampleFolders } from './sample-folders.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const { create, made, contents } = sampleFolders(() => env)
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

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
