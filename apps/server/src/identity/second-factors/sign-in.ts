import { AppError, SECOND_FACTOR_ATTEMPTS, type SecondFactor } from '@tidenet/contract'
import { type AttemptLimit, countAttempt, resetAttempts } from '../../platform/attempts/attempts.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { verifyPassword } from '../accounts/passwords.ts'
import { type Context, now } from '../context.ts'
import {
  type From,
  findSecondFactorMethods,
  spendTicket,
  type Ticket,
  tryTicket,
} from '../sessions/complete-sign-in.ts'
import { recentAuthUntil, recordAuthentication } from '../sessions/recent-auth.ts'
import { completeSignIn } from '../sessions/sign-ins.ts'
import { type IssuedToken, openSession } from '../sessions/tokens.ts'
import { checkPasskey } from './ceremony.ts'
import { findPassword } from './repository.ts'
import { forgetGuesses, takeGuess, useRecovery, useTotp } from './service.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'portalUrl'>

interface Shown {
  code?: string | undefined
  recovery?: string | undefined
  credential?: unknown
}

/** Spends the proof in the caller's transaction. */
type Spend = (tx: Db) => Promise<void>

/** Somebody with an open browser guesses the password: stopped like at the door. */
const PROOFS: AttemptLimit = { kind: 'prove', free: 5, firstLock: 30_000, longestLock: 900_000 }

/**
 * Opens the session that a ticket stands for. Ticket and proof are spent together with it, so of many at once one succeeds.
 * @throws AppError signInExpired, also for a ticket of another network or after five tries; secondFactorWrong, secondFactorLocked;
 *   passkeyRefused; accountLocked; incomplete
 */
export async function completeBySecondFactor(
  context: Deps,
  { ticket, ...shown }: Shown & { ticket: string },
  from: From,
): Promise<IssuedToken> {
  const way = wayOf(shown)
  if (!way) throw new AppError('incomplete')
  const known = await tryTicket(context, ticket, from.ip, SECOND_FACTOR_ATTEMPTS)
  if (!known) throw new AppError('signInExpired')
  const spend = await check(context, known.userId, way, shown, 'second')
  return context.db.transaction(async (tx) => {
    if (!(await findSecondFactorMethods(tx, known.userId)).includes(way)) throw new AppError('secondFactorWrong')
    if (!(await spendTicket(tx, ticket))) throw new AppError('signInExpired')
    await spend(tx)
    if (way === 'recovery') await noteRecovery(context, tx, known, from)
    await completeSignIn(tx, known.signIn, way)
    return openSession(context, tx, { id: known.userId, uid: known.uid }, from)
  })
}

/**
 * Notes in the session that its owner is there. Who has a second factor shows that, and none that signing in would not take: no key
 * that was never confirmed, no code where passkeys are demanded. The password is for who has none. A passkey always does: it signs in alone.
 * @returns until when changes are taken
 * @throws AppError recentAuthFailed, signInLocked, secondFactorWrong, secondFactorLocked, passkeyRefused, accountLocked, incomplete
 */
export async function prove(
  context: Deps,
  caller: Member,
  { password, ...shown }: Omit<Shown, 'recovery'> & { password?: string | undefined },
): Promise<Date> {
  const way = wayOf(shown)
  if (way) {
    const spend = await check(context, caller.userId, way, shown, 'prove')
    await context.db.transaction(async (tx) => {
      const taken = way === 'passkey' || (await findSecondFactorMethods(tx, caller.userId)).includes(way)
      if (!taken) throw new AppError('secondFactorWrong')
      await spend(tx)
    })
  } else if (password) await checkPassword(context, caller, password)
  else throw new AppError('incomplete')
  await recordAuthentication(context.db, caller.credential, now(context))
  const until = await recentAuthUntil(context, caller)
  if (!until) throw new AppError('sessionExpired')
  return until
}

function wayOf({ code, recovery, credential }: Shown): SecondFactor | undefined {
  if (credential) return 'passkey'
  if (code) return 'totp'
  return recovery ? 'recovery' : undefined
}

async function check(
  context: Deps,
  userId: number,
  way: SecondFactor,
  { code = '', recovery = '', credential }: Shown,
  purpose: 'second' | 'prove',
): Promise<Spend> {
  if (way === 'passkey') {
    const shown = await checkPasskey(context, credential, { purpose, userId })
    return (tx) => shown.use(tx)
  }
  await takeGuess(context, userId)
  return async (tx) => {
    if (way === 'totp') await useTotp(context, tx, userId, code)
    else await useRecovery(context, tx, userId, recovery)
    await forgetGuesses(tx, userId)
  }
}

async function checkPassword(context: Deps, caller: Member, password: string): Promise<void> {
  const seconds = await countAttempt(context, PROOFS, caller.uid)
  if (seconds > 0) throw new AppError('signInLocked', { seconds })
  const stored = await findPassword(context.db, caller.userId)
  const fits = await verifyPassword(stored?.password_hash ?? null, password)
  const ways = await findSecondFactorMethods(context.db, caller.userId)
  if (!fits || ways.length > 0) throw new AppError('recentAuthFailed')
  await resetAttempts(context.db, PROOFS, caller.uid)
}

const noteRecovery = (context: Deps, tx: Db, { userId, uid }: Ticket, from: From): Promise<void> =>
  audit(tx, context, { userId, uid, via: 'proof' }, from, { action: 'recovery.use', subject: `user:${uid}` })
