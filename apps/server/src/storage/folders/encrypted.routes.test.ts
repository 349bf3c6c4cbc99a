import { rawCid } from '@tidenet/content/cid'
import type { Output, RouteOf } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { sampleVault } from '../vault/sample-vault.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
afterAll(() => env.close())

const REFUSED = { code: -1, err: 2120 }
const owner = async () => {
  const person = await env.person()
  await sampleVault(env, person)
  return person
}
const create = (person: Person, name: string, parent = 0, encrypted = false) =>
  env.call('folders.create', { name, parent, encrypted }, person)
const made = async (person: Person, name: string, parent = 0, encrypted = false) =>
  (await create(person, name, parent, encrypted)).data.group.ID
/** Its data is wrapped twice. */
const item = async (person: Person, input: { groupid?: number; cid?: string }) =>
  ((await env.call('folders.item', input, person)).data as unknown as { data: Output<RouteOf<'folders.item'>> }).data
const isEncrypted = async (person: Person, groupid: number) => (await item(person, { groupid })).Group?.Encrypted
const sealed = async (person: Person, more: object = {}) => {
  const file = await sampleFile(env.db, person.id, more)
  await env.db.run(sql`update assets set encrypted = true where id = ${file.id}`)
  return file
}
let uploads = 0
/** Uploads a content and lists it in a folder. */
async function upload(person: Person, folder: number, encrypted: boolean) {
  const cid = (await rawCid(new TextEncoder().encode(`content ${++uploads}`))).toString()
  const receipt = await node.receipt({ sub: person.uid, cid, size: 20 })
  const asset = { asset_name: 'a.bin', asset_type: 'file' as const, asset_size: 20, asset_cid: cid, receipt }
  return env.call('assets.create', { ...asset, group_id: folder, encrypted }, person)
}

describe('an encrypted folder', () => {
  it('needs a vault, and makes the folders in it encrypted', async () => {
    const person = await env.person()
    expect(await create(person, 'private', 0, true)).toMatchObject({ code: -1, err: 2121 })
    await sampleVault(env, person)
    const outer = await made(person, 'private', 0, true)
    const inner = await made(person, 'inside', outer)
    expect(await isEncrypted(person, inner)).toBe(true)
    expect(await isEncrypted(person, await made(person, 'open'))).toBe(false)
  })

  it('accepts encrypted files and refuses others, before and after the upload', async () => {
    const person = await owner()
    const folder = await made(person, 'private', 0, true)
    expect(await upload(person, folder, true)).toMatchObject({ code: 0 })
    expect(await upload(person, folder, false)).toMatchObject(REFUSED)
    const ask = (encrypted: boolean) => env.call('uploads.info', { size: 20, group_id: folder, encrypted }, person)
    expect(await ask(false)).toMatchObject(REFUSED)
    expect(await ask(true)).toMatchObject({ code: 0 })
    const announced = { asset_name: 'a', asset_type: 'folder' as const, asset_size: 20, group_id: folder }
    const cid = (await rawCid(new TextEncoder().encode('announced'))).toString()
    expect(await env.call('assets.create', { ...announced, asset_cid: cid }, person)).toMatchObject(REFUSED)
  })

  it('refuses to take in what is not encrypted, and says so for each item', async () => {
    const person = await owner()
    const folder = await made(person, 'private', 0, true)
    const [plain, secret] = [await sampleFile(env.db, person.id), await sealed(person)]
    const open = await made(person, 'open')
    await sampleFile(env.db, person.id, { folder: await made(person, 'deep', open) })
    expect(await env.call('assets.move', { asset_cid: plain.cid, group_id: folder }, person)).toMatchObject(REFUSED)
    expect(await env.call('folders.move', { group_id: open, target_group_id: folder }, person)).toMatchObject(REFUSED)
    const all = { assets: [plain.cid, secret.cid], folders: [open], target: folder }
    const { results } = (await env.call('folders.moveMany', all, person)).data
    expect(results.map(({ ok, err }) => ({ ok, err }))).toEqual([
      { ok: false, err: 2120 },
      { ok: false, err: 2120 },
      { ok: true, err: undefined },
    ])
  })

  it('encrypts folders without unencrypted files that move in, and what moves out stays encrypted', async () => {
    const person = await owner()
    const folder = await made(person, 'private', 0, true)
    const open = await made(person, 'open')
    const deep = await made(person, 'deep', open)
    const { cid } = await sealed(person, { folder: deep })
    expect(await env.call('folders.move', { group_id: open, target_group_id: folder }, person)).toMatchObject({
      code: 0,
    })
    expect(await isEncrypted(person, deep)).toBe(true)
    await env.call('folders.move', { group_id: open, target_group_id: 0 }, person)
    expect(await isEncrypted(person, open)).toBe(true)
    expect(await env.call('assets.move', { asset_cid: cid, group_id: 0 }, person)).toMatchObject({ code: 0 })
  })

  it('can be made of an empty folder only', async () => {
    const person = await owner()
    const [empty, full] = [await made(person, 'empty'), await made(person, 'full')]
    await sampleFile(env.db, person.id, { folder: full })
    const encrypt = (group_id: number, as = person) => env.call('folders.encrypt', { group_id }, as)
    expect((await encrypt(empty)).data.group.Encrypted).toBe(true)
    expect(await encrypt(empty)).toMatchObject({ code: 0 })
    expect(await encrypt(full)).toMatchObject({ code: -1, err: 10017 })
    expect(await encrypt(empty, await owner())).toMatchObject({ code: -1, err: 10018 })
    const without = await env.person()
    expect(await encrypt(await made(without, 'a'), without)).toMatchObject({ code: -1, err: 2121 })
  })

  it('comes back encrypted from the trash, and what is not encrypted does not come back into it', async () => {
    const person = await owner()
    const [folder, empty] = [await made(person, 'private', 0, true), await made(person, 'empty')]
    const { cid } = await sampleFile(env.db, person.id, { folder: empty })
    const { trash_ids } = (await env.call('trash.put', { folders: [folder], assets: [cid] }, person)).data
    await env.call('folders.encrypt', { group_id: empty }, person)
    const { results } = (await env.call('trash.restore', { ids: trash_ids }, person)).data
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(await isEncrypted(person, folder)).toBe(true)
    expect((await item(person, { cid })).AssetOverview?.UserAssetDetail.GroupID).toBe(0)
  })

  it('refuses unencrypted files whatever puts them there', async () => {
    const person = await owner()
    const folder = await made(person, 'private', 0, true)
    await expect(sampleFile(env.db, person.id, { folder })).rejects.toMatchObject({ code: 'TN001' })
    const { id } = await sealed(person, {})
    await env.db.run(sql`update assets set folder_id = ${folder} where id = ${id}`)
    const reveal = env.db.run(sql`update assets set encrypted = false where id = ${id}`)
    await expect(reveal).rejects.toMatchObject({ code: 'TN001' })
  })
})
