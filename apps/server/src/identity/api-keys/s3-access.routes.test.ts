import { errors, S3_SESSION_SKEW, S3_TOKEN_LIFE } from '@tidenet/contract'
import { scopeText, signatureOf, signingKey } from '@tidenet/daemon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import type { Person, TestEnv } from '../../test-env.fixture.ts'
import {
  createPair,
  GATEWAY_SECRET,
  type Pair,
  rotatePair,
  sessionRequest,
  setupWithGateway,
  signedRequest,
  verify,
} from './s3-client.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setupWithGateway()
})
afterAll(() => env.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR

const session = (pair: Pair, as: { ip?: string } = {}) => env.call('s3Access.session', sessionRequest(env, pair), as)
const tokenOf = async (pair: Pair, ip?: string) => {
  const answer = await verify(env, signedRequest(env, pair, ip === undefined ? {} : { ip }))
  expect(answer).toMatchObject({ code: 0 })
  return answer.data.token
}
const isVerified = async (pair: Pair) => (await verify(env, signedRequest(env, pair))).code === 0
const opensSession = async (pair: Pair) => (await session(pair)).code === 0
const use = (token: string, ip?: string) => env.call('accounts.vipInfo', {}, { token, ...(ip && { ip }) })
const works = async (token: string) => (await use(token)).code === 0
const listed = async (person: Person) => (await env.call('apiKeys.list', {}, person)).data.list[0]

describe('the S3 access key of an API key', () => {
  it('is shown once, has its id in the list, and is stored sealed', async () => {
    const person = await env.person()
    const { access_key_id, secret_access_key } = await createPair(env, person)
    expect(access_key_id).toMatch(/^TN[A-Z0-9]{18}$/)
    expect(secret_access_key).toMatch(/^[A-Za-z0-9]{40}$/)
    expect(await listed(person)).toMatchObject({ access_key_id })
    expect(JSON.stringify(await env.call('apiKeys.list', {}, person))).not.toContain(secret_access_key)
    const rows = await env.db.rows<{ row: string; sealed: Buffer }>(
      sql`select c::text as row, sealed from s3_credentials c where access_id = ${access_key_id}`,
    )
    expect(rows).toHaveLength(1)
    for (const { row, sealed } of rows) {
      expect(row).not.toContain(secret_access_key)
      expect(sealed.includes(secret_access_key)).toBe(false)
    }
  })

  it('belongs to no key that only copies a folder', async () => {
    const person = await env.person()
    const group_id = (await env.call('folders.create', { name: 'f' }, person)).data.group.ID
    const none = { access_key_id: '', secret_access_key: '' }
    expect(await createPair(env, person, { group_id })).toMatchObject(none)
    expect(await rotatePair(env, person, 1)).toMatchObject(none)
    expect(await listed(person)).toMatchObject({ access_key_id: '' })
  })

  it('is made by rotation for a key that was made before there were any', async () => {
    const person = await env.person()
    await env.key(person, 'admin')
    await env.db.run(sql`update api_keys set name = 'k' where user_id = ${person.id}`)
    expect(await listed(person)).toMatchObject({ access_key_id: '' })
    expect(await isVerified(await rotatePair(env, person, 24))).toBe(true)
  })
})

describe('a gateway of the operator', () => {
  it('gets a token and the signing key for a signature', async () => {
    const person = await env.person()
    const pair = await createPair(env, person)
    const request = signedRequest(env, pair, { region: 'eu-west-1' })
    const { data } = await verify(env, request)
    expect(data.expires_in).toBe(S3_TOKEN_LIFE / 1000)
    expect(data.signing_key).toBe(signingKey(pair.secret_access_key, request.date, 'eu-west-1').toString('hex'))
    expect((await use(data.token)).data.uid).toBe(person.uid)
    const answer = await env.app.inject({ url: '/api/v1/storage/get_vip_info', headers: { apikey: data.token } })
    expect(answer.json().data.uid).toBe(person.uid)
  })

  it('can verify a URL that was presigned for seven days', async () => {
    const pair = await createPair(env, await env.person())
    const at = env.clock.now()
    expect(await verify(env, signedRequest(env, pair, { at: at - 7 * DAY }))).toMatchObject({ code: 0 })
    expect(await verify(env, signedRequest(env, pair, { at: at + HOUR }))).toMatchObject({ code: 0 })
    for (const late of [at - 9 * DAY, at + 3 * DAY])
      expect(await verify(env, signedRequest(env, pair, { at: late }))).toMatchObject({ err: errors.s3Clock.err })
  })

  it.each([
    ['an object', (credential: string) => ({ 'X-Amz-Credential': credential })],
    ['a list', (credential: string) => ['eq', '$x-amz-credential', credential]],
  ])('can verify the policy of a form, with its credential as %s', async (_, condition) => {
    const pair = await createPair(env, await env.person())
    const { date, region, ...request } = signedRequest(env, pair)
    const policyOf = (signed: object) => {
      const policy = { expiration: '2030-01-01T00:00:00Z', conditions: [{ bucket: 'b' }, condition(signed as never)] }
      const string_to_sign = Buffer.from(JSON.stringify(policy)).toString('base64')
      const key = signingKey(pair.secret_access_key, date, region)
      return { ...request, date, region, string_to_sign, signature: signatureOf(key, string_to_sign).toString('hex') }
    }
    const credential = `${pair.access_key_id}/${scopeText({ date, region })}`
    expect(await verify(env, policyOf(credential as never))).toMatchObject({ code: 0 })
    expect(await verify(env, policyOf(`${credential}x` as never))).toMatchObject({ err: errors.s3Signature.err })
  })
})

describe('a gateway of a customer', () => {
  it('gets a token for a proof of the secret', async () => {
    const person = await env.person()
    const { data } = await session(await createPair(env, person))
    expect(Object.keys(data).sort()).toEqual(['expires_in', 'token'])
    expect((await use(data.token)).data.uid).toBe(person.uid)
  })

  it.each([1 - S3_SESSION_SKEW / 1000, S3_SESSION_SKEW / 1000 - 1])(
    'may have a clock that is off by %i s',
    async (s) => {
      const pair = await createPair(env, await env.person())
      expect(await env.call('s3Access.session', sessionRequest(env, pair, s))).toMatchObject({ code: 0 })
    },
  )
})

describe('a token', () => {
  it('has the permissions of the key', async () => {
    const person = await env.person()
    const token = await tokenOf(await createPair(env, person, { perms: ['readFolder'] }))
    expect(await env.call('folders.list', { parent: 0 }, { token })).toMatchObject({ code: 0 })
    expect(await env.call('folders.create', { name: 'f' }, { token })).toMatchObject({ err: errors.forbidden.err })
    await env.call('apiKeys.change', { key_name: 'k', perms: ['createFolder'] }, person)
    env.pass(1000)
    expect(await env.call('folders.create', { name: 'f' }, { token })).toMatchObject({ code: 0 })
    expect(await env.call('folders.list', { parent: 0 }, { token })).toMatchObject({ err: errors.forbidden.err })
  })

  it('sees only the folders of the key', async () => {
    const person = await env.person()
    const make = async (name: string) => (await env.call('folders.create', { name }, person)).data.group.ID
    const [own, other] = [await make('own'), await make('other')]
    const token = await tokenOf(await createPair(env, person, { folders: [own] }))
    const { data } = await env.call('folders.list', { parent: 0 }, { token })
    expect(data.list.map(({ Name }) => Name)).toEqual(['own'])
    expect(await env.call('folders.create', { name: 'in', parent: own }, { token })).toMatchObject({ code: 0 })
    expect(await env.call('folders.create', { name: 'in', parent: other }, { token })).toMatchObject({ code: -1 })
    expect(await env.call('trash.list', {}, { token })).toMatchObject({ err: errors.keyFolders.err })
  })

  it('is a use of the key, from the client’s network', async () => {
    const person = await env.person()
    await use(await tokenOf(await createPair(env, person), '198.51.100.7'))
    expect(await listed(person)).toMatchObject({ last_used: expect.any(String), last_used_from: '198.51.100.x' })
  })

  it('works from the gateway’s address, for a client with an address of the key', async () => {
    const person = await env.person()
    const pair = await createPair(env, person, { ips: ['198.51.100.0/24'] })
    const token = await tokenOf(pair, '198.51.100.7')
    expect(await use(token, '192.0.2.1')).toMatchObject({ code: 0 })
    await env.call('apiKeys.change', { key_name: 'k', ips: ['198.51.100.8'] }, person)
    env.pass(1000)
    expect(await use(token, '192.0.2.1')).toMatchObject({ err: errors.keyAddress.err })
    expect(await use(token, '198.51.100.8')).toMatchObject({ err: errors.keyAddress.err })
  })

  it('of a session works from the addresses of the key', async () => {
    const pair = await createPair(env, await env.person(), { ips: ['198.51.100.7'] })
    const { data } = await session(pair, { ip: '198.51.100.7' })
    expect(await use(data.token, '198.51.100.7')).toMatchObject({ code: 0 })
    expect(await use(data.token, '192.0.2.1')).toMatchObject({ err: errors.keyAddress.err })
  })
})

describe('an access key ends with its API key', () => {
  it('after the overlap of a rotation', async () => {
    const person = await env.person()
    const old = await createPair(env, person)
    const made = await rotatePair(env, person, 2)
    expect(made.access_key_id).not.toBe(old.access_key_id)
    env.pass(2 * HOUR - 60_000)
    const token = await tokenOf(old)
    for (const pair of [old, made]) expect([await isVerified(pair), await opensSession(pair)]).toEqual([true, true])
    env.pass(60_000)
    expect([await isVerified(old), await opensSession(old), await works(token)]).toEqual([false, false, false])
    expect(await isVerified(made)).toBe(true)
  })

  it('at once when it is rotated without an overlap, with all earlier ones', async () => {
    const person = await env.person()
    const pairs = [await createPair(env, person), await rotatePair(env, person, 24)]
    const tokens = [await tokenOf(pairs[0] as Pair), await tokenOf(pairs[1] as Pair)]
    const made = await rotatePair(env, person, 0)
    env.pass(1000)
    for (const pair of pairs) expect([await isVerified(pair), await opensSession(pair)]).toEqual([false, false])
    for (const token of tokens) expect(await works(token)).toBe(false)
    expect(await isVerified(made)).toBe(true)
  })

  it('when earlier keys are stopped', async () => {
    const person = await env.person()
    const old = await createPair(env, person)
    const made = await rotatePair(env, person, 24)
    await env.call('apiKeys.change', { key_name: 'k', end_former: true }, person)
    expect([await isVerified(old), await isVerified(made)]).toEqual([false, true])
  })

  it('when it is deleted, and works again when it is restored', async () => {
    const person = await env.person()
    const pair = await createPair(env, person)
    const request = signedRequest(env, pair)
    const { token } = (await verify(env, request)).data
    await env.call('apiKeys.remove', { key_name: 'k' }, person)
    env.pass(1000)
    expect(await verify(env, request)).toMatchObject({ err: errors.s3Signature.err })
    expect(await session(pair)).toMatchObject({ err: errors.s3Signature.err })
    expect(await use(token)).toMatchObject({ code: 401 })
    await env.call('apiKeys.restore', { key_name: 'k' }, person)
    env.pass(1000)
    expect([await isVerified(pair), await works(token)]).toEqual([true, true])
  })

  it('when it expires', async () => {
    const expires_at = new Date(env.clock.now() + HOUR).toISOString()
    const pair = await createPair(env, await env.person(), { expires_at })
    env.pass(HOUR - 60_000)
    const token = await tokenOf(pair)
    env.pass(60_000)
    expect(await verify(env, signedRequest(env, pair))).toMatchObject({ err: errors.s3KeyEnded.err })
    expect(await session(pair)).toMatchObject({ err: errors.s3KeyEnded.err })
    expect(await use(token)).toMatchObject({ code: 401 })
  })

  it.each(['locked_at', 'closing_at'] as const)('while its account has %s', async (column) => {
    const person = await env.person()
    const pair = await createPair(env, person)
    const token = await tokenOf(pair)
    const set = (at: Date | null) =>
      env.db.run(
        column === 'locked_at'
          ? sql`update users set locked_at = ${at} where id = ${person.id}`
          : sql`update users set closing_at = ${at} where id = ${person.id}`,
      )
    await set(new Date(env.clock.now()))
    env.pass(1000)
    expect(await verify(env, signedRequest(env, pair))).toMatchObject({ err: errors.s3KeyEnded.err })
    expect(await session(pair)).toMatchObject({ err: errors.s3KeyEnded.err })
    expect(await use(token)).toMatchObject({ code: 401 })
    await set(null)
    env.pass(1000)
    expect([await isVerified(pair), await works(token)]).toEqual([true, true])
  })
})

describe('refused, with the same answer as an unknown access key,', () => {
  /** What the answer tells about an access key that does not exist. */
  const unknown = { access_key_id: `TN${'A'.repeat(18)}`, secret_access_key: 'a'.repeat(40) }
  const answerOf = async (request: Partial<ReturnType<typeof signedRequest>>) => {
    const { headers: _, ...answer } = await verify(env, request)
    return answer
  }

  it.each([
    ['a signature with another secret', (pair: Pair) => signedRequest(env, { ...pair, secret_access_key: 'x' })],
    ['the signature of another day', (pair: Pair) => ({ ...signedRequest(env, pair), date: '20200101' }), 's3Clock'],
    ['the signature for another region', (pair: Pair) => ({ ...signedRequest(env, pair), region: 'eu-west-1' })],
    ['the signature of another text', (pair: Pair) => ({ ...signedRequest(env, pair), string_to_sign: 'x' })],
    [
      'the signature of another access key',
      (pair: Pair) => ({ ...signedRequest(env, unknown), access_key_id: pair.access_key_id }),
    ],
  ] as [string, (pair: Pair) => Partial<ReturnType<typeof signedRequest>>, 's3Clock'?][])(
    '%s',
    async (_, made, key) => {
      const answer = await answerOf(made(await createPair(env, await env.person())))
      expect(answer).toMatchObject({ code: -1, err: errors[key ?? 's3Signature'].err })
      if (!key) expect(answer).toEqual(await answerOf(signedRequest(env, unknown)))
    },
  )

  it.each([
    ['another region', (text: string) => text.replace('us-east-1', 'eu-west-1')],
    ['another day', (text: string) => text.replace(/\d{8}/g, '20200101')],
    ['another service', (text: string) => text.replace('/s3/', '/sts/')],
    ['another algorithm', (text: string) => text.replace('SHA256', 'SHA256-PAYLOAD')],
    ['no scope', () => 'AWS4-HMAC-SHA256'],
    ['nothing that S3 signs', () => Buffer.from('null').toString('base64')],
  ])('a text to sign with %s, though the signature matches', async (_, change) => {
    const pair = await createPair(env, await env.person())
    const request = signedRequest(env, pair)
    const string_to_sign = change(request.string_to_sign)
    const key = signingKey(pair.secret_access_key, request.date, request.region)
    const signature = signatureOf(key, string_to_sign).toString('hex')
    expect(await answerOf({ ...request, string_to_sign, signature })).toEqual(
      await answerOf(signedRequest(env, unknown)),
    )
  })

  it('a secret that was copied to the row of another access key', async () => {
    const [owner, thief] = [await createPair(env, await env.person()), await createPair(env, await env.person())]
    await env.db.run(sql`
      update s3_credentials set sealed = (select sealed from s3_credentials where access_id = ${thief.access_key_id})
      where access_id = ${owner.access_key_id}`)
    expect(await isVerified({ ...thief, access_key_id: owner.access_key_id })).toBe(false)
    expect(await isVerified(owner)).toBe(false)
  })

  it('a proof of a session in place of a signature, and the other way round', async () => {
    const pair = await createPair(env, await env.person())
    const [request, proof] = [signedRequest(env, pair), sessionRequest(env, pair)]
    const text = `tidenet-s3-session\n${pair.access_key_id}\n${proof.at}`
    expect(await answerOf({ ...request, string_to_sign: text, signature: proof.proof })).toMatchObject({
      err: errors.s3Signature.err,
    })
    const signed = signatureOf(signingKey(pair.secret_access_key, request.date, request.region), text).toString('hex')
    for (const stolen of [request.signature, signed])
      expect(await env.call('s3Access.session', { ...proof, proof: stolen })).toMatchObject({
        err: errors.s3Signature.err,
      })
  })

  it('a proof for another second, or of another access key', async () => {
    const [pair, other] = [await createPair(env, await env.person()), await createPair(env, await env.person())]
    const request = sessionRequest(env, pair)
    for (const changed of [{ at: request.at + 1 }, { access_key_id: other.access_key_id }, unknown])
      expect(
        await env.call('s3Access.session', {
          ...request,
          access_key_id: request.access_key_id,
          ...('at' in changed ? changed : { access_key_id: changed.access_key_id }),
        }),
      ).toMatchObject({ err: errors.s3Signature.err })
  })
})

describe('refused', () => {
  it.each([
    ['no secret', ''],
    ['a wrong one', 'h'.repeat(64)],
    ['a longer one', `${GATEWAY_SECRET}g`],
    ['the beginning of it', GATEWAY_SECRET.slice(0, -1)],
  ])('a gateway with %s, though the signature is right', async (_, secret) => {
    const pair = await createPair(env, await env.person())
    expect(await verify(env, signedRequest(env, pair), secret)).toMatchObject({ code: 401 })
  })

  it('every gateway if no secret is configured', async () => {
    const { s3GatewaySecret } = env.context.config
    env.context.config.s3GatewaySecret = ''
    try {
      const pair = await createPair(env, await env.person())
      for (const secret of ['', 'token', GATEWAY_SECRET])
        expect(await verify(env, signedRequest(env, pair), secret)).toMatchObject({ code: 401 })
    } finally {
      env.context.config.s3GatewaySecret = s3GatewaySecret
    }
  })

  it('a client of another address, or of none, if the key has a list', async () => {
    const pair = await createPair(env, await env.person(), { ips: ['198.51.100.7'] })
    for (const ip of ['198.51.100.8', '', 'nowhere'])
      expect(await verify(env, signedRequest(env, pair, { ip }))).toMatchObject({ err: errors.keyAddress.err })
    expect(await session(pair, { ip: '198.51.100.8' })).toMatchObject({ err: errors.keyAddress.err })
  })

  it.each([-S3_SESSION_SKEW / 1000 - 2, S3_SESSION_SKEW / 1000 + 2])('a proof of %i s from now', async (seconds) => {
    const pair = await createPair(env, await env.person())
    expect(await env.call('s3Access.session', sessionRequest(env, pair, seconds))).toMatchObject({
      err: errors.s3Clock.err,
    })
  })

  it('a token after fifteen minutes, and one that was changed', async () => {
    const token = await tokenOf(await createPair(env, await env.person()))
    const [head = '', body = '', signature = ''] = token.slice(4).split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const forged = [
      `tns_${head}.${encode({ ...claims, exp: claims.exp + 3600 })}.${signature}`,
      `tns_${encode({ alg: 'none', typ: 'JWT' })}.${body}.`,
      `tns_${token}`,
      token.slice(4),
      'tns_',
    ]
    for (const wrong of forged) expect(await use(wrong)).toMatchObject({ code: 401 })
    env.pass(S3_TOKEN_LIFE - 60_000)
    expect(await works(token)).toBe(true)
    env.pass(60_000)
    expect(await use(token)).toMatchObject({ code: 401 })
  })

  it('a token where a session is needed, or as the secret of a gateway', async () => {
    const person = await env.person({ role: 'operator' })
    const pair = await createPair(env, person)
    const token = await tokenOf(pair)
    for (const operation of ['apiKeys.list', 'sessions.list', 'admin.users'] as const)
      expect(await env.call(operation as 'apiKeys.list', {}, { token })).toMatchObject({ err: errors.forbidden.err })
    expect(await verify(env, signedRequest(env, pair), token)).toMatchObject({ code: 401 })
  })
})
