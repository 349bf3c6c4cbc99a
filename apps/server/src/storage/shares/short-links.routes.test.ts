import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleStats as stats } from '../../network/control/sample-registration.fixture.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { downloadTrafficLeft } from '../usage/service.ts'
import { endedKeyOf, sampleShortLinks } from './sample-short-links.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node({ url: 'http://127.0.0.1:7001' })
})
afterAll(() => env.close())
const { elsewhere, create, tokenOf, open, download, file, folder } = sampleShortLinks(
  () => env,
  () => node,
)
const day = 86_400
const seconds = (later: number) => Math.floor(env.clock.now() / 1000) + later
const listed = async (owner: Person, input: object = {}) =>
  (await env.call('shortLinks.list', input, owner)).data as { list: { id: string }[]; total: number }

describe('a short link', () => {
  it('opens a file without naming its content or account in the address', async () => {
    const owner = await env.person()
    const { cid } = await file(owner)
    const { data: link } = await create(owner, { cid })
    expect(link.url).toMatch(/^http:\/\/portal\.test\/s\/[1-9A-HJ-NP-Za-km-z]{16}$/)
    expect(link.id, 'not an option of the CLI').toMatch(/^\w/)
    const { data: opened } = await open(link)
    expect(opened).toMatchObject({ cid, kind: 'file' })
    const answer = await download(opened)
    expect(answer.code).toBe(0)
    expect(JSON.stringify([opened, answer.data])).not.toContain(owner.uid)
    const claims = decodeJwt(new URL(answer.data?.url[0] ?? '').searchParams.get('token') as string)
    expect(JSON.stringify(claims)).not.toContain(owner.uid)
  })

  it('opens a folder with everything below it, and nothing beside it', async () => {
    const owner = await env.person()
    const outer = await folder(owner, 'outer')
    const inner = await folder(owner, 'inner', outer)
    const deep = await file(owner, { folder: inner })
    const beside = await file(owner)
    const { data: opened } = await open((await create(owner, { cid: String(outer) })).data)
    const list = await env.call('shares.folder', { ...opened, group_id: inner }, elsewhere())
    expect(list.data.list).toHaveLength(1)
    expect(JSON.stringify(list.data)).not.toContain(owner.uid)
    expect((await download(opened, { asset_cid: deep.cid })).code).toBe(0)
    expect(await download(opened, { asset_cid: beside.cid })).toMatchObject({ err: 10028 })
    expect(await env.call('shares.folder', { ...opened, group_id: await folder(owner, 'other') })).toMatchObject({
      err: 10018,
    })
  })

  it('is one of several of the same file, each with its own terms', async () => {
    const owner = await env.person()
    const { cid } = await file(owner)
    const { data: open1 } = await create(owner, { cid, note: 'printer' })
    const { data: locked } = await create(owner, { cid, short_pass: 'abc123', expire_time: seconds(60) })
    expect(open1.url).not.toBe(locked.url)
    expect((await open(open1)).code).toBe(0)
    expect(await open(locked)).toMatchObject({ err: 2059 })
    expect(await open(locked, { password: 'abc124' })).toMatchObject({ err: 2060 })
    expect((await open(locked, { password: 'abc123' })).code).toBe(0)
    env.pass(61_000)
    expect(await open(locked, { password: 'abc123' })).toMatchObject({ err: 2058 })
    expect((await open(open1)).code).toBe(0)
  })

  it('marks the file as having links, and leaves the long share as it is', async () => {
    const owner = await env.person()
    const { cid } = await file(owner)
    await create(owner, { cid })
    const [item] = (await env.call('folders.contents', { shared: true, sort: 'name' }, owner)).data.list
    expect(item?.AssetOverview?.UserAssetDetail).toMatchObject({ ShareStatus: 0, links: 1 })
    expect(await env.call('downloads.open', { user_id: owner.uid, asset_cid: cid }, elsewhere())).toMatchObject({
      err: 10028,
    })
  })

  it('allows as many downloads as it says, the same visitor once a day', async () => {
    const owner = await env.person()
    const { cid } = await file(owner)
    const { data: link } = await create(owner, { cid, max_downloads: 2 })
    const [first, second, third] = [elsewhere(), elsewhere(), elsewhere()]
    const { data: opened } = await open(link, {}, first)
    expect((await download(opened, {}, first)).code).toBe(0)
    expect((await download(opened, {}, first)).code).toBe(0)
    expect((await download(opened, {}, second)).code).toBe(0)
    expect(await download(opened, {}, third)).toMatchObject({ err: 2064 })
    expect(await download(opened, { preview: true }, third)).toMatchObject({ err: 2064 })
    expect(await open(link, {}, third)).toMatchObject({ err: 2064 })
    expect((await listed(owner)).list[0]).toMatchObject({ state: 'used_up', downloads: 2 })
  })

  it('allows ten previews a download, because they deliver the same bytes', async () => {
    const owner = await env.person()
    const { cid } = await file(owner)
    const { data: link } = await create(owner, { cid, max_downloads: 1 })
    const visitor = elsewhere()
    const { data: opened } = await open(link, {}, visitor)
    for (let previews = 0; previews < 10; previews++)
      expect((await download(opened, { preview: true }, visitor)).code).toBe(0)
    expect(await download(opened, { preview: true }, visitor)).toMatchObject({ err: 2064 })
    // The owner's own previews, and the download, are not used up by them.
    expect((await download(opened, { preview: true }, owner)).code).toBe(0)
    expect((await download(opened, {}, visitor)).code).toBe(0)
  })

  it('keeps its address when it is turned off and on, or revoked and restored', async () => {
    const owner = await env.person()
    const { data: link } = await create(owner, { cid: (await file(owner)).cid })
    await env.call('shortLinks.update', { id: link.id, active: false }, owner)
    expect(await open(link)).toMatchObject({ err: 1000 })
    await env.call('shortLinks.update', { id: link.id, active: true }, owner)
    expect((await open(link)).code).toBe(0)
    await env.call('shortLinks.revoke', { id: link.id }, owner)
    expect(await open(link)).toMatchObject({ err: 1000 })
    expect((await listed(owner)).total).toBe(0)
    await env.call('shortLinks.restore', { id: link.id }, owner)
    expect((await open(link)).code).toBe(0)
    expect((await listed(owner)).list[0]).toMatchObject({ id: link.id, url: link.url })
  })

  it('opens again when its file comes back from the trash', async () => {
    const owner = await env.person()
    const { cid } = await file(owner)
    const { data: link } = await create(owner, { cid })
    const { data } = await env.call('trash.put', { assets: [cid] }, owner)
    expect(await open(link)).toMatchObject({ err: 1000 })
    expect((await listed(owner)).list[0]).toMatchObject({ state: 'gone' })
    await env.call('trash.restore', { ids: data.trash_ids }, owner)
    expect((await open(link)).code).toBe(0)
  })
})

describe('the list of links', () => {
  it('contains long and short links, newest first, page by page, and finds them by name, note, item and state', async () => {
    const owner = await env.person()
    const [a, b] = [await file(owner, { name: 'Alpha 100%.txt' }), await file(owner, { name: 'Beta.txt' })]
    await env.call('shares.create', { cid: a.cid, short_pass: 'abc123' }, owner)
    await env.call('shares.setStatus', { cid: a.cid }, owner)
    env.pass(1000)
    await create(owner, { cid: a.cid, note: 'for the printer' })
    env.pass(1000)
    await create(owner, { cid: b.cid, expire_time: seconds(60) })
    const names = async (input: object) =>
      ((await listed(owner, input)).list as unknown as { form: string; item: { name: string } }[]).map(
        ({ form, item }) => `${form} ${item.name}`,
      )
    expect(await names({})).toEqual(['short Beta.txt', 'short Alpha 100%.txt', 'long Alpha 100%.txt'])
    expect(await names({ page: 2, page_size: 2 })).toEqual(['long Alpha 100%.txt'])
    expect((await listed(owner, { page: 2, page_size: 2 })).total).toBe(3)
    expect(await names({ q: 'printer' })).toEqual(['short Alpha 100%.txt'])
    expect(await names({ q: '100%' })).toHaveLength(2)
    expect(await names({ q: '%' })).toHaveLength(2)
    expect(await names({ cid: b.cid })).toEqual(['short Beta.txt'])
    env.pass(61_000)
    expect(await names({ state: 'expired' })).toEqual(['short Beta.txt'])
    expect(await names({ state: 'live' })).toHaveLength(2)
  })

  it('contains revoked links only on request, until they are restored or deleted', async () => {
    const owner = await env.person()
    const { cid } = await file(owner)
    await env.call('shares.create', { cid }, owner)
    await env.call('shares.setStatus', { cid }, owner)
    const { data: link } = await create(owner, { cid, note: 'for the printer' })
    await env.call('shortLinks.revoke', { id: link.id }, owner)
    await env.call('shares.setStatus', { cid, status: 0 }, owner)
    expect((await listed(owner)).total).toBe(0)
    const { list, total } = await listed(owner, { state: 'revoked' })
    expect(total).toBe(2)
    expect(list).toEqual([
      expect.objectContaining({ id: link.id, state: 'revoked', restorable_until: expect.stringContaining('T') }),
      expect.objectContaining({ form: 'long', state: 'revoked', restorable_until: null }),
    ])
    expect((await listed(owner, { state: 'revoked', q: 'printer' })).total).toBe(1)
    await env.call('shares.setStatus', { cid, status: 1 }, owner)
    await env.call('shortLinks.restore', { id: link.id }, owner)
    expect((await listed(owner, { state: 'revoked' })).total).toBe(0)
    expect((await listed(owner)).list).toEqual([
      expect.objectContaining({ state: 'live', restorable_until: null }),
      expect.objectContaining({ state: 'live', restorable_until: null }),
    ])
    await env.call('shortLinks.revoke', { id: link.id }, owner)
    expect((await listed(await env.person(), { state: 'revoked' })).total).toBe(0)
  })

  it('cannot restore a link after the time that it shows', async () => {
    const owner = await env.person()
    const { cid } = await file(owner)
    const { data: link } = await create(owner, { cid })
    await env.call('shortLinks.revoke', { id: link.id }, owner)
    await env.db.run(sql`update short_links set revoked_at = now() - interval '31 days' where id = ${link.id}`)
    expect(await env.call('shortLinks.restore', { id: link.id }, owner)).toMatchObject({ code: -1, err: 1000 })
  })

  it('shows an owner the password and folder of each link', async () => {
    const owner = await env.person()
    const inside = await file(owner, { folder: await folder(owner, 'papers') })
    await create(owner, { cid: inside.cid, short_pass: 'abc123', max_downloads: 5 })
    expect((await listed(owner)).list[0]).toMatchObject({
      short_pass: 'abc123',
      max_downloads: 5,
      item: { cid: inside.cid, path: ['papers'] },
    })
  })
})

describe('a node token issued through a short link', () => {
  const claimsOf = async (owner: Person, target: string, cid: string) => {
    const { data: link } = await create(owner, { cid: target })
    const answer = await download((await open(link)).data, { asset_cid: cid })
    return { link, claims: decodeJwt(new URL(answer.data?.url[0] ?? '').searchParams.get('token') as string) }
  }
  const isOver = async ({ claims }: { claims: Record<string, unknown> }) => {
    const { data } = await env.call('nodeControl.heartbeat', { stats, time: env.clock.now(), ended: 0, wait: 0 }, node)
    return (data.ended ?? []).some(
      ({ id, key }) =>
        id > Number(claims.ended) && [claims.share, claims.cid].some((what) => key === endedKeyOf(claims.sub, what)),
    )
  }

  it.each<[string, (owner: Person, id: string, cid: string) => Promise<unknown>]>([
    ['the link is revoked', (owner, id) => env.call('shortLinks.revoke', { id }, owner)],
    ['the link is turned off', (owner, id) => env.call('shortLinks.update', { id, active: false }, owner)],
    ['the link gets a password', (owner, id) => env.call('shortLinks.update', { id, short_pass: 'abc123' }, owner)],
    [
      'the link gets an earlier expiry',
      (owner, id) => env.call('shortLinks.update', { id, expire_time: seconds(60) }, owner),
    ],
    ['the file is deleted', (owner, _, cid) => env.call('assets.remove', { asset_cid: cid }, owner)],
  ])('ends when %s', async (_, end) => {
    const owner = await env.person()
    const { cid } = await file(owner)
    const opened = await claimsOf(owner, cid, cid)
    expect(await isOver(opened)).toBe(false)
    await env.call('shortLinks.update', { id: opened.link.id, note: 'a note changes nothing' }, owner)
    expect(await isOver(opened)).toBe(false)
    await end(owner, opened.link.id, cid)
    expect(await isOver(opened)).toBe(true)
  })

  it.each<[string, (owner: Person, ids: { outer: number; inner: number; cid: string }) => Promise<unknown>]>([
    [
      'the folder is deleted',
      (owner, { outer }) => env.call('folders.remove', { group_id: outer, force: true }, owner),
    ],
    [
      'a folder in it is moved away',
      (owner, { inner }) => env.call('folders.move', { group_id: inner, target_group_id: 0 }, owner),
    ],
    ['the file is moved away', (owner, { cid }) => env.call('assets.move', { asset_cid: cid, group_id: 0 }, owner)],
    ['the file is deleted', (owner, { cid }) => env.call('assets.remove', { asset_cid: cid }, owner)],
  ])('for a folder ends when %s', async (_, end) => {
    const owner = await env.person()
    const outer = await folder(owner, 'outer')
    const inner = await folder(owner, 'inner', outer)
    const { cid } = await file(owner, { folder: inner })
    const opened = await claimsOf(owner, String(outer), cid)
    expect(await isOver(opened)).toBe(false)
    await end(owner, { outer, inner, cid })
    expect(await isOver(opened)).toBe(true)
  })

  it('is charged to the account of the link', async () => {
    const owner = await env.person()
    const { cid } = await file(owner)
    const { claims } = await claimsOf(owner, cid, cid)
    const transfer = {
      trace_id: String(claims.tid),
      cid,
      bytes: 20,
      requests: 1,
      peak: 1,
      time: env.clock.now(),
    }
    const left = async () => downloadTrafficLeft(env.db, env.clock, owner.id)
    const before = await left()
    const served = (account: string) =>
      env.call('nodeControl.served', { batch: account, transfers: [{ ...transfer, account }] }, node)
    await served(owner.uid)
    expect(await left()).toBe(before)
    await served(String(claims.sub))
    expect(await left()).toBe(before - 20)
  })
})

describe('changing links', () => {
  it('is refused to others, and for missing files', async () => {
    const owner = await env.person()
    const stranger = await env.person()
    const { cid } = await file(owner)
    const { data: link } = await create(owner, { cid, short_pass: 'abc123' })
    expect(await create(stranger, { cid })).toMatchObject({ err: 10028 })
    for (const name of ['shortLinks.update', 'shortLinks.revoke', 'shortLinks.restore'] as const)
      expect(await env.call(name, { id: link.id }, stranger)).toMatchObject({ code: -1, err: 1000 })
    expect(JSON.stringify(await env.call('shortLinks.list', {}, stranger))).not.toContain(link.id)
    expect(await create(owner, { cid, expire_time: 1 })).toMatchObject({ err: 1001 })
    expect(await create(owner, { cid, short_pass: 'abc' })).toMatchObject({ err: 1001 })
    expect((await open({ url: `/s/${tokenOf(link)}` }, { password: 'abc123' })).code).toBe(0)
  })
})

// Last, because sessions and nodes do not live for a day.
describe('the views of a short link', () => {
  it('counts a visitor once a day, and not its owner', async () => {
    const owner = await env.person()
    const { data: link } = await create(owner, { cid: (await file(owner)).cid })
    const visitor = elsewhere()
    await open(link, {}, visitor)
    await open(link, {}, visitor)
    await open(link, {}, owner)
    expect((await listed(owner)).list[0]).toMatchObject({ views: 1, downloads: 0 })
    env.pass(day * 1000 + 1)
    await open(link, {}, visitor)
    const again = await env.db.one(sql`select views::int, last_used_at from short_links where id = ${link.id}`)
    expect(again).toMatchObject({
      views: 2,
    })
  })
})
