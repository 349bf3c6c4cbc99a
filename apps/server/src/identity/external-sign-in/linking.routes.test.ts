import { errors, RECENT_AUTH_LIFE } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { TestEnv } from '../../test-env.fixture.ts'
import { known, type PortalWithServices, portalWithServices, sampleBrowsers } from './sample-browser.fixture.ts'
import { visit } from './test-services.fixture.ts'

let env: TestEnv
let company: PortalWithServices['company']
let close: () => Promise<void>
beforeAll(async () => {
  ;({ env, company, close } = await portalWithServices())
})
afterAll(() => close())
const { browser, through, signIn, whoIs, linked, identitiesOf } = sampleBrowsers(() => env)

describe('linking', () => {
  it('allows the identity to sign in to the account', async () => {
    const person = await env.person()
    const name = known(company)
    const { pathname, answer } = await linked(person, 'company', name)
    expect(pathname).toBe('/myAccount')
    expect(answer.code).toBe(0)
    expect((await whoIs((await signIn('company', name)).data.token)).uuid).toBe(person.uid)
    expect(await identitiesOf(person.token)).toHaveLength(1)
  })

  it('can be undone; the identity is a new user then', async () => {
    const person = await env.person()
    const name = known(company)
    await linked(person, 'company', name)
    expect((await env.call('identities.remove', { provider: 'company' }, { token: person.token })).code).toBe(0)
    expect(await identitiesOf(person.token)).toEqual([])
    expect((await whoIs((await signIn('company', name)).data.token)).uuid).not.toBe(person.uid)
  })

  it('is in the audit log, as is unlinking', async () => {
    const person = await env.person()
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
    const person = await env.person()
    const name = known(company, { email: person.email.toUpperCase(), email_verified: true })
    const refused = await signIn('company', name)
    expect(refused).toMatchObject({ code: -1, err: errors.identityEmailTaken.err })
    expect(await identitiesOf(person.token)).toEqual([])
    // After signing in otherwise, the owner can link it.
    expect((await linked(person, 'company', name)).answer.code).toBe(0)
    expect((await whoIs((await signIn('company', name)).data.token)).uuid).toBe(person.uid)
  })

  it('with an unverified address does not reveal whether it has an account', async () => {
    const person = await env.person()
    const { code, data } = await signIn('company', known(company, { email: person.email }))
    expect(code).toBe(0)
    expect(await whoIs(data.token)).toMatchObject({ user_email: '' })
  })
})

describe('an account is not changed', () => {
  it('by a handover code for signing in, and a handover code for linking does not sign in', async () => {
    const person = await env.person()
    const toSignIn = await through('company', known(company))
    expect(await toSignIn.by.add(toSignIn.code, person.token)).toMatchObject({ err: errors.identityExpired.err })
    const by = browser()
    const { code } = await by.back(await visit(await by.link('company', person.token), known(company)))
    expect(await by.finish(code)).toMatchObject({ err: errors.identityExpired.err })
  })

  it('by another user who is now signed in in the same browser', async () => {
    const [person, other] = [await env.person(), await env.person()]
    const by = browser()
    const { code } = await by.back(await visit(await by.link('company', person.token), known(company)))
    expect(await by.add(code, other.token)).toMatchObject({ err: errors.identityExpired.err })
    expect(await identitiesOf(other.token)).toEqual([])
  })

  it('by an identity of another account, or a second one of the same service', async () => {
    const [person, other] = [await env.person(), await env.person()]
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
    const person = await env.person()
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
    const person = await env.person()
    const key = await env.key(person, 'admin')
    for (const token of [key, undefined]) {
      expect((await env.call('identities.list', {}, { token })).code).not.toBe(0)
      expect((await env.call('identities.link', { provider: 'company' }, { token })).code).not.toBe(0)
      expect((await env.call('identities.add', { code: 'x' }, { token })).code).not.toBe(0)
      expect((await env.call('identities.remove', { provider: 'company' }, { token })).code).not.toBe(0)
    }
  })
})
