import { randomUUID } from 'node:crypto'
import { rawCid } from '@tidenet/content'
import { UPLOAD_TOKEN_LIFE } from '@tidenet/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { inbox } from '../../apps/server/src/platform/mail/inbox.fixture.ts'
import { releaseContents } from '../../apps/server/src/storage/contents/release.ts'
import { sampleShortLinks } from '../../apps/server/src/storage/shares/sample-short-links.fixture.ts'
import { notifyOfUploads } from '../../apps/server/src/storage/upload-links/notify.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
beforeAll(async () => {
  env = await setup()
  node = await env.node({ url: 'http://127.0.0.1:7001' })
})
afterAll(() => env.close())
const { elsewhere, create, open, download, file, folder } = sampleShortLinks(
  () => env,
  () => node,
)
const ENDED = { code: -1, err: 2131 }
const FULL = { code: -1, err: 2132 }
const LIMITS = { upload_files: 10, upload_bytes: 1000 }

async function linkOf(owner: Person, more: object = {}) {
  const id = await folder(owner, `inbox ${randomUUID()}`)
  const { data: link } = await create(owner, { cid: String(id), ...LIMITS, ...more })
  return { id, link, ticket: (await open(link)).data?.ticket }
}

/** Sends bytes to a node as a visitor. @param again the trace of an interrupted upload */
async function send(ticket: string, size: number, text: string = randomUUID(), again?: string) {
  const begun = await env.call('uploadLinks.begin', { ticket, size, trace_id: again }, elsewhere())
  if (begun.code !== 0) return { begun }
  const cid = (await rawCid(new TextEncoder().encode(text))).toString()
  const { sub, tid, jti } = decodeJwt<{ tid: string }>(begun.data.List[0]?.Token as string)
  const receipt = await node.receipt({ sub: sub as string, tid, jti: jti as string, cid, size })
  return { begun, sub, receipt, file: { ticket, trace_id: begun.data.TraceID, cid, receipt } }
}
const add = async (ticket: string, name: string, size = 30, text?: string) => {
  const sent = await send(ticket, size, text)
  return sent.file ? env.call('uploadLinks.add', { ...sent.file, name }, elsewhere()) : sent.begun
}
const namesIn = async (owner: Person, id: number): Promise<string[]> =>
  (
    await env.db.rows<{ name: string }>(sql`
    select name from assets where user_id = ${owner.id} and folder_id = ${id} order by id`)
  ).map(({ name }) => name)

describe('a link for uploads', () => {
  it('receives files of visitors without an account, who see only the name of the folder', async () => {
    const owner = await env.person()
    const { id, link, ticket } = await linkOf(owner)
    expect(await add(ticket, 'a.txt')).toMatchObject({ code: 0 })
    expect(await add(ticket, 'b.txt')).toMatchObject({ code: 0 })
    expect(await namesIn(owner, id)).toEqual(['a.txt', 'b.txt'])
    const { data: opened } = await open(link)
    expect(opened).toMatchObject({ kind: 'upload', user_id: '', cid: '', upload: { files_left: 8, bytes_left: 940 } })
    const { data } = await env.call('shortLinks.list', {}, owner)
    expect(data.list[0]?.upload).toEqual({ max_files: 10, max_bytes: 1000, files: 2, bytes: 60 })
    const used = await env.db.one(sql`select used_bytes from users where id = ${owner.id}`)
    expect(used).toEqual({ used_bytes: 60 })
  })

  it('overwrites nothing, and does not say which names there are', async () => {
    const owner = await env.person()
    const { id, ticket } = await linkOf(owner)
    const first = await add(ticket, 'a.txt')
    const second = await add(ticket, 'a.txt')
    expect(await namesIn(owner, id)).toEqual(['a.txt', 'a (2).txt'])
    expect(second.data).toEqual(first.data)
    // The same file again is not listed again, and the answer is the same.
    expect((await add(ticket, 'c.txt', 30, 'same')).data).toEqual((await add(ticket, 'c.txt', 30, 'same')).data)
    expect(await namesIn(owner, id)).toEqual(['a.txt', 'a (2).txt', 'c.txt'])
  })

  it('tells its owner of all files at once: by e-mail and in the activity', async () => {
    const owner = await env.person()
    const { ticket } = await linkOf(owner)
    await add(ticket, 'a.txt')
    await add(ticket, 'b.txt')
    await notifyOfUploads(env.context)
    expect(await inbox(env, owner.email)).toHaveLength(0)
    env.pass(6 * 60_000)
    await notifyOfUploads(env.context)
    await notifyOfUploads(env.context)
    const told = await inbox(env, owner.email)
    expect(told).toHaveLength(1)
    await add(ticket, 'c.txt')
    env.pass(10 * 60_000)
    await notifyOfUploads(env.context)
    expect(await inbox(env, owner.email)).toHaveLength(1)
    env.pass(60 * 60_000)
    await notifyOfUploads(env.context)
    expect(await inbox(env, owner.email)).toHaveLength(2)
    const { data } = await env.call('activity.list', {}, owner)
    expect(data.list.filter(({ action }) => action === 'share.receive')).toHaveLength(2)
  })

  it('repeats nothing: a call that is sent again adds one file', async () => {
    const owner = await env.person()
    const { id, ticket } = await linkOf(owner)
    const { file: sent } = await send(ticket, 30)
    if (!sent) throw new Error('not begun')
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => env.call('uploadLinks.add', { ...sent, name: 'a.txt' }, elsewhere())),
    )
    expect(answers.every(({ code }) => code === 0)).toBe(true)
    expect(await namesIn(owner, id)).toEqual(['a.txt'])
  })
})

describe('an interrupted upload by a link', () => {
  const begin = (ticket: string, size: number, trace_id?: string) =>
    env.call('uploadLinks.begin', { ticket, size, trace_id }, elsewhere())
  const counted = (owner: Person) =>
    env.db.one(
      sql`select uploaded_files as files, uploaded_bytes as bytes from short_links where user_id = ${owner.id}`,
    )

  it('continues under its trace, also after the ticket expired, and counts once', async () => {
    const owner = await env.person()
    const { id, link, ticket } = await linkOf(owner)
    const first = (await begin(ticket, 30)).data
    env.pass(UPLOAD_TOKEN_LIFE + 60_000)
    expect(await begin(ticket, 30, first.TraceID)).toMatchObject(ENDED)
    const renewed = (await open(link)).data?.ticket
    const { begun, file: sent } = await send(renewed, 30, 'resumed', first.TraceID)
    expect(begun.data.TraceID).toBe(first.TraceID)
    expect(decodeJwt(begun.data.List[0]?.Token ?? '').sub).toBe(decodeJwt(first.List[0]?.Token ?? '').sub)
    const last = (await open(link)).data?.ticket
    for (const as of [renewed, last, last])
      expect(await env.call('uploadLinks.add', { ...sent!, ticket: as, name: 'a.txt' }, elsewhere())).toMatchObject({
        code: 0,
      })
    expect(await namesIn(owner, id)).toEqual(['a.txt'])
    expect(await counted(owner)).toEqual({ files: 1, bytes: 30 })
  })

  it('is confirmed again, even if it was the last that the link accepts', async () => {
    const owner = await env.person()
    const { ticket } = await linkOf(owner, { upload_files: 1 })
    const { file: sent } = await send(ticket, 30)
    const confirm = () => env.call('uploadLinks.add', { ...sent!, name: 'a.txt' }, elsewhere())
    expect((await confirm()).code).toBe(0)
    expect((await confirm()).code).toBe(0)
    expect(await counted(owner)).toEqual({ files: 1, bytes: 30 })
  })

  it('occupies one place among the unfinished uploads of its network, however often it continues', async () => {
    const { ticket } = await linkOf(await env.person())
    const { TraceID: trace } = (await begin(ticket, 30)).data
    for (let times = 0; times < 3; times++) expect((await begin(ticket, 30, trace)).data.TraceID).toBe(trace)
    const grants = await env.db.one(sql`select count(*) as count from upload_grants where trace_id = ${trace}`)
    expect(grants).toEqual({ count: 1 })
  })

  it('does not continue if it is complete, has another size, or is unknown', async () => {
    const { ticket } = await linkOf(await env.person())
    const { file: sent } = await send(ticket, 30)
    await env.call('uploadLinks.add', { ...sent!, name: 'a.txt' }, elsewhere())
    const { TraceID: trace } = (await begin(ticket, 30)).data
    for (const [size, again] of [
      [30, sent?.trace_id],
      [31, trace],
      [30, 'unknown'],
    ] as const) {
      const { code, data } = await begin(ticket, size, again)
      expect(code).toBe(0)
      expect(data.TraceID).not.toBe(again)
    }
  })

  it('is not credited to another link, whether of the same owner or not, nor taken from visitors without a link', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const mine = await linkOf(owner)
    const { file: sent } = await send(mine.ticket, 30)
    const begun = (await begin(mine.ticket, 30)).data
    for (const second of [await linkOf(owner), await linkOf(other)]) {
      const { data } = await begin(second.ticket, 30, begun.TraceID)
      expect(data.TraceID).not.toBe(begun.TraceID)
      expect(decodeJwt(data.List[0]?.Token ?? '').sub).not.toBe(decodeJwt(begun.List[0]?.Token ?? '').sub)
      const add = { ...sent!, ticket: second.ticket, name: 'a.txt' }
      expect(await env.call('uploadLinks.add', add, elsewhere())).toMatchObject({ err: 1000 })
    }
    const { data: temp } = await env.call('tempFiles.uploadInfo', { size: 30 }, elsewhere())
    expect((await begin(mine.ticket, 30, temp.TraceID)).data.TraceID).not.toBe(temp.TraceID)
    const { sub, tid, jti } = decodeJwt<{ tid: string }>(temp.List[0]?.Token as string)
    const cid = (await rawCid(new TextEncoder().encode('anonymous'))).toString()
    const receipt = await node.receipt({ sub: sub as string, tid, jti: jti as string, cid, size: 30 })
    const add = { ticket: mine.ticket, trace_id: temp.TraceID, cid, receipt, name: 'a.txt' }
    expect(await env.call('uploadLinks.add', add, elsewhere())).toMatchObject({ err: 1000 })
    expect(await namesIn(owner, mine.id)).toEqual([])
  })

  it('ends with the link: expired, changed or revoked, it neither continues nor is added', async () => {
    const owner = await env.person()
    for (const [name, change] of [
      ['shortLinks.update', { expire_time: Math.floor(env.clock.now() / 1000) + 60 }],
      ['shortLinks.update', { active: false }],
      ['shortLinks.revoke', {}],
    ] as const) {
      const { link, ticket } = await linkOf(owner)
      const { file: sent } = await send(ticket, 30)
      const { TraceID: trace } = (await begin(ticket, 30)).data
      await env.call(name, { id: link.id, ...change }, owner)
      env.pass(61_000)
      expect((await open(link)).code).not.toBe(0)
      expect(await begin(ticket, 30, trace)).toMatchObject(ENDED)
      expect(await env.call('uploadLinks.add', { ...sent!, name: 'a.txt' }, elsewhere())).toMatchObject(ENDED)
    }
  })
})

describe('visitors of a link for uploads', () => {
  it('read nothing: no list, no file, no preview, with no token', async () => {
    const owner = await env.person()
    const { id, link, ticket } = await linkOf(owner)
    const secret = await file(owner, { folder: id, name: 'secret.png' })
    for (const as of [ticket, '', owner.token])
      for (const user_id of [`s:${link.id}`, '', owner.uid]) {
        const call = { user_id, ticket: as }
        expect((await env.call('shares.folder', { ...call, group_id: id }, elsewhere())).code).not.toBe(0)
        expect((await download({ ...call, cid: secret.cid })).code).not.toBe(0)
        expect((await env.call('assets.detail', { ...call, cid: secret.cid }, elsewhere())).code).not.toBe(0)
      }
    const page = (url: string) =>
      env.app.inject({ method: 'GET', url: new URL(url).pathname, remoteAddress: elsewhere().ip })
    expect((await page(link.url)).body).not.toContain('inbox')
    expect((await page(`${link.url}/image`)).statusCode).not.toBe(302)
  })

  it('learn nothing of the account: neither answers nor the tokens of nodes name it', async () => {
    const owner = await env.person()
    const { link, ticket } = await linkOf(owner)
    const { begun, sub } = await send(ticket, 30)
    expect(JSON.stringify([begun, (await open(link)).data])).not.toContain(owner.uid)
    expect(sub).not.toContain(owner.uid)
  })

  it('exceed neither the limits of the link nor the quota of its owner, also at once', async () => {
    const owner = await env.person()
    const few = await linkOf(owner, { upload_files: 3 })
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => add(few.ticket, `${index}.txt`)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(3)
    expect(answers.filter(({ err }) => err === 2132)).toHaveLength(5)
    expect(await namesIn(owner, few.id)).toHaveLength(3)
    const small = await linkOf(owner, { upload_bytes: 100 })
    expect(await add(small.ticket, 'large.txt', 101)).toMatchObject(FULL)
    const both = await Promise.all([add(small.ticket, 'a.txt', 60), add(small.ticket, 'b.txt', 60)])
    expect(both.filter(({ code }) => code === 0)).toHaveLength(1)
    const full = await linkOf(owner)
    const { file: sent } = await send(full.ticket, 50)
    await env.db.run(sql`update users set storage_quota = used_bytes + 10 where id = ${owner.id}`)
    expect(await env.call('uploadLinks.add', { ...sent!, name: 'a.txt' }, elsewhere())).toMatchObject(FULL)
    expect(await add(full.ticket, 'b.txt', 50)).toMatchObject(FULL)
    expect((await open(few.link)).err).toBe(2064)
  })

  it('add only what they sent themselves', async () => {
    const [owner, other] = [await env.person(), await env.person()]
    const { id, ticket } = await linkOf(owner)
    const mine = await send(ticket, 30)
    const theirs = await send((await linkOf(other)).ticket, 30)
    const call = (input: object) => env.call('uploadLinks.add', { ...mine.file!, name: 'a.txt', ...input }, elsewhere())
    // Of a content that somebody else has: knowing its CID is not having it.
    const { cid } = await file(other)
    expect(await call({ cid, receipt: undefined })).toMatchObject({ err: 1000 })
    expect(await call({ cid: theirs.file?.cid, receipt: undefined })).toMatchObject({ err: 1000 })
    expect(await call({ trace_id: 'x' })).toMatchObject({ err: 1000 })
    for (const name of ['../a.txt', 'a/b', '', '..']) expect((await call({ name })).code).toBe(-1)
    expect(await namesIn(owner, id)).toEqual([])
    expect((await call({})).code).toBe(0)
    // What one link received, another does not receive again.
    const second = await linkOf(other)
    expect(await call({ ticket: second.ticket })).toMatchObject({ err: 1000 })
  })

  it('cannot publish what others sent to the owner, even if they know its CID', async () => {
    const owner = await env.person()
    const { id, ticket } = await linkOf(owner)
    const { file: sent } = await send(ticket, 30)
    expect(await env.call('uploadLinks.add', { ...sent!, name: 'a.txt' }, elsewhere())).toMatchObject({ code: 0 })
    const cid = sent?.cid ?? ''
    await env.call('tempFiles.create', { asset_name: 'a', asset_size: 30, asset_cid: cid }, elsewhere())
    expect((await env.call('tempFiles.download', { cid }, elsewhere())).err).toBe(1000)
    expect(await namesIn(owner, id)).toEqual(['a.txt'])
    expect((await env.call('downloads.own', { asset_cid: cid }, owner)).code).toBe(0)
  })

  it('keep nothing on the nodes: what its owner deletes is gone, although others sent it', async () => {
    const owner = await env.person()
    const { ticket } = await linkOf(owner)
    const { file: sent } = await send(ticket, 30)
    const cid = sent?.cid ?? ''
    const copies = () => env.db.rows(sql`select 1 from replicas where cid = ${cid} and state = 'stored'`)
    expect(await env.call('uploadLinks.add', { ...sent!, name: 'a.txt' }, elsewhere())).toMatchObject({ code: 0 })
    expect(await copies()).toHaveLength(1)
    await env.call('assets.remove', { asset_cid: cid }, owner)
    await env.db.transaction((tx) => releaseContents(env.context, tx, [cid]))
    expect(await copies()).toEqual([])
  })

  it('publish nothing, even if somebody announced their file before as an anonymous one', async () => {
    const owner = await env.person()
    const { id, ticket } = await linkOf(owner)
    const { file: sent } = await send(ticket, 30)
    const cid = sent?.cid ?? ''
    const publish = () => env.call('tempFiles.create', { asset_name: 'a', asset_size: 30, asset_cid: cid }, elsewhere())
    const isPublic = async () => (await env.call('tempFiles.download', { cid }, elsewhere())).code === 0
    await publish()
    expect(await env.call('uploadLinks.add', { ...sent!, name: 'a.txt' }, elsewhere())).toMatchObject({ code: 0 })
    expect(await isPublic()).toBe(false)
    await publish()
    expect(await isPublic()).toBe(false)
    expect(await namesIn(owner, id)).toEqual(['a.txt'])
  })

  it('are stopped by a change, the end, or a password of the link, and by the end of its folder', async () => {
    const owner = await env.person()
    for (const [name, change] of [
      ['shortLinks.update', { short_pass: 'abc123' }],
      ['shortLinks.update', { active: false }],
      ['shortLinks.revoke', {}],
    ] as const) {
      const { link, ticket } = await linkOf(owner)
      const { file: sent } = await send(ticket, 30)
      await env.call(name, { id: link.id, ...change }, owner)
      expect(await env.call('uploadLinks.add', { ...sent!, name: 'a.txt' }, elsewhere())).toMatchObject(ENDED)
      expect(await add(ticket, 'b.txt')).toMatchObject(ENDED)
    }
    const brief = await linkOf(owner, { expire_time: Math.floor(env.clock.now() / 1000) + 60 })
    env.pass(61_000)
    expect(await add(brief.ticket, 'a.txt')).toMatchObject(ENDED)
    const gone = await linkOf(owner)
    await env.call('folders.remove', { group_id: gone.id, force: true } as never, owner)
    expect((await add(gone.ticket, 'a.txt')).code).not.toBe(0)
    const closed = await linkOf(owner, { short_pass: 'zzzzzz' })
    expect(await open(closed.link)).toMatchObject({ err: 2059 })
    for (const wrong of [
      'x',
      owner.token,
      (await open((await create(owner, { cid: (await file(owner)).cid })).data)).data.ticket,
    ])
      expect(await add(wrong, 'a.txt')).toMatchObject(ENDED)
  })
})

describe('the owner of a link for uploads', () => {
  it('needs a folder that is not encrypted, and both limits; the link never becomes one that opens the folder', async () => {
    const owner = await env.person()
    const id = await folder(owner, 'inbox')
    const { cid } = await file(owner)
    const wrong = { code: -1, err: 1001 }
    expect(await create(owner, { cid, ...LIMITS })).toMatchObject(wrong)
    expect(await create(owner, { cid: String(id), upload_files: 3 })).toMatchObject(wrong)
    expect(await create(owner, { cid: String(id), upload_bytes: 3 })).toMatchObject(wrong)
    await env.db.run(sql`update folders set encrypted = true where user_id = ${owner.id} and id = ${id}`)
    expect(await create(owner, { cid: String(id), ...LIMITS })).toMatchObject(wrong)
    const { link } = await linkOf(owner)
    const change = (input: object) => env.call('shortLinks.update', { id: link.id, ...input }, owner)
    expect(await change({ upload_files: 0 })).toMatchObject(wrong)
    expect((await change({ upload_files: 2 })).data.upload).toMatchObject({ max_files: 2, max_bytes: 1000 })
    const plain = (await create(owner, { cid })).data
    expect(await env.call('shortLinks.update', { id: plain.id, upload_files: 2 }, owner)).toMatchObject(wrong)
  })
})
