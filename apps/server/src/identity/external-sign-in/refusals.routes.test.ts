import { EXTERNAL_SIGN_IN_LIFE, errors, HANDOVER_CODE_LIFE } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { TestEnv } from '../../test-env.fixture.ts'
import { known, type PortalWithServices, portalWithServices, sampleBrowsers } from './sample-browser.fixture.ts'
import { type TestService, visit } from './test-services.fixture.ts'

let env: TestEnv
let company: PortalWithServices['company']
let harbour: TestService
let close: () => Promise<void>
beforeAll(async () => {
  ;({ env, company, harbour, close } = await portalWithServices())
})
afterAll(() => close())
const { browser, through, signIn, whoIs } = sampleBrowsers(() => env)

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
