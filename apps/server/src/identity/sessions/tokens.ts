import { hash, randomUUID } from 'node:crypto'
import { AppError, SESSION_CHAIN, SESSION_LIFE } from '@tidenet/contract'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Keys } from '../../platform/keys.ts'
import { type Context, now } from '../context.ts'
import { createLruCache } from './lru-cache.ts'
import { deleteSecondFactorTokens } from './repository.ts'
import { SESSION_ALGORITHM, signingKey, verificationKey } from './session-keys.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys'>

interface ReadToken {
  session: string
  uid: string
  /** Ms. */
  expires: number
}

/** Verified signatures are cached for this long. Whether the session has ended is checked separately. */
const CACHE_TTL_MS = 60_000
/** About 40 MB if full. */
const CACHE_MAX = 120_000
/** By the token's hash, so that all entries have the same size. */
const verified = createLruCache<ReadToken & { keys: Keys; until: number }>(CACHE_MAX)
const cacheKeyOf = (token: string): string => hash('sha256', token, 'base64')

export interface IssuedToken {
  token: string
  /** RFC 3339. */
  expire: string
}

async function sign(
  context: Pick<Context, 'clock' | 'keys'>,
  tx: Db,
  session: string,
  uid: string,
  issued: Date,
  expires: Date,
): Promise<IssuedToken> {
  const { kid, key } = await signingKey(context, tx)
  const token = await new SignJWT({ id: uid })
    .setProtectedHeader({ alg: SESSION_ALGORITHM, typ: 'JWT', kid })
    .setJti(session)
    .setIssuer('tidenet')
    .setAudience('portal')
    .setIssuedAt(issued)
    .setExpirationTime(expires)
    .sign(key)
  return { token, expire: expires.toISOString() }
}

/**
 * Opens a session. All sign-in methods end here, so locked accounts cannot sign in.
 * @throws AppError accountLocked
 */
export async function openSession(
  context: Deps,
  tx: Db,
  user: { id: number; uid: string },
  from: { ip: string; agent: string },
): Promise<IssuedToken> {
  const id = randomUUID()
  const created = now(context)
  const expires = new Date(created.getTime() + SESSION_LIFE)
  const chain = new Date(created.getTime() + SESSION_CHAIN)
  // The row lock serializes this with locking the account: either that ends the new session, or this sees the locked account.
  const opened = await tx.run(sql`
    with account as (select id from users where id = ${user.id} and locked_at is null for share)
    insert into sessions (id, user_id, created_at, expires_at, chain_until, ip, agent)
    select ${id}::uuid, id, ${created}::timestamptz, ${expires}::timestamptz, ${chain}::timestamptz, ${from.ip}, ${from.agent.slice(0, 300)}
    from account`)
  if (opened === 0) throw new AppError('accountLocked')
  return sign(context, tx, id, user.uid, created, expires)
}

/**
 * Verifies signature and expiry of a token. Accepts only our algorithm and our keys by `kid`, and ignores other key parameters of the header.
 * @returns undefined if the token is invalid
 */
export async function readToken(context: Deps, token: string): Promise<ReadToken | undefined> {
  const cacheKey = cacheKeyOf(token)
  const cached = verified.get(cacheKey)
  if (
    cached &&
    cached.keys === context.keys &&
    cached.until > context.clock.now() &&
    cached.expires > context.clock.now()
  )
    return cached
  // Outside of the `try`: a database error does not make a token invalid.
  const key = await verificationKey(context, kidOf(token))
  if (!key) return undefined
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [SESSION_ALGORITHM],
      issuer: 'tidenet',
      audience: 'portal',
      requiredClaims: ['exp'],
      currentDate: now(context),
    })
    if (typeof payload.jti !== 'string' || typeof payload.id !== 'string') return undefined
    const read = { session: payload.jti, uid: payload.id, expires: (payload.exp ?? 0) * 1000 }
    verified.set(cacheKey, { ...read, keys: context.keys, until: context.clock.now() + CACHE_TTL_MS })
    return read
  } catch {
    return undefined
  }
}

function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    return undefined
  }
}

/** A new token of the same session; undefined after its maximum life of seven days. */
export async function rotate(context: Deps, session: string): Promise<IssuedToken | undefined> {
  const at = now(context)
  const row = await context.db.maybe<{ uid: string; expires_at: Date }>(sql`
    update sessions s set expires_at = least(s.chain_until, ${new Date(at.getTime() + SESSION_LIFE)})
    from users u
    where s.id = ${session} and u.id = s.user_id and s.revoked_at is null and s.chain_until > ${at}
    returning u.uid, s.expires_at`)
  return row && sign(context, context.db, session, row.uid, at, row.expires_at)
}

/** Also cancels sign-ins that wait for their second factor. */
export async function endAllSessions(context: Pick<Context, 'clock'>, tx: Db, userId: number): Promise<void> {
  await deleteSecondFactorTokens(tx, userId)
  await tx.run(sql`update sessions set revoked_at = ${now(context)} where user_id = ${userId} and revoked_at is null`)
}
