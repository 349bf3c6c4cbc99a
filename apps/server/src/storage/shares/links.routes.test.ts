import { SHARE_PERMANENT } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { sampleFile } from '../assets/sample-files.fixture.ts'
import { sampleShares } from './sample-shares.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())
const { seconds, gate, shared, folderOf, tokenFor } = sampleShares(() => env)

const DAY = 24 * 3600 * 1000
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
