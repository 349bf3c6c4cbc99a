import { randomBytes } from 'node:crypto'
import { SESSION_KEY_LIFE, SESSION_LIFE } from '@tidenet/contract'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../app.ts'
import { sql } from '../../platform/db/sql.ts'
import { deriveKeys } from '../../platform/keys.ts'
import type { Context } from '../../portal/context.ts'
import { setup, type TestEnv } from '../../test-env.fixture.ts'
import { renewSessionKeys } from './session-keys.ts'
import { openSession, readToken } from './tokens.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

const from = { ip: '127.0.0.1', agent: 'test' }
const open = async (context: Context = env.context) => openSession(context, context.db, await env.person(), from)
const jwks = async (app = env.app): Promise<{ keys: { kid: string }[] }> => {
  const { keys } = (await app.inject('/.well-known/jwks.json')).json<{ keys: { kid: string }[] }>()
  return { keys: keys.filter(({ kid }) => kid.startsWith('s-')) }
}
const kidOf = (token: string) => decodeProtectedHeader(token).kid
/** Another server with the same database. */
const beside = async (secret = env.context.config.secret): Promise<Context> => ({
  ...env.context,
  keys: await deriveKeys(secret),
})
const accepted = async (token: string, context = env.context) => (await readToken(context, token)) !== undefined

describe('session keys', () => {
  it('are published, so that anyone can verify a token', async () => {
    const { token } = await open()
    const answer = await env.app.inject('/.well-known/jwks.json')
    expect(answer.headers['content-type']).toContain('json')
    const { protectedHeader } = await jwtVerify(token, createLocalJWKSet(answer.json()), { algorithms: ['ES256'] })
    expect(protectedHeader.kid).toBe(answer.json().keys[0].kid)
    expect(JSON.stringify(answer.json())).not.toContain('"d"')
  })

  it('are stored encrypted', async () => {
    const { private_key } = await env.db.one<{ private_key: Buffer }>(sql`select private_key from session_keys limit 1`)
    for (const known of ['PRIVATE', 'id-ecPublicKey']) expect(private_key.includes(known)).toBe(false)
    // Part of every P-256 key in PKCS #8.
    expect(private_key.includes(Buffer.from('06082a8648ce3d030107', 'hex'))).toBe(false)
  })

  it('are shared by two servers', async () => {
    const other = await beside()
    const [here, there] = [await open(), await open(other)]
    expect(await accepted(here.token, other)).toBe(true)
    expect(await accepted(there.token)).toBe(true)
    expect(kidOf(here.token)).toBe(kidOf(there.token))
  })

  it('change after thirty days; the old one is valid until its last token has expired', async () => {
    const first = await open()
    env.pass(SESSION_KEY_LIFE)
    const last = await open()
    expect(kidOf(last.token)).toBe(kidOf(first.token))
    await renewSessionKeys(env.context)
    env.pass(60_000)
    const next = await open()
    expect(kidOf(next.token)).not.toBe(kidOf(last.token))
    expect((await jwks()).keys).toHaveLength(2)
    env.pass(SESSION_LIFE - 2 * 60_000)
    expect(await accepted(last.token)).toBe(true)
    env.pass(10 * 60_000)
    await renewSessionKeys(env.context)
    expect((await jwks()).keys).toHaveLength(1)
    expect(await accepted((await open()).token)).toBe(true)
  })

  it('of another server are accepted immediately', async () => {
    const other = await beside()
    await open(other)
    env.pass(SESSION_KEY_LIFE + 1)
    await Promise.all([renewSessionKeys(env.context), renewSessionKeys(other), renewSessionKeys(other)])
    env.pass(60_000)
    const fresh = await open(other)
    expect(await accepted(fresh.token)).toBe(true)
    const { count } = await env.db.one<{ count: number }>(
      sql`select count(*) as count from session_keys where retired_at is null`,
    )
    expect(count).toBe(1)
  })

  it('are created again if the secret changes, and users can sign in again', async () => {
    const other = await beside(randomBytes(32))
    await renewSessionKeys(other)
    expect(await accepted((await open(other)).token, other)).toBe(true)
    await renewSessionKeys(env.context)
    env.pass(60_000)
    expect(await accepted((await open()).token)).toBe(true)
  })

  it('exist before the first request to a server with an empty table', async () => {
    await env.db.run(sql`delete from session_keys`)
    const other = await beside()
    const app = await createApp(other)
    expect((await jwks(app)).keys).toHaveLength(1)
    await app.close()
  })
})

describe('a session key is refused', () => {
  it('if it was retired long ago, even if its row still exists', async () => {
    const { token } = await open()
    await env.db.run(sql`
      update session_keys set retired_at = ${new Date(env.clock.now() - 3 * SESSION_LIFE)} where kid = ${kidOf(token)}`)
    const other = await beside()
    expect(await accepted(token, other)).toBe(false)
    expect(decodeJwt(token).exp! * 1000).toBeGreaterThan(env.clock.now())
  })
})
