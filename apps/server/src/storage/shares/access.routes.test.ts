import { type AppError, SHARE_PERMANENT } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { countShareDownload, openShare } from './access.ts'
import { memberOf, sampleShares, visitor } from './sample-shares.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())
const { seconds, gate, shared, folderOf, tokenFor } = sampleShares(() => env)

const DAY = 24 * 3600 * 1000

describe('access to shared content', () => {
  it('is granted to the owner always, and to others while the file is shared', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const { cid } = await sampleFile(env.db, owner.id)
    expect(await gate(owner, cid, { caller: memberOf(owner) })).toBe('open')
    expect(await gate(owner, cid, { caller: memberOf(other) })).toBe('assetUnknown')
    await env.call('shares.setStatus', { cid }, owner)
    expect(await gate(owner, cid, { caller: memberOf(other) })).toBe('open')
    expect(await gate(owner, cid)).toBe('open')
  })

  it('is granted at any depth below a shared folder', async () => {
    const owner = await env.person()
    const outer = await folderOf(owner, 'outer')
    const inner = await folderOf(owner, 'inner', outer)
    const beside = await folderOf(owner, 'beside')
    const { cid } = await sampleFile(env.db, owner.id, { folder: inner })
    const { cid: hidden } = await sampleFile(env.db, owner.id, { folder: beside })
    await env.call('shares.create', { cid: String(outer), short_pass: 'abc123' }, owner)
    await env.call('shares.setStatus', { cid: String(outer) }, owner)
    const token = await tokenFor(owner, String(outer), 'abc123')
    for (const groupId of [outer, inner]) {
      expect(await gate(owner, cid, { groupId, token })).toBe('open')
      expect(await gate(owner, cid, { groupId })).toBe('sharePassRequired')
    }
    expect(await gate(owner, cid, { token })).toBe('assetUnknown')
    expect(await gate(owner, cid, { groupId: beside, token })).toBe('assetUnknown')
    expect(await gate(owner, hidden, { groupId: outer, token })).toBe('assetUnknown')
    expect(await gate(owner, hidden, { groupId: 0, token })).toBe('assetUnknown')
  })

  it("is granted through the folder if the file's own link does not grant it", async () => {
    const owner = await env.person()
    const folder = await folderOf(owner, 'open')
    const { cid, id } = await shared(owner, { short_pass: 'abc123' })
    await env.db.run(sql`update assets set folder_id = ${folder} where cid = ${cid}`)
    await env.call('shares.setStatus', { cid: String(folder) }, owner)
    expect(await gate(owner, cid)).toBe('sharePassRequired')
    expect(await gate(owner, cid, { groupId: folder })).toBe('open')
    await env.call('shares.revoke', { id }, owner)
    expect(await gate(owner, cid, { groupId: folder })).toBe('open')
  })

  it('is limited to ten visitors, each counted once a day, and unlimited for a VIP', async () => {
    const [free, vip] = [await env.person(), await env.person({ vip: true })]
    for (const [owner, limit] of [
      [free, 10],
      [vip, 30],
    ] as const) {
      const { cid } = await shared(owner)
      const { asset } = await openShare(env.context, { caller: visitor, uid: owner.uid, cid })
      const about = { owner: { userId: owner.id, uid: owner.uid, vip: owner === vip }, asset, agent: 'browser' }
      const visit = async (index: number) =>
        countShareDownload(env.context, { ...about, caller: visitor, ip: `10.9.9.${index}` }).then(
          () => 'counted',
          (error: AppError) => error.key,
        )
      const many = await Promise.all(Array.from({ length: 60 }, (_, index) => visit(index % 30)))
      expect(many.filter((answer) => answer === 'shareLimit').length > 0).toBe(limit === 10)
      const { downloads } = await env.db.one<{ downloads: number }>(
        sql`select downloads from assets where id = ${asset.id}`,
      )
      expect(downloads).toBe(limit)
    }
    const { list } = (await env.call('folders.contents', {}, free)).data
    expect(list[0]?.AssetOverview).toMatchObject({
      VisitCount: 10,
      RemainVisitCount: 0,
      UserAssetDetail: { ShareStatus: 2, VisitCount: 10 },
    })
  })

  it('counts a visitor again after a day', async () => {
    const owner = await env.person()
    const { cid } = await shared(owner)
    const { asset } = await openShare(env.context, { caller: visitor, uid: owner.uid, cid })
    const about = { owner: { userId: owner.id, uid: owner.uid, vip: false }, asset, caller: visitor, ip: '1.1.1.1' }
    const downloads = async () =>
      (await env.db.one<{ downloads: number }>(sql`select downloads from assets where id = ${asset.id}`)).downloads
    await countShareDownload(env.context, { ...about, agent: 'a' })
    await countShareDownload(env.context, { ...about, agent: 'a' })
    expect(await downloads()).toBe(1)
    env.pass(DAY)
    await countShareDownload(env.context, { ...about, agent: 'a' })
    expect(await downloads()).toBe(2)
  })

  it('is refused with the same error whether or not the file or account exists', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const { cid } = await sampleFile(env.db, owner.id)
    const nobody = { ...owner, uid: 'nobody' }
    for (const [who, what] of [
      [owner, cid],
      [other, cid],
      [nobody, cid],
      [{ ...owner, uid: owner.email }, cid],
    ] as const)
      expect(await gate(who, what)).toBe('assetUnknown')
  })
})

describe('a shared folder', () => {
  const look = (owner: Person, group_id: number, more: { ticket?: string; page?: number } = {}, as = {}) =>
    env.call('shares.folder', { user_id: owner.uid, group_id, ...more }, as)

  it("lists its contents at any depth, with the owner's public name only", async () => {
    const owner = await env.person()
    const outer = await folderOf(owner, 'Holidays')
    const inner = await folderOf(owner, 'inner', outer)
    await sampleFile(env.db, owner.id, { folder: outer, size: 70, name: 'beach.jpg' })
    await sampleFile(env.db, owner.id, { folder: inner, size: 5 })
    await env.call('shares.setStatus', { cid: String(outer) }, owner)
    const { data } = await look(owner, outer)
    expect(data.info).toEqual({ name: 'Holidays', size: 70, id: outer })
    expect(data.total).toBe(2)
    expect(data.list[0]?.Group?.Name).toBe('inner')
    expect(data.list[1]?.AssetOverview?.UserAssetDetail.AssetName).toBe('beach.jpg')
    expect(JSON.stringify(data)).not.toContain(owner.email)
    expect((await look(owner, inner)).data.info.name).toBe('inner')
  })

  it('requires the share token of its password, or of an ancestor folder', async () => {
    const owner = await env.person()
    const outer = await folderOf(owner, 'outer')
    const inner = await folderOf(owner, 'inner', outer)
    await env.call('shares.create', { cid: String(outer), short_pass: 'abc123' }, owner)
    await env.call('shares.setStatus', { cid: String(outer) }, owner)
    expect((await env.call('shares.needPass', { cid: String(outer), username: owner.uid })).data.NeedPass).toBe(true)
    const token = await tokenFor(owner, String(outer), 'abc123')
    for (const folder of [outer, inner]) {
      expect(await look(owner, folder)).toMatchObject({ code: -1, err: 2059 })
      expect((await look(owner, folder, { ticket: token })).code).toBe(0)
      expect((await look(owner, folder, {}, owner)).code).toBe(0)
    }
  })

  it('is refused if not shared, expired, of another account, or the root', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const outer = await folderOf(owner, 'outer')
    const inner = await folderOf(owner, 'inner', outer)
    await env.call('shares.create', { cid: String(inner), expire_time: seconds(3 * DAY) }, owner)
    await env.call('shares.setStatus', { cid: String(inner) }, owner)
    expect(await look(owner, outer)).toMatchObject({ code: -1, err: 10018 })
    expect(await look(owner, 0)).toMatchObject({ code: -1, err: 10018 })
    expect(await look(other, inner)).toMatchObject({ code: -1, err: 10018 })
    expect((await look(owner, inner)).code).toBe(0)
    env.pass(3 * DAY)
    expect(await look(owner, inner)).toMatchObject({ code: -1, err: 2058 })
    const key = { token: await env.key(owner, ['createFile']) }
    expect(await look(owner, outer, {}, key)).toMatchObject({ code: -1, err: 10018 })
  })
})

describe('the terms of a share', () => {
  const termsOf = async (owner: Person, cid: string, more: { ticket?: string } = {}, as: { token?: string } = {}) =>
    (await env.call('assets.detail', { cid, user_id: owner.uid, ...more }, as)).data?.terms

  it('are returned to visitors with access, and to the owner', async () => {
    const owner = await env.person()
    const expire_time = seconds(7 * DAY)
    const { cid } = await shared(owner, { short_pass: 'Ab3dE6', expire_time })
    const token = await tokenFor(owner, cid, 'Ab3dE6')
    const terms = { shared: true, expire_time, has_password: true, downloads_left: 10 }
    expect(await termsOf(owner, cid, { ticket: token })).toEqual(terms)
    expect(await termsOf(owner, cid, {}, owner)).toEqual(terms)
    const { asset } = await openShare(env.context, { caller: memberOf(owner), uid: owner.uid, cid })
    await countShareDownload(env.context, {
      owner: { userId: owner.id, uid: owner.uid, vip: false },
      asset,
      caller: visitor,
      ip: '10.8.8.8',
      agent: 'browser',
    })
    expect((await termsOf(owner, cid, { ticket: token }))?.downloads_left).toBe(9)
  })

  it('have no expiry if permanent, no limit for a VIP, and the full limit for each file of a folder', async () => {
    const vip = await env.person({ vip: true })
    const { cid } = await shared(vip)
    const free = { shared: true, expire_time: SHARE_PERMANENT, has_password: false, downloads_left: -1 }
    expect(await termsOf(vip, cid)).toEqual(free)
    const owner = await env.person()
    const outer = await folderOf(owner, 'outer')
    const inner = await folderOf(owner, 'inner', outer)
    await env.call('shares.create', { cid: String(outer) }, owner)
    await env.call('shares.setStatus', { cid: String(outer) }, owner)
    for (const group_id of [outer, inner])
      expect((await env.call('shares.folder', { user_id: owner.uid, group_id })).data.terms).toEqual({
        ...free,
        downloads_left: 10,
      })
    const { cid: unshared } = await sampleFile(env.db, owner.id)
    expect(await termsOf(owner, unshared, {}, owner)).toMatchObject({ shared: false, downloads_left: 10 })
  })

  it('are refused to others', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const { cid } = await shared(owner, { short_pass: 'Ab3dE6' })
    expect(await termsOf(owner, cid)).toBeUndefined()
    expect(await termsOf(owner, cid, { ticket: 'x.y.z' }, other)).toBeUndefined()
  })
})
