import { randomBytes } from 'node:crypto'
import { AppError, EMAIL_UNDO_LIFE, type Lang } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import { type Db, isDuplicate } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { queueEmail } from '../../platform/mail/queue.ts'
import { hashToken } from '../../platform/token-hash.ts'
import { lockEmailForUpdate, setEmail, UNIQUE_EMAIL } from '../accounts/accounts.ts'
import { cancelClosing } from '../accounts/closing.ts'
import { removeKeysSince } from '../api-keys/service.ts'
import { type Context, now } from '../context.ts'
import { checkCode, PURPOSES, sendCode } from '../entry/codes.ts'
import { deleteIdentitiesSince } from '../external-sign-in/service.ts'
import { removeFactorsSince } from '../second-factors/recovery.ts'
import { requireRecentAuth } from '../sessions/recent-auth.ts'
import { endAllSessions } from '../sessions/tokens.ts'
import { deleteWalletsSince } from '../wallets/service.ts'
import { addedEmail, changedEmail, undoneEmail } from './emails.ts'
import { endChanges, findChange, insertChange, isKeptForOther } from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'config' | 'portalUrl'>
interface From {
  ip: string
  lang: Lang
}

/**
 * Sends a code to an address that the account wants to use. Behaves the same whether another account has it or not.
 * @throws AppError recentAuthRequired, emailSame; those of `sendCode`
 */
export async function sendEmailCode(context: Deps, caller: Member, email: string, from: From): Promise<void> {
  await requireRecentAuth(context, caller)
  if (email === caller.email) throw new AppError('emailSame')
  await sendCode(context, { type: PURPOSES.email, address: email, account: caller.uid, ...from })
}

/**
 * Adds or changes the address. Sessions and API keys stay: the owner must not be signed out everywhere by someone who took over a session.
 * The old address gets a link that undoes the change (`undoChange`).
 * @throws AppError recentAuthRequired, emailSame; those of `checkCode`; emailExists, only after a correct code
 */
export async function changeEmail(
  context: Deps,
  caller: Member,
  { email, verify_code }: { email: string; verify_code: string },
  from: From,
): Promise<void> {
  await requireRecentAuth(context, caller)
  if (email === caller.email) throw new AppError('emailSame')
  const code = await checkCode(context, 'email', email, verify_code, from.ip, caller.uid)
  const at = now(context)
  await refuseTaken(
    context.db.transaction(async (tx) => {
      await code.use(tx)
      const account = await lockEmailForUpdate(tx, caller.userId)
      if (account.email === email) throw new AppError('emailSame')
      if (await isKeptForOther(tx, email, caller.userId, at)) throw new AppError('emailExists')
      await setEmail(tx, caller.userId, email, { keepPassword: true })
      await audit(tx, context, caller, from, {
        action: 'email.change',
        subject: `user:${caller.uid}`,
        detail: { had: account.email !== null },
      })
      await queueEmail(context, tx, email, addedEmail(from.lang, { at, ip: from.ip }))
      if (account.email !== null) await noticeWithUndo(context, tx, caller.userId, account.email, at, from)
    }),
  )
}

async function noticeWithUndo(context: Deps, tx: Db, userId: number, oldEmail: string, at: Date, from: From) {
  const token = randomBytes(32).toString('base64url')
  const undoUntil = new Date(at.getTime() + EMAIL_UNDO_LIFE)
  await insertChange(tx, { userId, oldEmail, undoHash: hashToken(token), at, undoUntil })
  // In the fragment, which browsers send to no server, so that no log has it.
  const link = `${context.portalUrl()}/undoEmail#${token}`
  await queueEmail(context, tx, oldEmail, changedEmail(from.lang, { at, ip: from.ip }, undoUntil, link))
}

/**
 * Restores the address that a change replaced, for its holder. Whoever made the change may have stolen the account, so everything ends that
 * they can sign in with: sessions, the password, what was added since the change, also keys of teams, and the links that undo later changes.
 * If the account is to be deleted, it is kept: they may have asked for that too.
 * @throws AppError emailUndoExpired; emailExists if another account has the address
 */
export async function undoChange(
  context: Deps & { endConsoleAccess: (tx: Db, userId: number) => Promise<void> },
  token: string,
  from: From,
): Promise<void> {
  const at = now(context)
  const undoHash = hashToken(token)
  await refuseTaken(
    context.db.transaction(async (tx) => {
      const found = await findChange(tx, undoHash, at)
      if (!found) throw new AppError('emailUndoExpired')
      const userId = found.user_id
      const { uid } = await lockEmailForUpdate(tx, userId)
      // Again: another undo may have ended the change while this one waited for the lock.
      const change = await findChange(tx, undoHash, at)
      if (!change) throw new AppError('emailUndoExpired')
      await endChanges(tx, userId, change.id, at)
      await setEmail(tx, userId, change.old_email, { keepPassword: false })
      await endAllSessions(context, tx, userId)
      await removeFactorsSince(tx, userId, change.changed_at)
      await deleteWalletsSince(tx, userId, change.changed_at)
      await deleteIdentitiesSince(tx, userId, change.changed_at)
      await removeKeysSince(tx, userId, change.changed_at)
      await context.endConsoleAccess(tx, userId)
      const actor = { userId, uid, via: 'proof' } as const
      if ((await cancelClosing(tx, userId)) > 0)
        await audit(tx, context, actor, from, { action: 'account.keep', subject: `user:${uid}` })
      await audit(tx, context, actor, from, { action: 'email.undo', subject: `user:${uid}` })
      await queueEmail(context, tx, change.old_email, undoneEmail(from.lang, { at, ip: from.ip }))
    }),
  )
}

async function refuseTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isDuplicate(error, UNIQUE_EMAIL)) throw new AppError('emailExists')
    throw error
  }
}

export { findFormerEmails } from './repository.ts'
