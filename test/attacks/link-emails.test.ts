import type { ShortLink } from '@tidenet/contract'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { inbox, lastCode } from '../../apps/server/src/platform/mail/inbox.fixture.ts'
import { sampleShortLinks } from '../../apps/server/src/storage/shares/sample-short-links.fixture.ts'
import { type As, type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let env: TestEnv
let node: Awaited<ReturnType<TestEnv['node']>>
let owner: Person
beforeAll(async () => {
  env = await setup()
  node = await env.node({ url: 'http://127.0.0.1:7001' })
  owner = await env.person()
})
afterAll(() => env.close())
const { elsewhere, create, tokenOf, open, download, file, folder } = sampleShortLinks(
  () => env,
  () => node,
)
const REQUIRED = { code: -1, err: 2130 }
let friends = 0
const friend = () => `friend${++friends}@mail.test`
const linkFor = async (emails: string[], more: object = {}): Promise<ShortLink> =>
  (await create(owner, { cid: (await file(owner)).cid, emails, ...more })).data
const send = (link: ShortLink, email: string, as: As = elsewhere()) =>
  env.call('shortLinks.sendCode', { token: tokenOf(link), email }, as)
const verify = (link: ShortLink, email: string, verify_code: string, as: As = elsewhere()) =>
  env.call('shortLinks.verify', { token: tokenOf(link), email, verify_code }, as)
const openWith = (link: ShortLink, proof: string | undefined, as: As = elsewhere()) =>
  env.call('shortLinks.open', { token: tokenOf(link), ...(proof !== undefined && { proof }) }, as)
const prove = async (link: ShortLink, email: string): Promise<string> => {
  await send(link, email)
  return (await verify(link, email, await lastCode(env, email))).data.proof
}

describe('a link for certain e-mail addresses', () => {
  it('opens for who proves one of them with a code, for whose account has one, and for its owner', async () => {
    const [reader, colleague] = [friend(), await env.person()]
    const link = await linkFor([reader.toUpperCase(), colleague.email, reader])
    expect(link.emails).toEqual([reader, colleague.email])
    const opened = await openWith(link, await prove(link, reader))
    expect(opened.code).toBe(0)
    expect((await download(opened.data)).code).toBe(0)
    expect((await open(link, {}, colleague)).code).toBe(0)
    expect((await open(link, {}, owner)).code).toBe(0)
  })

  it('opens for nobody else: no stranger, no other account, no API key', async () => {
    const reader = await env.person()
    const stranger = await env.person()
    const link = await linkFor([reader.email])
    const key = await env.key(reader, ['readFile', 'readFolder'])
    for (const as of [elsewhere(), stranger, { token: key }] as As[])
      expect(await open(link, {}, as)).toMatchObject(REQUIRED)
  })

  it('does not open by an address that the account does not have any more, or has not proven', async () => {
    const reader = await env.person()
    const link = await linkFor([reader.email])
    await env.db.run(sql`update users set email = null where id = ${reader.id}`)
    expect(await open(link, {}, reader)).toMatchObject(REQUIRED)
    const other = await env.person()
    const wanted = await linkFor([friend()])
    // A code to a new address changes no account before it is entered.
    await env.call('emails.sendCode', { email: wanted.emails[0] ?? '' }, other)
    expect(await open(wanted, {}, other)).toMatchObject(REQUIRED)
  })

  it('does not reveal who may open it: other addresses get the same answers, the same limits, and no e-mail', async () => {
    const [listed, other] = [friend(), friend()]
    const link = await linkFor([listed])
    const answers = async (email: string) => {
      const from = elsewhere()
      const all = [
        await send(link, email, from),
        await send(link, email, from),
        await verify(link, email, '000000', from),
        await verify(link, email, '000000', from),
        await verify(link, email, '000000', from),
        await verify(link, email, '000000', from),
        await verify(link, email, '000000', from),
        await verify(link, email, '000000', from),
      ]
      return all.map(({ code, err, msg }) => [code, err, msg?.replaceAll(/\d+/g, '#')])
    }
    expect(await answers(other)).toEqual(await answers(listed))
    expect(await inbox(env, listed)).toHaveLength(1)
    expect(await inbox(env, other)).toHaveLength(0)
    for (const shown of [await open(link), await openWith(link, 'x')])
      expect(JSON.stringify(shown)).not.toContain(listed)
  })

  it('shows nothing in previews of chats', async () => {
    const { cid } = await file(owner, { name: 'secret plan.png' })
    const { data: link } = await create(owner, { cid, emails: [friend()] })
    const page = (url: string) =>
      env.app.inject({ method: 'GET', url: new URL(url).pathname, remoteAddress: elsewhere().ip })
    expect((await page(link.url)).body).not.toContain('secret plan')
    expect((await page(`${link.url}/image`)).statusCode).not.toBe(302)
  })

  it('asks for its password only whoever has proven an address', async () => {
    const reader = friend()
    const link = await linkFor([reader], { short_pass: 'zzzzzz' })
    const guess = (proof?: string) =>
      env.call('shortLinks.open', { token: tokenOf(link), password: 'zzzzzz', ...(proof && { proof }) }, elsewhere())
    expect(await guess()).toMatchObject(REQUIRED)
    const proof = await prove(link, reader)
    expect(await openWith(link, proof)).toMatchObject({ err: 2059 })
    expect((await guess(proof)).code).toBe(0)
  })
})

describe('the code for a link', () => {
  it('cannot be guessed', async () => {
    const reader = friend()
    const link = await linkFor([reader])
    const from = elsewhere()
    await send(link, reader, from)
    const code = await lastCode(env, reader)
    for (let guess = 1; guess <= 5; guess++) {
      const wrong = String((Number(code) + guess) % 1_000_000).padStart(6, '0')
      expect((await verify(link, reader, wrong, from)).code).toBe(-1)
      expect((await verify(link, reader, wrong)).code).toBe(-1)
    }
    expect((await verify(link, reader, code, from)).code).toBe(-1)
    expect((await verify(link, reader, code)).code).toBe(-1)
  })

  it('proves nothing for another link, another address or another purpose, and works once', async () => {
    const [reader, second] = [friend(), friend()]
    const [link, other] = [await linkFor([reader, second]), await linkFor([reader])]
    await send(link, reader)
    const code = await lastCode(env, reader)
    expect((await verify(other, reader, code)).code).toBe(-1)
    expect((await verify(link, second, code)).code).toBe(-1)
    const signIn = { username: reader, verify_code: code }
    expect((await env.call('accounts.login', signIn, elsewhere())).code).not.toBe(0)
    expect((await env.call('accounts.register', { ...signIn, password: 'tide-Net9' }, elsewhere())).code).toBe(-1)
    expect((await verify(link, reader, code)).code).toBe(0)
    expect((await verify(link, reader, code)).code).toBe(-1)
    // Codes that anybody can request for other purposes prove nothing for a link.
    await env.call('accounts.verifyCode', { username: reader, type: 2 }, elsewhere())
    expect((await verify(link, reader, await lastCode(env, reader))).code).toBe(-1)
    expect((await env.call('accounts.verifyCode', { username: reader, type: 7 }, elsewhere())).code).toBe(-1)
  })

  it('floods no mailbox: it is sent once a minute, and not for guessed links', async () => {
    const reader = friend()
    const link = await linkFor([reader])
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(link, reader)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await inbox(env, reader)).toHaveLength(1)
    const from = elsewhere()
    const guess = () => env.call('shortLinks.sendCode', { token: '1'.repeat(16), email: reader }, from)
    for (let index = 0; index < 30; index++) expect(await guess()).toMatchObject({ err: 1000 })
    expect(await guess()).toMatchObject({ err: 1020 })
  })
})

describe('the proof of an address', () => {
  it('opens this link only, for twelve hours, and only what the server signed', async () => {
    const reader = friend()
    const [link, other] = [await linkFor([reader]), await linkFor([reader])]
    const proof = await prove(link, reader)
    expect(await openWith(other, proof)).toMatchObject(REQUIRED)
    const forged = await new SignJWT({ eml: reader })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(link.id)
      .setIssuer('tidenet')
      .setAudience('link e-mail')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode('guess'))
    const { data: opened } = await openWith(link, proof)
    for (const wrong of ['', 'x', forged, opened.ticket, owner.token])
      expect(await openWith(link, wrong)).toMatchObject(REQUIRED)
    // A proof is no share token.
    expect(await download({ ...opened, ticket: proof })).toMatchObject({ err: 2059 })
    env.pass(12 * 3_600_000 + 1000)
    expect(await openWith(link, proof)).toMatchObject(REQUIRED)
  })

  it('ends with a change of the list, also for what is open already', async () => {
    const [reader, stays] = [friend(), friend()]
    const link = await linkFor([reader, stays])
    const [proof, staying] = [await prove(link, reader), await prove(link, stays)]
    const { data: opened } = await openWith(link, proof)
    expect((await download(opened)).code).toBe(0)
    // The code is on its way while the list changes.
    env.pass(61_000)
    await send(link, reader)
    const code = await lastCode(env, reader)
    await env.call('shortLinks.update', { id: link.id, emails: [stays] }, owner)
    expect(await download(opened)).toMatchObject({ err: 2059 })
    expect(await openWith(link, proof)).toMatchObject(REQUIRED)
    const late = await verify(link, reader, code)
    expect(await openWith(link, late.data?.proof)).toMatchObject(REQUIRED)
    expect((await openWith(link, staying)).code).toBe(0)
  })

  it('is needed as soon as a link is limited: earlier share tokens end', async () => {
    const link = await linkFor([])
    const { data: opened } = await open(link)
    expect((await download(opened)).code).toBe(0)
    await env.call('shortLinks.update', { id: link.id, emails: [friend()] }, owner)
    expect(await download(opened)).toMatchObject({ err: 2059 })
    expect(await open(link)).toMatchObject(REQUIRED)
  })

  it('gives no more than the link: nothing beside its folder', async () => {
    const reader = friend()
    const shown = await folder(owner, 'shown')
    const secret = await file(owner)
    const { data: link } = await create(owner, { cid: String(shown), emails: [reader] })
    const { data: opened } = await openWith(link, await prove(link, reader))
    expect(await download(opened, { asset_cid: secret.cid })).toMatchObject({ err: 10028 })
  })
})

describe('the list of addresses', () => {
  it('is bounded, has addresses only, and only its owner sees it', async () => {
    const { cid } = await file(owner)
    const many = Array.from({ length: 51 }, (_, index) => `reader${index}@mail.test`)
    for (const emails of [many, ['no address'], ['a@b'], ['']])
      expect(await create(owner, { cid, emails })).toMatchObject({ code: -1, err: 1001 })
    const link = await linkFor(['somebody@mail.test'])
    const stranger = await env.person()
    expect(await env.call('shortLinks.update', { id: link.id, emails: [] }, stranger)).toMatchObject({ err: 1000 })
    const { data } = await env.call('shortLinks.list', {}, stranger)
    expect(JSON.stringify(data)).not.toContain('somebody')
  })
})
