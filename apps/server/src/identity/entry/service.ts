import { AppError, type Lang } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Member } from '../../platform/http/callers.ts'
import { findProfile, openAccount, setPassword } from '../accounts/accounts.ts'
import { limitsOf } from '../accounts/limits.ts'
import { notifyOwner } from '../accounts/notices.ts'
import { checkPassword, hashPassword } from '../accounts/passwords.ts'
import { type Context, now } from '../context.ts'
import { endAllSessions } from '../sessions/tokens.ts'
import { displayedWallet } from '../wallets/service.ts'
import { checkCode } from './codes.ts'
import { resetSignInAttempts } from './sign-in.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'portalUrl'>

interface NewPassword {
  username: string
  password: string
  verify_code: string
}

/**
 * Opens an account for the owner of an e-mail address.
 * @throws AppError of `checkPassword` and `checkCode`; emailExists, only after a correct code
 */
export async function register(context: Deps, input: NewPassword, ip: string): Promise<void> {
  checkPassword(input.password)
  const code = await checkCode(context, 'register', input.username, input.verify_code, ip)
  const passwordHash = await hashPassword(input.password)
  const created = await context.db.transaction(async (tx) => {
    await code.use(tx)
    const user = await openAccount(tx, { email: input.username, passwordHash, at: now(context) })
    if (!user) return undefined
    const actor = { userId: user.id, uid: user.uid, via: 'proof' } as const
    await audit(tx, context, actor, { ip }, { action: 'account.create', subject: `user:${user.uid}` })
    return user
  })
  if (!created) throw new AppError('emailExists')
}

/**
 * Sets a new password, ends all sessions and resets the attempts of wrong passwords.
 * @throws AppError of `checkPassword` and `checkCode`; nameNotExists, only after a correct code
 */
export async function resetPassword(
  context: Deps,
  input: NewPassword,
  from: { ip: string; lang: Lang },
): Promise<void> {
  checkPassword(input.password)
  const code = await checkCode(context, 'reset', input.username, input.verify_code, from.ip)
  const passwordHash = await hashPassword(input.password)
  const exists = await context.db.transaction(async (tx) => {
    await code.use(tx)
    const user = await setPassword(tx, input.username, passwordHash)
    if (user) {
      await endAllSessions(context, tx, user.id)
      const actor = { userId: user.id, uid: user.uid, via: 'proof' } as const
      await audit(tx, context, actor, { ip: from.ip }, { action: 'password.set', subject: `user:${user.uid}` })
      await notifyOwner(context, tx, { userId: user.id }, from, 'passwordSet')
    }
    return user !== undefined
  })
  if (!exists) throw new AppError('nameNotExists')
  await resetSignInAttempts(context, input.username, from.ip)
}

export async function profile({ db }: Pick<Context, 'db'>, caller: Member) {
  const row = await findProfile(db, caller.userId)
  if (!row) throw new AppError('userNotFound')
  return {
    uuid: row.uid,
    username: row.email ?? row.uid,
    user_email: row.email ?? '',
    wallet_address: await displayedWallet(db, caller.userId),
    // 0: user, 1: operator.
    role: row.role === 'operator' ? 1 : 0,
    vip: row.vip,
    allocate_storage: limitsOf({ ...row, outflow_quota: null }).storage,
    created_at: row.created_at.toISOString(),
  }
}
