import { AppError, SECOND_FACTOR_ATTEMPTS, type SecondFactor } from '@tidenet/contract'
import { type AttemptLimit, countAttempt, resetAttempts } from '../../platform/attempts/attempts.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { verifyPassword } from '../accounts/passwords.ts'
import { type Context, now } from '../context.ts'
import {
  countSecondFactorAttempt,
  type From,
  findSecondFactorMethods,
  type PendingSignIn,
  useSecondFactorToken,
} from '../sessions/complete-sign-in.ts'
import { recentAuthUntil, recordAuthentication } from '../sessions/recent-auth.ts'
import { recordSecondFactor } from '../sessions/sign-ins.ts'
import { type IssuedToken, openSession } from '../sessions/tokens.ts'
import { checkPasskey } from './ceremony.ts'
import { findPassword } from './repository.ts'
import { countCodeAttempt, resetCodeAttempts, useRecovery, useTotp } from './service.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'portalUrl'>

interface Proof {
  code?: string | undefined
  recovery?: string | undefined
  credential?: unknown
}

/** Uses up the proof in the caller's transaction. */
type UseProof = (tx: Db) => Promise<void>

/** Limits password guesses in an open browser. */
const PASSWORD_ATTEMPTS: AttemptLimit = { kind: 'prove', free: 5, firstLock: 30_000, longestLock: 900_000 }

/**
 * Completes a sign-in. Token and proof are used up in the transaction that opens the session, so only one of several concurrent calls succeeds.
 * @throws AppError signInExpired, also for a token of another network or after five attempts; secondFactorWrong, secondFactorLocked;
 *   passkeyRefused; accountLocked; incomplete
 */
export async function completeBySecondFactor(
  context: Deps,
  { ticket: token, ...proof }: Proof & { ticket: string },
  from: From,
): Promise<IssuedToken> {
  const method = methodOf(proof)
  if (!method) throw new AppError('incomplete')
  const pending = await countSecondFactorAttempt(context, token, from.ip, SECOND_FACTOR_ATTEMPTS)
  if (!pending) throw new AppError('signInExpired')
  const useProof = await check(context, pending.userId, method, proof, 'second')
  return context.db.transaction(async (tx) => {
    if (!(await findSecondFactorMethods(tx, pending.userId)).includes(method)) throw new AppError('secondFactorWrong')
    if (!(await useSecondFactorToken(tx, token))) throw new AppError('signInExpired')
    await useProof(tx)
    if (method === 'recovery') await auditRecovery(context, tx, pending, from)
    await recordSecondFactor(tx, pending.signIn, method)
    return openSession(context, tx, { id: pending.userId, uid: pending.uid }, from)
  })
}

/**
 * Records a recent authentication in the session. Accounts with a second factor must use one that signing in accepts (confirmed, and a passkey
 * if required); others use the password. A passkey is always accepted, because it is sufficient to sign in.
 * @returns until when it counts as recent
 * @throws AppError recentAuthFailed, signInLocked, secondFactorWrong, secondFactorLocked, passkeyRefused, accountLocked, incomplete
 */
export async function prove(
  context: Deps,
  caller: Member,
  { password, ...proof }: Omit<Proof, 'recovery'> & { password?: string | undefined },
): Promise<Date> {
  const method = methodOf(proof)
  if (method) {
    const useProof = await check(context, caller.userId, method, proof, 'prove')
    await context.db.transaction(async (tx) => {
      const accepted = method === 'passkey' || (await findSecondFactorMethods(tx, caller.userId)).includes(method)
      if (!accepted) throw new AppError('secondFactorWrong')
      await useProof(tx)
    })
  } else if (password) await checkPassword(context, caller, password)
  else throw new AppError('incomplete')
  await recordAuthentication(context.db, caller.credential, now(context))
  const until = await recentAuthUntil(context, caller)
  if (!until) throw new AppError('sessionExpired')
  return until
}

function methodOf({ code, recovery, credential }: Proof): SecondFactor | undefined {
  if (credential) return 'passkey'
  if (code) return 'totp'
  return recovery ? 'recovery' : undefined
}

async function check(
  context: Deps,
  userId: number,
  method: SecondFactor,
  { code = '', recovery = '', credential }: Proof,
  purpose: 'second' | 'prove',
): Promise<UseProof> {
  if (method === 'passkey') {
    const passkey = await checkPasskey(context, credential, { purpose, userId })
    return (tx) => passkey.use(tx)
  }
  await countCodeAttempt(context, userId)
  return async (tx) => {
    if (method === 'totp') await useTotp(context, tx, userId, code)
    else await useRecovery(context, tx, userId, recovery)
    await resetCodeAttempts(tx, userId)
  }
}

async function checkPassword(context: Deps, caller: Member, password: string): Promise<void> {
  const seconds = await countAttempt(context, PASSWORD_ATTEMPTS, caller.uid)
  if (seconds > 0) throw new AppError('signInLocked', { seconds })
  const stored = await findPassword(context.db, caller.userId)
  const correct = await verifyPassword(stored?.password_hash ?? null, password)
  const methods = await findSecondFactorMethods(context.db, caller.userId)
  if (!correct || methods.length > 0) throw new AppError('recentAuthFailed')
  await resetAttempts(context.db, PASSWORD_ATTEMPTS, caller.uid)
}

const auditRecovery = (context: Deps, tx: Db, { userId, uid }: PendingSignIn, from: From): Promise<void> =>
  audit(tx, context, { userId, uid, via: 'proof' }, from, { action: 'recovery.use', subject: `user:${uid}` })
