import { errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createPair,
  type Pair,
  sessionRequest,
  setupWithGateway,
  signedRequest,
  verify,
} from '../../apps/server/src/identity/api-keys/s3-client.fixture.ts'
import { issueS3Token } from '../../apps/server/src/identity/api-keys/s3-tokens.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

// What somebody tries who saw S3 requests, tokens or the database, and has no secret of an access key.

let env: TestEnv
beforeAll(async () => {
  env = await setupWithGateway()
})
afterAll(() => env.close())

const unknown: Pair = { access_key_id: `TN${'Z'.repeat(18)}`, secret_access_key: 'z'.repeat(40) }

describe('a signature that somebody saw, such as that of a presigned URL,', () => {
  it('is worth nothing without the secret of the gateways, whatever else is sent', async () => {
    const person = await env.person({ role: 'operator' })
    const pair = await createPair(env, person)
    const { token } = (await verify(env, signedRequest(env, pair))).data
    const payload = signedRequest(env, pair)
    for (const headers of [
      {},
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer ${person.token}`, jwtauthorization: `Bearer ${person.token}` },
      { apikey: pair.key, jwtauthorization: `Bearer ${token}` },
      { authorization: `AWS4-HMAC-SHA256 Credential=${pair.access_key_id}, Signature=${payload.signature}` },
    ] as Record<string, string>[]) {
      const answer = await env.app.inject({ method: 'POST', url: '/api/v1/s3/verify', payload, headers })
      expect(answer.json()).toMatchObject({ code: 401 })
      expect(answer.json().data).toBeUndefined()
    }
  })

  it('is no proof for a session, with any time', async () => {
    const pair = await createPair(env, await env.person())
    const { signature } = signedRequest(env, pair)
    const request = sessionRequest(env, pair)
    for (const seconds of [-50, 0, 50])
      expect(
        await env.call('s3Access.session', { ...request, at: request.at + seconds, proof: signature }),
      ).toMatchObject({ err: errors.s3Signature.err })
  })
})

describe('whether an access key exists', () => {
  it('is told by no answer', async () => {
    const pair = await createPair(env, await env.person())
    const deleted = await env.person()
    const gone = await createPair(env, deleted)
    await env.call('apiKeys.remove', { key_name: 'k' }, deleted)
    const wrong = ({ access_key_id }: Pair) => ({ ...unknown, access_key_id })
    const told = async (made: Pair) => {
      const [verified, opened] = [
        await verify(env, signedRequest(env, made)),
        await env.call('s3Access.session', sessionRequest(env, made)),
      ]
      return [verified, opened].map(({ headers: _, ...answer }) => answer)
    }
    const answers = await Promise.all([unknown, wrong(pair), wrong(gone), gone].map(told))
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })
})

describe('who has read the database', () => {
  it('cannot sign: no secret follows from what it stores', async () => {
    const pair = await createPair(env, await env.person())
    const { sealed } = await env.db.one<{ sealed: Buffer }>(
      sql`select sealed from s3_credentials where access_id = ${pair.access_key_id}`,
    )
    for (const secret_access_key of [
      '',
      pair.access_key_id,
      sealed.toString('hex'),
      sealed.toString('base64'),
      sealed.toString('latin1'),
      sealed.subarray(28).toString('latin1'),
    ])
      expect(await verify(env, signedRequest(env, { ...pair, secret_access_key }))).toMatchObject({
        err: errors.s3Signature.err,
      })
  })

  it('cannot insert a secret that another network sealed, or the token of one', async () => {
    const pair = await createPair(env, await env.person())
    const other = await setup()
    try {
      const theirs = await createPair(other, await other.person())
      const row = await other.db.one<{ sealed: Buffer }>(sql`select sealed from s3_credentials`)
      const { key_id } = await env.db.one<{ key_id: number }>(
        sql`delete from s3_credentials where access_id = ${pair.access_key_id} returning key_id`,
      )
      await env.db.run(sql`
        insert into s3_credentials (access_id, key_id, sealed, created_at)
        values (${theirs.access_key_id}, ${key_id}, ${row.sealed}, now())`)
      expect(await verify(env, signedRequest(env, theirs))).toMatchObject({ err: errors.s3Signature.err })
      const token = await issueS3Token(other.context, { accessId: theirs.access_key_id })
      expect(await env.call('accounts.vipInfo', {}, { token })).toMatchObject({ code: 401 })
    } finally {
      await other.close()
    }
  })
})

describe('a program with an S3 token', () => {
  it('cannot use it for longer by asking again with it, or for another access key', async () => {
    const [pair, victim] = [await createPair(env, await env.person()), await createPair(env, await env.person())]
    const request = sessionRequest(env, pair)
    const { token } = (await env.call('s3Access.session', request)).data
    for (const more of [{ proof: '0'.repeat(64) }, { access_key_id: victim.access_key_id }])
      expect(await env.call('s3Access.session', { ...request, ...more }, { token })).toMatchObject({
        err: errors.s3Signature.err,
      })
  })

  it('is still told apart from people, nodes and consoles', async () => {
    const person = await env.person({ role: 'operator' })
    const { token } = (await env.call('s3Access.session', sessionRequest(env, await createPair(env, person)))).data
    for (const operation of ['sessions.list', 'apiKeys.list', 'admin.users'] as const)
      expect(await env.call(operation as 'apiKeys.list', {}, { token })).toMatchObject({ err: errors.forbidden.err })
    for (const [method, url] of [
      ['POST', '/api/node/heartbeat'],
      ['POST', '/api/v1/s3/verify'],
    ] as const)
      expect(
        (
          await env.app.inject({
            method,
            url,
            payload: {},
            headers: { authorization: `Bearer ${token}`, apikey: token },
          })
        ).json(),
      ).not.toMatchObject({ code: 0 })
  })
})
