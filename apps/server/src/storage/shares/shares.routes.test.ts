import { type AppError, SHARE_PERMANENT } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { countShareDownload, openShare } from './access.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const DAY = 24 * 3600 * 1000
const seconds = (ms = 0) => Math.floor((env.clock.now() + ms) / 1000)
const visitor = { kind: 'visitor' } as const
let machines = 0
/** An address that nothing was asked from before. */
const elsewhere = () => ({ ip: `10.1.${Math.floor(++machines / 250)}.${machines % 250}` })

const memberOf = (person: Person): Member => ({
  kind: 'member',
  userId: person.id,
  uid: person.uid,
  email: person.email,
  vip: false,
  role: 'user',
  via: 'session',
  credential: '',
  permissions: 'all',
})

/** What the gate says: `open`, or why not. */
async function gate(
  owner: Person,
  cid: string,
  more: { token?: string | undefined; groupId?: number; caller?: Member } = {},
): Promise<string> {
  try {
    await openShare(env.context, { caller: visitor, uid: owner.uid, cid, ...more })
    return 'open'
  } catch (error) {
    return (error as AppError).key
  }
}

async function shared(owner: Person, terms: { short_pass?: string; expire_time?: number; area_id?: string[] } = {}) {
  const { cid } = await sampleFile(env.db, owner.id)
  const { data } = await env.call('shares.create', { cid, ...terms }, owner)
  await env.call('shares.setStatus', { cid }, owner)
  return { cid, ...data }
}
const folderOf = async (owner: Person, name: string, parent = 0) =>
  (await env.call('folders.create', { name, parent }, owner)).data.group.ID
const tokenFor = async (owner: Person, cid: string, password: string) =>
  (await env.call('shares.check', { cid, username: owner.uid, password }, elsewhere())).data.ticket
const infoOf = async (owner: Person, cid: string) => (await env.call('shares.info', { cid }, owner)).data

describe('creating a link', () => {
  it('returns a short link to the page of the file or folder', async () => {
    const owner = await env.person()
    const file = await shared(owner, { area_id: ['Asia-Singapore-Singapore-Singapore', 'Germany'] })
    expect(file.url).toBe(file.short_link)
    const { headers, status } = await env.call(
      'shares.follow',
      Object.fromEntries(new URLSearchParams(file.url.split('?')[1])),
    )
    expect(status).toBe(302)
    expect(headers.location).toBe(file.long_link)
    const page = new URL(file.long_link)
    expect(`${page.origin}${page.pathname}`).toBe('http://portal.test/distributionstatus')
    expect(Object.fromEntries(page.searchParams)).toEqual({
      cid: file.cid,
      AssetType: 'file',
      address: owner.uid,
      area_id: 'Germany,Singapore',
    })
    expect(page.search).toContain('area_id=Germany%2CSingapore')

    const folder = await folderOf(owner, 'shown')
    const { data } = await env.call('shares.create', { cid: String(folder) }, owner)
    expect(new URL(data.long_link).pathname).toBe('/groupPreview')
    expect(new URL(data.long_link).searchParams.get('AssetType')).toBe('folder')
  })

  it('returns all terms to the owner', async () => {
    const owner = await env.person()
    const expires = seconds(7 * DAY)
    const { cid } = await shared(owner, { short_pass: 'Ab3dE6', expire_time: expires })
    const { link, expire_days } = await infoOf(owner, cid)
    expect(link).toMatchObject({ cid, user_id: owner.uid, short_pass: 'Ab3dE6', area_ids: [] })
    expect(link.expire_time).toBe(expires)
    expect(expire_days).toBe(7)
    expect((await env.call('shares.get', { cid }, owner)).data.url).toBe(link.short_link)
  })

  it('accepts the old name of the password, and is permanent from 2099 on', async () => {
    const owner = await env.person()
    const { cid } = await sampleFile(env.db, owner.id)
    await env.call('shares.create', { cid, access_pass: 'abc123', expire_time: SHARE_PERMANENT }, owner)
    const { link } = await infoOf(owner, cid)
    expect(link).toMatchObject({ short_pass: 'abc123', expire_time: SHARE_PERMANENT })
    await env.call('shares.setStatus', { cid }, owner)
    const { expires_at } = await env.db.one<{ expires_at: Date | null }>(
      sql`select expires_at from links where id = ${link.id}`,
    )
    expect(expires_at).toBeNull()
  })

  it('sets new terms for an item that is no longer shared', async () => {
    const owner = await env.person()
    const { cid } = await shared(owner, { short_pass: 'abc123', expire_time: seconds(DAY) })
    await env.call('shares.setStatus', { cid, status: 0 }, owner)
    expect((await env.call('shares.create', { cid }, owner)).code).toBe(0)
    expect((await infoOf(owner, cid)).link).toMatchObject({ short_pass: '', expire_time: SHARE_PERMANENT })
  })

  it('creates one link for simultaneous requests', async () => {
    const owner = await env.person()
    const { cid } = await sampleFile(env.db, owner.id)
    const answers = await Promise.all(Array.from({ length: 50 }, () => env.call('shares.create', { cid }, owner)))
    expect(new Set(answers.map((answer) => answer.data.id)).size).toBe(1)
  })

  it('refuses items of others, a link in use, invalid terms, a file with used-up downloads, and restricted keys', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const { cid } = await sampleFile(env.db, owner.id)
    const folder = await folderOf(owner, 'mine')
    const create = (input: object, as: { token?: string } = owner) => env.call('shares.create', { cid, ...input }, as)
    expect(await create({ username: owner.uid }, other)).toMatchObject({ code: -1, err: 10028 })
    expect(await create({ cid: String(folder) }, other)).toMatchObject({ code: -1, err: 10018 })
    expect(await create({ cid: '0' })).toMatchObject({ code: -1, err: 10018 })
    expect(await create({ cid: '9'.repeat(40) })).toMatchObject({ code: -1, err: 10018 })
    expect(await create({ cid: 'rubbish' })).toMatchObject({ code: -1, err: 1001 })
    for (const short_pass of ['abc12', 'abc1234', 'abc 12', 'abc-12', '密码密码密码'])
      expect(await create({ short_pass })).toMatchObject({ code: -1, err: 1001 })
    for (const expire_time of [1, seconds(), seconds(-DAY), -1])
      expect(await create({ expire_time })).toMatchObject({ code: -1, err: 1001 })
    const key = {
      token: await env.key(owner, ['readFile', 'createFile', 'deleteFile', 'readFolder', 'createFolder']),
    }
    expect(await create({}, key)).toMatchObject({ code: -1, err: 1028 })
    expect(await create({}, {})).toMatchObject({ code: 401 })
    expect((await create({}, { token: await env.key(owner, 'admin') })).code).toBe(0)
    await env.call('shares.setStatus', { cid }, owner)
    expect(await create({})).toMatchObject({ code: -1, err: 2061 })
    await env.call('shares.setStatus', { cid, status: 0 }, owner)
    await env.db.run(sql`update assets set downloads = 10 where cid = ${cid}`)
    expect(await create({})).toMatchObject({ code: -1, err: 2064 })
  })
})

describe('changing a link', () => {
  it('keeps omitted terms, clears an empty password, and sets a new expiry', async () => {
    const owner = await env.person()
    const [soon, late] = [seconds(DAY), seconds(30 * DAY)]
    const { cid, id } = await shared(owner, { short_pass: 'abc123', expire_time: soon })
    const change = async (input: { short_pass?: string; expire_at?: number }) => {
      expect((await env.call('shares.update', { id, ...input }, owner)).code).toBe(0)
      return (await infoOf(owner, cid)).link
    }
    expect(await change({})).toMatchObject({ short_pass: 'abc123', expire_time: soon })
    expect(await change({ short_pass: '' })).toMatchObject({ short_pass: '', expire_time: soon })
    expect(await change({ expire_at: late })).toMatchObject({ expire_time: late })
    expect(await change({ expire_at: SHARE_PERMANENT, short_pass: 'xyz789' })).toMatchObject({
      short_pass: 'xyz789',
      expire_time: SHARE_PERMANENT,
    })
  })

  it('invalidates share tokens for the old password', async () => {
    const owner = await env.person()
    const { cid, id } = await shared(owner, { short_pass: 'abc123' })
    const token = await tokenFor(owner, cid, 'abc123')
    expect(await gate(owner, cid, { token })).toBe('open')
    await env.call('shares.update', { id, short_pass: 'xyz789' }, owner)
    expect(await gate(owner, cid, { token })).toBe('sharePassRequired')
    expect(await gate(owner, cid, { token: await tokenFor(owner, cid, 'xyz789') })).toBe('open')
  })

  it('ends sharing and the short link at once when turned off or revoked', async () => {
    const owner = await env.person()
    const [off, revoked] = [await shared(owner), await shared(owner)]
    await env.call('shares.setStatus', { cid: off.cid, status: 0 }, owner)
    await env.call('shares.revoke', { id: revoked.id }, owner)
    for (const { cid, id } of [off, revoked]) {
      expect(await gate(owner, cid)).toBe('assetUnknown')
      expect(await env.call('shares.follow', { cid, id })).toMatchObject({ code: -1, err: 1000 })
      expect(await env.call('shares.needPass', { cid, username: owner.uid })).toMatchObject({ err: 1000 })
    }
    expect(await env.call('shares.info', { cid: revoked.cid }, owner)).toMatchObject({ code: -1, err: 1000 })
    await env.call('shares.setStatus', { cid: off.cid, status: 1 }, owner)
    expect(await gate(owner, off.cid)).toBe('open')
  })

  it('refuses other accounts, unknown links, past times and malformed passwords', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const { id, cid } = await shared(owner)
    expect(await env.call('shares.update', { id }, other)).toMatchObject({ code: -1, err: 2062 })
    expect(await env.call('shares.revoke', { id }, other)).toMatchObject({ code: -1, err: 2062 })
    expect(await env.call('shares.update', { id: 'none' }, owner)).toMatchObject({ code: -1, err: 1000 })
    expect(await env.call('shares.revoke', { id: 'none' }, owner)).toMatchObject({ code: -1, err: 1000 })
    expect(await env.call('shares.update', { id, expire_at: seconds(-1000) }, owner)).toMatchObject({ err: 1001 })
    expect(await env.call('shares.update', { id, short_pass: 'short' }, owner)).toMatchObject({ err: 1001 })
    expect(await env.call('shares.setStatus', { cid }, other)).toMatchObject({ code: -1, err: 10028 })
    expect(await env.call('shares.setStatus', { cid: '0' }, owner)).toMatchObject({ code: -1, err: 10018 })
    expect(await env.call('shares.setStatus', { cid, status: 2 }, owner)).toMatchObject({ code: -1, err: 1001 })
    for (const operation of ['shares.info', 'shares.get'] as const) {
      expect(await env.call(operation, { cid, username: owner.uid }, other)).toMatchObject({ code: -1, err: 1000 })
      expect(await env.call(operation, { cid })).toMatchObject({ code: 401 })
    }
    const key = { token: await env.key(owner, ['readFile']) }
    expect(await env.call('shares.revoke', { id }, key)).toMatchObject({ code: -1, err: 1028 })
    expect(await gate(owner, cid)).toBe('open')
  })
})

describe('the password of a link', () => {
  const check = (owner: Person, cid: string, password?: string, as = elsewhere()) =>
    env.call('shares.check', { cid, username: owner.uid, ...(password !== undefined && { password }) }, as)

  it('is required, and gives a share token that is valid for an hour', async () => {
    const owner = await env.person()
    const { cid } = await shared(owner, { short_pass: 'abc123' })
    const asks = async () => (await env.call('shares.needPass', { cid, username: owner.uid })).data.NeedPass
    expect(await asks()).toBe(true)
    expect(await gate(owner, cid)).toBe('sharePassRequired')
    const token = await tokenFor(owner, cid, 'abc123')
    expect(await gate(owner, cid, { token })).toBe('open')
    env.pass(3600 * 1000 + 1000)
    expect(await gate(owner, cid, { token })).toBe('sharePassRequired')
  })

  it('is not required if there is none', async () => {
    const owner = await env.person()
    const { cid } = await shared(owner)
    expect((await env.call('shares.needPass', { cid, username: owner.uid })).data.NeedPass).toBe(false)
    expect((await check(owner, cid)).code).toBe(0)
    const { cid: bare } = await sampleFile(env.db, owner.id)
    await env.call('shares.setStatus', { cid: bare }, owner)
    expect((await check(owner, bare)).code).toBe(0)
    expect(await gate(owner, bare)).toBe('open')
  })

  it('accepts many correct passwords at the same time', async () => {
    const owner = await env.person()
    const { cid } = await shared(owner, { short_pass: 'abc123' })
    const from = elsewhere()
    const answers = await Promise.all(Array.from({ length: 30 }, () => check(owner, cid, 'abc123', from)))
    expect(answers.every((answer) => answer.code === 0)).toBe(true)
  })

  it('refuses a missing item, then an expired link, then a missing password, then a wrong one', async () => {
    const owner = await env.person()
    const { cid } = await shared(owner, { short_pass: 'abc123', expire_time: seconds(3 * DAY) })
    const { cid: secret } = await sampleFile(env.db, owner.id)
    expect(await check(owner, secret, 'abc123')).toMatchObject({ code: -1, err: 1000 })
    expect(await check(owner, 'rubbish', 'abc123')).toMatchObject({ code: -1, err: 1000 })
    expect(await check(owner, '7', 'abc123')).toMatchObject({ code: -1, err: 1000 })
    expect(await check(owner, cid)).toMatchObject({ code: -1, err: 2059 })
    expect(await check(owner, cid, '')).toMatchObject({ code: -1, err: 2059 })
    for (const wrong of ['abc124', 'ABC123', 'abc1234', 'x'])
      expect(await check(owner, cid, wrong)).toMatchObject({ code: -1, err: 2060 })
    env.pass(3 * DAY)
    expect(await check(owner, cid, 'abc123')).toMatchObject({ code: -1, err: 2058 })
    expect(await gate(owner, cid)).toBe('shareExpired')
  })

  it('locks a guessing caller for a while, and a link that many callers guess at', async () => {
    const owner = await env.person()
    const { cid } = await shared(owner, { short_pass: 'abc123' })
    const from = elsewhere()
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, index) => check(owner, cid, `x${index}`, from)))
    expect(guesses.every((answer) => answer.err === 2060)).toBe(true)
    expect(await check(owner, cid, 'abc123', from)).toMatchObject({ code: -1, err: 2060 })
    expect((await check(owner, cid, 'abc123')).code).toBe(0)
    env.pass(61_000)
    expect((await check(owner, cid, 'abc123', from)).code).toBe(0)
    for (const _ of Array.from({ length: 25 })) {
      const together = elsewhere()
      for (const guess of ['a', 'b', 'c', 'd']) await check(owner, cid, guess, together)
    }
    expect(await check(owner, cid, 'abc123')).toMatchObject({ code: -1, err: 2060 })
    env.pass(61_000)
    expect((await check(owner, cid, 'abc123')).code).toBe(0)
  })
})

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

describe('following a short link', () => {
  it('redirects browsers with a dead link to a page that says so', async () => {
    const answer = await env.app.inject({ url: '/link/?cid=1&id=none', headers: { accept: 'text/html,*/*' } })
    expect(answer.statusCode).toBe(302)
    expect(answer.headers.location).toBe('http://portal.test/share?id=none')
  })

  it('returns the target while it is shared', async () => {
    const owner = await env.person()
    const file = await shared(owner, { area_id: ['Germany'] })
    expect((await env.call('shares.target', { id: file.id })).data).toEqual({
      cid: file.cid,
      user_id: owner.uid,
      kind: 'file',
      area_ids: ['Germany'],
    })
    expect((await env.call('shares.target', { cid: file.cid })).data.user_id).toBe(owner.uid)
    await env.call('shares.setStatus', { cid: file.cid, status: 0 }, owner)
    for (const named of [{ id: file.id }, { cid: file.cid }, { id: 'none' }, { cid: '9'.repeat(40) }, {}])
      expect(await env.call('shares.target', named)).toMatchObject({ code: -1, err: 1000 })
  })

  it('finds a folder by id only with the creation time of the link, because ids are guessable', async () => {
    const owner = await env.person()
    const folder = String(await folderOf(owner, 'private'))
    const { data } = await env.call('shares.create', { cid: folder }, owner)
    await env.call('shares.setStatus', { cid: folder }, owner)
    const ts = new URLSearchParams(data.short_link.split('?')[1]).get('ts') ?? ''
    expect((await env.call('shares.follow', { cid: folder, ts })).headers.location).toBe(data.long_link)
    expect((await env.call('shares.target', { id: data.id })).data).toMatchObject({ cid: folder, kind: 'group' })
    expect(await env.call('shares.target', { cid: folder })).toMatchObject({ code: -1, err: 1000 })
    for (const guess of [undefined, '', '0', String(Number(ts) + 1)])
      expect(await env.call('shares.follow', { cid: folder, ts: guess })).toMatchObject({ code: -1, err: 1000 })
  })

  it('is refused if two accounts share the same content and none is named', async () => {
    const [one, two] = [await env.person(), await env.person()]
    const text = 'shared by two'
    const [{ cid }] = [await sampleFile(env.db, one.id, { text }), await sampleFile(env.db, two.id, { text })]
    const { data: first } = await env.call('shares.create', { cid }, one)
    await env.call('shares.setStatus', { cid }, one)
    expect((await env.call('shares.follow', { cid })).headers.location).toBe(first.long_link)
    const { data: second } = await env.call('shares.create', { cid }, two)
    await env.call('shares.setStatus', { cid }, two)
    expect(await env.call('shares.follow', { cid })).toMatchObject({ code: -1, err: 1000 })
    expect((await env.call('shares.follow', { cid, id: first.id })).headers.location).toBe(first.long_link)
    expect((await env.call('shares.follow', { cid, id: second.id })).headers.location).toBe(second.long_link)
    expect(await env.call('shares.follow', { cid, id: 'none' })).toMatchObject({ code: -1, err: 1000 })
    expect(await env.call('shares.follow', {})).toMatchObject({ code: -1, err: 1000 })
  })
})
