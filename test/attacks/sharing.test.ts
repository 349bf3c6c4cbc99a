import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

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

const INJECTIONS = [
  "x' or '1'='1",
  "x' union select password_hash from users --",
  '1; drop table links; --',
  '1) or (1=1',
  '%27%20or%201=1--',
  '$1',
  'x\u0000y',
]
let networks = 0
const newNetwork = () => ({ ip: `10.2.${Math.floor(++networks / 250)}.${networks % 250}` })
const file = (more: Parameters<typeof sampleFile>[2] = {}) => sampleFile(env.db, owner.id, { nodes: [node], ...more })
const folder = async (person: Person, name: string, parent = 0) =>
  (await env.call('folders.create', { name, parent }, person)).data.group.ID
async function share(cid: string, terms: { short_pass?: string; expire_time?: number } = {}) {
  const { data } = await env.call('shares.create', { cid, ...terms }, owner)
  await env.call('shares.setStatus', { cid }, owner)
  return data
}
const open = (cid: string, more: { ticket?: string; group_id?: number } = {}, as = newNetwork()) =>
  env.call('downloads.open', { user_id: owner.uid, asset_cid: cid, ...more }, as)
const downloadsOf = async (cid: string) =>
  (
    await env.db.one<{ downloads: number }>(
      sql`select downloads from assets where cid = ${cid} and user_id = ${owner.id}`,
    )
  ).downloads
const get = (url: string, headers: Record<string, string> = {}) => env.app.inject({ method: 'GET', url, headers })
const usedBytes = async (person: Person) =>
  (await env.db.one<{ used_bytes: number }>(sql`select used_bytes from users where id = ${person.id}`)).used_bytes

describe('injection', () => {
  it('does not work in short links', async () => {
    const { cid } = await file()
    await share(cid)
    for (const text of INJECTIONS) {
      expect(await env.call('shares.follow', { cid: text })).toMatchObject({ code: -1 })
      expect(await env.call('shares.follow', { cid, id: text })).toMatchObject({ code: -1 })
    }
  })

  it('does not work in names, owners, links and passwords', async () => {
    for (const text of INJECTIONS) {
      for (const answer of [
        await env.call('shares.create', { cid: text }, owner),
        await env.call('shares.info', { cid: text }, owner),
        await env.call('shares.update', { id: text }, owner),
        await env.call('shares.needPass', { cid: text, username: owner.uid }),
        await env.call('shares.needPass', { cid: '1', username: text }),
        await env.call('shares.check', { cid: '1', username: text, password: text }, newNetwork()),
        await env.call('shares.folder', { user_id: text, group_id: 1 }),
        await env.call('folders.item', { cid: text }, owner),
        await env.call('assets.detail', { cid: text, user_id: text }),
      ]) {
        expect(answer.code).toBe(-1)
        expect([1000, 1001, 10018]).toContain(answer.err)
      }
      const name = text.replaceAll('\u0000', '')
      expect((await env.call('folders.create', { name }, await env.person())).data.group.Name).toBe(name)
    }
    expect((await env.call('folders.contents', {}, owner)).code).toBe(0)
  })

  it('does not work in the order of a list', async () => {
    const plain = await env.call('folders.contents', {}, owner)
    const url = `/api/v1/storage/get_asset_group_list?order=${encodeURIComponent('id;drop table links')}&order_field=1`
    const ordered = await get(url, { jwtauthorization: `Bearer ${owner.token}` })
    expect(ordered.json().data).toEqual(plain.data)
  })
})

describe('share links', () => {
  it('cannot be created for files of others, whatever owner is given', async () => {
    const { cid } = await file()
    const forged = { cid, username: owner.uid, url: 'https://evil.example/' }
    expect(await env.call('shares.create', forged, attacker)).toMatchObject({ code: -1, err: 10028 })
    expect(await env.call('shares.create', forged)).toMatchObject({ code: 401 })
    const theirs = String(await folder(owner, 'theirs'))
    expect(await env.call('shares.create', { cid: theirs, username: owner.uid }, attacker)).toMatchObject({
      err: 10018,
    })
    expect(await env.call('shares.setStatus', { cid, user_id: owner.uid }, attacker)).toMatchObject({ err: 10028 })
  })

  it('redirect only to this portal, without caching', async () => {
    const { cid } = await file()
    const { data } = await env.call(
      'shares.create',
      { cid, url: 'https://evil.example/phish', username: 'https://evil.example', area_id: ['//evil.example'] },
      owner,
    )
    await env.call('shares.setStatus', { cid }, owner)
    for (const input of [{ cid }, { id: data.id }, { cid, id: data.id, ts: '//evil.example' }]) {
      const answer = await env.call('shares.follow', input)
      expect(answer.status).toBe(302)
      expect(new URL(String(answer.headers.location)).origin).toBe('http://portal.test')
      expect(answer.headers['cache-control']).toBe('no-store')
    }
  })

  it('are not affected by another account that shares the same content later', async () => {
    const { cid } = await file({ text: 'wanted by both' })
    const mine = await share(cid)
    await sampleFile(env.db, attacker.id, { text: 'wanted by both' })
    const { data: theirs } = await env.call('shares.create', { cid }, attacker)
    await env.call('shares.setStatus', { cid }, attacker)
    const target = async (id: string) => String((await env.call('shares.follow', { cid, id })).headers.location)
    expect(await target(mine.id)).toContain(`address=${owner.uid}`)
    expect(await target(theirs.id)).toContain(`address=${attacker.uid}`)
    expect(await env.call('shares.follow', { cid })).toMatchObject({ code: -1, err: 1000 })
  })

  it('reveal their password only to the owner', async () => {
    const { cid } = await file()
    const { id } = await share(cid, { short_pass: 'Secr3t' })
    for (const as of [attacker, {}]) {
      const answers = [
        await env.call('shares.info', { cid, username: owner.uid }, as),
        await env.call('shares.get', { cid, username: owner.uid }, as),
        await env.call('shares.needPass', { cid, username: owner.uid }, as),
        await env.call('shares.follow', { cid, id }, as),
        await env.call('assets.status', { cid, username: owner.uid }, as),
        await env.call('downloads.open', { asset_cid: cid, user_id: owner.uid }, as),
      ]
      expect(JSON.stringify(answers)).not.toContain('Secr3t')
    }
    expect(await env.call('shares.update', { id, short_pass: '' }, attacker)).toMatchObject({ code: -1, err: 2062 })
    expect(await env.call('shares.revoke', { id }, attacker)).toMatchObject({ code: -1, err: 2062 })
  })

  it('cannot be created by a page that the owner opens (CSRF)', async () => {
    const { cid } = await file()
    const url = `/api/v1/storage/create_link?cid=${cid}`
    for (const name of ['token', 'login-token', 'JwtAuthorization', 'jwt', 'session'])
      expect((await get(url, { cookie: `${name}=${owner.token}` })).json()).toMatchObject({ code: 401 })
    for (const token of ['', 'garbage', `${owner.token.slice(0, -3)}AAA`])
      expect((await get(url, { jwtauthorization: `Bearer ${token}` })).json()).toMatchObject({ code: 401 })
    expect((await get(`${url}&token=${owner.token}`)).json()).toMatchObject({ code: 401 })
  })
})

describe('access passwords and expiry', () => {
  it('are enforced for downloads, not only on the page', async () => {
    const { cid } = await file()
    await share(cid, { short_pass: 'abc123' })
    expect(await open(cid)).toMatchObject({ code: -1, err: 2059 })
    expect(await env.call('assets.detail', { cid, user_id: owner.uid })).toMatchObject({ code: -1, err: 2059 })
    const answer = await env.call('shares.check', { cid, username: owner.uid, password: 'abc123' }, newNetwork())
    expect((await open(cid, { ticket: answer.data.ticket })).code).toBe(0)
  })

  it('are enforced for both names of the password field', async () => {
    for (const field of ['short_pass', 'access_pass']) {
      const { cid } = await file()
      await env.call('shares.create', { cid, [field]: 'abc123' }, owner)
      await env.call('shares.setStatus', { cid }, owner)
      expect(await open(cid)).toMatchObject({ code: -1, err: 2059 })
    }
  })

  it('cannot be bypassed by a share token that is forged, of another share, outdated, or another kind of token', async () => {
    const { cid } = await file()
    const { id } = await share(cid, { short_pass: 'abc123' })
    const { cid: other } = await file()
    await share(other, { short_pass: 'abc123' })
    const ticketOf = async (what: string) =>
      (await env.call('shares.check', { cid: what, username: owner.uid, password: 'abc123' }, newNetwork())).data.ticket
    const claims = (key: Uint8Array) =>
      new SignJWT({ ver: Date.now() })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(id)
        .setIssuer('tidenet')
        .setAudience('share')
        .setExpirationTime('1h')
        .sign(key)
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const right = await ticketOf(cid)
    for (const ticket of [
      await ticketOf(other),
      await claims(new TextEncoder().encode('guess')),
      await claims(env.context.keys.session),
      `${part({ alg: 'none' })}.${right.split('.')[1]}.`,
      owner.token,
      'rubbish',
    ])
      expect(await open(cid, { ticket })).toMatchObject({ code: -1, err: 2059 })
    expect((await open(cid, { ticket: right })).code).toBe(0)
    await env.call('shares.update', { id, short_pass: 'xyz789' }, owner)
    expect(await open(cid, { ticket: right })).toMatchObject({ code: -1, err: 2059 })
    const session = await env.app.inject({
      url: '/api/v1/storage/get_asset_list',
      headers: { jwtauthorization: `Bearer ${right}` },
    })
    expect(session.json()).toMatchObject({ code: 401 })
  })

  it('cannot be guessed from one or many client networks', async () => {
    const { cid } = await file()
    await share(cid, { short_pass: 'zzzzzz' })
    const from = newNetwork()
    const guess = (password: string, as: { ip: string }) =>
      env.call('shares.check', { cid, username: owner.uid, password }, as)
    const wrong = { code: -1, err: 2060 }
    for (const password of ['aaaaa1', 'aaaaa2', 'aaaaa3', 'aaaaa4', 'aaaaa5'])
      expect(await guess(password, from)).toMatchObject(wrong)
    const late = await Promise.all(Array.from({ length: 20 }, () => guess('zzzzzz', from)))
    expect(late.every((answer) => answer.err === 2060)).toBe(true)
    for (let slice = 0; slice < 5; slice++)
      await Promise.all(Array.from({ length: 20 }, (_, index) => guess(`bbbb${index}`, newNetwork())))
    expect(await guess('zzzzzz', newNetwork())).toMatchObject(wrong)
  })

  it('end a share for everyone who has its link', async () => {
    const { cid } = await file()
    await share(cid)
    expect((await open(cid)).code).toBe(0)
    await env.call('shares.setStatus', { cid, status: 0 }, owner)
    expect(await open(cid)).toMatchObject({ code: -1, err: 10028 })
    const { cid: brief } = await file()
    await share(brief, { expire_time: Math.floor(env.clock.now() / 1000) + 600 })
    expect((await open(brief)).code).toBe(0)
    env.pass(601_000)
    expect(await open(brief)).toMatchObject({ code: -1, err: 2058 })
  })
})

describe('an asset that is not shared', () => {
  it('looks like one that does not exist, in every public answer', async () => {
    const { cid } = await file()
    const missing = (await sampleFile(env.db, attacker.id)).cid
    const hidden = String(await folder(owner, 'hidden'))
    const answers = async (what: string, group: number, uid: string) =>
      JSON.stringify(
        [
          await env.call('downloads.open', { user_id: uid, asset_cid: what }, newNetwork()),
          await env.call('assets.detail', { user_id: uid, cid: what }),
          await env.call('assets.location', { user_id: uid, cid: what }),
          await env.call('assets.mapOfCid', { user_id: uid, cid: what }),
          await env.call('assets.status', { username: uid, cid: what }),
          await env.call('assets.openStatus', { username: uid, cid: what }),
          await env.call('assets.status', { username: uid, cid: String(group) }),
          await env.call('shares.needPass', { username: uid, cid: what }),
          await env.call('shares.check', { username: uid, cid: what }, newNetwork()),
          await env.call('shares.folder', { user_id: uid, group_id: group }),
        ],
        (key, value) => (key === 'headers' ? undefined : value),
      )
    const there = await answers(cid, Number(hidden), owner.uid)
    expect(await answers(missing, 2_000_000_000, owner.uid)).toBe(there)
    expect(await answers(cid, Number(hidden), 'nobody')).toBe(there)
    expect(await answers(cid, Number(hidden), owner.email)).toBe(there)
  })

  it('is not listed by guessing folder IDs', async () => {
    const secret = await folder(owner, 'secret')
    await file({ folder: secret, name: 'diary.txt' })
    for (const as of [attacker, {}])
      expect(await env.call('shares.folder', { user_id: owner.uid, group_id: secret }, as)).toMatchObject({
        code: -1,
        err: 10018,
      })
    for (const operation of ['folders.contents', 'folders.list'] as const)
      expect(await env.call(operation, { parent: secret }, attacker)).toMatchObject({ code: -1, err: 10018 })
    expect(await env.call('assets.list', { group_id: secret }, attacker)).toMatchObject({ code: -1, err: 10018 })
    expect(await env.call('folders.item', { groupid: secret }, attacker)).toMatchObject({ code: -1, err: 10018 })
  })

  it('is not accessible by the ID of a shared folder that does not contain it', async () => {
    const shown = await folder(owner, 'shown')
    await env.call('shares.setStatus', { cid: String(shown) }, owner)
    const { cid } = await file()
    const { cid: inside } = await file({ folder: shown })
    expect(await open(cid, { group_id: shown })).toMatchObject({ code: -1, err: 10028 })
    expect((await open(inside, { group_id: shown })).code).toBe(0)
    expect(await open(inside)).toMatchObject({ code: -1, err: 10028 })
    await env.call('folders.remove', { group_id: shown }, owner)
    expect(await open(inside, { group_id: shown })).toMatchObject({ code: -1, err: 10028 })
  })

  it('is not accessible to a key of the owner without the permission to read', async () => {
    const { cid } = await file()
    const key = { token: await env.key(owner, ['createFile', 'deleteFile']), ...newNetwork() }
    expect(await open(cid, {}, key)).toMatchObject({ code: -1, err: 10028 })
    expect(await env.call('assets.detail', { cid }, key)).toMatchObject({ code: -1, err: 10028 })
  })
})

describe('a shared folder', () => {
  it('reveals neither secrets nor e-mail addresses, and masks addresses of nodes', async () => {
    const shown = await folder(owner, 'public')
    const { cid } = await file({ folder: shown })
    await env.call('shares.setStatus', { cid: String(shown) }, owner)
    const answers = JSON.stringify([
      await env.call('shares.folder', { user_id: owner.uid, group_id: shown }),
      await env.call('assets.detail', { user_id: owner.uid, cid, group_id: shown }),
      await env.call('assets.mapOfCid', { user_id: owner.uid, cid, group_id: shown }),
    ])
    expect(answers).toContain(cid)
    // Whether there is a password is public.
    expect(answers.replaceAll('"has_password":false', '')).not.toMatch(/passw|short_pass|secret/i)
    expect(answers).not.toContain(owner.email)
    expect(answers).not.toContain('127.0.0.1')
  })

  it('does not lift the download limit of its files', async () => {
    const shown = await folder(owner, 'limited')
    const { cid } = await file({ folder: shown })
    await env.call('shares.setStatus', { cid: String(shown) }, owner)
    for (let index = 0; index < 10; index++) expect((await open(cid, { group_id: shown })).code).toBe(0)
    expect(await open(cid, { group_id: shown })).toMatchObject({ code: -1, err: 2064 })
  })
})

describe('the limit of ten downloads', () => {
  it('is not used up by repeated requests of one visitor, nor by opening the page', async () => {
    const { cid } = await file()
    const { id } = await share(cid)
    const shown = String(await folder(owner, 'looked at'))
    await env.call('shares.setStatus', { cid: shown }, owner)
    const one = newNetwork()
    await Promise.all(Array.from({ length: 30 }, () => open(cid, {}, one)))
    for (let index = 0; index < 15; index++) {
      const as = newNetwork()
      await env.call('assets.status', { username: owner.uid, cid }, as)
      await env.call('assets.status', { username: owner.uid, cid: shown }, as)
      await env.call('assets.detail', { user_id: owner.uid, cid }, as)
      await env.call('shares.needPass', { username: owner.uid, cid }, as)
      await env.call('shares.folder', { user_id: owner.uid, group_id: Number(shown) }, as)
      await env.call('shares.follow', { cid, id }, as)
    }
    expect(await downloadsOf(cid)).toBe(1)
    const { list } = (await env.call('folders.list', {}, owner)).data
    expect(list.find((group) => String(group.ID) === shown)?.VisitCount).toBe(0)
  })

  it('is not exceeded by concurrent requests', async () => {
    const { cid } = await file()
    await share(cid)
    const answers = await Promise.all(Array.from({ length: 50 }, () => open(cid)))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(10)
    expect(answers.filter((answer) => answer.err === 2064)).toHaveLength(40)
    expect(await downloadsOf(cid)).toBe(10)
  })
})

describe('folders', () => {
  it('of others cannot be parents or targets', async () => {
    const [theirs, mine] = [await folder(owner, 'theirs'), await folder(attacker, 'mine')]
    const { cid } = await file({ folder: theirs })
    const { cid: own } = await sampleFile(env.db, attacker.id)
    const refused = { code: -1, err: 10018 }
    expect(await env.call('folders.create', { name: 'x', parent: theirs }, attacker)).toMatchObject(refused)
    for (const move of [
      { group_id: mine, target_group_id: theirs },
      { group_id: theirs, target_group_id: mine },
    ])
      expect(await env.call('folders.move', move, attacker)).toMatchObject(refused)
    expect(await env.call('folders.rename', { group_id: theirs, new_name: 'x' }, attacker)).toMatchObject(refused)
    expect(await env.call('folders.remove', { group_id: theirs }, attacker)).toMatchObject(refused)
    expect(await env.call('assets.move', { asset_cid: own, group_id: theirs }, attacker)).toMatchObject(refused)
    expect(await env.call('assets.move', { asset_cid: cid, group_id: mine }, attacker)).toMatchObject({ err: 10028 })
    expect(await env.call('folders.rename', { asset_cid: cid, new_name: 'x' }, attacker)).toMatchObject({
      err: 10028,
    })
  })

  it('release exactly the quota of their files, even if deleted by many concurrent requests', async () => {
    const person = await env.person()
    const inside = await folder(person, 'inside')
    await sampleFile(env.db, person.id, { size: 1000 })
    await sampleFile(env.db, person.id, { size: 700, folder: inside })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => env.call('folders.remove', { group_id: inside }, person)),
    )
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(await usedBytes(person)).toBe(1000)
  })

  it('do not delete content that another account has just stored', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, two] = [await env.person(), await env.person()]
      const text = `race ${round}`
      const inside = await folder(one, 'inside')
      const { cid } = await sampleFile(env.db, one.id, { folder: inside, text, nodes: [node] })
      const receipt = await node.receipt({ sub: two.uid, cid, size: 20 })
      await Promise.all([
        env.call('folders.remove', { group_id: inside }, one),
        env.call(
          'assets.create',
          { asset_name: 'x', asset_type: 'file', asset_size: 20, asset_cid: cid, receipt },
          two,
        ),
      ])
      const { data } = await env.call('folders.contents', {}, two)
      expect(data.list[0]?.AssetOverview?.AssetRecord.CID).toBe(cid)
      const { state } = await env.db.one<{ state: string }>(sql`select state from replicas where cid = ${cid}`)
      expect(state).toBe('stored')
    }
  })
})

describe('listings', () => {
  it('have a maximum page size', async () => {
    for (const page_size of [101, 1_000_000, -1, 0])
      for (const operation of ['folders.contents', 'folders.list', 'assets.list'] as const)
        expect(await env.call(operation, { page_size }, owner)).toMatchObject({ code: -1, err: 1001 })
    const everything = await get('/api/v1/storage/get_all_asset_list?group_id=0', {
      jwtauthorization: `Bearer ${owner.token}`,
    })
    expect(everything.statusCode).toBe(404)
  })

  it('count pages from one', async () => {
    const person = await env.person()
    const cids = []
    for (let index = 0; index < 5; index++) cids.unshift((await sampleFile(env.db, person.id)).cid)
    const page = async (number: number) =>
      (await env.call('assets.list', { page: number, page_size: 2 }, person)).data.list.map(
        (asset) => asset.AssetRecord.CID,
      )
    expect([await page(1), await page(2), await page(3)]).toEqual([cids.slice(0, 2), cids.slice(2, 4), cids.slice(4)])
  })

  it('are complete, even for content that no node stores', async () => {
    const person = await env.person()
    await folder(person, 'x')
    await sampleFile(env.db, person.id)
    const { list, total } = (await env.call('folders.contents', {}, person)).data
    expect(total).toBe(2)
    expect(list.every((item) => (item.Group === null) !== (item.AssetOverview === null))).toBe(true)
  })
})
