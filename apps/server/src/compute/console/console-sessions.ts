import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError, type ClusterName } from '@tidenet/contract'
import { accountsOf, findOwner, readAddress, requireLinkedWallet } from '../../identity/index.ts'
import { type AttemptLimit, clientNetworkOf, countAttempt, resetAttempts } from '../../platform/attempts/attempts.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { ConsoleCaller, Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'
import { findPassword } from './console-account.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'keys' | 'config'>

/** What tokens of the console and tickets begin with, so that none is taken for the other, nor for a portal's session. */
const SESSION = 'tnc_'
const TICKET = 'tnt_'
const TICKET_LIFE = 60_000
const SESSION_LIFE = 12 * 3_600_000
/** Of one network: strangers do not shut the owner out, and the password is too long to be found out from many. */
const GUESSES: AttemptLimit = { kind: 'console', free: 5, firstLock: 60_000, longestLock: 3_600_000 }

/** Both are 256 random bits: a plain hash keeps them unreadable at rest. */
const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Where the console of a region is; one portal serves them all. @throws AppError clusterUnknown is the contract's to say */
export const consoleUrl = ({ portalUrl }: Pick<Context, 'portalUrl'>, _region?: ClusterName): string =>
  `${portalUrl()}/console`

/** A ticket that stands in for the password, once. @throws AppError walletRequired */
export async function giveTicket(
  context: Needs & Pick<Context, 'portalUrl'>,
  caller: Member,
): Promise<{ account: string; ticket: string; url: string; expires_at: string }> {
  const account = await requireLinkedWallet(context.db, caller.userId)
  const ticket = `${TICKET}${randomBytes(32).toString('base64url')}`
  const expires = new Date(context.clock.now() + TICKET_LIFE)
  await context.db.run(sql`
    insert into console_tickets (hash, user_id, expires_at) values (${hash(ticket)}, ${caller.userId}, ${expires})`)
  const query = new URLSearchParams({ account, password: ticket })
  return { account, ticket, url: `${consoleUrl(context)}/login?${query}`, expires_at: expires.toISOString() }
}

/**
 * Opens a session of the console.
 * @throws AppError incomplete, signInLocked, signInFailed, signInExpired
 */
export async function enterConsole(
  context: Needs,
  { account, password }: { account: string; password: string },
  from: { ip: string; agent: string },
): Promise<{ token: string; account: string; expires_at: string }> {
  if (account.trim() === '' || password === '') throw new AppError('incomplete')
  const { db, config } = context
  const wallet = readAddress(account.trim(), config.chainPrefix)
  const user = wallet?.kind === 'cosmos' ? await findOwner(db, wallet.address) : undefined
  if (!password.startsWith(TICKET))
    await demandPassword(
      context,
      `${wallet?.address ?? account.trim()} ${clientNetworkOf(from.ip)}`,
      user?.id,
      password,
    )
  return db.transaction(async (tx) => {
    if (!user || (await isLocked(tx, user.id))) throw new AppError('signInFailed')
    if (password.startsWith(TICKET)) await useTicket(context, tx, user.id, password)
    const token = `${SESSION}${randomBytes(32).toString('base64url')}`
    const at = now(context)
    const expires = new Date(at.getTime() + SESSION_LIFE)
    await tx.run(sql`
      insert into console_sessions (hash, user_id, created_at, expires_at, ip, agent)
      values (${hash(token)}, ${user.id}, ${at}, ${expires}, ${from.ip}, ${from.agent.slice(0, 300)})`)
    const actor = { userId: user.id, uid: user.uid, via: 'proof' } as const
    await audit(tx, context, actor, from, { action: 'console.enter', subject: `user:${user.uid}` })
    return { token, account: wallet?.address ?? '', expires_at: expires.toISOString() }
  })
}

/** Takes a try first, so that guesses at the same moment count; an account that is none takes as long and says the same. */
async function demandPassword(
  context: Needs,
  subject: string,
  userId: number | undefined,
  password: string,
): Promise<void> {
  const seconds = await countAttempt(context, GUESSES, subject)
  if (seconds > 0) throw new AppError('signInLocked', { seconds })
  const known = userId === undefined ? undefined : await findPassword(context, context.db, userId)
  if (!timingSafeEqual(hash(password), hash(known?.password ?? randomBytes(12).toString('hex'))))
    throw new AppError('signInFailed')
  await resetAttempts(context.db, GUESSES, subject)
}

async function useTicket(context: Needs, tx: Db, userId: number, ticket: string): Promise<void> {
  const used = await tx.run(sql`
    delete from console_tickets where hash = ${hash(ticket)} and user_id = ${userId} and expires_at > ${now(context)}`)
  if (used === 0) throw new AppError('signInExpired')
}

const isLocked = async (db: Db, userId: number): Promise<boolean> =>
  (await accountsOf(db, [userId])).get(userId)?.locked !== false

/** Whose console a token opens; nothing for one that has ended, or whose account is locked. */
export async function consoleCaller(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  token: string,
): Promise<ConsoleCaller | undefined> {
  if (!token.startsWith(SESSION)) return undefined
  const row = await db.maybe<{ user_id: number; expires_at: Date }>(sql`
    select user_id, expires_at from console_sessions where hash = ${hash(token)} and expires_at > ${now({ clock })}`)
  const owner = row && (await accountsOf(db, [row.user_id])).get(row.user_id)
  if (!owner || owner.locked) return undefined
  return { kind: 'console', userId: owner.id, uid: owner.uid, session: hash(token), expiresAt: row.expires_at }
}

/** Which of these sessions are good, by their hashes in hexadecimal. */
export async function goodSessions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  hashes: readonly Buffer[],
): Promise<Set<string>> {
  const rows = await db.rows<{ hash: Buffer; user_id: number }>(sql`
    select hash, user_id from console_sessions where hash = any(${hashes}) and expires_at > ${now({ clock })}`)
  const owners = await accountsOf(
    db,
    rows.map((row) => row.user_id),
  )
  return new Set(rows.filter((row) => owners.get(row.user_id)?.locked === false).map((row) => row.hash.toString('hex')))
}

export const leaveConsole = (db: Db, { session }: ConsoleCaller): Promise<number> =>
  db.run(sql`delete from console_sessions where hash = ${session}`)

/** Sessions and tickets past their end. */
export const expired = (at: Date): Sql[] => [
  sql`delete from console_tickets where expires_at < ${at}`,
  sql`delete from console_sessions where expires_at < ${at}`,
]
