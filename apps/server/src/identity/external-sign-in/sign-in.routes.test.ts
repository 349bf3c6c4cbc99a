import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { TestEnv } from '../../test-env.fixture.ts'
import {
  known,
  newName,
  type PortalWithServices,
  portalWithServices,
  sampleBrowsers,
} from './sample-browser.fixture.ts'
import { CLIENT_SECRET, type TestService, visit } from './test-services.fixture.ts'

let env: TestEnv
let company: PortalWithServices['company']
let harbour: TestService
let github: TestService
let close: () => Promise<void>
beforeAll(async () => {
  ;({ env, company, harbour, github, close } = await portalWithServices())
})
afterAll(() => close())
const { browser, through, signIn, whoIs, linked, identitiesOf } = sampleBrowsers(() => env)

describe.each([
  ['OpenID Connect', 'company', () => company],
  ['OAuth as GitHub speaks it', 'github', () => github],
] as const)('signing in by %s', (_, provider, service) => {
  it('opens an account the first time, and signs in to it afterwards', async () => {
    const email = `${newName()}@id.test`
    const name = known(service(), { email, email_verified: true })
    const first = await signIn(provider, name)
    const again = await signIn(provider, name)
    const account = await whoIs(first.data.token)
    expect(account).toMatchObject({ user_email: email })
    expect((await whoIs(again.data.token)).uuid).toBe(account.uuid)
    expect(await identitiesOf(again.data.token)).toMatchObject([{ provider, email }])
  })

  it.each([
    ['does not say that it has verified the address', { email: 'claimed@id.test' }],
    ['says that it has not', { email: 'claimed@id.test', email_verified: false }],
    ['knows none', {}],
  ])('opens an account without an address when the service %s', async (_, claims) => {
    const { data } = await signIn(provider, known(service(), { email_verified: false, ...claims }))
    expect((await whoIs(data.token)).user_email).toBe('')
  })

  it('ends if the user denies access', async () => {
    const by = browser()
    const returned = await by.back(await visit(await by.start(provider), undefined))
    expect(returned).toMatchObject({ pathname: '/login', failure: 'denied', code: '' })
    expect(by.cookies.size).toBe(0)
  })

  it('opens one account for ten concurrent callbacks of the same user', async () => {
    const name = known(service())
    const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(provider, name)))
    const accounts = await Promise.all(answers.map(({ data }) => whoIs(data.token)))
    expect(new Set(accounts.map(({ uuid }) => uuid)).size).toBe(1)
  })
})

describe('external sign-in', () => {
  it('sends state, nonce and PKCE challenge, but never the verifier', async () => {
    const by = browser()
    const asked = new URL(await by.start('company')).searchParams
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(asked.get('redirect_uri')).toBe('http://portal.test/api/v1/user/oauth/company/callback')
    for (const field of ['state', 'nonce', 'code_challenge']) expect(asked.get(field)).toMatch(/^[\w-]{43}$/)
    const again = new URL(await by.start('company')).searchParams
    for (const field of ['state', 'nonce', 'code_challenge']) expect(again.get(field)).not.toBe(asked.get(field))
  })

  it('requests pages in the language of the user', async () => {
    const localesOf = async (query: string, lang: string) => {
      const { headers } = await browser().go(`/api/v1/user/oauth/company/start${query}`, { lang })
      return new URL(String(headers.location)).searchParams.get('ui_locales')
    }
    expect(await localesOf('', 'cn')).toMatch(/^zh/)
    expect(await localesOf('', 'en')).toBe('en')
    expect(await localesOf('?lang=zh', 'en')).toMatch(/^zh/)
  })

  it('hides its cookie from scripts, other sites and other paths', async () => {
    const answer = await browser().go('/api/v1/user/oauth/company/start')
    expect(answer.cookies).toMatchObject([{ httpOnly: true, sameSite: 'Lax', path: '/api/v1/user/oauth', maxAge: 600 }])
  })

  it('never puts a token into a URL', async () => {
    const { location, by, code } = await through('company', known(company))
    const { data } = await by.finish(code)
    expect(location).not.toContain(data.token)
    expect(location).toMatch(/^\/login#handover=[\w-]{43}$/)
  })

  it('redirects to the page where it was started', async () => {
    const by = browser()
    const returned = await by.back(await visit(await by.start('company', '/fileStorage?folder=3'), known(company)))
    expect(returned).toMatchObject({ pathname: '/login', redirect: '/fileStorage?folder=3' })
  })

  it('works twice at the same time in one browser', async () => {
    const by = browser()
    const [first, second] = [await by.start('company'), await by.start('harbour')]
    const [one, two] = [known(company), known(harbour)]
    const backFirst = await by.back(await visit(first, one))
    const backSecond = await by.back(await visit(second, two))
    expect((await by.finish(backSecond.code)).code).toBe(0)
    expect((await by.finish(backFirst.code)).code).toBe(0)
  })

  it('distinguishes users with the same subject at two services', async () => {
    const name = known(company)
    harbour.people.set(name, {})
    const [one, two] = [await signIn('company', name), await signIn('harbour', name)]
    expect((await whoIs(one.data.token)).uuid).not.toBe((await whoIs(two.data.token)).uuid)
  })

  it('identifies GitHub users by id, not by login, which can be reused', async () => {
    const [old, next] = [known(github), newName()]
    const before = await signIn('github', old)
    github.people.set(next, { ...github.people.get(old) })
    github.people.set(old, { id: 999_999 })
    expect((await whoIs((await signIn('github', next)).data.token)).uuid).toBe((await whoIs(before.data.token)).uuid)
    expect((await whoIs((await signIn('github', old)).data.token)).uuid).not.toBe((await whoIs(before.data.token)).uuid)
  })

  it('is listed in the portal’s settings, with its name in both languages', async () => {
    const { data } = await env.call('portal.settings', {})
    expect(data.sign_in_providers[0]).toEqual({ id: 'company', name: { en: 'Company', cn: 'Company' } })
    expect(JSON.stringify(data)).not.toContain(CLIENT_SECRET)
  })
})

describe('an account with a second factor', () => {
  it('requires it after external sign-in too, and opens no session before', async () => {
    const person = await env.person()
    const name = known(company)
    await linked(person, 'company', name)
    const at = new Date(env.clock.now())
    await env.db.run(sql`
      insert into totp (user_id, secret, created_at, confirmed_at) values (${person.id}, ${Buffer.alloc(1)}, ${at}, ${at})`)
    const sessions = () =>
      env.db.one<{ count: number }>(sql`select count(*) as count from sessions where user_id = ${person.id}`)
    const before = await sessions()
    expect(await signIn('company', name)).toMatchObject({
      code: -1,
      err: errors.secondFactorNeeded.err,
      data: { ticket: expect.any(String), ways: ['totp'] },
    })
    expect(await sessions()).toEqual(before)
  })
})

describe('an unreachable service', () => {
  it('is reported before the browser leaves', async () => {
    const by = browser()
    expect(await by.start('closed', '/fileStorage')).toBe('/login?redirect=%2FfileStorage#identity=unreachable')
    const { token } = await env.person()
    expect(await env.call('identities.link', { provider: 'closed' }, { token })).toMatchObject({
      code: -1,
      err: errors.identityUnreachable.err,
    })
  })

  it('is reported if it stops during a sign-in, and works again afterwards', async () => {
    const by = browser()
    const name = known(harbour)
    const back = await visit(await by.start('harbour'), name)
    await harbour.stop()
    const returned = await by.back(back)
    await harbour.start()
    expect(returned).toMatchObject({ pathname: '/login', failure: 'unreachable', code: '' })
    expect((await signIn('harbour', name)).code).toBe(0)
  })
})
