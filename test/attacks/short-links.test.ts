import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleShortLinks } from '../../apps/server/src/storage/shares/sample-short-links.fixture.ts'
import { type As, type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
let owner: Person
let attacker: Person
beforeAll(async () => {
  env = await setup()
  node = await env.node({ url: 'http://127.0.0.1:7001' })
  owner = await env.person()
  attacker = await env.person()
})
afterAll(() => env.close())
const { elsewhere, create, tokenOf, open, download, file, folder } = sampleShortLinks(
  () => env,
  () => node,
)
const linkTo = async (cid: string, more: object = {}) => (await create(owner, { cid, ...more })).data
const page = (url: string, ip = elsewhere().ip) =>
  env.app.inject({ method: 'GET', url: new URL(url).pathname, remoteAddress: ip, headers: { accept: 'text/html' } })

describe('the token of a short link', () => {
  it('cannot be guessed: a network that tries many is refused, also with a correct one', async () => {
    const link = await linkTo((await file(owner)).cid)
    const from = elsewhere()
    const guess = (token: string, as: As) => env.call('shortLinks.open', { token }, as)
    const answers = []
    for (let index = 11; index <= 40; index++)
      answers.push(await guess(`${tokenOf(link).slice(0, 14)}${String(index).replaceAll('0', 'a')}`, from))
    expect(answers.every(({ err }) => err === 1000)).toBe(true)
    expect(await guess(tokenOf(link), from)).toMatchObject({ code: -1, err: 1020 })
    expect((await open(link)).code).toBe(0)
    env.pass(3_600_001)
    expect((await open(link, {}, from)).code).toBe(0)
  })

  it('is not stored readably, and neither is the password', async () => {
    const link = await linkTo((await file(owner)).cid, { short_pass: 'Zx9Yw8' })
    const row = await env.db.one<{ text: string }>(sql`select s::text as text from short_links s where id = ${link.id}`)
    const stored = [row.text, Buffer.from(tokenOf(link)).toString('hex'), Buffer.from('Zx9Yw8').toString('hex')]
    expect(stored[0]).not.toContain(tokenOf(link))
    expect(stored[0]).not.toContain(stored[1])
    expect(stored[0]).not.toContain(stored[2])
  })

  it('does not reveal whether a link never existed, is off, revoked, or its file deleted', async () => {
    const { cid } = await file(owner)
    const [off, revoked, deleted] = [await linkTo(cid), await linkTo(cid), await linkTo((await file(owner)).cid)]
    await env.call('shortLinks.update', { id: off.id, active: false }, owner)
    await env.call('shortLinks.revoke', { id: revoked.id }, owner)
    await env.call('assets.remove', { asset_cid: deleted.item.cid, asset_id: deleted.item.asset_id }, owner)
    const never = { url: `https://portal.test/s/${'1'.repeat(16)}` }
    const answers = [await open(off), await open(revoked), await open(deleted), await open(never)]
    for (const answer of answers) {
      expect(answer).toMatchObject({ code: -1, err: 1000 })
      expect(answer.msg).toBe(answers[3]?.msg)
    }
    const pages = await Promise.all([off, revoked, deleted, never].map(({ url }) => page(url)))
    expect(new Set(pages.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  })

  it.each(["x' or '1'='1", '../../etc/passwd', '%00', 'a'.repeat(80), '１'.repeat(16), ''])(
    'is not interpreted: %j',
    async (token) => {
      const answer = await env.call('shortLinks.open', { token }, elsewhere())
      expect(answer.code).toBe(-1)
      expect([1000, 1001]).toContain(answer.err)
    },
  )

  it('does not leave in a referrer, a search engine or a cache', async () => {
    const { headers } = await page((await linkTo((await file(owner)).cid)).url)
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(String(headers['x-robots-tag'])).toContain('noindex')
    expect(headers['cache-control']).toBe('no-store')
  })
})

describe('what stands for the account of a short link', () => {
  it('opens nothing without a share token of exactly this link', async () => {
    const { cid } = await file(owner)
    const [mine, other] = [await linkTo(cid), await linkTo((await file(owner)).cid)]
    const { data: opened } = await open(mine)
    const { data: foreign } = await open(other)
    const forged = await new SignJWT({ ver: Date.now() })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(mine.id)
      .setIssuer('tidenet')
      .setAudience('share')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode('guess'))
    for (const ticket of [undefined, '', foreign.ticket, forged, owner.token, 'x'])
      for (const call of [
        () => env.call('downloads.open', { user_id: opened.user_id, asset_cid: cid, ticket }, elsewhere()),
        () => env.call('assets.detail', { user_id: opened.user_id, cid, ticket }, elsewhere()),
        () => env.call('assets.location', { user_id: opened.user_id, cid, ticket }, elsewhere()),
        () => env.call('shares.folder', { user_id: opened.user_id, group_id: 1, ticket }, elsewhere()),
      ])
        expect(await call()).toMatchObject({ code: -1, err: 2059 })
    expect(await env.call('shares.needPass', { username: opened.user_id, cid }, elsewhere())).toMatchObject({
      err: 1000,
    })
    expect(await env.call('shares.check', { username: opened.user_id, cid }, elsewhere())).toMatchObject({ err: 1000 })
    const status = await env.call('assets.status', { username: opened.user_id, cid }, elsewhere())
    expect(JSON.stringify(status)).not.toContain('"IsExist":true')
  })

  it('opens nothing else of the account, also with a token of the link', async () => {
    const { cid } = await file(owner)
    const secret = await file(owner)
    const shown = await folder(owner, 'shown')
    const above = await linkTo(String(shown))
    const inside = await file(owner, { folder: shown })
    const { data: ofFile } = await open(await linkTo(cid))
    const { data: ofFolder } = await open(above)
    expect(await download(ofFile, { asset_cid: secret.cid })).toMatchObject({ err: 10028 })
    expect(await download(ofFile, { asset_cid: inside.cid })).toMatchObject({ err: 10028 })
    expect(await download(ofFolder, { asset_cid: secret.cid })).toMatchObject({ err: 10028 })
    expect(await env.call('shares.folder', { ...ofFolder, group_id: 0 }, elsewhere())).toMatchObject({ err: 10018 })
    expect(await env.call('shares.folder', { ...ofFile, group_id: shown }, elsewhere())).toMatchObject({ err: 10018 })
    const theirs = await file(attacker)
    expect(await download(ofFolder, { asset_cid: theirs.cid })).toMatchObject({ err: 10028 })
  })

  it('does not survive a change of the terms', async () => {
    const { cid } = await file(owner)
    for (const [name, change] of [
      ['shortLinks.update', { short_pass: 'abc123' }],
      ['shortLinks.update', { active: false }],
      ['shortLinks.revoke', {}],
    ] as const) {
      const link = await linkTo(cid)
      const { data: opened } = await open(link)
      await env.call(name, { id: link.id, ...change }, owner)
      expect(await download(opened)).toMatchObject({ code: -1, err: 2059 })
      // Undone, a new token is needed: nobody keeps access unnoticed.
      if (name === 'shortLinks.revoke') await env.call('shortLinks.restore', { id: link.id }, owner)
      expect(await download(opened)).toMatchObject({ code: -1, err: 2059 })
    }
    const brief = await linkTo(cid, { expire_time: Math.floor(env.clock.now() / 1000) + 60 })
    const { data: opened } = await open(brief)
    env.pass(61_000)
    expect(await download(opened)).toMatchObject({ code: -1, err: 2058 })
  })
})

describe('the password of a short link', () => {
  it('cannot be guessed from one or many networks', async () => {
    const link = await linkTo((await file(owner)).cid, { short_pass: 'zzzzzz' })
    const from = elsewhere()
    for (let guess = 1; guess <= 5; guess++)
      expect(await open(link, { password: `aaaaa${guess}` }, from)).toMatchObject({ err: 2060 })
    expect(await open(link, { password: 'zzzzzz' }, from)).toMatchObject({ err: 2060 })
    expect((await open(link, { password: 'zzzzzz' })).code).toBe(0)
    for (let slice = 0; slice < 5; slice++)
      await Promise.all(Array.from({ length: 20 }, (_, index) => open(link, { password: `bbbb${index}` })))
    expect(await open(link, { password: 'zzzzzz' })).toMatchObject({ err: 2060 })
  })

  it('hides name and size from previews, and the image', async () => {
    const { cid } = await file(owner, { name: 'secret plan.png' })
    const closed = await linkTo(cid, { short_pass: 'zzzzzz' })
    const { body } = await page(closed.url)
    expect(body).not.toContain('secret plan')
    expect((await page(`${closed.url}/image`)).statusCode).not.toBe(302)
    const shown = await linkTo(cid)
    const image = await page(`${shown.url}/image`)
    expect(image.statusCode).toBe(302)
    expect(String(image.headers.location)).toMatch(/^http:\/\/127\.0\.0\.1:7001\/ipfs\//)
    expect(String(image.headers.location)).not.toContain(owner.uid)
  })

  it('is not needed by the image alone: no other kind of file, and no encrypted one, is shown', async () => {
    const text = await linkTo((await file(owner, { name: 'notes.txt' })).cid)
    expect((await page(`${text.url}/image`)).statusCode).not.toBe(302)
    const { cid, id } = await file(owner, { name: 'photo.png' })
    const sealed = await linkTo(cid)
    await env.db.run(sql`update assets set encrypted = true where id = ${id}`)
    expect((await page(`${sealed.url}/image`)).statusCode).not.toBe(302)
  })
})

describe('the download limit of a short link', () => {
  it('holds for many visitors at once', async () => {
    const link = await linkTo((await file(owner)).cid, { max_downloads: 3 })
    const { data: opened } = await open(link)
    const answers = await Promise.all(Array.from({ length: 12 }, () => download(opened)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(3)
    expect(answers.filter(({ err }) => err === 2064)).toHaveLength(9)
  })

  it('does not lift that of the plan: many links of a file share it', async () => {
    const { cid } = await file(owner)
    let opened = 0
    for (let index = 0; index < 12; index++) {
      const link = await create(owner, { cid })
      if (link.code === 0 && (await download((await open(link.data)).data)).code === 0) opened += 1
    }
    expect(opened).toBe(10)
  })
})

describe('the links of others', () => {
  it('cannot be listed, changed, revoked or restored, and not created for their files', async () => {
    const { cid } = await file(owner)
    const link = await linkTo(cid, { note: 'my note' })
    await env.call('shortLinks.revoke', { id: link.id }, owner)
    expect(await env.call('shortLinks.restore', { id: link.id }, attacker)).toMatchObject({ err: 1000 })
    await env.call('shortLinks.restore', { id: link.id }, owner)
    expect(await create(attacker, { cid })).toMatchObject({ err: 10028 })
    expect(await create(attacker, { cid, asset_id: link.item.asset_id })).toMatchObject({ err: 10028 })
    expect(await create(attacker, { cid: String(await folder(owner, 'theirs')) })).toMatchObject({ err: 10018 })
    expect(await env.call('shortLinks.update', { id: link.id, short_pass: '' }, attacker)).toMatchObject({ err: 1000 })
    const listed = await env.call('shortLinks.list', { cid, q: 'note' }, attacker)
    expect(listed.data).toEqual({ list: [], total: 0 })
    const key = await env.key(owner, ['readFile', 'readFolder'])
    expect(await env.call('shortLinks.list', {}, { key } as never)).not.toMatchObject({ code: 0 })
  })
})
