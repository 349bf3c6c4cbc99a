import { createHash, randomBytes } from 'node:crypto'
import { AppError, SECOND_FACTOR_LIFE, type SecondFactor } from '@tidenet/contract'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Context, now } from '../context.ts'
import { logSignIn, type Way } from './sign-ins.ts'
import { type IssuedToken, openSession } from './tokens.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys'>

export interface From {
  ip: string
  agent: string
  /** Where the person sees the portal; absent: at its own address. */
  origin?: string
}

/** Either somebody is in, or the second factor is owed. */
export type Admission =
  | { kind: 'session'; issued: IssuedToken }
  | { kind: 'ticket'; ticket: string; ways: readonly SecondFactor[] }

/**
 * What every way in ends with, in the transaction that spends the proof: opens a session, or makes the ticket of an account that asks for
 * a second factor. Turn the result into an answer by `entered`, after the transaction.
 * @param way a passkey counts as both factors: its device has checked who holds it
 * @throws AppError accountLocked
 */
export async function admit(
  context: Deps,
  tx: Db,
  user: { id: number; uid: string },
  from: From,
  way: Way,
): Promise<Admission> {
  const ways = way === 'passkey' ? [] : await findSecondFactorMethods(tx, user.id)
  if (ways.length === 0) {
    const issued = await openSession(context, tx, user, from)
    await logSignIn(context, tx, user.id, from, { way, second: '', ok: true })
    return { kind: 'session', issued }
  }
  const signIn = await logSignIn(context, tx, user.id, from, { way, second: 'owed', ok: false })
  const ticket = randomBytes(32).toString('base64url')
  await tx.run(sql`
    insert into second_factor_tickets (ticket_hash, user_id, sign_in, network, expires_at)
    values (${hashTicket(ticket)}, ${user.id}, ${signIn}, ${clientNetworkOf(from.ip)},
      ${new Date(context.clock.now() + SECOND_FACTOR_LIFE)})`)
  return { kind: 'ticket', ticket, ways }
}

/**
 * The session of an admission.
 * @throws AppError secondFactorNeeded, with the ticket and the ways as data
 */
export function entered(admission: Admission): IssuedToken {
  if (admission.kind === 'session') return admission.issued
  const { ticket, ways } = admission
  throw new AppError('secondFactorNeeded').with({ ticket, ways })
}

/**
 * By what the account's second factor may be shown; empty: it has none. Nobody turns one on or off until the transaction ends.
 * @throws AppError accountLocked
 */
export async function findSecondFactorMethods(tx: Db, userId: number): Promise<SecondFactor[]> {
  const account = await tx.maybe<{ id: number; passkey_required: boolean }>(
    sql`select id, passkey_required from users where id = ${userId} and locked_at is null for share`,
  )
  if (!account) throw new AppError('accountLocked')
  const has = await tx.one<{ totp: boolean; passkey: boolean; recovery: boolean }>(sql`
    select exists (select from totp where user_id = ${userId} and confirmed_at is not null) as totp,
      exists (select from passkeys where user_id = ${userId}) as passkey,
      exists (select from recovery_codes where user_id = ${userId} and used_at is null) as recovery`)
  const onlyPasskey = account.passkey_required && has.passkey
  if (!has.totp && !onlyPasskey) return []
  return [
    ...(has.totp && !onlyPasskey ? (['totp'] as const) : []),
    ...(has.passkey ? (['passkey'] as const) : []),
    ...(has.recovery ? (['recovery'] as const) : []),
  ]
}

/** Tickets are 256 random bits: a plain hash keeps a stolen table from telling them. */
export const hashTicket = (ticket: string): Buffer => createHash('sha256').update(ticket).digest()

export interface Ticket {
  userId: number
  uid: string
  signIn: number
}

/** Takes one of the ticket's five tries; undefined when it is unknown, ended, tried too often or somebody else's network. */
export async function tryTicket(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  ticket: string,
  ip: string,
  tries: number,
): Promise<Ticket | undefined> {
  return db.maybe<Ticket>(sql`
    update second_factor_tickets t set tries = t.tries + 1 from users u
    where t.ticket_hash = ${hashTicket(ticket)} and t.network = ${clientNetworkOf(ip)} and t.tries < ${tries}
      and t.expires_at > ${now({ clock })} and u.id = t.user_id
    returning t.user_id as "userId", u.uid, t.sign_in as "signIn"`)
}

/** Whose ticket it is, without taking a try. */
export async function peekTicket(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  ticket: string,
  ip: string,
  tries: number,
): Promise<{ userId: number } | undefined> {
  return db.maybe(sql`
    select user_id as "userId" from second_factor_tickets
    where ticket_hash = ${hashTicket(ticket)} and network = ${clientNetworkOf(ip)} and tries < ${tries} and expires_at > ${now({ clock })}`)
}

/** Spends the ticket; false when another call has done so. */
export const spendTicket = async (tx: Db, ticket: string): Promise<boolean> =>
  (await tx.run(sql`delete from second_factor_tickets where ticket_hash = ${hashTicket(ticket)}`)) === 1
