import { createHash, randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content/cid'
import { errors, KEY_FOLDERS_MAX, type Permission } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node()
})
afterAll(() => env.close())

const folder = async (person: Person, name: string, parent = 0) =>
  (await env.call('folders.create', { name, parent }, person)).data.group.ID
const cidOf = async (text: string) => (await rawCid(new TextEncoder().encode(text))).toString()

/** An account with a folder of a key, a folder in it, and one beside it. */
async function household(permissions: readonly Permission[] | 'admin' = 'admin') {
  const person = await env.person({ vip: true })
  const above = await folder(person, 'above')
  const own = await folder(person, 'own', above)
  const below = await folder(person, 'below', own)
  const beside = await folder(person, 'beside', above)
  const token = await env.key(person, permissions, [own])
  return { person, above, own, below, beside, key: { token } }
}

async function upload(as: { token: string }, person: Person, group_id: number, text: string = randomUUID()) {
  const asset_cid = await cidOf(text)
  const receipt = await node.receipt({ sub: person.uid, cid: asset_cid, size: 20 })
  const input = { asset_name: 'a.txt', asset_type: 'file', asset_size: 20, asset_cid, group_id, receipt } as const
  return { cid: asset_cid, answer: await env.call('assets.create', input, as) }
}

const unknownAsset = { code: -1, err: errors.assetUnknown.err }
const unknownFolder = { code: -1, err: errors.folderUnknown.err }
const refused = { code: -1, err: errors.keyFolders.err }

describe('a key of folders', () => {
  it('sees its folders in the root, and nothing of what is above them', async () => {
    const { person, own, beside, key } = await household()
    const token = await env.key(person, 'admin', [own, beside])
    const listed = (await env.call('folders.contents', { parent: 0, sort: 'name' }, { token })).data
    expect(listed.list.map(({ Group }) => [Group?.Name, Group?.Parent])).toEqual([
      ['beside', 0],
      ['own', 0],
    ])
    expect((await env.call('folders.list', {}, key)).data).toMatchObject({ total: 1, list: [{ ID: own, Parent: 0 }] })
  })

  it('lists, uploads, renames, moves, shares and deletes below them', async () => {
    const { person, own, below, key } = await household()
    const { cid, answer } = await upload(key, person, own)
    expect(answer).toMatchObject({ code: 0 })
    expect((await env.call('folders.contents', { parent: own }, key)).data.total).toBe(2)
    const steps = [
      await env.call('assets.rename', { asset_cid: cid, new_name: 'b.txt' }, key),
      await env.call('assets.move', { asset_cid: cid, group_id: below }, key),
      await env.call('shares.create', { cid }, key),
      await env.call('shares.setStatus', { cid, status: 1 }, key),
      await env.call('downloads.own', { asset_cid: cid }, key),
      await env.call('folders.rename', { group_id: below, new_name: 'named' }, key),
    ]
    expect(steps.map(({ code, msg }) => msg ?? code)).toEqual(steps.map(({ msg }) => msg ?? 0))
    expect(steps.every(({ code }) => code === 0)).toBe(true)
    const { trash_ids } = (await env.call('trash.put', { assets: [cid] }, key)).data
    expect((await env.call('trash.restore', { ids: trash_ids }, key)).data.results).toMatchObject([{ ok: true }])
    expect(await env.call('folders.remove', { group_id: below }, key)).toMatchObject({ code: 0 })
  })

  it('searches there only, and sees paths from its folder on', async () => {
    const { person, own, below, beside, key } = await household()
    for (const [at, name] of [
      [below, 'wanted one'],
      [beside, 'wanted two'],
      [0, 'wanted three'],
    ] as const)
      await sampleFile(env.db, person.id, { folder: at, name })
    await folder(person, 'wanted folder', beside)
    const { list } = (await env.call('folders.search', { q: 'wanted' }, key)).data
    expect(list.map(({ AssetOverview }) => AssetOverview?.UserAssetDetail.AssetName)).toEqual(['wanted one'])
    expect(list[0]?.path.map(({ ID }) => ID)).toEqual([own, below])
    const { cid } = await sampleFile(env.db, person.id, { folder: below })
    const item = (await env.call('folders.item', { cid }, key)) as unknown as {
      data: { data: { path: { ID: number }[] } }
    }
    expect(item.data.data.path.map(({ ID }) => ID)).toEqual([own, below])
  })

  it('follows them when they are moved, and sees nothing when they are deleted, until they are restored', async () => {
    const { person, own, below, beside, key } = await household()
    const contents = () => env.call('folders.contents', { parent: own }, key)
    await env.call('folders.move', { group_id: own, target_group_id: beside }, person)
    expect((await contents()).data.list).toMatchObject([{ Group: { ID: below } }])
    const { trash_ids } = (await env.call('trash.put', { folders: [own] }, person)).data
    expect(await contents()).toMatchObject(unknownFolder)
    expect((await env.call('folders.contents', { parent: 0 }, key)).data).toMatchObject({ list: [], total: 0 })
    await env.call('trash.restore', { ids: trash_ids }, person)
    expect((await contents()).data.total).toBe(1)
    // A folder that its owner moves out is gone for the key.
    await env.call('folders.move', { group_id: below, target_group_id: 0 }, person)
    expect(await env.call('folders.contents', { parent: below }, key)).toMatchObject(unknownFolder)
  })

  it('is created with folders, listed with their paths, and limited to others by its owner', async () => {
    const { person, own, beside } = await household()
    const made = await env.call('apiKeys.create', { key_name: 'k', perms: ['readFolder'], folders: [own, own] }, person)
    const as = { token: made.data.key }
    const listed = async () => (await env.call('apiKeys.list', {}, person)).data.list.find(({ name }) => name === 'k')
    expect((await listed())?.folders).toEqual([{ id: own, path: ['above', 'own'] }])
    expect(await env.call('folders.contents', { parent: own }, as)).toMatchObject({ code: 0 })
    expect(await env.call('apiKeys.change', { key_name: 'k', folders: [beside] }, person)).toMatchObject({ code: 0 })
    env.pass(1000)
    expect(await env.call('folders.contents', { parent: own }, as)).toMatchObject(unknownFolder)
    expect(await env.call('folders.contents', { parent: beside }, as)).toMatchObject({ code: 0 })
    await env.call('folders.remove', { group_id: beside }, person)
    expect((await listed())?.folders).toEqual([{ id: beside, path: [] }])
    // The limit stays when something else changes, although the folder is gone.
    expect(await env.call('apiKeys.change', { key_name: 'k', ips: [] }, person)).toMatchObject({ code: 0 })
    expect((await listed())?.folders).toEqual([{ id: beside, path: [] }])
    await env.call('apiKeys.change', { key_name: 'k', folders: [] }, person)
    env.pass(1000)
    expect((await listed())?.folders).toBeNull()
    expect(await env.call('folders.contents', { parent: own }, as)).toMatchObject({ code: 0 })
  })

  it('still needs the permissions', async () => {
    const { own, below, key } = await household(['readFolder'])
    expect(await env.call('folders.contents', { parent: own }, key)).toMatchObject({ code: 0 })
    expect(await env.call('folders.remove', { group_id: below }, key)).toMatchObject({ err: errors.forbidden.err })
    expect(await env.call('shares.create', { cid: String(below) }, key)).toMatchObject({ err: errors.forbidden.err })
  })
})

describe('a key of folders is refused', () => {
  it('items outside by their CID, as if they did not exist', async () => {
    const { person, below, beside, key } = await household()
    const { cid } = await sampleFile(env.db, person.id, { folder: beside, nodes: [node] })
    const answers = async (asset_cid: string) => [
      await env.call('downloads.own', { asset_cid }, key),
      await env.call('assets.rename', { asset_cid, new_name: 'x' }, key),
      await env.call('assets.move', { asset_cid, group_id: below }, key),
      await env.call('assets.remove', { asset_cid }, key),
      await env.call('shares.create', { cid: asset_cid }, key),
      await env.call('downloads.open', { asset_cid, user_id: person.uid }, key),
    ]
    const there = (await answers(cid)).map(({ err, msg }) => [err, msg])
    expect(there).toEqual((await answers(await cidOf(randomUUID()))).map(({ err, msg }) => [err, msg]))
    expect(new Set(there.map(([err]) => err))).toEqual(new Set([unknownAsset.err]))
    const files = await env.call('assets.list', { group_id: beside }, person)
    expect(files.data.list.map(({ AssetRecord }) => AssetRecord.CID)).toEqual([cid])
  })

  it('places outside for uploads, folders and moves, also the root and anonymous files', async () => {
    const { person, own, below, above, beside, key } = await household()
    for (const place of [0, above, beside, 999_999]) {
      expect((await upload(key, person, place)).answer).toMatchObject(unknownFolder)
      expect(await env.call('folders.create', { name: 'x', parent: place }, key)).toMatchObject(unknownFolder)
      expect(await env.call('folders.move', { group_id: below, target_group_id: place }, key)).toMatchObject(
        unknownFolder,
      )
      expect(await env.call('folders.moveMany', { folders: [below], target: place }, key)).toMatchObject(unknownFolder)
    }
    expect((await upload(key, person, -1)).answer).toMatchObject(unknownFolder)
    expect((await env.call('folders.contents', { parent: own }, person)).data.total).toBe(1)
  })

  it('its own folder as an item: it is an item of the folder above', async () => {
    const { own, below, key } = await household()
    for (const answer of [
      await env.call('folders.rename', { group_id: own, new_name: 'x' }, key),
      await env.call('folders.remove', { group_id: own }, key),
      await env.call('folders.move', { group_id: own, target_group_id: below }, key),
      await env.call('shares.create', { cid: String(own) }, key),
    ])
      expect(answer).toMatchObject(unknownFolder)
  })

  it('a content that the account has elsewhere, if it did not send the bytes itself', async () => {
    const { person, own, beside, key } = await household()
    const text = randomUUID()
    const { cid } = await upload(person, person, beside, text)
    const create = (more: object) =>
      env.call(
        'assets.create',
        { asset_name: 'a', asset_type: 'file', asset_size: 20, asset_cid: cid, group_id: own, ...more },
        key,
      )
    expect(await create({})).toMatchObject(refused)
    // A receipt of another upload of the account.
    const other = await node.receipt({ sub: person.uid, cid: await cidOf('another'), size: 20 })
    expect(await create({ receipt: other })).toMatchObject({ err: errors.nodeSignature.err })
    // A receipt that no upload of the account explains.
    const stranger = await env.person()
    const foreign = await node.receipt({ sub: stranger.uid, cid, size: 20 })
    expect(await create({ receipt: foreign })).toMatchObject({ err: errors.nodeSignature.err })
    expect((await env.call('assets.list', { group_id: own }, person)).data.total).toBe(0)
  })

  it('the knowledge that the account has a content, by MD5', async () => {
    const { person, key } = await household()
    const md5 = createHash('md5').update(randomUUID()).digest('hex')
    const { cid } = await sampleFile(env.db, person.id)
    await env.db.run(sql`update assets set md5 = ${md5} where user_id = ${person.id} and cid = ${cid}`)
    expect((await env.call('uploads.info', { md5, size: 20 }, person)).data).toMatchObject({ AlreadyExists: true })
    expect((await env.call('uploads.info', { md5, size: 20 }, key)).data).toMatchObject({
      AlreadyExists: false,
      CID: '',
    })
  })

  it('a change of what is outside by uploading the same content, also in the trash', async () => {
    const { person, own, beside, key } = await household()
    const text = randomUUID()
    const { cid } = await upload(person, person, beside, text)
    const { trash_ids } = (await env.call('trash.put', { assets: [cid] }, person)).data
    expect((await upload(key, person, own, text)).answer).toMatchObject({ code: 0 })
    expect((await env.call('trash.restore', { ids: trash_ids }, person)).data.results).toMatchObject([
      { ok: true, folder: beside },
    ])
  })

  it('an entry outside of a content that is also inside, however many calls there are at once', async () => {
    const { person, own, below, beside, key } = await household()
    const text = randomUUID()
    const outside = await sampleFile(env.db, person.id, { folder: beside, text, name: 'outside' })
    const inside = await sampleFile(env.db, person.id, { folder: own, text, name: 'inside' })
    const later = await sampleFile(env.db, person.id, { folder: beside, text, name: 'later' })
    const { cid } = inside
    // The earliest entry of the account is outside; the key means the one inside.
    expect(await env.call('assets.rename', { asset_cid: cid, new_name: 'renamed' }, key)).toMatchObject({ code: 0 })
    expect((await env.call('downloads.own', { asset_cid: cid }, key)).data).not.toMatchObject({ file_name: 'outside' })
    expect(await env.call('folders.moveMany', { assets: [cid], target: below }, key)).toMatchObject({
      data: { results: [{ ok: true }] },
    })
    for (const asset_id of [outside.id, later.id])
      expect(await env.call('assets.rename', { asset_cid: cid, asset_id, new_name: 'x' }, key)).toMatchObject(
        unknownAsset,
      )
    const calls = Array.from({ length: 20 }, (_, index) =>
      index % 2 ? env.call('assets.remove', { asset_cid: cid }, key) : env.call('trash.put', { assets: [cid] }, key),
    )
    await Promise.all(calls)
    const left = await env.db.rows(sql`select name from assets where user_id = ${person.id} order by id`)
    expect(left).toEqual([{ name: 'outside' }, { name: 'later' }])
  })

  it('items of the trash that were outside', async () => {
    const { person, beside, below, key } = await household()
    const { cid } = await sampleFile(env.db, person.id, { folder: beside })
    const { trash_ids: ids } = (await env.call('trash.put', { assets: [cid] }, person)).data
    expect(await env.call('trash.restore', { ids }, key)).toMatchObject(refused)
    expect(await env.call('trash.remove', { ids }, key)).toMatchObject(refused)
    expect(await env.call('trash.list', {}, key)).toMatchObject(refused)
    expect(await env.call('trash.empty', {}, key)).toMatchObject(refused)
    // An item whose folder is in the trash too would be restored to the root.
    const inside = await sampleFile(env.db, person.id, { folder: below })
    const put = await env.call('trash.put', { assets: [inside.cid] }, key)
    await env.call('folders.remove', { group_id: below }, key)
    expect(await env.call('trash.restore', { ids: put.data.trash_ids }, key)).toMatchObject(refused)
    expect((await env.call('folders.contents', { parent: 0 }, person)).data.total).toBe(1)
  })

  it('links to items outside, also by their ids', async () => {
    const { person, beside, key } = await household()
    const { cid } = await sampleFile(env.db, person.id, { folder: beside })
    const { id } = (await env.call('shares.create', { cid }, person)).data
    expect(await env.call('shares.update', { id, short_pass: '' }, key)).toMatchObject({ err: errors.notFound.err })
    expect(await env.call('shares.revoke', { id }, key)).toMatchObject({ err: errors.notFound.err })
    expect(await env.call('shares.info', { cid }, key)).toMatchObject({ err: errors.notFound.err })
    expect(await env.call('shares.info', { cid }, person)).toMatchObject({ code: 0 })
  })

  it('files outside in a call for many, and a whole call if one of its folders is outside', async () => {
    const { person, own, below, beside, key } = await household()
    const inside = await sampleFile(env.db, person.id, { folder: own })
    const outside = await sampleFile(env.db, person.id, { folder: beside, name: 'outside' })
    const named = { assets: [outside.cid], asset_ids: [outside.id] }
    const failed = { data: { results: [{ ok: false }, { ok: false }] } }
    expect(await env.call('folders.moveMany', { ...named, target: below }, key)).toMatchObject(failed)
    expect(await env.call('trash.put', named, key)).toMatchObject(failed)
    expect((await env.call('folders.manifest', named, key)).data.list).toEqual([])
    for (const call of [
      await env.call('folders.moveMany', { assets: [inside.cid], folders: [beside], target: below }, key),
      await env.call('trash.put', { assets: [inside.cid], folders: [beside] }, key),
      await env.call('folders.manifest', { folders: [own, beside] }, key),
    ])
      expect(call).toMatchObject({ code: -1 })
    expect((await env.call('assets.list', { group_id: own }, person)).data.total).toBe(1)
    expect((await env.call('assets.list', { group_id: beside }, person)).data.total).toBe(1)
  })

  it('usage, transfers, receipts, the chat, and what else belongs to the whole account', async () => {
    const { key } = await household()
    for (const answer of [
      await env.call('usage.storageSize', {}, key),
      await env.call('traces.list', {}, key),
      await env.call('assets.count', {}, key),
      await env.call('accounts.info', {}, key),
      await env.call('chat.state', {} as never, key),
    ])
      expect(answer).toMatchObject(refused)
  })
})

describe('a key cannot be limited to', () => {
  it('folders of others, folders that do not exist, the root, or too many', async () => {
    const { person, own } = await household()
    const stranger = await env.person()
    const foreign = await folder(stranger, 'foreign')
    const create = (folders: number[]) => env.call('apiKeys.create', { key_name: 'k', folders }, person)
    for (const folders of [[foreign], [own, 999_999], [0]]) expect(await create(folders)).toMatchObject(unknownFolder)
    const many = Array.from({ length: KEY_FOLDERS_MAX + 1 }, (_, index) => index + 1)
    expect(await create(many)).toMatchObject({ err: errors.tooManyKeyFolders.err })
    expect((await env.call('apiKeys.list', {}, person)).data.list.map(({ name }) => name)).not.toContain('k')
  })
})
