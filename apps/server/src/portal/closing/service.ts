import { AppError, CLOSING_LIFE, type contract, isAgentRole, type Lang, type Output } from '@tidenet/contract'
import { countPresentWorkspaces, endConsoleAccess } from '../../compute/index.ts'
import {
  cancelClosing,
  countSolelyOwned,
  endOtherSessions,
  findAccountUsage,
  findClosing,
  findFormerEmails,
  lockAccountForUpdate,
  requireRecentAuth,
  startClosing,
} from '../../identity/index.ts'
import { countOwnDevices } from '../../network/index.ts'
import { countObligations, pointsOf } from '../../payments/index.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Member } from '../../platform/http/callers.ts'
import { job } from '../../platform/jobs/job.ts'
import { queueEmail } from '../../platform/mail/queue.ts'
import { countFolders } from '../../storage/index.ts'
import { type Context, type Db, now } from '../context.ts'
import { closingEmail, keptEmail } from './emails.ts'

type Closing = (typeof contract)['closing']
type Deps = Pick<Context, 'db' | 'clock' | 'portalUrl'>
interface From {
  ip: string
  lang: Lang
}

/** Longer than servers remember who a caller is. */
const REMEMBERED_SECONDS = 2

/** Ends the tokens of an account and of all its shares. */
export const sharesToEnd = job<{ user: number }>('endSharesOfAccount')

export async function closingState({ db }: Pick<Context, 'db'>, caller: Member): Promise<Output<Closing['state']>> {
  const { email, uid, closing_at } = await findClosing(db, caller.userId)
  const usage = await findAccountUsage(db, caller.userId)
  const counts = {
    ...(await obligationsOf(db, caller.userId)),
    workspaces: await countPresentWorkspaces(db, caller.userId),
  }
  return {
    closing_at: closing_at?.toISOString() ?? '',
    confirm: email ?? uid,
    obligations: (Object.keys(counts) as (keyof typeof counts)[])
      .map((kind) => ({ kind, count: counts[kind] }))
      .filter(({ count }) => count > 0),
    points: (await pointsOf(db, caller.userId)).not_withdrawn,
    files: usage.asset_count,
    folders: await countFolders(db, caller.userId),
    bytes: usage.used_bytes,
    devices: await countOwnDevices(db, caller.userId),
  }
}

/**
 * Schedules the account for deletion. Its other sessions, its shares and its API keys end to work at once; what was asked for before counts.
 * @throws AppError recentAuthRequired, closingRole, closingConfirm, closingObligations, closingPoints
 */
export async function startClosingOf(
  context: Deps,
  caller: Member,
  input: { confirm: string; give_up_points?: boolean | undefined },
  from: From,
): Promise<Output<Closing['start']>> {
  await requireRecentAuth(context, caller)
  const at = now(context)
  return context.db.transaction(async (tx) => {
    await lockAccountForUpdate(tx, caller.userId)
    const { email, uid, role } = await findClosing(tx, caller.userId)
    if (isAgentRole(role)) throw new AppError('closingRole')
    if (input.confirm.trim().toLowerCase() !== (email ?? uid)) throw new AppError('closingConfirm')
    if (Object.values(await obligationsOf(tx, caller.userId)).some((count) => count > 0))
      throw new AppError('closingObligations')
    const { not_withdrawn: points } = await pointsOf(tx, caller.userId)
    if (points > 0 && !input.give_up_points) throw new AppError('closingPoints', { points })
    const { closing_at } = await startClosing(tx, caller.userId, new Date(at.getTime() + CLOSING_LIFE))
    await endOtherSessions(tx, caller, at)
    await endConsoleAccess(tx, caller.userId)
    // The database ends its tokens with this transaction; this ends those that were issued while it ran, or to a caller that a server remembers.
    await sharesToEnd.add(tx, { user: caller.userId }, 0, REMEMBERED_SECONDS)
    await audit(tx, context, caller, from, {
      action: 'account.close',
      subject: `user:${uid}`,
      detail: { from: closing_at.toISOString(), points },
    })
    // The owner must learn of it even if a thief has changed the address.
    const link = `${context.portalUrl()}/closeAccount`
    for (const address of await addressesOf(tx, caller.userId, email, at))
      await queueEmail(context, tx, address, closingEmail(from.lang, closing_at, from.ip, link))
    return { closing_at: closing_at.toISOString() }
  })
}

/** @throws AppError closingNone, also if the deletion has begun */
export async function cancelClosingOf(context: Deps, caller: Member, from: From): Promise<void> {
  const at = now(context)
  await context.db.transaction(async (tx) => {
    if ((await cancelClosing(tx, caller.userId)) === 0) throw new AppError('closingNone')
    await audit(tx, context, caller, from, { action: 'account.keep', subject: `user:${caller.uid}` })
    const { email } = await findClosing(tx, caller.userId)
    for (const address of await addressesOf(tx, caller.userId, email, at))
      await queueEmail(context, tx, address, keptEmail(from.lang))
  })
}

/** What must be finished before the account is deleted. */
export const obligationsOf = async (db: Db, userId: number) => ({
  ...(await countObligations(db, userId)),
  teams: await countSolelyOwned(db, userId),
})

/** The address of the account, and those that can still take it back. */
const addressesOf = async (tx: Db, userId: number, email: string | null, at: Date): Promise<Set<string>> =>
  new Set([...(email === null ? [] : [email]), ...(await findFormerEmails(tx, userId, at))])
