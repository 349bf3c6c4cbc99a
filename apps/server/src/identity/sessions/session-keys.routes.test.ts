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

let world: TestEnv
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

const from = { ip: '127.0.0.1', agent: 'test' }
const open = async (context: Context = world.context) => openSession(context, context.db, await world.person(), from)
const jwks = async () => (await world.app.inject('/.well-known/jwks.json')).json()
const kidOf = (token: string) => decodeProtectedHeader(token).kid
/** Another server over the same database. */
const beside = async (secret = world.context.config.secret): Promise<Context> => ({
  ...world.context,
  keys: await deriveKeys(secret),
})
const accepted = async (token: string, context = world.context) => (await readToken(context, token)) !== undefined

describe('the keys of sessions', () => {
  it('are public, so that anybody can check a token', async () => {
    const { token } = await open()
    const answer = await world.app.inject('/.well-known/jwks.json')
    expect(answer.headers['content-type']).toContain('json')
    const { protectedHeader } = await jwtVerify(token, createLocalJWKSet(answer.json()), { algorithms: ['ES256'] })
    expect(protectedHeader.kid).toBe(answer.json().keys[0].kid)
    expect(JSON.stringify(answer.json())).not.toContain('"d"')
  })

  it('lie in the database unreadable without the secret', async () => {
    const { private_key } = await world.db.one<{ private_key: Buffer }>(
      sql`select private_key from session_keys limit 1`,
    )
    for (const known of ['PRIVATE', 'id-ecPublicKey']) expect(private_key.includes(known)).toBe(false)
    // What every P-256 key in PKCS #8 has in it.
    expect(private_key.includes(Buffer.from('06082a8648ce3d030107', 'hex'))).toBe(false)
  })

  it('are the same for two servers, whichever of them signed', async () => {
    const other = await beside()
    const [here, there] = [await open(), await open(other)]
    expect(await accepted(here.token, other)).toBe(true)
    expect(await accepted(there.token)).toBe(true)
    expect(kidOf(here.token)).toBe(kidOf(there.token))
  })

  it('change after thirty days; the old one is believed until its last token has ended', async () => {
    const first = await open()
    world.pass(SESSION_KEY_LIFE)
    const last = await open()
    expect(kidOf(last.token)).toBe(kidOf(first.token))
    await renewSessionKeys(world.context)
    world.pass(60_000)
    const next = await open()
    expect(kidOf(next.token)).not.toBe(kidOf(last.token))
    expect((await jwks()).keys).toHaveLength(2)
    world.pass(SESSION_LIFE - 2 * 60_000)
    expect(await accepted(last.token)).toBe(true)
    world.pass(10 * 60_000)
    await renewSessionKeys(world.context)
    expect((await jwks()).keys).toHaveLength(1)
    expect(await accepted((await open()).token)).toBe(true)
  })

  it('a key that another server has just made is believed at once', async () => {
    const other = await beside()
    await open(other)
    world.pass(SESSION_KEY_LIFE + 1)
    await Promise.all([renewSessionKeys(world.context), renewSessionKeys(other), renewSessionKeys(other)])
    world.pass(60_000)
    const fresh = await open(other)
    expect(await accepted(fresh.token)).toBe(true)
    const { count } = await world.db.one<{ count: number }>(
      sql`select count(*) as count from session_keys where retired_at is null`,
    )
    expect(count).toBe(1)
  })

  it('are made anew when the secret is another one, and nobody is left out for good', async () => {
    const other = await beside(randomBytes(32))
    await renewSessionKeys(other)
    expect(await accepted((await open(other)).token, other)).toBe(true)
    await renewSessionKeys(world.context)
    world.pass(60_000)
    expect(await accepted((await open()).token)).toBe(true)
  })

  it('are there before the first call to a server over an empty table', async () => {
    await world.db.run(sql`delete from session_keys`)
    const other = await beside()
    const app = await createApp(other)
    expect((await app.inject('/.well-known/jwks.json')).json().keys).toHaveLength(1)
    await app.close()
  })
})

describe('refused is', () => {
  it('a token of a key that was retired long ago, though its row should still be there', async () => {
    const { token } = await open()
    await world.db.run(sql`
      update session_keys set retired_at = ${new Date(world.clock.now() - 3 * SESSION_LIFE)} where kid = ${kidOf(token)}`)
    const other = await beside()
    expect(await accepted(token, other)).toBe(false)
    expect(decodeJwt(token).exp! * 1000).toBeGreaterThan(world.clock.now())
  })
})
