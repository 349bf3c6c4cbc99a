import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleFile } from '../../apps/server/src/storage/assets/sample-files.fixture.ts'
import type { Person, TestEnv } from '../../apps/server/src/test-env.fixture.ts'
import { newNetwork, openShares, type Shares, shareActions } from './shares.ts'

let shares: Shares
let env: TestEnv
let owner: Person
let attacker: Person
beforeAll(async () => {
  shares = await openShares()
  ;({ env, owner, attacker } = shares)
})
afterAll(() => env.close())
const { file, folder, share, open, get } = shareActions(() => shares)

const INJECTIONS = [
  "x' or '1'='1",
  "x' union select password_hash from users --",
  '1; drop table links; --',
  '1) or (1=1',
  '%27%20or%201=1--',
  '$1',
  'x\u0000y',
]

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
