import { CODE_ATTEMPTS } from '@tidenet/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cautious, owner } from '../../apps/server/src/identity/second-factors/sample-person.fixture.ts'
import { lastCode } from '../../apps/server/src/platform/mail/inbox.fixture.ts'
import { type Answer, setup, type TestEnv } from '../../apps/server/src/test-env.fixture.ts'

/**
 * Answers, database statements and password hashing are the same for known and unknown accounts, so neither an answer nor the time that it
 * takes tells whether an account exists.
 */

// Test files share modules: load the server again with Argon2 counted, and once more without for the files that follow.
vi.hoisted(() => vi.resetModules())
afterAll(() => {
  vi.resetModules()
})

/** Cost parameters of every real Argon2 verification, such as `m=19456,t=2,p=1`. */
const hashing: (string | undefined)[] = []
vi.mock('@node-rs/argon2', async (original) => {
  const argon2 = await original<typeof import('@node-rs/argon2')>()
  return {
    ...argon2,
    verify: (...args: Parameters<typeof argon2.verify>) => {
      hashing.push(String(args[0]).split('$')[3])
      return argon2.verify(...args)
    },
  }
})

let env: TestEnv
beforeAll(async () => {
  env = await setup()
})
afterAll(() => env.close())

let networks = 0
/** A client network of its own for each call, so that no rate limit hides what is tested. */
const newNetwork = () => ({ ip: `10.7.${++networks >> 8}.${networks & 255}` })
let unknownAddresses = 0
const unknownAddress = () => `unknown${++unknownAddresses}@mail.test`

const requestCode = (username: string, type: number) =>
  env.call('accounts.verifyCode', { username, type }, newNetwork())
const signIn = (username: string, password: string, from: { ip: string } = newNetwork()) =>
  env.call('accounts.login', { username, password }, from)
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const sendCode = (operation: 'login' | 'resetPassword', username: string, verify_code: string) =>
  operation === 'login'
    ? env.call('accounts.login', { username, verify_code }, newNetwork())
    : env.call('accounts.resetPassword', { username, verify_code, password: 'evil-Net1' }, newNetwork())

/** What the caller sees; numbers of remaining seconds may differ. */
const answerOf = ({ code, err, msg, status, data }: Answer<unknown>) => ({
  code,
  err,
  msg: msg?.replace(/\d+/, 'n'),
  status,
  data,
})

/** The answer to a call, and the work that the server did for it. */
async function observe(call: () => Promise<Answer<unknown>>) {
  const statements: string[] = []
  const query = vi.spyOn(pg.Client.prototype, 'query')
  hashing.length = 0
  try {
    const answer = answerOf(await call())
    for (const [text] of query.mock.calls as unknown[][]) statements.push(String(text))
    return { answer, statements, hashing: [...hashing] }
  } finally {
    query.mockRestore()
  }
}

describe('a caller cannot find out whether an account exists', () => {
  it('by a wrong password', async () => {
    const { email } = await owner(env)
    const known = await observe(() => signIn(email, 'wrong-Net1'))
    expect(known.hashing).toEqual(['m=19456,t=2,p=1'])
    expect(known.statements.length).toBeGreaterThan(0)
    expect(await observe(() => signIn(unknownAddress(), 'wrong-Net1'))).toEqual(known)
  })

  it('by wrong passwords until sign-in is locked', async () => {
    const { email } = await owner(env)
    const attempts = async (username: string) => {
      const answers = []
      for (let count = 0; count < 8; count++)
        answers.push(answerOf(await signIn(username, 'wrong-Net1', { ip: '10.9.9.9' })))
      return answers
    }
    expect(await attempts(unknownAddress())).toEqual(await attempts(email))
  })

  it('by a wrong password for an account with a second factor', async () => {
    const { email } = await cautious(env)
    const known = await observe(() => signIn(email, 'wrong-Net1'))
    expect(await observe(() => signIn(unknownAddress(), 'wrong-Net1'))).toEqual(known)
  })

  it.each([2, 3])('by requesting a verification code (purpose %i), once or twice', async (type) => {
    const { email } = await env.person()
    const unknown = unknownAddress()
    for (let request = 0; request < 2; request++) {
      const known = await observe(() => requestCode(email, type))
      expect(known.statements.length).toBeGreaterThan(0)
      expect(await observe(() => requestCode(unknown, type))).toEqual(known)
    }
  })

  it('by requesting a code to use an address for an own account', async () => {
    const [{ email }, { token }] = [await env.person(), await env.person()]
    const request = (address: string) => env.call('emails.sendCode', { email: address }, { token, ...newNetwork() })
    await request(unknownAddress())
    const known = await observe(() => request(email))
    expect(known.answer).toMatchObject({ code: 0 })
    expect(await observe(() => request(unknownAddress()))).toEqual(known)
  })

  it.each(['login', 'resetPassword'] as const)('by wrong verification codes (%s)', async (operation) => {
    const attempts = async (username: string) => {
      await requestCode(username, operation === 'login' ? 2 : 3)
      const verify_code = wrong(await lastCode(env, username))
      const observed = []
      for (let count = 0; count <= CODE_ATTEMPTS; count++)
        observed.push(await observe(() => sendCode(operation, username, verify_code)))
      return observed
    }
    const known = await attempts((await env.person()).email)
    expect(known.every(({ statements }) => statements.length > 0)).toBe(true)
    expect(await attempts(unknownAddress())).toEqual(known)
  })
})
