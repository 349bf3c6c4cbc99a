import { createHmac, createPublicKey } from 'node:crypto'
import {
  AppError,
  EXTERNAL_SIGN_IN_LIFE,
  errors,
  RECENT_AUTH_LIFE,
  SECOND_FACTOR_ATTEMPTS,
  SECOND_FACTOR_LIFE,
  SESSION_LIFE,
} from '@tidenet/contract'
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
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { authenticateFor } from '../../apps/server/src/app.ts'
import { features } from '../../apps/server/src/features.ts'
import type { Clients } from '../../apps/server/src/identity/external-sign-in/clients.ts'
import { beginFlow } from '../../apps/server/src/identity/external-sign-in/flows.ts'
import type { SignInProvider } from '../../apps/server/src/identity/external-sign-in/providers.ts'
import {
  handedOver,
  linkedIdentity,
} from '../../apps/server/src/identity/external-sign-in/sample-identities.fixture.ts'
import { askForPasskey } from '../../apps/server/src/identity/second-factors/ceremony.ts'
import { type Asked, samplePasskey } from '../../apps/server/src/identity/second-factors/sample-passkey.fixture.ts'
import {
  cautious,
  newPlace,
  nextCode,
  owner,
  PASSWORD,
  signedIn,
  ticketOf,
} from '../../apps/server/src/identity/second-factors/sample-person.fixture.ts'
import { completeBySecondFactor } from '../../apps/server/src/identity/second-factors/sign-in.ts'
import { codeAt } from '../../apps/server/src/identity/second-factors/totp.ts'
import { signingKey } from '../../apps/server/src/identity/sessions/session-keys.ts'
import {
  bindSample,
  cosmosWallet,
  malleated,
  walletLogin,
} from '../../apps/server/src/identity/wallets/sample-wallets.fixture.ts'
import { clientNetworkOf } from '../../apps/server/src/platform/attempts/attempts.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { lastCode } from '../../apps/server/src/platform/mail/inbox.fixture.ts'
import { deleteExpired } from '../../apps/server/src/platform/tasks/expired.ts'
import { type Person, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let world: TestEnv
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

const MANY = 1000
const who = (token: string) => world.call('accounts.vipInfo', {}, { token })
/** One call after the other would be no attack; all at once, from as many places as an attacker has. */
const atOnce = <T>(count: number, attack: (turn: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, turn) => attack(turn)))
const places = (turn: number) => `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}`
const sessionsOf = async ({ id }: Person) =>
  (await world.db.one<{ count: number }>(sql`select count(*) as count from sessions where user_id = ${id}`)).count
/** Limits of calls a minute and place are another wall, which these attacks are taken to have passed. */
const inject = (url: string, payload: object, ip: string) =>
  world.app
    .inject({ method: 'POST', url, payload, remoteAddress: ip })
    .then((answer) => answer.json<{ code: number; err?: number; data?: { token?: string } }>())

type Given = Awaited<ReturnType<typeof ticketOf>>
/** The step behind the address, for the same reason. */
const complete = ({ ticket, ip }: Given, shown: { code?: string | undefined; recovery?: string | undefined }) =>
  completeBySecondFactor(world.context, { ticket, ...shown }, { ip, agent: 'test' }).then(
    () => ({ code: 0, key: '' }),
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error
      return { code: -1, key: error.key as string }
    },
  )

describe('a token', () => {
  const part = (value: object) => base64url.encode(JSON.stringify(value))
  const publicKey = async () => (await world.app.inject('/.well-known/jwks.json')).json().keys[0] as JWK

  it('with no algorithm, however it is written, is none', async () => {
    const { token } = await signedIn(world, await owner(world))
    const [, payload = '', signature = ''] = token.split('.')
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '']) {
      const header = part({ ...decodeProtectedHeader(token), alg })
      for (const end of ['', signature]) expect((await who(`${header}.${payload}.${end}`)).code).toBe(401)
    }
  })

  it('that is an HMAC with our public key as its secret is none, in whatever form the key is taken', async () => {
    const { token } = await signedIn(world, await owner(world))
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

  it('that brings its own key, names where one lies, or a file or statement as its name, is none', async () => {
    const { token } = await signedIn(world, await owner(world))
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

  it('of another algorithm of the same family, or with extensions that must be understood, is none', async () => {
    const { token } = await signedIn(world, await owner(world))
    const kid = decodeProtectedHeader(token).kid as string
    for (const alg of ['ES384', 'EdDSA', 'RS256', 'PS256']) {
      const { privateKey } = await generateKeyPair(alg)
      const forged = await new SignJWT(decodeJwt(token)).setProtectedHeader({ alg, kid }).sign(privateKey)
      expect((await who(forged)).code, alg).toBe(401)
    }
    const { key } = await signingKey(world.context, world.db)
    const critical = await new CompactSign(base64url.decode(token.split('.')[1] as string))
      .setProtectedHeader({ alg: 'ES256', kid, crit: ['b64'], b64: true })
      .sign(key)
    expect([0, 401]).toContain((await who(critical)).code)
  })

  it('has a signature of one form: zeros, its other half and appendages are none', async () => {
    const { token } = await signedIn(world, await owner(world))
    const [header, payload, signature = ''] = token.split('.')
    const bytes = Buffer.from(signature, 'base64url')
    const zeros = Buffer.alloc(64)
    const swapped = Buffer.concat([bytes.subarray(32), bytes.subarray(0, 32)])
    for (const wrong of [zeros, swapped, bytes.subarray(0, 63), Buffer.concat([bytes, Buffer.from([0])])])
      expect((await who(`${header}.${payload}.${wrong.toString('base64url')}`)).code).toBe(401)
    expect((await who(`${token}.${signature}`)).code).toBe(401)
  })

  it('does not choose its session: a person cannot be given one that somebody else knows', async () => {
    const [victim, thief] = [await owner(world), await owner(world)]
    const known = (await signedIn(world, thief)).token
    const { jti } = decodeJwt(known)
    const answer = await world.app.inject({
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

  it('of one sign-in is of no other: every one opens a session of its own', async () => {
    const person = await owner(world)
    const tokens = await atOnce(5, () => world.call('accounts.login', { username: person.email, password: PASSWORD }))
    expect(new Set(tokens.map(({ data }) => decodeJwt(data.token).jti)).size).toBe(5)
  })

  it('that was revoked is refused by every server within five seconds', async () => {
    const person = await owner(world)
    const { token } = await signedIn(world, person)
    const others = [authenticateFor(world.context), authenticateFor(world.context)]
    const route = { auth: 'session' } as never
    const request = { headers: { jwtauthorization: `Bearer ${token}` } } as never
    const reply = { header: () => {} } as never
    for (const other of others) await expect(other(request, reply, route)).resolves.toMatchObject({ uid: person.uid })
    await world.call('sessions.revoke', { all: true }, { token })
    world.pass(5000)
    for (const other of others) await expect(other(request, reply, route)).rejects.toThrow()
    expect((await who(token)).code).toBe(401)
  })

  it('is taken from the header alone: no cookie is set or read, so another page cannot use it', async () => {
    const person = await owner(world)
    const answers = [
      await world.call('accounts.login', { username: person.email, password: PASSWORD }),
      await who(person.token),
      await world.call('passkeys.loginOptions', {}),
      await world.call('accounts.logout', {}, person),
    ]
    for (const { headers } of answers) expect(headers['set-cookie']).toBeUndefined()
    const { token } = await signedIn(world, person)
    for (const url of ['/api/v1/user/sessions', '/api/v1/user/security']) {
      const answer = await world.app.inject({
        url,
        headers: { cookie: `login-token=${token}; JwtAuthorization=${token}` },
      })
      expect(answer.json().code).toBe(401)
    }
  })
})

describe('the cookies of the portal', () => {
  it('hold nothing but the language, and go to no other site', async () => {
    const answer = await world.app.inject({ url: '/en', headers: { accept: 'text/html' } })
    const cookies = [answer.headers['set-cookie'] ?? []].flat()
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^lang=/)
      expect(cookie).toMatch(/SameSite=Lax/i)
      expect(cookie).not.toMatch(/Domain=/i)
    }
  })
})

describe('a thousand at the same moment', () => {
  it('with the right one-time code let one in', { timeout: 120_000 }, async () => {
    const person = await cautious(world)
    const before = await sessionsOf(person)
    const tickets = await atOnce(20, () => ticketOf(world, person))
    const code = nextCode(world, person.secret)
    const answers = await atOnce(MANY, (turn) => complete(tickets[turn % tickets.length] as Given, { code }))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(await sessionsOf(person)).toBe(before + 1)
  })

  it('with the same recovery code let one in', { timeout: 120_000 }, async () => {
    const person = await cautious(world)
    const before = await sessionsOf(person)
    const tickets = await atOnce(20, () => ticketOf(world, person))
    const recovery = person.recovery[0]
    const answers = await atOnce(MANY, (turn) => complete(tickets[turn % tickets.length] as Given, { recovery }))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(await sessionsOf(person)).toBe(before + 1)
    const { token } = await signedIn(world, person)
    expect((await world.call('secondFactors.overview', {}, { token })).data.recovery_left).toBe(9)
  })

  it('with one answer of a passkey let one in', { timeout: 120_000 }, async () => {
    const person = await owner(world)
    const passkey = samplePasskey(person.uid)
    const { token } = await signedIn(world, person)
    const asked = (await world.call('passkeys.addOptions', {}, { token })).data as Asked
    await world.call('passkeys.add', { name: 'one', credential: passkey.made(asked) }, { token })
    const before = await sessionsOf(person)
    const credential = passkey.shown((await world.call('passkeys.loginOptions', {})).data as Asked)
    const answers = await atOnce(MANY, (turn) => inject('/api/v1/user/passkeys/login', { credential }, places(turn)))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(await sessionsOf(person)).toBe(before + 1)
  })

  it('with a mailed code let one in', { timeout: 120_000 }, async () => {
    const person = await owner(world)
    await world.call('accounts.verifyCode', { username: person.email, type: 2 })
    const verify_code = await lastCode(world, person.email)
    const before = await sessionsOf(person)
    const answers = await atOnce(MANY, (turn) =>
      inject('/api/v1/user/login', { username: person.email, verify_code }, places(turn)),
    )
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(await sessionsOf(person)).toBe(before + 1)
  })

  it('who guess a password from a thousand places have twenty tries together', { timeout: 120_000 }, async () => {
    const person = await owner(world)
    const answers = await atOnce(MANY, (turn) =>
      inject('/api/v1/user/login', { username: person.email, password: `wrong-${turn}` }, places(turn)),
    )
    expect(answers.every(({ code }) => code === 401)).toBe(true)
    const { tried } = await world.db.one<{ tried: number }>(
      sql`select count(*) as tried from sign_ins where user_id = ${person.id} and not ok`,
    )
    expect(tried).toBe(20)
    // The right one is not even looked at while the lock holds.
    expect((await inject('/api/v1/user/login', { username: person.email, password: PASSWORD }, '10.9.9.9')).code).toBe(
      401,
    )
  })

  it('who guess the one-time code of a stolen password have five tries together', { timeout: 120_000 }, async () => {
    const person = await cautious(world)
    const tickets = await atOnce(20, () => ticketOf(world, person))
    const right = codeAt(person.secret, world.clock.now() + 30_000)
    const guesses = Array.from({ length: MANY }, (_, turn) => String(turn * 997).padStart(6, '0')).map((guess) =>
      guess === right ? '000001' : guess,
    )
    const answers = await atOnce(MANY, (turn) =>
      complete(tickets[turn % tickets.length] as Given, { code: guesses[turn] }),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(0)
    expect(answers.filter(({ key }) => key === 'secondFactorWrong').length).toBeLessThanOrEqual(5)
  })
})

describe('a guesser', () => {
  it('has five tries of a mailed code, of a ticket and of one-time codes; then the right one is refused too', async () => {
    const person = await cautious(world)
    const { ticket, ip } = await ticketOf(world, person)
    for (let tries = 0; tries < SECOND_FACTOR_ATTEMPTS; tries++)
      expect(await world.call('secondFactors.complete', { ticket, recovery: `wrong-${tries}` }, { ip })).toMatchObject({
        err: errors.secondFactorWrong.err,
      })
    const recovery = person.recovery[0] as string
    expect(await world.call('secondFactors.complete', { ticket, recovery }, { ip })).toMatchObject({
      err: errors.signInExpired.err,
    })
    const again = await ticketOf(world, person)
    expect(await world.call('secondFactors.complete', { ticket: again.ticket, recovery }, again)).toMatchObject({
      err: errors.secondFactorLocked.err,
    })
  })

  it('who takes new tickets waits longer each time', async () => {
    const person = await cautious(world)
    const waits: number[] = []
    for (let round = 0; round < 8; round++) {
      const { ticket, ip } = await ticketOf(world, person)
      const { msg = '' } = await world.call('secondFactors.complete', { ticket, recovery: 'wrong' }, { ip })
      const wait = Number(/\d+/.exec(msg)?.[0] ?? 0)
      waits.push(wait)
      world.pass(wait * 1000)
    }
    const locked = waits.filter((wait) => wait > 0)
    expect(locked.length).toBeGreaterThan(1)
    expect(locked).toEqual([...locked].sort((a, b) => a - b))
  })
})

describe('replayed', () => {
  it('is no ticket: it stands for one session', async () => {
    const person = await cautious(world)
    const { ticket, ip } = await ticketOf(world, person)
    expect(
      await world.call('secondFactors.complete', { ticket, code: nextCode(world, person.secret) }, { ip }),
    ).toMatchObject({
      code: 0,
    })
    expect(
      await world.call('secondFactors.complete', { ticket, code: nextCode(world, person.secret) }, { ip }),
    ).toMatchObject({
      err: errors.signInExpired.err,
    })
  })

  it('is no one-time code, nor one from before it, nor the one that turned them on', async () => {
    const person = await owner(world)
    const { token } = await signedIn(world, person)
    const { secret } = (await world.call('secondFactors.startTotp', {}, { token })).data
    const code = nextCode(world, secret)
    const earlier = codeAt(secret, world.clock.now() - 30_000)
    await world.call('secondFactors.confirmTotp', { code }, { token })
    for (const used of [code, earlier]) {
      const { ticket, ip } = await ticketOf(world, person)
      expect(await world.call('secondFactors.complete', { ticket, code: used }, { ip })).toMatchObject({
        err: errors.secondFactorWrong.err,
      })
      expect(await world.call('secondFactors.endTotp', { code: used }, { token })).toMatchObject({
        err: errors.secondFactorWrong.err,
      })
    }
  })

  it('is no ticket as a token, nor a token as a ticket', async () => {
    const person = await cautious(world)
    const { ticket, ip } = await ticketOf(world, person)
    expect((await who(ticket)).code).toBe(401)
    const code = nextCode(world, person.secret)
    expect(await world.call('secondFactors.complete', { ticket: person.token, code }, { ip })).toMatchObject({
      code: -1,
    })
  })
})

describe('the second factor', () => {
  it('cannot be turned off, or replaced, by a ticket or a half-open sign-in', async () => {
    const person = await cautious(world)
    const { ticket } = await ticketOf(world, person)
    for (const operation of ['startTotp', 'overview', 'makeRecoveryCodes'] as const)
      expect((await world.call(`secondFactors.${operation}`, {}, { token: ticket })).code).toBe(401)
  })

  it('is not stepped around by another address of the same sign-in', async () => {
    const person = await cautious(world)
    for (const url of ['/api/v1/user/login', '/api/v1/storage/login', '/api/v2/login']) {
      const answer = await inject(url, { username: person.email, password: PASSWORD }, newPlace())
      expect(answer).toMatchObject({ code: -1, err: errors.secondFactorNeeded.err })
      expect(answer.data?.token).toBeUndefined()
    }
  })

  it('is not proved by a key that its owner never confirmed', async () => {
    const person = await owner(world)
    const { token } = person
    const { secret } = (await world.call('secondFactors.startTotp', {}, { token })).data
    world.pass(RECENT_AUTH_LIFE)
    expect(await world.call('secondFactors.prove', { code: nextCode(world, secret) }, { token })).toMatchObject({
      err: errors.secondFactorWrong.err,
    })
    expect((await world.call('secondFactors.overview', {}, { token })).data.proved_until).toBeNull()
    expect(await world.call('secondFactors.startTotp', {}, { token })).toMatchObject({
      err: errors.recentAuthRequired.err,
    })
  })

  it('is not proved by a one-time code where a passkey is demanded', async () => {
    const person = await cautious(world)
    const { token } = await signedIn(world, person)
    const passkey = samplePasskey(person.uid)
    const asked = (await world.call('passkeys.addOptions', {}, { token })).data as Asked
    await world.call('passkeys.add', { name: 'one', credential: passkey.made(asked) }, { token })
    await world.call('secondFactors.requirePasskey', { required: true }, { token })
    world.pass(RECENT_AUTH_LIFE)
    const code = nextCode(world, person.secret)
    expect(await world.call('secondFactors.prove', { code }, { token })).toMatchObject({
      err: errors.secondFactorWrong.err,
    })
    const off = { required: false }
    expect(await world.call('secondFactors.requirePasskey', off, { token })).toMatchObject({
      err: errors.recentAuthRequired.err,
    })
    const options = (await world.call('passkeys.proveOptions', {}, { token })).data as Asked
    const credential = passkey.shown(options)
    expect(await world.call('secondFactors.prove', { credential }, { token })).toMatchObject({ code: 0 })
  })

  it('is not told of before the password is right', async () => {
    const [careful, plain] = [await cautious(world), await owner(world)]
    const try_ = async ({ email }: Person) => {
      const { code, msg, data } = await world.call('accounts.login', { username: email, password: 'wrong-Net1' })
      return { code, msg, data }
    }
    expect(await try_(careful)).toEqual(await try_(plain))
  })

  it('of one account cannot be moved to another in the database', async () => {
    const [victim, thief] = [await cautious(world), await cautious(world)]
    await world.db.run(sql`
      update totp set secret = (select secret from totp where user_id = ${thief.id}), last_step = 0 where user_id = ${victim.id}`)
    const { ticket, ip } = await ticketOf(world, victim)
    expect(
      await world.call('secondFactors.complete', { ticket, code: nextCode(world, thief.secret) }, { ip }),
    ).toMatchObject({
      err: errors.secondFactorWrong.err,
    })
  })

  it('cannot be read from any table', async () => {
    const person = await cautious(world)
    const { ticket } = await ticketOf(world, person)
    const tables = ['totp', 'recovery_codes', 'second_factor_tickets', 'sign_ins', 'audit_log', 'session_keys']
    for (const table of tables) {
      const rows = await world.db.rows({ text: `select * from ${table}`, values: [] })
      const text = JSON.stringify(rows, (_, value) =>
        value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
      )
      for (const secret of [person.secret, ticket, ...person.recovery]) expect(text).not.toContain(secret)
    }
  })
})

describe('an unknown account', () => {
  it('costs the same work as a wrong password: one hash, the same statements', async () => {
    const person = await owner(world)
    const argon = await import('@node-rs/argon2')
    const done = async (username: string) => {
      const statements: string[] = []
      const query = vi.spyOn(world.db.pool, 'query')
      const before = process.cpuUsage()
      await inject('/api/v1/user/login', { username, password: 'wrong-Net1' }, '10.8.8.8')
      const { user, system } = process.cpuUsage(before)
      for (const [text] of query.mock.calls) statements.push(String(text))
      query.mockRestore()
      return { statements, cpu: user + system }
    }
    // The first is not counted: it makes the hash that stands for unknown accounts.
    await done('first@mail.test')
    const [known, unknown] = [await done(person.email), await done('nobody-at-all@mail.test')]
    expect(unknown.statements).toEqual(known.statements)
    const start = process.cpuUsage()
    await argon.hash('wrong-Net1', { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    const { user, system } = process.cpuUsage(start)
    expect(unknown.cpu).toBeGreaterThan((user + system) / 3)
    expect(known.cpu).toBeGreaterThan((user + system) / 3)
  })
})

describe('what every refused way leaves: a row that the owner sees', () => {
  const refusedOf = async (person: Person) =>
    (
      await world.db.rows<{ way: string }>(
        sql`select way from sign_ins where user_id = ${person.id} and not ok order by id`,
      )
    ).map(({ way }) => way)

  it('a wrong mailed code', async () => {
    const person = await owner(world)
    await world.call('accounts.verifyCode', { username: person.email, type: 2 }, { ip: newPlace() })
    const code = await lastCode(world, person.email)
    const verify_code = code === '000000' ? '000001' : '000000'
    await world.call('accounts.login', { username: person.email, verify_code }, { ip: newPlace() })
    expect(await refusedOf(person)).toEqual(['code'])
  })

  it('a wrong signature of a wallet', async () => {
    const person = await owner(world)
    const wallet = cosmosWallet()
    await bindSample(world, wallet, person.token)
    const proof = await walletLogin(world, wallet)
    const sign = malleated(proof.sign)
    expect((await world.call('accounts.login', { ...proof, sign }, { ip: newPlace() })).code).toBe(401)
    expect(await refusedOf(person)).toEqual(['wallet'])
  })

  it('a passkey that answers nothing of ours', async () => {
    const person = await owner(world)
    const passkey = samplePasskey(person.uid)
    const asked = (await world.call('passkeys.addOptions', {}, { token: person.token })).data as Asked
    await world.call('passkeys.add', { name: 'one', credential: passkey.made(asked) }, { token: person.token })
    const credential = passkey.shown({ challenge: 'AAAA' })
    expect((await world.call('passkeys.login', { credential }, { ip: newPlace() })).code).toBe(-1)
    expect(await refusedOf(person)).toEqual(['passkey'])
  })

  it('another service, and a right password, while the account is locked', async () => {
    const person = await owner(world)
    await linkedIdentity(world, { provider: 'harbour', subject: person.uid, userId: person.id })
    await world.db.run(sql`update users set locked_at = ${new Date(world.clock.now())} where id = ${person.id}`)
    const { code, cookies } = await handedOver(world, { provider: 'harbour', subject: person.uid })
    const url = '/api/v1/user/oauth/finish'
    await world.app.inject({ method: 'POST', url, payload: { code }, cookies })
    await world.call('accounts.login', { username: person.email, password: PASSWORD }, { ip: newPlace() })
    expect(await refusedOf(person)).toEqual(['identity', 'password'])
  })

  it('twenty an hour from one address: whoever goes on does not fill the record', async () => {
    const person = await owner(world)
    const input = { username: person.email, verify_code: '000000' }
    for (let tries = 0; tries < 30; tries++) await world.call('accounts.login', input, { ip: '10.41.0.1' })
    expect(await refusedOf(person)).toHaveLength(20)
  })
})

describe('what is left behind', () => {
  it('by a network that goes on beginning sign-ins elsewhere are a hundred of them, those that came back besides', async () => {
    const clients = { authorizationUrl: async () => 'https://harbour.test' } as unknown as Clients
    const provider = { id: 'harbour' } as SignInProvider
    const begin = (turn: number) => {
      const ip = `2001:db8:8:8::${turn.toString(16)}`
      const begun = { userId: null, redirect: undefined, redirectUri: '', lang: 'en', ip } as const
      return beginFlow({ ...world.context, clients }, provider, begun)
    }
    const counted = async () =>
      (await world.db.one<{ count: number }>(sql`select count(*) as count from sign_in_flows`)).count
    await world.db.run(sql`delete from sign_in_flows`)
    const { code, cookies } = await handedOver(world, { provider: 'harbour', subject: 'back' })
    await world.db.run(sql`update sign_in_flows set network = ${clientNetworkOf('2001:db8:8:8::1')}`)
    await atOnce(150, begin)
    expect(await counted()).toBe(101)
    const finish = { method: 'POST' as const, url: '/api/v1/user/oauth/finish', payload: { code }, cookies }
    expect((await world.app.inject(finish)).json()).toMatchObject({ code: 0 })
    world.pass(EXTERNAL_SIGN_IN_LIFE + 1000)
    await deleteExpired(world.context, features)
    expect(await counted()).toBe(0)
  })

  it('by a network that goes on asking is what it may have at a time, and gone when it has ended', async () => {
    const count = async () =>
      (
        await world.db.one<{ count: number }>(
          sql`select count(*) as count from passkey_challenges where user_id is null`,
        )
      ).count
    await world.db.run(sql`delete from passkey_challenges`)
    for (let round = 0; round < 3; round++)
      await atOnce(50, () =>
        askForPasskey(world.context, { purpose: 'login', userId: null, allow: [], ip: `2001:db8:9:9::${round}` }),
      )
    expect(await count()).toBe(60)
    await askForPasskey(world.context, { purpose: 'login', userId: null, allow: [], ip: '2001:db8:9:a::1' })
    expect(await count()).toBe(61)
    world.pass(SECOND_FACTOR_LIFE + 1000)
    await deleteExpired(world.context, features)
    expect(await count()).toBe(0)
  })

  it('by unknown names and unanswered challenges is gone after a day', async () => {
    await inject('/api/v1/user/login', { username: 'gone@mail.test', password: 'wrong-Net1' }, '10.8.8.9')
    await world.call('passkeys.loginOptions', {})
    await ticketOf(world, await cautious(world))
    world.pass(2 * SESSION_LIFE)
    await deleteExpired(world.context, features)
    const { left } = await world.db.one<{ left: number }>(sql`
      select (select count(*) from passkey_challenges) + (select count(*) from second_factor_tickets)
        + (select count(*) from sign_ins where user_id is null) as left`)
    expect(left).toBe(0)
  })
})
