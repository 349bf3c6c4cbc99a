import { randomBytes } from 'node:crypto'
import { AppError, type Lang, SECOND_FACTOR_LIFE, type SecondFactor, type SignInMethod } from '@tidenet/contract'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { hashToken } from '../../platform/token-hash.ts'
import { type Context, now } from '../context.ts'
import { setLanguage } from '../notifications/notify.ts'
import { recordSignIn } from './sign-ins.ts'
import { type IssuedToken, openSession } from './tokens.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys'>

export interface From {
  ip: string
  agent: string
  /** Origin at which the user uses the portal; default: its public URL. */
  origin?: string
  /** In which the portal is used: later notices are written in it. */
  lang?: Lang
}

export type SignInResult =
  | { kind: 'session'; issued: IssuedToken }
  | { kind: 'secondFactor'; token: string; methods: readonly SecondFactor[] }

/**
 * The last step of every sign-in method, in the transaction that uses up its proof. Opens a session, or issues a second-factor token if the
 * account requires one. Call `sessionOf` with the result after the transaction.
 * @param method a passkey counts as both factors, because its device verified the user
 * @throws AppError accountLocked
 */
export async function completeSignIn(
  context: Deps,
  tx: Db,
  user: { id: number; uid: string },
  from: From,
  method: SignInMethod,
): Promise<SignInResult> {
  if (from.lang) await setLanguage(tx, user.id, from.lang)
  const methods = method === 'passkey' ? [] : await findSecondFactorMethods(tx, user.id)
  if (methods.length === 0) {
    const issued = await openSession(context, tx, user, from)
    await recordSignIn(context, tx, user.id, from, { method, second: '', ok: true })
    return { kind: 'session', issued }
  }
  const signIn = await recordSignIn(context, tx, user.id, from, { method, second: 'owed', ok: false })
  const token = randomBytes(32).toString('base64url')
  await tx.run(sql`
    insert into second_factor_tickets (ticket_hash, user_id, sign_in, network, expires_at)
    values (${hashToken(token)}, ${user.id}, ${signIn}, ${clientNetworkOf(from.ip)},
      ${new Date(context.clock.now() + SECOND_FACTOR_LIFE)})`)
  return { kind: 'secondFactor', token, methods }
}

/** @throws AppError secondFactorNeeded, with the token and the possible methods as data */
export function sessionOf(result: SignInResult): IssuedToken {
  if (result.kind === 'session') return result.issued
  throw new AppError('secondFactorNeeded').with({ ticket: result.token, ways: result.methods })
}

/**
 * The possible second factors; empty: none is required. Locks the account for share, so they do not change until the transaction ends.
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

export interface PendingSignIn {
  userId: number
  uid: string
  signIn: number
}

/** Counts an attempt with a token. Undefined if it is unknown, expired, out of attempts, or of another client network. */
export async function countSecondFactorAttempt(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  token: string,
  ip: string,
  maxAttempts: number,
): Promise<PendingSignIn | undefined> {
  return db.maybe<PendingSignIn>(sql`
    update second_factor_tickets t set tries = t.tries + 1 from users u
    where t.ticket_hash = ${hashToken(token)} and t.network = ${clientNetworkOf(ip)} and t.tries < ${maxAttempts}
      and t.expires_at > ${now({ clock })} and u.id = t.user_id
    returning t.user_id as "userId", u.uid, t.sign_in as "signIn"`)
}

/** Like `countSecondFactorAttempt`, without counting. */
export async function findPendingSignIn(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  token: string,
  ip: string,
  maxAttempts: number,
): Promise<{ userId: number } | undefined> {
  return db.maybe(sql`
    select user_id as "userId" from second_factor_tickets
    where ticket_hash = ${hashToken(token)} and network = ${clientNetworkOf(ip)} and tries < ${maxAttempts} and expires_at > ${now({ clock })}`)
}

/** False if another call has used it. */
export const useSecondFactorToken = async (tx: Db, token: string): Promise<boolean> =>
  (await tx.run(sql`delete from second_factor_tickets where ticket_hash = ${hashToken(token)}`)) === 1
