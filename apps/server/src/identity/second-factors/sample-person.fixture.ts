import { sql } from '../../platform/db/sql.ts'
import type { Answer, Person, TestEnv } from '../../test-env.fixture.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { openSession } from '../sessions/tokens.ts'
import { codeAt } from './totp.ts'

/** For tests: people with a password and second factors. */

export const PASSWORD = 'tide-Net9'
const STEP = 30_000
let passwordHash: Promise<string> | undefined

/** A person with a password, signed in now. */
export async function owner(env: TestEnv): Promise<Person> {
  passwordHash ??= hashPassword(PASSWORD)
  const person = await env.person()
  await env.db.run(sql`update users set password_hash = ${await passwordHash} where id = ${person.id}`)
  return { ...person, ...(await signedIn(env, person)) }
}

export const signedIn = (env: TestEnv, person: Person) =>
  openSession(env.context, env.db, person, { ip: '127.0.0.1', agent: 'test' })

/** The next code of an authenticator app; advances the clock, so that codes are not repeated. */
export function nextCode(env: TestEnv, secret: string): string {
  env.pass(STEP)
  return codeAt(secret, env.clock.now())
}

/** A person whose account requires one-time codes. */
export async function cautious(env: TestEnv): Promise<Person & { secret: string; recovery: string[] }> {
  const person = await owner(env)
  const { secret } = (await env.call('secondFactors.startTotp', {}, { token: person.token })).data
  const code = nextCode(env, secret)
  const { recovery } = (await env.call('secondFactors.confirmTotp', { code }, { token: person.token })).data
  return { ...person, secret, recovery }
}

export interface Owed {
  ticket: string
  ways: string[]
}

let places = 0
/** A new IP address, so that limits per network do not interfere. */
export const newPlace = (): string => `10.${(++places >> 16) & 255}.${(places >> 8) & 255}.${places & 255}`

/** The second-factor token after a correct password, and the IP address that it is valid for. */
export async function ticketOf(env: TestEnv, person: Person, ip = newPlace()): Promise<Owed & { ip: string }> {
  const answer = await env.call('accounts.login', { username: person.email, password: PASSWORD }, { ip })
  return { ...owed(answer), ip }
}

export function owed(answer: Answer<unknown>): Owed {
  const data = answer.data as Partial<Owed> | undefined
  if (!data?.ticket || !data.ways) throw new Error(`no ticket but ${JSON.stringify(answer)}`)
  return { ticket: data.ticket, ways: data.ways }
}
