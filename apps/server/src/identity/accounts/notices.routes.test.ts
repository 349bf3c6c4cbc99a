import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { inbox, lastCode } from '../../platform/mail/inbox.fixture.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { readProviders } from '../external-sign-in/providers.ts'
import { handedOver } from '../external-sign-in/sample-identities.fixture.ts'
import { type Asked, samplePasskey } from '../second-factors/sample-passkey.fixture.ts'
import { nextCode, owner, signedIn } from '../second-factors/sample-person.fixture.ts'
import { cosmosWallet, evmWallet, linkSample } from '../wallets/sample-wallets.fixture.ts'
import { type Notice, noticeEmail } from './notices.ts'

let env: TestEnv
beforeAll(async () => {
  const service = {
    id: 'harbour',
    name: { en: 'Harbour', zh: '港口' },
    issuer: 'http://127.0.0.1:9',
    clientId: 'tidenet',
  }
  env = await setup({ signInProviders: readProviders(JSON.stringify([service]), {}) })
})
afterAll(() => env.close())

const subjectOf = (notice: Notice, lang: 'en' | 'cn' = 'en') =>
  noticeEmail(lang, notice, { at: new Date(0), ip: '' }).subject
const subjects = async ({ email }: Person) => (await inbox(env, email)).map(({ subject }) => subject).reverse()

async function link(person: Person, lang: 'en' | 'cn' = 'en') {
  const { code, cookies } = await handedOver(env, { provider: 'harbour', subject: person.uid, userId: person.id })
  const headers = { jwtauthorization: `Bearer ${person.token}`, lang }
  return env.app.inject({ method: 'POST', url: '/api/v1/user/oauth/add', payload: { code }, cookies, headers })
}

async function addPasskey(person: Person) {
  const { token } = await signedIn(env, person)
  const passkey = samplePasskey(person.uid)
  const options = (await env.call('passkeys.addOptions', {}, { token })).data as Asked
  await env.call('passkeys.add', { name: 'call +1 555 0100', credential: passkey.made(options) }, { token })
  return { token, id: passkey.id }
}

describe('the owner gets an e-mail', () => {
  it.each([
    ['a chain’s', cosmosWallet],
    ['an 0x', evmWallet],
  ])('that %s wallet was bound, and that it was unbound, with its address', async (_, make) => {
    const person = await owner(env)
    const wallet = make()
    await linkSample(env, wallet, person.token)
    await env.call('wallets.unbind', { address: wallet.address }, { token: person.token })
    expect(await subjects(person)).toEqual([subjectOf('walletAdded'), subjectOf('walletRemoved')])
    for (const { text, code } of await inbox(env, person.email)) {
      expect(text).toContain(wallet.address)
      expect(code).toBeNull()
    }
  })

  it('when a service is linked and unlinked, with its name in the language of the call', async () => {
    const person = await owner(env)
    await link(person, 'cn')
    await env.call('identities.remove', { provider: 'harbour' }, { token: person.token })
    expect(await subjects(person)).toEqual([subjectOf('identityAdded', 'cn'), subjectOf('identityRemoved')])
    const [removed, added] = await inbox(env, person.email)
    expect([added?.text, removed?.text]).toEqual([expect.stringContaining('港口'), expect.stringContaining('Harbour')])
  })

  it('when a passkey is added and removed, without its name, which an attacker could choose', async () => {
    const person = await owner(env)
    const { token, id } = await addPasskey(person)
    await env.call('passkeys.remove', { id }, { token })
    expect(await subjects(person)).toEqual([subjectOf('passkeyAdded'), subjectOf('passkeyRemoved')])
    expect(JSON.stringify(await inbox(env, person.email))).not.toContain('555 0100')
  })

  it('when the authenticator app is turned on and off', async () => {
    const person = await owner(env)
    const as = { token: person.token }
    const { secret } = (await env.call('secondFactors.startTotp', {}, as)).data
    await env.call('secondFactors.confirmTotp', { code: nextCode(env, secret) }, as)
    await env.call('secondFactors.endTotp', { code: nextCode(env, secret) }, as)
    expect(await subjects(person)).toEqual([subjectOf('totpOn'), subjectOf('totpOff')])
  })

  it('when a passkey becomes required at every sign-in, and no longer is', async () => {
    const person = await owner(env)
    const { token } = await addPasskey(person)
    for (const required of [true, false]) await env.call('secondFactors.requirePasskey', { required }, { token })
    expect((await subjects(person)).slice(1)).toEqual([subjectOf('passkeyRequired'), subjectOf('passkeyNotRequired')])
  })

  it('when the password is changed', async () => {
    const person = await owner(env)
    const username = person.email
    await env.call('accounts.verifyCode', { username, type: 3 })
    const verify_code = await lastCode(env, username)
    await env.call('accounts.resetPassword', { username, password: 'new-Tide7', verify_code })
    expect((await subjects(person)).at(-1)).toBe(subjectOf('passwordSet'))
  })

  it('in one language, with a subject of its own for each change', () => {
    const notices = Object.keys({
      walletAdded: 1,
      walletRemoved: 1,
      identityAdded: 1,
      identityRemoved: 1,
      passkeyAdded: 1,
      passkeyRemoved: 1,
      totpOn: 1,
      totpOff: 1,
      passwordSet: 1,
      passkeyRequired: 1,
      passkeyNotRequired: 1,
    } satisfies Record<Notice, 1>) as Notice[]
    const letters = (lang: 'en' | 'cn') =>
      notices.map((notice) => noticeEmail(lang, notice, { at: new Date(0), ip: '192.0.2.1' }))
    expect(new Set([...letters('en'), ...letters('cn')].map(({ subject }) => subject)).size).toBe(2 * notices.length)
    for (const { subject, text, html } of letters('en')) expect(subject + text + html).not.toMatch(/\p{Script=Han}/u)
    for (const { subject, text } of letters('cn')) {
      expect(subject).toMatch(/\p{Script=Han}/u)
      expect(text).not.toMatch(/[a-z]+ [a-z]+ [a-z]+/)
    }
  })
})

describe('no e-mail is sent', () => {
  it('when the change is refused', async () => {
    const [person, other] = [await owner(env), await owner(env)]
    const wallet = cosmosWallet()
    await linkSample(env, wallet, other.token)
    expect(await linkSample(env, wallet, person.token)).toMatchObject({ err: errors.walletTaken.err })
    expect(await env.call('wallets.unbind', {}, { token: person.token })).toMatchObject({ code: -1 })
    expect(await env.call('identities.remove', { provider: 'harbour' }, { token: person.token })).toMatchObject({
      code: -1,
    })
    expect(await inbox(env, person.email)).toEqual([])
  })

  it('if the account has no address', async () => {
    const person = await owner(env)
    await env.db.run(sql`update users set email = null where id = ${person.id}`)
    expect(await linkSample(env, cosmosWallet(), person.token)).toMatchObject({ code: 0 })
    expect(await inbox(env, person.email)).toEqual([])
  })
})
