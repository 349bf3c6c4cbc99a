import { EMAIL_UNDO_LIFE, errors } from '@tidenet/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { inbox, lastCode } from '../../platform/mail/inbox.fixture.ts'
import { type Person, setup, type TestEnv } from '../../test-env.fixture.ts'
import { newPlace, owner, PASSWORD, signedIn } from '../second-factors/sample-person.fixture.ts'
import { evmWallet, linkSample, type SampleWallet, walletLogin } from '../wallets/sample-wallets.fixture.ts'

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

let addresses = 0
const newAddress = () => `new${++addresses}@mail.test`
const fresh = () => ({ ip: newPlace() })
const sendCode = (email: string, token: string) => env.call('emails.sendCode', { email }, { token, ...fresh() })
async function change(email: string, token: string) {
  await sendCode(email, token)
  return env.call('emails.change', { email, verify_code: await lastCode(env, email) }, { token, ...fresh() })
}
const emailOf = async (token: string) => (await env.call('accounts.info', {}, { token })).data.user_email
const signIn = (username: string) => env.call('accounts.login', { username, password: PASSWORD }, fresh())
const walletSignIn = async (wallet: SampleWallet) => env.call('accounts.login', await walletLogin(env, wallet), fresh())
/** The secret of the link that an address got to undo a change. */
async function undoToken(email: string): Promise<string> {
  for (const { text } of await inbox(env, email)) {
    const found = /undoEmail#([\w-]{43})/.exec(text)?.[1]
    if (found) return found
  }
  throw new Error(`${email} got no link`)
}
const undo = (token: string) => env.call('emails.undo', { token }, fresh())
async function register(username: string) {
  await env.call('accounts.verifyCode', { username, type: 1 }, fresh())
  const verify_code = await lastCode(env, username)
  return env.call('accounts.register', { username, verify_code, password: PASSWORD }, fresh())
}

describe('an account changes its e-mail address', () => {
  it('with a code that was sent to the new one, and signs in with it and the same password', async () => {
    const person = await owner(env)
    const email = newAddress()
    expect(await change(email, person.token)).toMatchObject({ code: 0 })
    env.pass(1000)
    expect(await emailOf(person.token)).toBe(email)
    expect(await signIn(email)).toMatchObject({ code: 0 })
    expect(await signIn(person.email)).toMatchObject({ code: 401 })
  })

  it('and keeps its sessions and API keys', async () => {
    const person = await owner(env)
    const { token } = await signedIn(env, person)
    const key = await env.key(person, 'admin')
    await change(newAddress(), token)
    env.pass(1000)
    for (const each of [person.token, token, key])
      expect(await env.call('accounts.info', {}, { token: each })).toMatchObject({ code: 0 })
  })

  it('and both addresses get an e-mail; that to the old one does not name the new one', async () => {
    const person = await owner(env)
    const email = newAddress()
    await change(email, person.token)
    expect((await inbox(env, email)).some(({ code }) => code === null)).toBe(true)
    const [notice] = await inbox(env, person.email)
    expect(notice?.text).toContain('/undoEmail#')
    expect(notice?.text).not.toContain(email)
  })

  it('adds one to an account that was opened by a wallet, which can then set a password', async () => {
    const { token } = (await walletSignIn(evmWallet())).data
    const email = newAddress()
    expect(await emailOf(token)).toBe('')
    expect(await change(email, token)).toMatchObject({ code: 0 })
    await env.call('accounts.verifyCode', { username: email, type: 3 }, fresh())
    const verify_code = await lastCode(env, email)
    await env.call('accounts.resetPassword', { username: email, verify_code, password: PASSWORD }, fresh())
    expect(await signIn(email)).toMatchObject({ code: 0 })
  })
})

describe('the old address can undo the change for seven days', () => {
  it('which ends all sessions and removes the password and every way in that was added since', async () => {
    const person = await owner(env)
    const before = await env.key(person, 'admin')
    env.pass(1000)
    const { token } = await signedIn(env, person)
    await change(newAddress(), token)
    const secret = await undoToken(person.email)
    const after = (await env.call('apiKeys.create', { key_name: 'later' }, { token })).data.key
    const wallet = evmWallet()
    await linkSample(env, wallet, token)
    expect(await undo(secret)).toMatchObject({ code: 0 })
    env.pass(1000)
    for (const each of [person.token, token, after])
      expect(await env.call('accounts.info', {}, { token: each })).toMatchObject({ code: 401 })
    expect(await env.call('accounts.info', {}, { token: before })).toMatchObject({ data: { user_email: person.email } })
    expect(await signIn(person.email)).toMatchObject({ code: 401 })
    const { data } = await walletSignIn(wallet)
    expect(await emailOf(data.token)).toBe('')
    await env.call('accounts.verifyCode', { username: person.email, type: 2 }, fresh())
    const verify_code = await lastCode(env, person.email)
    expect(await env.call('accounts.login', { username: person.email, verify_code }, fresh())).toMatchObject({
      code: 0,
    })
  })

  it('also API keys that were made for teams since, and not those of before', async () => {
    const person = await owner(env)
    const { team } = (await env.call('teams.create', { name: 'Ours' }, person)).data
    const forTeam = { ...person, team }
    const create = async (key_name: string) => (await env.call('apiKeys.create', { key_name }, forTeam)).data.key
    const [before, replaced] = [await create('before'), await create('replaced')]
    await change(newAddress(), person.token)
    const secret = await undoToken(person.email)
    const after = await create('after')
    await env.call('apiKeys.change', { key_name: 'after', new_name: 'renamed' }, forTeam)
    const { key } = (await env.call('apiKeys.rotate', { key_name: 'replaced', overlap_hours: 1 }, forTeam)).data
    expect(await undo(secret)).toMatchObject({ code: 0 })
    env.pass(1000)
    const works = async (token: string) => (await env.call('folders.list', {}, { token })).code === 0
    expect(await Promise.all([before, replaced, after, key].map(works))).toEqual([true, false, false, false])
  })

  it('and the account is kept if it is to be deleted, whether that was asked for before or since', async () => {
    const closing = async (person: Person) =>
      (
        await env.db.one<{ closing: boolean }>(sql`
        select closing_at is not null as closing from users where id = ${person.id}`)
      ).closing
    const [first, second] = [await owner(env), await owner(env)]
    const thief = newAddress()
    await env.call('closing.start', { confirm: first.email }, first)
    await change(newAddress(), first.token)
    await change(thief, second.token)
    await env.call('closing.start', { confirm: thief }, second)
    for (const person of [first, second]) {
      expect(await closing(person)).toBe(true)
      expect(await undo(await undoToken(person.email))).toMatchObject({ code: 0 })
      expect(await closing(person)).toBe(false)
    }
  })

  it('also if the address was changed again meanwhile, whose own link is then worthless', async () => {
    const person = await owner(env)
    const thief = newAddress()
    await change(thief, person.token)
    await change(newAddress(), person.token)
    expect(await undo(await undoToken(person.email))).toMatchObject({ code: 0 })
    expect(await undo(await undoToken(thief))).toMatchObject({ err: errors.emailUndoExpired.err })
    const { email } = await env.db.one<{ email: string }>(sql`select email from users where id = ${person.id}`)
    expect(email).toBe(person.email)
  })

  it('and nobody else can take it in that time, unless it has passed', async () => {
    const person = await owner(env)
    const other = await owner(env)
    await change(newAddress(), person.token)
    expect(await register(person.email)).toMatchObject({ err: errors.emailExists.err })
    expect(await change(person.email, other.token)).toMatchObject({ err: errors.emailExists.err })
    env.pass(EMAIL_UNDO_LIFE + 1000)
    expect(await register(person.email)).toMatchObject({ code: 0 })
    expect(await undo(await undoToken(person.email))).toMatchObject({ err: errors.emailUndoExpired.err })
  })

  it('but its account can take it back itself', async () => {
    const person = await owner(env)
    await change(newAddress(), person.token)
    env.pass(60_000)
    expect(await change(person.email, person.token)).toMatchObject({ code: 0 })
  })
})

describe('a change of the address is refused', () => {
  const later = async (person: Person) => {
    const long = new Date(env.clock.now() - 3_600_000)
    await env.db.run(sql`update sessions set created_at = ${long} where user_id = ${person.id}`)
  }

  it('to a session without recent authentication, before a code is sent', async () => {
    const person = await owner(env)
    const email = newAddress()
    await sendCode(email, person.token)
    const verify_code = await lastCode(env, email)
    await later(person)
    const refusal = { err: errors.recentAuthRequired.err }
    expect(await env.call('emails.change', { email, verify_code }, { token: person.token })).toMatchObject(refusal)
    expect(await sendCode(newAddress(), person.token)).toMatchObject(refusal)
  })

  it('with a code that was sent for another account, another purpose or another address', async () => {
    const [person, other] = [await owner(env), await owner(env)]
    const email = newAddress()
    await sendCode(email, other.token)
    const ofOther = await lastCode(env, email)
    await env.call('accounts.verifyCode', { username: email, type: 2 }, fresh())
    const ofSignIn = await lastCode(env, email)
    await sendCode(newAddress(), person.token)
    for (const verify_code of [ofOther, ofSignIn])
      expect(
        await env.call('emails.change', { email, verify_code }, { token: person.token, ...fresh() }),
      ).not.toMatchObject({ code: 0 })
    env.pass(1000)
    expect(await emailOf(person.token)).toBe(person.email)
  })

  it('to a code that anyone can request without an account', async () => {
    expect(await env.call('accounts.verifyCode', { username: newAddress(), type: 6 }, fresh())).toMatchObject({
      err: errors.codeKind.err,
    })
  })

  it('if another account has the address, which is said only after a correct code', async () => {
    const [person, other] = [await owner(env), await owner(env)]
    const wrong = { email: other.email, verify_code: '000000' }
    expect(await sendCode(other.email, person.token)).toMatchObject({ code: 0 })
    expect(await env.call('emails.change', wrong, { token: person.token, ...fresh() })).not.toMatchObject({
      err: errors.emailExists.err,
    })
    const verify_code = await lastCode(env, other.email)
    const refused = await env.call('emails.change', { email: other.email, verify_code }, { token: person.token })
    expect(refused).toMatchObject({ err: errors.emailExists.err })
  })

  it('to all but one of many accounts that take the same address at once', async () => {
    const email = newAddress()
    const people = await Promise.all(Array.from({ length: 5 }, () => owner(env)))
    const codes: string[] = []
    for (const { token } of people) {
      await env.db.run(sql`update codes set resend_at = now() - interval '1 hour' where address = ${email}`)
      await sendCode(email, token)
      codes.push(await lastCode(env, email))
    }
    const answers = await Promise.all(
      people.map(({ token }, index) =>
        env.call('emails.change', { email, verify_code: codes[index] as string }, { token, ...fresh() }),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await env.db.one(sql`select count(*) as count from users where email = ${email}`)).toEqual({ count: 1 })
  })

  it('to an API key, and to a guessed or used link', async () => {
    const person = await owner(env)
    const key = await env.key(person, 'admin')
    expect(await sendCode(newAddress(), key)).toMatchObject({ err: errors.forbidden.err })
    await change(newAddress(), person.token)
    const secret = await undoToken(person.email)
    expect(await undo([...secret].reverse().join(''))).toMatchObject({ err: errors.emailUndoExpired.err })
    const answers = await Promise.all([undo(secret), undo(secret), undo(secret)])
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })
})
