import { createHmac, createPublicKey } from 'node:crypto'
import {
  base64url,
  CompactSign,
  decodeJwt,
  decodeProtectedHeader,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticateFor } from '../../apps/server/src/app.ts'
import { owner, PASSWORD, signedIn } from '../../apps/server/src/identity/second-factors/sample-person.fixture.ts'
import { signingKey } from '../../apps/server/src/identity/sessions/session-keys.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const who = (token: string) => env.call('accounts.vipInfo', {}, { token })
/** Runs concurrently. */
const atOnce = <T>(count: number, attack: (turn: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, turn) => attack(turn)))

describe('a session token', () => {
  const part = (value: object) => base64url.encode(JSON.stringify(value))
  const publicKey = async () => (await env.app.inject('/.well-known/jwks.json')).json().keys[0] as JWK

  it('without an algorithm is rejected, in any spelling', async () => {
    const { token } = await signedIn(env, await owner(env))
    const [, payload = '', signature = ''] = token.split('.')
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '']) {
      const header = part({ ...decodeProtectedHeader(token), alg })
      for (const end of ['', signature]) expect((await who(`${header}.${payload}.${end}`)).code).toBe(401)
    }
  })

  it('signed by HMAC with the public key as its secret is rejected', async () => {
    const { token } = await signedIn(env, await owner(env))
    const jwk = await publicKey()
    const key = await importJWK(jwk, 'ES256')
    const pem = await exportSPKI(key as CryptoKey)
    const der = createPublicKey(pem).export({ format: 'der', type: 'spki' })
    const secrets = [pem, pem.trimEnd(), der, JSON.stringify(jwk), jwk.x as string, base64url.decode(jwk.x as string)]
    for (const secret of secrets)
      for (const [alg, hash] of Object.entries({
        HS256: 'sha256',
        HS384: 'sha384',
        HS512: 'sha512',
        ES256: 'sha256',
      })) {
        const signed = `${part({ alg, typ: 'JWT', kid: jwk.kid })}.${token.split('.')[1]}`
        const signature = createHmac(hash, secret).update(signed).digest('base64url')
        expect((await who(`${signed}.${signature}`)).code, alg).toBe(401)
      }
  })

  it('with its own key, a key URL, or an injected key ID is rejected', async () => {
    const { token } = await signedIn(env, await owner(env))
    const { privateKey, publicKey: own } = await generateKeyPair('ES256', { extractable: true })
    const jwk = (await crypto.subtle.exportKey('jwk', own)) as JWK
    const { kid } = decodeProtectedHeader(token)
    const headers: object[] = [
      { kid, jwk },
      { jwk },
      { kid, jku: 'http://127.0.0.1:9/jwks.json' },
      { kid, x5u: 'http://127.0.0.1:9/x' },
      { kid: 's-AAAAAAAAAAA' },
      { kid: '../../../../dev/null' },
      { kid: "s-' or '1'='1" },
      { kid: 's-AAAAAAAAAA\u0000' },
      { kid: ['s-AAAAAAAAAAA'] },
      { kid: null },
      {},
    ]
    for (const header of headers) {
      const forged = await new CompactSign(base64url.decode(token.split('.')[1] as string))
        .setProtectedHeader({ alg: 'ES256', ...header })
        .sign(privateKey)
      expect((await who(forged)).code, JSON.stringify(header)).toBe(401)
    }
  })

  it('with another algorithm or a critical extension is rejected', async () => {
    const { token } = await signedIn(env, await owner(env))
    const kid = decodeProtectedHeader(token).kid as string
    for (const alg of ['ES384', 'EdDSA', 'RS256', 'PS256']) {
      const { privateKey } = await generateKeyPair(alg)
      const forged = await new SignJWT(decodeJwt(token)).setProtectedHeader({ alg, kid }).sign(privateKey)
      expect((await who(forged)).code, alg).toBe(401)
    }
    const { key } = await signingKey(env.context, env.db)
    const critical = await new CompactSign(base64url.decode(token.split('.')[1] as string))
      .setProtectedHeader({ alg: 'ES256', kid, crit: ['b64'], b64: true })
      .sign(key)
    expect([0, 401]).toContain((await who(critical)).code)
  })

  it('with a malformed signature is rejected', async () => {
    const { token } = await signedIn(env, await owner(env))
    const [header, payload, signature = ''] = token.split('.')
    const bytes = Buffer.from(signature, 'base64url')
    const zeros = Buffer.alloc(64)
    const swapped = Buffer.concat([bytes.subarray(32), bytes.subarray(0, 32)])
    for (const wrong of [zeros, swapped, bytes.subarray(0, 63), Buffer.concat([bytes, Buffer.from([0])])])
      expect((await who(`${header}.${payload}.${wrong.toString('base64url')}`)).code).toBe(401)
    expect((await who(`${token}.${signature}`)).code).toBe(401)
  })

  it('cannot fix the session of another sign-in (session fixation)', async () => {
    const [victim, thief] = [await owner(env), await owner(env)]
    const known = (await signedIn(env, thief)).token
    const { jti } = decodeJwt(known)
    const answer = await env.app.inject({
      method: 'POST',
      url: '/api/v1/user/login',
      payload: { username: victim.email, password: PASSWORD, jti, session: jti, token: known },
      headers: { jwtauthorization: `Bearer ${known}`, cookie: `login-token=${known}; token=${known}` },
    })
    const { token } = answer.json().data
    expect(decodeJwt(token).jti).not.toBe(jti)
    expect((await who(known)).data.uid).toBe(thief.uid)
    expect((await who(token)).data.uid).toBe(victim.uid)
  })

  it('is unique to its sign-in', async () => {
    const person = await owner(env)
    const tokens = await atOnce(5, () => env.call('accounts.login', { username: person.email, password: PASSWORD }))
    expect(new Set(tokens.map(({ data }) => decodeJwt(data.token).jti)).size).toBe(5)
  })

  it('is rejected by every server within five seconds of its revocation', async () => {
    const person = await owner(env)
    const { token } = await signedIn(env, person)
    const others = [authenticateFor(env.context), authenticateFor(env.context)]
    const route = { auth: 'session' } as never
    const request = { headers: { jwtauthorization: `Bearer ${token}` } } as never
    const reply = { header: () => {} } as never
    for (const other of others) await expect(other(request, reply, route)).resolves.toMatchObject({ uid: person.uid })
    await env.call('sessions.revoke', { all: true }, { token })
    env.pass(5000)
    for (const other of others) await expect(other(request, reply, route)).rejects.toThrow()
    expect((await who(token)).code).toBe(401)
  })

  it('is accepted only from the header: no cookie is set or read (CSRF)', async () => {
    const person = await owner(env)
    const answers = [
      await env.call('accounts.login', { username: person.email, password: PASSWORD }),
      await who(person.token),
      await env.call('passkeys.loginOptions', {}),
      await env.call('accounts.logout', {}, person),
    ]
    for (const { headers } of answers) expect(headers['set-cookie']).toBeUndefined()
    const { token } = await signedIn(env, person)
    for (const url of ['/api/v1/user/sessions', '/api/v1/user/security']) {
      const answer = await env.app.inject({
        url,
        headers: { cookie: `login-token=${token}; JwtAuthorization=${token}` },
      })
      expect(answer.json().code).toBe(401)
    }
  })
})

describe('cookies of the portal', () => {
  it('contain only the language, and are not sent to other sites', async () => {
    const answer = await env.app.inject({ url: '/en', headers: { accept: 'text/html' } })
    const cookies = [answer.headers['set-cookie'] ?? []].flat()
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^lang=/)
      expect(cookie).toMatch(/SameSite=Lax/i)
      expect(cookie).not.toMatch(/Domain=/i)
    }
  })
})
