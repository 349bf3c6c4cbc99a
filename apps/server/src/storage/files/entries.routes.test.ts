import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node({ url: 'http://127.0.0.1:7001' })
})
afterAll(() => env.close())

const listing = async (person: Person, parent = 0) =>
  (await env.call('folders.contents', { parent, page_size: 100, sort: 'name' }, person)).data.list.flatMap(
    ({ AssetOverview }) =>
      AssetOverview ? [{ ...AssetOverview.UserAssetDetail, name: AssetOverview.UserAssetDetail.AssetName }] : [],
  )
const names = async (person: Person, parent = 0) => (await listing(person, parent)).map(({ name }) => name)
const folder = async (person: Person, name: string) =>
  (await env.call('folders.create', { name }, person)).data.group.ID
const usage = async (person: Person) => (await env.call('usage.storageSize', {}, person)).data
const states = async (cid: string) =>
  (await env.db.rows<{ state: string }>(sql`select state from replicas where cid = ${cid}`)).map(({ state }) => state)

/** Lists a content that the account has, or that a receipt of the node proves. */
const create = (
  person: Person,
  cid: string,
  more: { name?: string; on_conflict?: 'fail' | 'keep_both'; group_id?: number; receipt?: string; size?: number } = {},
) => {
  const { name = 'a.txt', size = 20, ...rest } = more
  return env.call(
    'assets.create',
    { asset_name: name, asset_type: 'file', asset_size: size, asset_cid: cid, ...rest },
    person,
  )
}
/** A new content that the person has uploaded, but not listed. */
async function uploaded(person: Person, size = 20) {
  const { cid } = await sampleFile(env.db, (await env.person()).id, { nodes: [node], text: randomUUID(), size })
  return { cid, receipt: await node.receipt({ sub: person.uid, cid, size }) }
}

/** The same content in the root as `a.txt`, and in a folder as `b.txt`; ids are those of the two entries. */
async function twice(person: Person) {
  const [{ cid, receipt }, id] = [await uploaded(person), await folder(person, `folder ${randomUUID()}`)]
  await create(person, cid, { receipt })
  await create(person, cid, { name: 'b.txt', group_id: id, on_conflict: 'fail' })
  const [first] = await listing(person)
  const [second] = await listing(person, id)
  return { cid, folder: id, first: first?.AssetID ?? 0, second: second?.AssetID ?? 0 }
}

describe('the same content several times', () => {
  it('is listed in different folders and under different names, and each counts', async () => {
    const person = await env.person()
    const { cid, first, second } = await twice(person)
    expect(first).toBeGreaterThan(0)
    expect(second).toBeGreaterThan(first)
    await create(person, cid, { name: 'c.txt', on_conflict: 'keep_both' })
    expect(await names(person)).toEqual(['a.txt', 'c.txt'])
    expect(await usage(person)).toMatchObject({ UsedSize: 60, AssetCount: 3 })
  })

  it('is refused without `on_conflict`, as before', async () => {
    const person = await env.person()
    const { cid, folder: id } = await twice(person)
    expect(await create(person, cid, { name: 'other', group_id: id })).toMatchObject({ code: -1, err: 1017 })
    expect(await usage(person)).toMatchObject({ AssetCount: 2 })
  })

  it('needs no bytes again, and keeps the receipt of its upload', async () => {
    const person = await env.person()
    const { folder: id } = await twice(person)
    const [[a], [b]] = [await listing(person), await listing(person, id)]
    expect(b).toMatchObject({ receipt_id: a?.receipt_id, TotalSize: 20 })
    expect(b?.receipt_id).not.toBeNull()
  })

  it('stays readable until its last entry is deleted for good', async () => {
    const person = await env.person()
    const { cid, first, second } = await twice(person)
    // Nobody else needs the content.
    await env.db.run(sql`delete from assets where cid = ${cid} and user_id <> ${person.id}`)
    await env.call('assets.remove', { asset_cid: cid, asset_id: first }, person)
    expect(await states(cid)).toEqual(['stored'])
    expect(await env.call('downloads.own', { asset_cid: cid }, person)).toMatchObject({ code: 0 })
    const { trash_ids } = (await env.call('trash.put', { asset_ids: [second] }, person)).data
    expect(await states(cid)).toEqual(['stored'])
    await env.call('trash.remove', { ids: trash_ids }, person)
    expect(await states(cid)).toEqual(['removed'])
    expect(await create(person, cid)).toMatchObject({ code: 0, data: [{}] })
    expect(await usage(person)).toMatchObject({ UsedSize: 0 })
  })

  it('is shared entry by entry; the content is open while one share is', async () => {
    const [owner, visitor] = [await env.person(), await env.person()]
    const { cid, first, second } = await twice(owner)
    const open = async (asset_id?: number) =>
      (await env.call('downloads.open', { asset_cid: cid, asset_id, user_id: owner.uid }, visitor)).err ?? 0
    const link = await env.call('shares.create', { cid, asset_id: second, short_pass: 'abc123' }, owner)
    await env.call('shares.setStatus', { cid, asset_id: second, status: 1 }, owner)
    expect(await env.call('shares.info', { cid }, owner)).toMatchObject({ code: -1, err: 1000 })
    expect(link.data.long_link).toContain(`asset_id=${second}`)
    expect([await open(), await open(first), await open(second)]).toEqual([2059, 10028, 2059])
    await env.call('shares.setStatus', { cid, status: 1 }, owner)
    expect([await open(), await open(first), await open(second)]).toEqual([0, 0, 2059])
    const { ticket } = (
      await env.call('shares.check', { username: owner.uid, cid, asset_id: second, password: 'abc123' }, visitor)
    ).data
    expect(
      await env.call('downloads.open', { asset_cid: cid, asset_id: second, user_id: owner.uid, ticket }, visitor),
    ).toMatchObject({ code: 0, data: { file_name: 'b.txt' } })
    await env.call('assets.remove', { asset_cid: cid, asset_id: first }, owner)
    expect(await env.call('shares.info', { cid }, owner)).toMatchObject({ data: { link: { id: link.data.id } } })
    expect([await open(), await open(second)]).toEqual([2059, 2059])
  })

  it('goes to the trash and back entry by entry, with id, share and folder', async () => {
    const person = await env.person()
    const { cid, folder: id, first, second } = await twice(person)
    await env.call('shares.setStatus', { cid, asset_id: second, status: 1 }, person)
    await env.call('trash.put', { asset_ids: [first] }, person)
    const put = await env.call('trash.put', { folders: [id] }, person)
    expect((await env.call('trash.list', {}, person)).data.list.map((item) => item.asset_id)).toEqual([0, first])
    expect(await env.call('folders.item', { cid }, person)).toMatchObject({ code: -1, err: 10028 })
    await env.call('trash.restore', { ids: put.data.trash_ids }, person)
    expect(await listing(person, id)).toMatchObject([{ AssetID: second, name: 'b.txt', ShareStatus: 1 }])
    const list = (await env.call('trash.list', {}, person)).data.list
    await env.call('trash.restore', { ids: list.map((item) => item.id) }, person)
    expect(await listing(person)).toMatchObject([{ AssetID: first, name: 'a.txt', ShareStatus: 0 }])
    expect(await usage(person)).toMatchObject({ UsedSize: 40, AssetCount: 2 })
  })

  it('is renamed, moved, deleted and found by id, or the earliest by CID', async () => {
    const person = await env.person()
    const { cid, folder: id, first, second } = await twice(person)
    const other = await folder(person, 'other')
    await env.call('assets.rename', { asset_cid: cid, asset_id: second, new_name: 'second' }, person)
    await env.call('assets.rename', { asset_cid: cid, new_name: 'first' }, person)
    await env.call('folders.rename', { asset_cid: cid, asset_id: second, new_name: 'second!' }, person)
    expect([await names(person), await names(person, id)]).toEqual([['first'], ['second!']])
    await env.call('assets.move', { asset_cid: cid, asset_id: second, group_id: other }, person)
    expect(await env.call('folders.item', { cid, asset_id: second }, person)).toMatchObject({
      data: { data: { AssetOverview: { UserAssetDetail: { AssetName: 'second!', GroupID: other } } } },
    })
    expect(await env.call('folders.item', { asset_id: second }, person)).toMatchObject({ code: 0 })
    expect(await env.call('folders.item', { asset_id: second }, await env.person())).toMatchObject({ err: 10028 })
    const both = await env.call('folders.moveMany', { asset_ids: [first, second], target: id }, person)
    expect(both.data.results).toEqual([first, second].map((each) => ({ id: String(each), asset_id: each, ok: true })))
    const manifest = await env.call('folders.manifest', { asset_ids: [second], folders: [id] }, person)
    expect(manifest.data.list.map(({ asset_id }) => asset_id)).toEqual([first, second])
    const found = await env.call('folders.findNames', { parent: id, names: ['second!', 'none'] }, person)
    expect(found.data.list).toMatchObject([{ id: cid, asset_id: second }])
    await env.call('assets.remove', { asset_cid: cid, trash: true }, person)
    expect(await names(person, id)).toEqual(['second!'])
  })

  it('deletes a folder with two entries of a content at once', async () => {
    const person = await env.person()
    const { cid, folder: id } = await twice(person)
    await create(person, cid, { name: 'c.txt', group_id: id, on_conflict: 'fail' })
    expect(await env.call('folders.remove', { group_id: id, trash: false }, person)).toMatchObject({
      data: { assets: 2 },
    })
    expect(await env.call('downloads.own', { asset_cid: cid }, person)).toMatchObject({ code: 0 })
    expect(await usage(person)).toMatchObject({ UsedSize: 20 })
  })

  it('may be accelerated: its copies are planned and counted once', async () => {
    const person = await env.person({ vip: true })
    const { cid, folder: id } = await twice(person)
    await env.call('acceleration.set', { cid, on: true, areas: ['Germany'] }, person)
    await env.call('acceleration.set', { group_id: id, on: true }, person)
    expect((await env.call('acceleration.list', {}, person)).data.list).toHaveLength(2)
    const { findCovered } = await import('../acceleration/repository.ts')
    expect(await findCovered(env.db, person.id, 10)).toMatchObject([{ cid, expected: ['Germany'] }])
  })
})

describe('a name that is in use', () => {
  it('refuses the file with `fail`, also if a folder has the name', async () => {
    const person = await env.person()
    const { cid, receipt } = await uploaded(person)
    await sampleFile(env.db, person.id, { name: 'a.txt' })
    await folder(person, 'b.txt')
    const taken = { code: -1, err: 10031 }
    expect(await create(person, cid, { receipt, on_conflict: 'fail' })).toMatchObject(taken)
    expect(await create(person, cid, { name: 'b.txt', on_conflict: 'fail' })).toMatchObject(taken)
    expect(await create(person, cid, { name: 'A.txt', on_conflict: 'fail' })).toMatchObject({ code: 0 })
  })

  it('numbers the file with `keep_both`, once for each content, however often it is repeated', async () => {
    const person = await env.person()
    const [one, two] = [await uploaded(person), await uploaded(person)]
    await sampleFile(env.db, person.id, { name: 'a.txt' })
    for (let repeated = 0; repeated < 3; repeated++)
      for (const { cid, receipt } of [one, two]) await create(person, cid, { receipt, on_conflict: 'keep_both' })
    expect(await names(person)).toEqual(['a (2).txt', 'a (3).txt', 'a.txt'])
  })

  it('changes nothing if the name has the same content', async () => {
    const person = await env.person()
    const { cid, receipt } = await uploaded(person)
    for (const on_conflict of ['fail', 'keep_both', 'fail'] as const)
      expect(await create(person, cid, { receipt, on_conflict })).toMatchObject({ code: 0, data: expect.any(Array) })
    expect(await names(person)).toEqual(['a.txt'])
  })

  it('is decided once by calls at the same time', async () => {
    const person = await env.person()
    const contents = await Promise.all(Array.from({ length: 6 }, () => uploaded(person)))
    const answers = await Promise.all(
      contents.map(({ cid, receipt }) => create(person, cid, { receipt, on_conflict: 'fail' })),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    await Promise.all(contents.map(({ cid }) => create(person, cid, { on_conflict: 'keep_both' })))
    expect(new Set(await names(person)).size).toBe(6)
  })

  it('is numbered when announced bytes arrive, one entry per announcement', async () => {
    const person = await env.person()
    const id = await folder(person, 'inner')
    const { cid, receipt } = await uploaded(person)
    await create(person, cid, { on_conflict: 'fail' })
    await create(person, cid, { group_id: id, on_conflict: 'keep_both' })
    expect(await usage(person)).toMatchObject({ ReservedSize: 40, UsedSize: 0 })
    await sampleFile(env.db, person.id, { name: 'a.txt', size: 1 })
    await env.call('nodeControl.receipts', { receipts: [receipt] }, node)
    expect([await names(person), await names(person, id)]).toEqual([['a (2).txt', 'a.txt'], ['a.txt']])
    expect(await usage(person)).toMatchObject({ ReservedSize: 0, UsedSize: 41 })
  })
})

describe('a second entry', () => {
  it('is refused beyond the quota', async () => {
    const person = await env.person()
    const { cid } = await twice(person)
    await env.db.run(sql`update users set storage_quota = 50 where id = ${person.id}`)
    expect(await create(person, cid, { name: 'c', on_conflict: 'fail' })).toMatchObject({ code: -1, err: 10004 })
  })

  it('gives no access that the first one does not give', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const { cid } = await sampleFile(env.db, other.id, { nodes: [node], size: 400_000 })
    const mine = await sampleFile(env.db, person.id, { size: 7 })
    await env.db.run(sql`update assets set cid = ${cid}, restricted_to = ${['e_1']} where id = ${mine.id}`)
    await create(person, cid, { name: 'b', on_conflict: 'fail' })
    const rows = await env.db.rows<{ restricted_to: string[]; size: number }>(
      sql`select restricted_to, size from assets where user_id = ${person.id}`,
    )
    expect(rows).toEqual(Array(2).fill({ restricted_to: ['e_1'], size: 7 }))
  })

  it('needs the bytes if the account has no entry any more', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const { cid } = await sampleFile(env.db, other.id, { nodes: [node] })
    expect((await create(person, cid, { on_conflict: 'fail' })).data).not.toEqual([])
    expect(await names(person)).toEqual([])
  })
})
