import { errors, SESSION_CHAIN, SESSION_LIFE, SESSION_ROTATE_BELOW } from '@tidenet/contract'
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { signingKey } from './session-keys.ts'
import { openSession } from './tokens.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

/** Signs in now, even if earlier tests moved the clock. */
async function signedIn() {
  const person = await env.person()
  return { ...person, ...(await openSession(env.context, env.db, person, { ip: '127.0.0.1', agent: 'test' })) }
}
const who = (token: string) => env.call('accounts.vipInfo', {}, { token })
/** Calls with exactly these headers. */
const ask = async (headers: Record<string, string>, url = '/api/v1/storage/get_vip_info') =>
  env.app.inject({ method: 'GET', url, headers })
type Header = { alg: string; kid: string }
const ours = async () => (await signingKey(env.context, env.db)).key
const header = async (): Promise<Header> => ({ alg: 'ES256', kid: (await signingKey(env.context, env.db)).kid })
const HOUR = 3_600_000

describe('a session', () => {
  it('lasts a day', async () => {
    const { token } = await signedIn()
    env.pass(SESSION_LIFE - HOUR)
    expect((await who(token)).code).toBe(0)
    env.pass(HOUR)
    expect((await who(token)).code).toBe(401)
  })

  it('gets a new token if less than twelve hours are left, which other origins can read', async () => {
    const { token, uid } = await signedIn()
    expect((await who(token)).headers['new-token']).toBeUndefined()
    env.pass(SESSION_LIFE - SESSION_ROTATE_BELOW + 1000)
    const { headers } = await who(token)
    expect(headers['access-control-expose-headers']).toContain('new-token')
    const fresh = String(headers['new-token'])
    // The first response can get lost.
    expect((await who(token)).headers['new-token']).toBe(fresh)
    env.pass(SESSION_LIFE - 2000)
    expect((await who(token)).code).toBe(401)
    expect((await who(fresh)).data.uid).toBe(uid)
  })

  it('can be renewed explicitly', async () => {
    const { token } = await signedIn()
    env.pass(HOUR)
    const { data } = await env.call('accounts.refresh', {}, { token })
    expect(Math.abs(Date.parse(data.expire) - env.clock.now() - SESSION_LIFE)).toBeLessThan(60_000)
    expect((await who(data.token)).code).toBe(0)
  })

  it('ends after seven days even if it is renewed', async () => {
    let { token } = await signedIn()
    const started = env.clock.now()
    let alive = 0
    for (let calls = 0; calls < 40; calls++) {
      const answer = await who(token)
      if (answer.code === 0) alive = env.clock.now() - started
      token = String(answer.headers['new-token'] ?? token)
      env.pass(6 * HOUR)
    }
    expect(alive).toBeGreaterThan(SESSION_CHAIN - 12 * HOUR)
    expect(alive).toBeLessThan(SESSION_CHAIN)
    expect((await env.call('accounts.refresh', {}, { token })).code).toBe(401)
  })

  it('gets no new token if that would not expire later', async () => {
    let { token } = await signedIn()
    for (let day = 0; day < 13; day++) {
      env.pass(12 * HOUR + 1000)
      token = String((await who(token)).headers['new-token'] ?? token)
    }
    const { exp = 0 } = decodeJwt(token)
    env.pass(HOUR)
    const answer = await who(token)
    expect(answer.code).toBe(0)
    expect(exp * 1000 - env.clock.now()).toBeLessThan(SESSION_ROTATE_BELOW)
    expect(answer.headers['new-token']).toBeUndefined()
  })

  it('contains only the public id of the account', async () => {
    const { token, uid, email } = await signedIn()
    expect(decodeJwt(token)).toMatchObject({ id: uid })
    expect(JSON.stringify(decodeJwt(token))).not.toContain(email)
  })

  it('ends at sign-out; others of the account do not', async () => {
    const { token, token: first, ...person } = await signedIn()
    const second = (await openSession(env.context, env.db, person, { ip: '127.0.0.1', agent: 'other' })).token
    for (const url of ['/api/v1/user/logout', '/api/v1/storage/logout', '/api/v2/logout'])
      expect((await env.app.inject({ method: 'POST', url })).json()).toMatchObject({ code: 0 })
    expect(await env.call('accounts.logout', {}, { token: first })).toMatchObject({ code: 0 })
    env.pass(1000)
    expect((await who(token)).code).toBe(401)
    expect((await who(second)).code).toBe(0)
    expect(await env.call('accounts.logout', {}, { token: first })).toMatchObject({ code: 0 })
  })
})

describe('credentials', () => {
  it('can be an API key as bearer token or in the apiKey header', async () => {
    const person = await signedIn()
    const key = await env.key(person, ['readFile'])
    const ways: Record<string, string>[] = [{ jwtauthorization: `Bearer ${key}` }, { apikey: key }, { apiKey: key }]
    for (const headers of ways)
      expect((await ask(headers)).json()).toMatchObject({
        code: 0,
        data: { uid: person.uid },
      })
  })

  it('fall back to the key when the session is not valid', async () => {
    const person = await signedIn()
    const apikey = await env.key(person, 'admin')
    for (const jwtauthorization of ['Bearer garbage', 'Bearer token', ''])
      expect((await ask({ jwtauthorization, apikey })).json()).toMatchObject({ code: 0 })
  })

  it('with the text `token` are ignored: the caller is a visitor', async () => {
    const asked = (await ask({ jwtauthorization: 'Bearer token' })).json()
    expect(asked).toEqual((await ask({})).json())
    expect(asked).toMatchObject({ code: 401, success: false })
    expect((await env.call('accounts.logout', {}, { token: 'token' })).code).toBe(0)
  })
})

describe('a credential is refused', () => {
  const LOST: [string, (token: string) => Promise<string>][] = [
    ['nothing', async () => ''],
    ['garbage', async () => 'garbage'],
    ['a token that was tampered with', async (token) => `${token.slice(0, -2)}xx`],
    [
      'an unsigned token',
      async (token) => {
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
        return `${part({ alg: 'none', typ: 'JWT' })}.${part(decodeJwt(token))}.`
      },
    ],
    [
      'a token signed with a key of somebody else under the name of ours',
      async (token) => {
        const { privateKey } = await generateKeyPair('ES256')
        return new SignJWT(decodeJwt(token)).setProtectedHeader(decodeProtectedHeader(token) as Header).sign(privateKey)
      },
    ],
    [
      'a token for another audience',
      async (token) =>
        new SignJWT({ ...decodeJwt(token), aud: 'node' }).setProtectedHeader(await header()).sign(await ours()),
    ],
    [
      'a token that names another account than its session',
      async (token) =>
        new SignJWT({ ...decodeJwt(token), id: (await env.person()).uid })
          .setProtectedHeader(await header())
          .sign(await ours()),
    ],
    [
      'a token without an end',
      async (token) => {
        const { exp: _, ...rest } = decodeJwt(token)
        return new SignJWT(rest).setProtectedHeader(await header()).sign(await ours())
      },
    ],
    ['a key that nobody made', async () => `tnk_${'A'.repeat(43)}`],
  ]
  it.each(LOST)('%s', async (_, forge) => {
    const { token } = await signedIn()
    const headers = { jwtauthorization: `Bearer ${await forge(token)}` }
    const [english, chinese] = [await ask(headers), await ask({ ...headers, lang: 'cn' })]
    expect(english.statusCode).toBe(200)
    expect(english.json()).toEqual({ code: 401, success: false, msg: expect.any(String) })
    expect(chinese.json().msg).not.toBe(english.json().msg)
  })

  it('if the session was ended a second ago, also its renewed tokens', async () => {
    const { token } = await signedIn()
    const fresh = (await env.call('accounts.refresh', {}, { token })).data.token
    expect((await who(token)).code).toBe(0)
    await env.db.run(
      sql`update sessions set revoked_at = ${new Date(env.clock.now())} where id = ${decodeJwt(token).jti}`,
    )
    env.pass(1000)
    expect((await who(token)).code).toBe(401)
    expect((await who(fresh)).code).toBe(401)
    expect((await env.call('accounts.refresh', {}, { token: fresh })).code).toBe(401)
  })

  it('if the account was deleted', async () => {
    const { token, id } = await signedIn()
    await env.db.run(sql`delete from users where id = ${id}`)
    expect((await who(token)).code).toBe(401)
  })

  it('in the query, in a cookie or in another header', async () => {
    const { token } = await signedIn()
    const url = `/api/v1/storage/get_vip_info?token=${token}&JwtAuthorization=Bearer%20${token}`
    const places: Record<string, string>[] = [
      { cookie: `token=${token}` },
      { authorization: `Bearer ${token}` },
      { jwtauthorization: token },
    ]
    for (const headers of places) expect((await ask(headers, url)).json().code).toBe(401)
  })

  it('if it is an API key and the operation requires a session', async () => {
    const key = await env.key(await env.person(), 'admin')
    expect(await env.call('accounts.refresh', {}, { token: key })).toMatchObject({ err: errors.forbidden.err })
  })
})
