import { randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '@tidenet/contract'
import {
  accountsOf,
  admits,
  findOwner,
  readAddress,
  requireLinkedWallet,
  stillOpen,
  usableAdminKeys,
} from '../../identity/index.ts'
import { type AttemptLimit, clientNetworkOf, countAttempt, resetAttempts } from '../../platform/attempts/attempts.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { ConsoleCaller, Member } from '../../platform/http/callers.ts'
import { hashToken } from '../../platform/token-hash.ts'
import { type Context, now } from '../context.ts'
import { findPassword } from './console-account.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'config'>

/** Token prefixes. They distinguish console sessions, console tokens and portal sessions. */
const SESSION_PREFIX = 'tnc_'
const TOKEN_PREFIX = 'tnt_'
const TOKEN_LIFETIME_MS = 60_000
const SESSION_LIFETIME_MS = 12 * 3_600_000
/** Per client network: strangers cannot lock the owner out, and the password is too long to guess from many networks. */
const PASSWORD_ATTEMPTS: AttemptLimit = { kind: 'console', free: 5, firstLock: 60_000, longestLock: 3_600_000 }

/** The console's address, the same for all regions. */
export const consoleUrl = ({ portalUrl }: Pick<Context, 'portalUrl'>): string => `${portalUrl()}/console`

/** Issues a token that replaces the password once. @throws AppError walletRequired */
export async function issueConsoleToken(
  context: Deps & Pick<Context, 'portalUrl'>,
  caller: Member,
): Promise<{ account: string; ticket: string; url: string; expires_at: string }> {
  const account = await requireLinkedWallet(context.db, caller.userId)
  const consoleToken = `${TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`
  const expires = new Date(context.clock.now() + TOKEN_LIFETIME_MS)
  await context.db.run(sql`
    insert into console_tokens (hash, user_id, expires_at)
    values (${hashToken(consoleToken)}, ${caller.userId}, ${expires})`)
  const query = new URLSearchParams({ account, password: consoleToken })
  return {
    account,
    ticket: consoleToken,
    url: `${consoleUrl(context)}/login?${query}`,
    expires_at: expires.toISOString(),
  }
}

/**
 * Opens a session of the console.
 * @throws AppError incomplete, signInLocked, signInFailed, signInExpired
 */
export async function enterConsole(
  context: Deps,
  { account, password }: { account: string; password: string },
  from: { ip: string; agent: string },
): Promise<{ token: string; account: string; expires_at: string }> {
  if (account.trim() === '' || password === '') throw new AppError('incomplete')
  const { db, config } = context
  const wallet = readAddress(account.trim(), config.chainPrefix)
  const user = wallet?.kind === 'cosmos' ? await findOwner(db, wallet.address) : undefined
  if (!password.startsWith(TOKEN_PREFIX))
    await requirePassword(
      context,
      `${wallet?.address ?? account.trim()} ${clientNetworkOf(from.ip)}`,
      user?.id,
      password,
    )
  return db.transaction(async (tx) => {
    if (!user || (await isLocked(tx, user.id))) throw new AppError('signInFailed')
    if (password.startsWith(TOKEN_PREFIX)) await consumeConsoleToken(context, tx, user.id, password)
    const at = now(context)
    const expires = new Date(at.getTime() + SESSION_LIFETIME_MS)
    const session = await openConsoleSession(tx, user.id, expires, from, at)
    const actor = { userId: user.id, uid: user.uid, via: 'proof' } as const
    await audit(tx, context, actor, from, { action: 'console.enter', subject: `user:${user.uid}` })
    return { ...session, account: wallet?.address ?? '' }
  })
}

/**
 * Opens a session without a password, for somebody who proved otherwise that it is theirs.
 * @param parent the session or API key of the portal that it ends with
 */
export async function openConsoleSession(
  tx: Db,
  userId: number,
  expires: Date,
  from: { ip: string; agent: string },
  at: Date,
  parent?: Pick<Member, 'via' | 'credential'>,
): Promise<{ token: string; expires_at: string }> {
  const token = `${SESSION_PREFIX}${randomBytes(32).toString('base64url')}`
  await tx.run(sql`
    insert into console_sessions (hash, user_id, created_at, expires_at, ip, agent, via, credential)
    values (${hashToken(token)}, ${userId}, ${at}, ${expires}, ${from.ip}, ${from.agent.slice(0, 300)}, ${parent?.via ?? 'console'},
      ${parent?.credential ?? ''})`)
  return { token, expires_at: expires.toISOString() }
}

/** A session for a program that has a session or API key of the portal. */
export async function openMemberSession(
  context: Pick<Context, 'db' | 'clock'>,
  caller: Member,
  from: { ip: string; agent: string },
): Promise<{ token: string; expires_at: string }> {
  // The session would outlive it.
  if (caller.isReplaced) throw new AppError('keyExpired')
  const at = now(context)
  const expires = new Date(at.getTime() + SESSION_LIFETIME_MS)
  return context.db.transaction(async (tx) => {
    const session = await openConsoleSession(tx, caller.userId, expires, from, at, caller)
    await audit(tx, context, caller, from, { action: 'console.enter', subject: `user:${caller.uid}` })
    return session
  })
}

/** Counts the attempt first, so that concurrent guesses count too. Unknown accounts take as long and get the same error. */
async function requirePassword(
  context: Deps,
  subject: string,
  userId: number | undefined,
  password: string,
): Promise<void> {
  const seconds = await countAttempt(context, PASSWORD_ATTEMPTS, subject)
  if (seconds > 0) throw new AppError('signInLocked', { seconds })
  const known = userId === undefined ? undefined : await findPassword(context, context.db, userId)
  if (!timingSafeEqual(hashToken(password), hashToken(known?.password ?? randomBytes(12).toString('hex'))))
    throw new AppError('signInFailed')
  await resetAttempts(context.db, PASSWORD_ATTEMPTS, subject)
}

async function consumeConsoleToken(context: Deps, tx: Db, userId: number, consoleToken: string): Promise<void> {
  const used = await tx.run(sql`
    delete from console_tokens where hash = ${hashToken(consoleToken)} and user_id = ${userId} and expires_at > ${now(context)}`)
  if (used === 0) throw new AppError('signInExpired')
}

const isLocked = async (db: Db, userId: number): Promise<boolean> =>
  (await accountsOf(db, [userId])).get(userId)?.locked !== false

interface SessionRow {
  hash: Buffer
  user_id: number
  created_at: Date
  expires_at: Date
  via: 'console' | 'session' | 'key'
  credential: string
}

/**
 * The valid sessions among these, with their accounts and the addresses that may use them (empty: all). Ended, expired, of a locked account,
 * or without its parent: not valid.
 */
async function validSessions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  hashes: readonly Buffer[],
): Promise<(SessionRow & { uid: string; ips: readonly string[] })[]> {
  const at = now({ clock })
  const rows = await db.rows<SessionRow>(sql`
    select hash, user_id, created_at, expires_at, via, credential from console_sessions
    where hash = any(${hashes}) and expires_at > ${at}`)
  const parents = (via: SessionRow['via']) => rows.filter((row) => row.via === via).map(({ credential }) => credential)
  const [sessions, keys] = [parents('session'), parents('key')]
  const open = sessions.length > 0 ? await stillOpen(db, sessions, at) : new Set<string>()
  const usable = keys.length > 0 ? await usableAdminKeys(db, keys, at) : undefined
  const owners = await accountsOf(
    db,
    rows.map((row) => row.user_id),
  )
  const hasParent = ({ via, credential, created_at }: SessionRow) => {
    if (via === 'session') return open.has(credential)
    // Who has only the replaced secret of a key opens no programs with it.
    const since = usable?.get(credential)?.since
    return via === 'console' || since === null || (since !== undefined && since <= created_at)
  }
  const ipsOf = ({ via, credential }: SessionRow) => (via === 'key' && usable?.get(credential)?.ips) || []
  return rows.flatMap((row) => {
    const owner = owners.get(row.user_id)
    return owner?.locked === false && hasParent(row) ? [{ ...row, uid: owner.uid, ips: ipsOf(row) }] : []
  })
}

/**
 * The caller of a console session; undefined if it has ended, the account is locked, or its API key may not be used from this address, which
 * is checked at each use.
 */
export async function consoleCaller(
  context: Pick<Context, 'db' | 'clock'>,
  token: string,
  ip: string,
): Promise<ConsoleCaller | undefined> {
  return token.startsWith(SESSION_PREFIX) ? callerOfSession(context, hashToken(token), ip) : undefined
}

/** As `consoleCaller`, by the hash of the token. */
export async function callerOfSession(
  context: Pick<Context, 'db' | 'clock'>,
  session: Buffer,
  ip: string,
): Promise<ConsoleCaller | undefined> {
  const [row] = await validSessions(context, [session])
  if (!row || !admits(row.ips, ip)) return undefined
  return { kind: 'console', userId: row.user_id, uid: row.uid, session, expiresAt: row.expires_at }
}

/** The hashes of valid sessions among these, in hexadecimal, with the addresses that may use each (empty: all). */
export const findValidSessions = async (
  context: Pick<Context, 'db' | 'clock'>,
  hashes: readonly Buffer[],
): Promise<Map<string, readonly string[]>> =>
  new Map((await validSessions(context, hashes)).map((row) => [row.hash.toString('hex'), row.ips]))

export const leaveConsole = (db: Db, { session }: ConsoleCaller): Promise<number> =>
  db.run(sql`delete from console_sessions where hash = ${session}`)

/** Expired sessions and tokens. */
export const expired = (at: Date): Sql[] => [
  sql`delete from console_tokens where expires_at < ${at}`,
  sql`delete from console_sessions where expires_at < ${at}`,
]
