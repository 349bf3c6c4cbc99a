import {
  CODE_ATTEMPTS,
  CODE_LIFE,
  CODE_RESEND,
  CODES_PER_NETWORK_DAY,
  contract,
  errors,
  errorText,
  type Route,
  SESSION_CHAIN,
} from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hashPassword } from '../../apps/server/src/identity/accounts/passwords.ts'
import { openSession } from '../../apps/server/src/identity/sessions/tokens.ts'
import { clientNetworkOf } from '../../apps/server/src/platform/attempts/attempts.ts'
import { sql } from '../../apps/server/src/platform/db/sql.ts'
import { inbox, lastCode } from '../../apps/server/src/platform/mail/inbox.fixture.ts'
import { setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

let world: TestEnv
let places = 0
beforeAll(async () => {
  world = await setup()
})
afterAll(() => world.close())

const PASSWORD = 'tide-Net9'
/** Each call from a place of its own, so that no limit of one place hides what is tested. */
const place = () => ({ ip: `10.7.${++places >> 8}.${places & 255}` })
const ask = (username: string, type = 1) => world.call('accounts.verifyCode', { username, type }, place())
const register = (username: string, verify_code: string, password = PASSWORD) =>
  world.call('accounts.register', { username, verify_code, password }, place())
const signIn = (username: string, password: string, as: { ip?: string } = place()) =>
  world.call('accounts.login', { username, password }, as)
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const users = async () => (await world.db.one<{ count: number }>(sql`select count(*) as count from users`)).count

/** A person with a password, signed in now. */
async function owner() {
  const person = await world.person()
  await world.db.run(sql`update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${person.id}`)
  const { token } = await openSession(world.context, world.db, person, { ip: '127.0.0.1', agent: 'test' })
  return { ...person, token }
}

describe('a code', () => {
  it('cannot be used twice, for any purpose', async () => {
    const { email } = await owner()
    await ask(email, 2)
    const verify_code = await lastCode(world, email)
    expect(await world.call('accounts.login', { username: email, verify_code })).toMatchObject({ code: 0 })
    expect(await world.call('accounts.login', { username: email, verify_code })).toMatchObject({ code: 401 })
    world.pass(CODE_RESEND)
    await ask(email, 3)
    const reset = { username: email, verify_code: await lastCode(world, email), password: 'new-Tide7' }
    expect(await world.call('accounts.resetPassword', reset)).toMatchObject({ code: 0 })
    expect(await world.call('accounts.resetPassword', reset)).toMatchObject({ err: errors.codeExpired.err })
  })

  it('opens one session when fifty send it at the same moment', async () => {
    const { email } = await owner()
    await ask(email, 2)
    const verify_code = await lastCode(world, email)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.call('accounts.login', { username: email, verify_code }, place())),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })

  it('cannot be found by trying: five wrong ones end it, also when all are sent at the same moment', async () => {
    const { email } = await owner()
    await ask(email, 3)
    const code = await lastCode(world, email)
    const guesses = Array.from({ length: 60 }, () => wrong(code))
    const answers = await Promise.all(
      guesses.map((verify_code) =>
        world.call('accounts.resetPassword', { username: email, verify_code, password: 'evil-Net1' }, place()),
      ),
    )
    expect(answers.filter(({ err }) => err === errors.invalidCode.err)).toHaveLength(CODE_ATTEMPTS - 1)
    const late = { username: email, verify_code: code, password: 'evil-Net1' }
    expect(await world.call('accounts.resetPassword', late)).toMatchObject({ err: errors.codeLocked.err })
    expect(await signIn(email, PASSWORD)).toMatchObject({ code: 0 })
  })

  it('of one account does not reset another, nor does one for signing in', async () => {
    const [attacker, victim] = [await owner(), await owner()]
    await ask(attacker.email, 3)
    await ask(victim.email, 2)
    const own = await lastCode(world, attacker.email)
    const other = await lastCode(world, victim.email)
    for (const verify_code of [own, other])
      expect(
        (
          await world.call(
            'accounts.resetPassword',
            { username: victim.email, verify_code, password: 'evil-Net1' },
            { token: attacker.token },
          )
        ).code,
      ).toBe(-1)
    expect(await signIn(victim.email, PASSWORD)).toMatchObject({ code: 0 })
  })

  it('has no twin in the environment that always works', async () => {
    for (const name of ['TEST_ENV_VERIFY_CODE', 'TIDENET_VERIFY_CODE', 'VERIFY_CODE']) vi.stubEnv(name, '123456')
    try {
      expect((await register('bypass@mail.test', '123456')).code).toBe(-1)
      await ask('bypass@mail.test')
      if ((await lastCode(world, 'bypass@mail.test')) !== '123456')
        expect(await register('bypass@mail.test', '123456')).toMatchObject({ err: errors.invalidCode.err })
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('does not follow from the clock or a weak generator', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const time = vi.spyOn(world.clock, 'now').mockReturnValue(world.clock.now())
    try {
      const codes = new Set<string>()
      for (let reader = 0; reader < 12; reader++) {
        await ask(`random${reader}@mail.test`)
        codes.add(await lastCode(world, `random${reader}@mail.test`))
      }
      expect(codes.size).toBeGreaterThan(8)
    } finally {
      random.mockRestore()
      time.mockRestore()
    }
  })

  it('cannot be read from its table', async () => {
    await ask('stored@mail.test')
    const code = await lastCode(world, 'stored@mail.test')
    const { row } = await world.db.one<{ row: string }>(
      sql`select c::text as row from codes c where address = 'stored@mail.test'`,
    )
    expect(row).not.toContain(code)
    expect(row).not.toContain(Buffer.from(code).toString('hex'))
  })

  it('is never in an answer', async () => {
    const answer = await ask('answer@mail.test')
    expect(JSON.stringify([answer.data, answer.headers])).not.toContain(await lastCode(world, 'answer@mail.test'))
  })
})

describe('asking for codes', () => {
  it('cannot flood a mailbox: of fifty at the same moment one is sent', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('flooded@mail.test')))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await inbox(world, 'flooded@mail.test')).toHaveLength(1)
  })

  it('cannot flood many: thirty at the same moment from one place that has one left give one', async () => {
    const from = (index: number) => ({ ip: `2001:db8:7:7::${index.toString(16)}` })
    await world.db.run(sql`
      insert into code_log (address, ip, sent_at)
      select 'many', ${clientNetworkOf(from(1).ip)}, ${new Date(world.clock.now())} from generate_series(1, ${CODES_PER_NETWORK_DAY - 1}::int)`)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        world.call('accounts.verifyCode', { username: `more${index}@mail.test`, type: 1 }, from(index)),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })

  it('is not freed of its limits by a header that claims another address', async () => {
    const answers = []
    for (let sent = 0; sent < 70; sent++)
      answers.push(
        await world.app.inject({
          method: 'POST',
          url: '/api/v1/user/verify_code',
          remoteAddress: '10.8.0.1',
          headers: {
            'x-forwarded-for': `198.51.100.${sent}`,
            'x-real-ip': `198.51.100.${sent}`,
            forwarded: `for=198.51.100.${sent}`,
          },
          payload: { username: `spoof${sent}@mail.test`, type: 1 },
        }),
      )
    expect(answers.at(-1)?.statusCode).toBe(429)
  })

  it('replaces no nonce: the purpose that did so does not exist', async () => {
    expect(await ask('nonce@mail.test', 4)).toMatchObject({ code: -1, err: errors.codeKind.err })
  })

  it('makes no account, and nothing else does before the mail is proved', async () => {
    const before = await users()
    for (const type of [1, 2, 3, 5]) await ask('stranger@mail.test', type)
    await register('stranger@mail.test', wrong(await lastCode(world, 'stranger@mail.test')))
    await signIn('stranger@mail.test', PASSWORD)
    for (const url of ['/api/v1/storage/login_before', '/api/v2/login_before'])
      expect((await world.app.inject({ url, query: { username: 'stranger@mail.test' } })).json()).toMatchObject({
        code: -1,
        err: errors.walletAddress.err,
      })
    expect(await users()).toBe(before)
  })
})

describe('nobody learns who has an account', () => {
  const answerOf = ({ code, err, msg, status }: { code: number; err?: number; msg?: string; status: number }) => ({
    code,
    err,
    msg,
    status,
  })

  it.each([2, 3])('by asking for a code (purpose %i)', async (type) => {
    const { email } = await owner()
    const unknown = `ghost${type}@mail.test`
    const [first, second] = [await ask(email, type), await ask(unknown, type)]
    expect(answerOf(second)).toEqual(answerOf(first))
    expect(second.data).toEqual(first.data)
    const [again, once] = [await ask(email, type), await ask(unknown, type)]
    expect(answerOf(once)).toEqual(answerOf(again))
  })

  it.each(['login', 'resetPassword'] as const)('by trying codes (%s)', async (operation) => {
    const { email } = await owner()
    const unknown = `ghost-${operation}@mail.test`.toLowerCase()
    const tries = async (username: string) => {
      await ask(username, operation === 'login' ? 2 : 3)
      const verify_code = wrong(await lastCode(world, username))
      const answers = []
      for (let count = 0; count <= CODE_ATTEMPTS; count++)
        answers.push(
          answerOf(
            operation === 'login'
              ? await world.call('accounts.login', { username, verify_code }, place())
              : await world.call('accounts.resetPassword', { username, verify_code, password: 'evil-Net1' }, place()),
          ),
        )
      return answers.map((answer) => ({ ...answer, msg: answer.msg?.replace(/\d+/, 'n') }))
    }
    expect(await tries(unknown)).toEqual(await tries(email))
  })

  it('by trying passwords, until both are locked alike', async () => {
    const { email } = await owner()
    const tries = async (username: string) => {
      const answers = []
      for (let count = 0; count < 8; count++)
        answers.push(answerOf(await signIn(username, 'wrong-Net1', { ip: '10.9.9.9' })))
      return answers.map((answer) => ({ ...answer, msg: answer.msg?.replace(/\d+/, 'n') }))
    }
    expect(await tries('ghost-password@mail.test')).toEqual(await tries(email))
  })

  /** The quickest of each, in turn: whatever else the machine does can only make an answer slower. */
  async function timesOf(rounds: number, prepare: (known: boolean) => Promise<() => Promise<unknown>>) {
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let round = 0; round <= rounds; round++)
      for (const which of ['known', 'unknown'] as const) {
        const call = await prepare(which === 'known')
        const start = performance.now()
        await call()
        // The first ones warm up.
        if (round > 0) times[which].push(performance.now() - start)
      }
    return Math.min(...times.unknown) / Math.min(...times.known)
  }
  let ghosts = 0
  const ghost = () => `timed${++ghosts}@mail.test`
  const alike = (ratio: number) => {
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  }

  it('by the time that a sign-in takes', async () => {
    alike(
      await timesOf(9, async (known) => {
        const email = known ? (await owner()).email : ghost()
        return () => signIn(email, 'wrong-Net1')
      }),
    )
  })

  it.each([2, 3])('by the time that asking for a code takes (purpose %i)', async (type) => {
    alike(
      await timesOf(20, async (known) => {
        const email = known ? (await world.person()).email : ghost()
        return () => ask(email, type)
      }),
    )
  })

  it.each(['login', 'resetPassword'] as const)('by the time that a wrong code takes (%s)', async (operation) => {
    alike(
      await timesOf(20, async (known) => {
        const username = known ? (await world.person()).email : ghost()
        await ask(username, operation === 'login' ? 2 : 3)
        const verify_code = wrong(await lastCode(world, username))
        return () =>
          operation === 'login'
            ? world.call('accounts.login', { username, verify_code }, place())
            : world.call('accounts.resetPassword', { username, verify_code, password: 'evil-Net1' }, place())
      }),
    )
  })
})

describe('a session', () => {
  it('is asked for by every call that needs one, before anything is done', async () => {
    const open: string[] = []
    for (const [duty, operations] of Object.entries(contract))
      for (const [name, route] of Object.entries(operations as Record<string, Route>)) {
        if (route.auth === 'public' || route.auth === 'optional') continue
        for (const method of route.alsoPost ? (['GET', 'POST'] as const) : [route.method]) {
          const answer = await world.app.inject({
            method,
            url: route.path.replace(/:\w+/g, '-'),
            headers: { jwtauthorization: 'Bearer x.y.z', authorization: 'Bearer x.y.z', apikey: 'x' },
            ...(method === 'POST' && { payload: {} }),
          })
          const body = answer.json()
          if (answer.statusCode !== 200 || body.code !== 401 || body.success !== false || 'data' in body)
            open.push(`${duty}.${name} ${method}: ${answer.statusCode} ${answer.body.slice(0, 80)}`)
        }
      }
    expect(open).toEqual([])
  })

  it('belongs to whom it was given: names in query and body change nothing', async () => {
    const [attacker, victim] = [await owner(), await owner()]
    const claims = { username: victim.email, user_id: victim.uid, uid: victim.uid, id: victim.uid } as never
    expect((await world.call('accounts.info', claims, { token: attacker.token })).data.uuid).toBe(attacker.uid)
    expect((await world.call('accounts.vipInfo', claims, { token: attacker.token })).data.uid).toBe(attacker.uid)
  })

  it('ends when it is signed out, and cannot be renewed afterwards', async () => {
    const { token } = await owner()
    await world.call('accounts.logout', {}, { token })
    world.pass(1000)
    expect((await world.call('accounts.refresh', {}, { token })).code).toBe(401)
    expect((await world.call('accounts.info', {}, { token })).code).toBe(401)
  })

  it('is not kept alive for ever by renewing it', async () => {
    let { token } = await owner()
    const started = world.clock.now()
    for (let renewals = 0; renewals < 30; renewals++) {
      const { code, data } = await world.call('accounts.refresh', {}, { token })
      if (code !== 0) break
      token = data.token
      world.pass(8 * 3600 * 1000)
    }
    expect((await world.call('accounts.info', {}, { token })).code).toBe(401)
    expect(world.clock.now() - started).toBeLessThanOrEqual(SESSION_CHAIN + 8 * 3600 * 1000)
  })

  it('does not outlive a reset that happens while the old password signs in', async () => {
    const { email } = await owner()
    await ask(email, 3)
    const verify_code = await lastCode(world, email)
    const [reset, ...entries] = await Promise.all([
      world.call('accounts.resetPassword', { username: email, verify_code, password: 'new-Tide7' }, place()),
      ...Array.from({ length: 12 }, () => signIn(email, PASSWORD)),
    ])
    expect(reset).toMatchObject({ code: 0 })
    world.pass(1000)
    for (const { code, data } of entries)
      if (code === 0) expect((await world.call('accounts.info', {}, { token: data.token })).code).toBe(401)
  })

  it('has a token that no answer repeats', async () => {
    const { token } = await owner()
    const { headers, ...body } = await world.call('accounts.info', {}, { token })
    expect(JSON.stringify([headers, body])).not.toContain(token)
    expect(headers.authorization).toBeUndefined()
  })

  it('is shown to no cache', async () => {
    const { email } = await owner()
    expect((await signIn(email, PASSWORD)).headers['cache-control']).toBe('no-store')
  })
})

describe('an account', () => {
  it('exists exactly when registering says so', async () => {
    await ask('certain@mail.test')
    const code = await lastCode(world, 'certain@mail.test')
    const answers = await Promise.all(Array.from({ length: 20 }, () => register('certain@mail.test', code)))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(await signIn('certain@mail.test', PASSWORD)).toMatchObject({ code: 0 })
  })

  it('is not taken over by registering its address again, in whatever letters', async () => {
    const { email } = await owner()
    const before = await users()
    for (const spelling of [email, email.toUpperCase(), ` ${email} `]) {
      world.pass(CODE_LIFE)
      await ask(spelling)
      expect(await register(spelling, await lastCode(world, email), 'evil-Net1')).toMatchObject({
        err: errors.emailExists.err,
      })
    }
    expect(await users()).toBe(before)
    expect(await signIn(email, PASSWORD)).toMatchObject({ code: 0 })
    expect(await signIn(email, 'evil-Net1')).toMatchObject({ code: 401 })
  })

  it('of a look-alike address gets the mail of no other', async () => {
    // The Kelvin sign is a small k in lower case: the code must go to the address that it becomes.
    await ask('\u212Aelvin@mail.test')
    expect(await inbox(world, 'kelvin@mail.test')).toHaveLength(1)
    const mails = await world.db.rows<{ recipient: string }>(
      sql`select recipient from mails where recipient like ${'\u212A%'}`,
    )
    expect(mails).toEqual([])
  })

  it('with the shortest address works: nothing cuts it into pieces', async () => {
    await ask('a@b.c')
    expect(await register('a@b.c', await lastCode(world, 'a@b.c'))).toMatchObject({ code: 0 })
    const { token } = (await signIn('a@b.c', PASSWORD)).data
    expect((await world.call('accounts.info', {}, { token })).data.user_email).toBe('a@b.c')
  })

  it('is not opened by a password that is guessed: the sixth try from a place is not even looked at', async () => {
    const { email } = await owner()
    for (let tries = 0; tries < 5; tries++) await signIn(email, 'wrong-Net1', { ip: '10.5.5.5' })
    const answer = await signIn(email, PASSWORD, { ip: '10.5.5.5' })
    expect(answer).toMatchObject({ code: 401, success: false })
    expect(answer.msg).not.toBe(errorText('signInFailed', 'en'))
    expect(await signIn(email, PASSWORD, { ip: '10.5.5.6' })).toMatchObject({ code: 0 })
  })

  it.each([
    [{ username: { $ne: null }, password: { $ne: null } }],
    [{ username: ["' or 1=1 --"], password: 'x' }],
    [{ username: "' or '1'='1", password: "' or '1'='1" }],
    [{ username: 'a@b.c', password: ['tide-Net9'] }],
    [{ username: 'a@b.c', verify_code: { length: 6 } }],
    [{ username: 'a@b.c', password: null, verify_code: null }],
    [{ __proto__: { username: 'a@b.c', password: PASSWORD } }],
  ])('is not opened by input of another form: %j', async (input) => {
    const answer = await world.call('accounts.login', input as never, place())
    expect(answer).toMatchObject({ code: 401, success: false, status: 200 })
    expect(answer.msg).not.toBe(errorText('internal', 'en'))
  })

  it('makes its mail no carrier of foreign headers or readers', async () => {
    for (const username of ['a@b.c\r\nBcc: d@e.f', 'a@b.c,d@e.f', 'a@b.c;d@e.f', '"x" <a@b.c>', 'a@b.c%0aBcc: d@e.f'])
      expect(await ask(username)).toMatchObject({ code: -1, err: errors.emailInvalid.err })
  })
})
