import { AppError, type Lang } from '@tidenet/contract'
import { type AttemptLimit, countAttempt, resetAttempts } from '../../platform/attempts/attempts.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { seal, unseal } from '../../platform/seal.ts'
import { lockAccountForUpdate, setPasskeyRequired } from '../accounts/accounts.ts'
import { notifyOwner } from '../accounts/notices.ts'
import { type Context, now } from '../context.ts'
import { type From, findSecondFactorMethods } from '../sessions/complete-sign-in.ts'
import { recentAuthUntil, requireRecentAuth } from '../sessions/recent-auth.ts'
import { findPasskeys } from './passkeys-repository.ts'
import { createRecoveryCodes, hashRecoveryCode, removeUnusedFactors } from './recovery.ts'
import {
  confirmTotp,
  countRecoveryCodes,
  deleteTotp,
  findFactors,
  findTotp,
  putTotp,
  useRecoveryCode,
  useStep,
} from './repository.ts'
import { describeSecret, newSecret, stepOf } from './totp.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'portalUrl'>

/** Attempts for the codes of an account. Three of a million codes are correct at any time. */
const CODE_ATTEMPTS: AttemptLimit = { kind: 'secondFactor', free: 5, firstLock: 30_000, longestLock: 900_000 }

const sealOwner = (userId: number) => `totp of user ${userId}`
const attemptSubject = (userId: number) => `user ${userId}`

export async function overview(context: Deps, caller: Member) {
  const [factors, left, passkeys, proved] = await Promise.all([
    findFactors(context.db, caller.userId),
    countRecoveryCodes(context.db, caller.userId),
    findPasskeys(context.db, caller.userId),
    recentAuthUntil(context, caller),
  ])
  if (!factors) throw new AppError('userNotFound')
  return {
    password: factors.password,
    email: factors.email,
    totp_since: factors.totp_since?.toISOString() ?? null,
    recovery_left: left,
    passkey_required: factors.passkey_required,
    passkeys: passkeys.map(({ credential_id, name, synced, created_at, used_at }) => ({
      id: credential_id,
      name,
      synced,
      created_at: created_at.toISOString(),
      used_at: used_at?.toISOString() ?? null,
    })),
    proved_until: proved?.toISOString() ?? null,
  }
}

/** @throws AppError recentAuthRequired, totpOn */
export async function startTotp(context: Deps, caller: Member): Promise<{ secret: string; uri: string }> {
  await requireRecentAuth(context, caller)
  const secret = newSecret()
  const sealed = seal(context.keys.secondFactor, secret, sealOwner(caller.userId))
  if ((await putTotp(context.db, caller.userId, sealed, now(context))) === 0) throw new AppError('totpOn')
  return describeSecret(secret, caller.email || caller.uid)
}

/**
 * Enables TOTP after a correct code.
 * @returns ten recovery codes, or none if the account has some
 * @throws AppError recentAuthRequired, totpOn, totpNotStarted, secondFactorWrong, secondFactorLocked
 */
export async function confirm(
  context: Deps,
  caller: Member,
  code: string,
  from: From & { lang: Lang },
): Promise<string[]> {
  await requireRecentAuth(context, caller)
  const row = await findTotp(context.db, caller.userId)
  if (!row) throw new AppError('totpNotStarted')
  if (row.confirmed_at) throw new AppError('totpOn')
  await countCodeAttempt(context, caller.userId)
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    await useTotp(context, tx, caller.userId, code)
    if ((await confirmTotp(tx, caller.userId, now(context))) === 0) throw new AppError('totpOn')
    await resetCodeAttempts(tx, caller.userId)
    await audit(tx, context, caller, from, { action: 'totp.on', subject: `user:${caller.uid}` })
    await notifyOwner(context, tx, caller, from, 'totpOn')
    return firstRecoveryCodes(context, tx, caller, from)
  })
}

/** @throws AppError totpOff, secondFactorWrong, secondFactorLocked */
export async function endTotp(
  context: Deps,
  caller: Member,
  input: { code?: string | undefined; recovery?: string | undefined },
  from: From & { lang: Lang },
): Promise<void> {
  if (!(await findTotp(context.db, caller.userId))?.confirmed_at) throw new AppError('totpOff')
  await countCodeAttempt(context, caller.userId)
  await context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    if (input.code) await useTotp(context, tx, caller.userId, input.code)
    else await useRecovery(context, tx, caller.userId, input.recovery ?? '')
    await resetCodeAttempts(tx, caller.userId)
    await deleteTotp(tx, caller.userId)
    await removeUnusedFactors(tx, caller.userId)
    await audit(tx, context, caller, from, { action: 'totp.off', subject: `user:${caller.uid}` })
    await notifyOwner(context, tx, caller, from, 'totpOff')
  })
}

/** @throws AppError recentAuthRequired, noSecondFactor */
export async function renewRecoveryCodes(context: Deps, caller: Member, from: From): Promise<string[]> {
  await requireRecentAuth(context, caller)
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    if ((await findSecondFactorMethods(tx, caller.userId)).length === 0) throw new AppError('noSecondFactor')
    return issueRecoveryCodes(context, tx, caller, from)
  })
}

/**
 * Sets whether every sign-in requires a passkey.
 * @returns ten recovery codes, or none if the account has some or needs none
 * @throws AppError recentAuthRequired, passkeyMissing
 */
export async function requirePasskey(
  context: Deps,
  caller: Member,
  required: boolean,
  from: From & { lang: Lang },
): Promise<string[]> {
  await requireRecentAuth(context, caller)
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    if (required && (await findPasskeys(tx, caller.userId)).length === 0) throw new AppError('passkeyMissing')
    await setPasskeyRequired(tx, caller.userId, required)
    const detail = { required }
    await audit(tx, context, caller, from, { action: 'passkey.require', subject: `user:${caller.uid}`, detail })
    await notifyOwner(context, tx, caller, from, required ? 'passkeyRequired' : 'passkeyNotRequired')
    if (required) return firstRecoveryCodes(context, tx, caller, from)
    await removeUnusedFactors(tx, caller.userId)
    return []
  })
}

/**
 * Counts an attempt before it is made.
 * @throws AppError secondFactorLocked
 */
export async function countCodeAttempt(context: Deps, userId: number): Promise<void> {
  const seconds = await countAttempt(context, CODE_ATTEMPTS, attemptSubject(userId))
  if (seconds > 0) throw new AppError('secondFactorLocked', { seconds })
}

export const resetCodeAttempts = (tx: Db, userId: number): Promise<void> =>
  resetAttempts(tx, CODE_ATTEMPTS, attemptSubject(userId))

/** Uses up a one-time code. @throws AppError secondFactorWrong, also if this or a later code was used before */
export async function useTotp(context: Deps, tx: Db, userId: number, code: string): Promise<void> {
  const row = await findTotp(tx, userId)
  const secret = row && unseal(context.keys.secondFactor, row.secret, sealOwner(userId))
  const step = secret && stepOf(secret, code, context.clock.now())
  if (step === undefined || (await useStep(tx, userId, step)) === 0) throw new AppError('secondFactorWrong')
}

/** Uses up a recovery code. @throws AppError secondFactorWrong */
export async function useRecovery(context: Deps, tx: Db, userId: number, code: string): Promise<void> {
  const hash = hashRecoveryCode(context, userId, code)
  if ((await useRecoveryCode(tx, userId, hash, now(context))) === 0) throw new AppError('secondFactorWrong')
}

async function firstRecoveryCodes(context: Deps, tx: Db, caller: Member, from: From): Promise<string[]> {
  return (await countRecoveryCodes(tx, caller.userId)) > 0 ? [] : issueRecoveryCodes(context, tx, caller, from)
}

async function issueRecoveryCodes(context: Deps, tx: Db, caller: Member, from: From): Promise<string[]> {
  const codes = await createRecoveryCodes(context, tx, caller.userId)
  await audit(tx, context, caller, from, { action: 'recovery.make', subject: `user:${caller.uid}` })
  return codes
}
