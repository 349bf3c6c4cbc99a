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
export async function owner(world: TestEnv): Promise<Person> {
  passwordHash ??= hashPassword(PASSWORD)
  const person = await world.person()
  await world.db.run(sql`update users set password_hash = ${await passwordHash} where id = ${person.id}`)
  return { ...person, ...(await signedIn(world, person)) }
}

export const signedIn = (world: TestEnv, person: Person) =>
  openSession(world.context, world.db, person, { ip: '127.0.0.1', agent: 'test' })

/** What an app shows now; the time moves on first, so that each code is a new one. */
export function nextCode(world: TestEnv, secret: string): string {
  world.pass(STEP)
  return codeAt(secret, world.clock.now())
}

/** A person whose account asks for one-time codes. */
export async function cautious(world: TestEnv): Promise<Person & { secret: string; recovery: string[] }> {
  const person = await owner(world)
  const { secret } = (await world.call('secondFactors.startTotp', {}, { token: person.token })).data
  const code = nextCode(world, secret)
  const { recovery } = (await world.call('secondFactors.confirmTotp', { code }, { token: person.token })).data
  return { ...person, secret, recovery }
}

export interface Owed {
  ticket: string
  ways: string[]
}

let places = 0
/** An address that nobody has called from, so that no limit of one place hides what is tested. */
export const newPlace = (): string => `10.${(++places >> 16) & 255}.${(places >> 8) & 255}.${places & 255}`

/** The ticket of a right password, and where it counts. */
export async function ticketOf(world: TestEnv, person: Person, ip = newPlace()): Promise<Owed & { ip: string }> {
  const answer = await world.call('accounts.login', { username: person.email, password: PASSWORD }, { ip })
  return { ...owed(answer), ip }
}

export function owed(answer: Answer<unknown>): Owed {
  const data = answer.data as Partial<Owed> | undefined
  if (!data?.ticket || !data.ways) throw new Error(`no ticket but ${JSON.stringify(answer)}`)
  return { ticket: data.ticket, ways: data.ways }
}
