import { EXTERNAL_SIGN_IN_LIFE, errors, HANDOVER_CODE_LIFE, RECENT_AUTH_LIFE } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { readProviders } from './providers.ts'
import {
  CLIENT_SECRET,
  clientOf,
  githubService,
  openidService,
  type TestService,
  visit,
} from './test-services.fixture.ts'

let company: Awaited<ReturnType<typeof openidService>>
let harbour: TestService
let github: TestService
let env: TestEnv
let people = 0
let browsers = 0

beforeAll(async () => {
  ;[company, harbour, github] = await Promise.all([openidService('company'), openidService('harbour'), githubService()])
  const list = [
    clientOf('company', 'Company', company),
    clientOf('harbour', 'Harbour', harbour),
    clientOf('github', 'GitHub', github, 'github'),
    clientOf('closed', 'Closed', { url: 'http://127.0.0.1:9' }),
  ]
  const signInProviders = readProviders(JSON.stringify(list), { TEST_CLIENT_SECRET: CLIENT_SECRET })
  env = await setup({ signInProviders })
})
afterAll(async () => {
  await env.close()
  await Promise.all([company, harbour, github].map((service) => service.stop()))
})

/** A browser that stores the portal's cookies. */
function browser() {
  const cookies = new Map<string, string>()
  // A new client network per browser, so that limits per network do not interfere.
  const remoteAddress = `10.1.${++browsers >> 8}.${browsers & 255}`
  const go = async (
    url: string,
    as: { method?: 'GET' | 'POST'; payload?: object; token?: string; lang?: string } = {},
  ) => {
    const answer = await env.app.inject({
      method: as.method ?? 'GET',
      remoteAddress,
      url: url.replace('http://portal.test', ''),
      cookies: Object.fromEntries(cookies),
      headers: {
        'user-agent': 'test',
        ...(as.token && { jwtauthorization: `Bearer ${as.token}` }),
        ...(as.lang && { lang: as.lang }),
      },
      ...(as.payload && { payload: as.payload }),
    })
    for (const { name, value, maxAge, expires } of answer.cookies as {
      name: string
      value: string
      maxAge?: number
      expires?: Date
    }[])
      if (value === '' || maxAge === 0 || (expires && expires.getTime() === 0)) cookies.delete(name)
      else cookies.set(name, value)
    return answer
  }
  return {
    cookies,
    go,
    start: async (provider: string, redirect?: string) => {
      const query = redirect === undefined ? '' : `?redirect=${encodeURIComponent(redirect)}`
      const { headers } = await go(`/api/v1/user/oauth/${provider}/start${query}`)
      return String(headers.location)
    },
    /** Opens the callback URL. @returns what the portal receives */
    back: async (url: string) => {
      const location = String((await go(url)).headers.location)
      const { pathname, searchParams, hash } = new URL(location, 'http://portal.test')
      const told = new URLSearchParams(hash.slice(1))
      return {
        location,
        pathname,
        redirect: searchParams.get('redirect'),
        code: told.get('handover') ?? '',
        failure: told.get('identity'),
      }
    },
    finish: async (code: string) =>
      (await go('/api/v1/user/oauth/finish', { method: 'POST', payload: { code } })).json(),
    add: async (code: string, token: string) =>
      (await go('/api/v1/user/oauth/add', { method: 'POST', payload: { code }, token })).json(),
  }
}

const newName = () => `tide${++people}`
/** A user of the service, with the profile. */
function known(service: TestService, claims: Record<string, unknown> = {}): string {
  const name = newName()
  service.people.set(name, { id: people, ...claims })
  return name
}
/** Signs in at the service and opens the callback. */
async function through(provider: string, name: string, by = browser()) {
  const returned = await by.back(await visit(await by.start(provider), name))
  return { by, ...returned }
}
async function signIn(provider: string, name: string, by = browser()) {
  const { code } = await through(provider, name, by)
  return by.finish(code)
}
const whoIs = async (token: string) => (await env.call('accounts.info', {}, { token })).data
/** Links an identity. */
async function linked(person: Person, provider: string, name: string, by = browser()) {
  const begun = await by.go('/api/v1/user/oauth/link', {
    method: 'POST',
    payload: { provider, redirect: '/myAccount' },
    token: person.token,
  })
  const returned = await by.back(await visit(begun.json().data.url, name))
  return { ...returned, answer: await by.add(returned.code, person.token) }
}
const identitiesOf = async (token: string) => (await env.call('identities.list', {}, { token })).data.identities
/** Signs in now, even if earlier tests moved the clock. */
async function fresh(): Promise<Person> {
  const person = await env.person()
  return person
}

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
    const person = await fresh()
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

describe('linking', () => {
  it('allows the identity to sign in to the account', async () => {
    const person = await fresh()
    const name = known(company)
    const { pathname, answer } = await linked(person, 'company', name)
    expect(pathname).toBe('/myAccount')
    expect(answer.code).toBe(0)
    expect((await whoIs((await signIn('company', name)).data.token)).uuid).toBe(person.uid)
    expect(await identitiesOf(person.token)).toHaveLength(1)
  })

  it('can be undone; the identity is a new user then', async () => {
    const person = await fresh()
    const name = known(company)
    await linked(person, 'company', name)
    expect((await env.call('identities.remove', { provider: 'company' }, { token: person.token })).code).toBe(0)
    expect(await identitiesOf(person.token)).toEqual([])
    expect((await whoIs((await signIn('company', name)).data.token)).uuid).not.toBe(person.uid)
  })

  it('is in the audit log, as is unlinking', async () => {
    const person = await fresh()
    await linked(person, 'company', known(company))
    await env.call('identities.remove', { provider: 'company' }, { token: person.token })
    const rows = await env.db.rows<{ action: string; provider: string }>(sql`
      select action, detail->>'provider' as provider from audit_log where actor = ${person.uid} order by id`)
    expect(rows).toEqual([
      { action: 'identity.add', provider: 'company' },
      { action: 'identity.remove', provider: 'company' },
    ])
  })

  it('is required if an account has the verified address: the user must sign in there first', async () => {
    const person = await fresh()
    const name = known(company, { email: person.email.toUpperCase(), email_verified: true })
    const refused = await signIn('company', name)
    expect(refused).toMatchObject({ code: -1, err: errors.identityEmailTaken.err })
    expect(await identitiesOf(person.token)).toEqual([])
    // After signing in otherwise, the owner can link it.
    expect((await linked(person, 'company', name)).answer.code).toBe(0)
    expect((await whoIs((await signIn('company', name)).data.token)).uuid).toBe(person.uid)
  })

  it('with an unverified address does not reveal whether it has an account', async () => {
    const person = await fresh()
    const { code, data } = await signIn('company', known(company, { email: person.email }))
    expect(code).toBe(0)
    expect(await whoIs(data.token)).toMatchObject({ user_email: '' })
  })
})

describe('an unreachable service', () => {
  it('is reported before the browser leaves', async () => {
    const by = browser()
    expect(await by.start('closed', '/fileStorage')).toBe('/login?redirect=%2FfileStorage#identity=unreachable')
    const { token } = await fresh()
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

describe('external sign-in is refused', () => {
  it('for a browser that did not store the cookie', async () => {
    const by = browser()
    const back = await visit(await by.start('company'), known(company))
    by.cookies.clear()
    expect(await by.back(back)).toMatchObject({ pathname: '/login', failure: 'browser', code: '' })
  })

  it('for another browser with the callback URL', async () => {
    const [mine, yours] = [browser(), browser()]
    const back = await visit(await mine.start('company'), known(company))
    await yours.start('company')
    expect(await yours.back(back)).toMatchObject({ failure: 'browser', code: '' })
    // A cookie with that name and another value does not help, and the owner can still finish.
    for (const cookie of mine.cookies.keys()) yours.cookies.set(cookie, 'x'.repeat(43))
    expect(await yours.back(back)).toMatchObject({ failure: 'expired', code: '' })
    expect((await mine.back(back)).code).not.toBe('')
  })

  it.each([
    ['another state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43)), 'expired'],
    ['no state', (url: URL) => url.searchParams.delete('state'), 'refused'],
    ['a code of their own', (url: URL) => url.searchParams.set('code', 'made-up'), 'refused'],
    ['no code', (url: URL) => url.searchParams.delete('code'), 'refused'],
    ['another issuer', (url: URL) => url.searchParams.set('iss', harbour.url), 'refused'],
    ['no issuer', (url: URL) => url.searchParams.delete('iss'), 'refused'],
  ] as const)('who comes back with %s', async (_, change, failure) => {
    const by = browser()
    const back = new URL(await visit(await by.start('company'), known(company)))
    change(back)
    expect(await by.back(back.href)).toMatchObject({ pathname: '/login', failure, code: '' })
  })

  it('for a second callback, also a concurrent one', async () => {
    const by = browser()
    const back = await visit(await by.start('company'), known(company))
    const all = await Promise.all(Array.from({ length: 10 }, () => by.back(back)))
    expect(all.filter(({ code }) => code !== '')).toHaveLength(1)
    expect((await by.back(back)).code).toBe('')
  })

  it('for the response of one service at the callback of another', async () => {
    const by = browser()
    const back = await visit(await by.start('company'), known(company))
    expect(await by.back(back.replace('/company/', '/harbour/'))).toMatchObject({ failure: 'refused', code: '' })
    expect(await by.back(back.replace('/company/', '/unknown/'))).toMatchObject({ failure: 'refused', code: '' })
    expect((await by.back(back)).code).not.toBe('')
  })

  it('for a code that another service issued', async () => {
    const by = browser()
    const other = new URL(await visit(await by.start('harbour'), known(harbour)))
    const back = new URL(await visit(await by.start('company'), known(company)))
    back.searchParams.set('code', other.searchParams.get('code') ?? '')
    expect(await by.back(back.href)).toMatchObject({ failure: 'refused', code: '' })
  })

  it('for an ID token of an earlier sign-in, or one that the service has not signed', async () => {
    const tokens: string[] = []
    const changes = [
      (token: string) => {
        tokens.push(token)
        return token
      },
      () => tokens[0] as string,
      (token: string) => {
        const [head, claims = '', signature] = token.split('.')
        const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: 'somebody-else' }
        return `${head}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`
      },
      (token: string) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`,
    ]
    const failures = []
    for (const change of changes) {
      company.lie.about = change
      failures.push((await through('company', known(company))).failure)
    }
    company.lie.about = undefined
    expect(failures).toEqual([null, 'refused', 'refused', 'refused'])
  })

  it('for a code of another user’s sign-in at the same service', async () => {
    const [mine, yours] = [browser(), browser()]
    const stolen = new URL(await visit(await mine.start('company'), known(company)))
    const back = new URL(await visit(await yours.start('company'), known(company)))
    back.searchParams.set('code', stolen.searchParams.get('code') ?? '')
    expect(await yours.back(back.href)).toMatchObject({ failure: 'refused', code: '' })
  })

  it('after it has expired', async () => {
    const by = browser()
    const back = await visit(await by.start('company'), known(company))
    env.pass(EXTERNAL_SIGN_IN_LIFE)
    expect(await by.back(back)).toMatchObject({ failure: 'expired', code: '' })
  })

  it('for a handover code from another browser, too late, or for the second time', async () => {
    const { by, code } = await through('company', known(company))
    expect(await browser().finish(code)).toMatchObject({ code: -1, err: errors.identityExpired.err })
    const answers = await Promise.all(Array.from({ length: 10 }, () => by.finish(code)))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    const late = await through('company', known(company))
    env.pass(HANDOVER_CODE_LIFE)
    expect(await late.by.finish(late.code)).toMatchObject({ code: -1, err: errors.identityExpired.err })
    expect(await by.finish('x'.repeat(43))).toMatchObject({ code: -1, err: errors.identityExpired.err })
  })

  it('for a locked account', async () => {
    const name = known(company)
    const { data } = await signIn('company', name)
    const { uuid } = await whoIs(data.token)
    await env.db.run(sql`update users set locked_at = ${new Date(env.clock.now())} where uid = ${uuid}`)
    expect((await signIn('company', name)).code).toBe(401)
  })

  it('with a redirect to another site (it goes to the portal)', async () => {
    for (const redirect of [
      'https://other.test/',
      '//other.test',
      '/\\other.test',
      '/x/..//other.test',
      '/api/v1/user/logout',
    ]) {
      const by = browser()
      const { location } = await by.back(await visit(await by.start('company', redirect), known(company)))
      expect(location).toMatch(/^\/login#handover=/)
      expect(await by.start('closed', redirect)).toBe('/login#identity=unreachable')
    }
  })

  it('for a service that is not configured', async () => {
    expect(await browser().start('unknown')).toBe('/login#identity=unreachable')
    expect(await browser().start('..%2F..')).toBe('/login#identity=unreachable')
  })
})

describe('an account is not changed', () => {
  it('by a handover code for signing in, and a handover code for linking does not sign in', async () => {
    const person = await fresh()
    const toSignIn = await through('company', known(company))
    expect(await toSignIn.by.add(toSignIn.code, person.token)).toMatchObject({ err: errors.identityExpired.err })
    const by = browser()
    const begun = await by.go('/api/v1/user/oauth/link', {
      method: 'POST',
      payload: { provider: 'company' },
      token: person.token,
    })
    const { code } = await by.back(await visit(begun.json().data.url, known(company)))
    expect(await by.finish(code)).toMatchObject({ err: errors.identityExpired.err })
  })

  it('by another user who is now signed in in the same browser', async () => {
    const [person, other] = [await fresh(), await fresh()]
    const by = browser()
    const begun = await by.go('/api/v1/user/oauth/link', {
      method: 'POST',
      payload: { provider: 'company' },
      token: person.token,
    })
    const { code } = await by.back(await visit(begun.json().data.url, known(company)))
    expect(await by.add(code, other.token)).toMatchObject({ err: errors.identityExpired.err })
    expect(await identitiesOf(other.token)).toEqual([])
  })

  it('by an identity of another account, or a second one of the same service', async () => {
    const [person, other] = [await fresh(), await fresh()]
    const name = known(company)
    await linked(person, 'company', name)
    expect((await linked(other, 'company', name)).answer).toMatchObject({ err: errors.identityTaken.err })
    expect(await env.call('identities.link', { provider: 'company' }, { token: person.token })).toMatchObject({
      err: errors.identityAlreadyLinked.err,
    })
  })

  it('by removing its only sign-in method', async () => {
    const { data } = await signIn('company', known(company))
    expect(await env.call('identities.remove', { provider: 'company' }, { token: data.token })).toMatchObject({
      code: -1,
      err: errors.lastIdentity.err,
    })
    expect(await identitiesOf(data.token)).toHaveLength(1)
  })

  it('without recent authentication', async () => {
    const person = await fresh()
    await linked(person, 'company', known(company))
    env.pass(RECENT_AUTH_LIFE)
    const as = { token: person.token }
    expect(await env.call('identities.link', { provider: 'harbour' }, as)).toMatchObject({
      err: errors.recentAuthRequired.err,
    })
    expect(await env.call('identities.remove', { provider: 'company' }, as)).toMatchObject({
      err: errors.recentAuthRequired.err,
    })
  })

  it('by an API key or a visitor', async () => {
    const person = await fresh()
    const key = await env.key(person, 'admin')
    for (const token of [key, undefined]) {
      expect((await env.call('identities.list', {}, { token })).code).not.toBe(0)
      expect((await env.call('identities.link', { provider: 'company' }, { token })).code).not.toBe(0)
      expect((await env.call('identities.add', { code: 'x' }, { token })).code).not.toBe(0)
      expect((await env.call('identities.remove', { provider: 'company' }, { token })).code).not.toBe(0)
    }
  })
})
