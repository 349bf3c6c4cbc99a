import { hash, randomUUID } from 'node:crypto'
import { AppError, SESSION_CHAIN, SESSION_LIFE } from '@tidenet/contract'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Keys } from '../../platform/keys.ts'
import { type Context, now } from '../context.ts'
import { createLruCache } from './lru-cache.ts'
import { dropTickets } from './repository.ts'
import { believedKey, SESSION_ALGORITHM, signingKey } from './session-keys.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys'>

interface ReadToken {
  session: string
  uid: string
  /** Ms. */
  expires: number
}

/** The signature of a token that keeps coming is checked once a minute; whether its session stands is another question. */
const CHECKED_FOR = 60_000
/** So many people at the same time cost no signature a call; some 40 MB when all of them are there. */
const CHECKED = 120_000
/** By the token's hash: an entry takes as much room whatever the token. */
const checked = createLruCache<ReadToken & { keys: Keys; until: number }>(CHECKED)
const nameOf = (token: string): string => hash('sha256', token, 'base64')

export interface IssuedToken {
  token: string
  /** RFC 3339. */
  expire: string
}

async function signed(
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
 * Opens a session and gives its token. Every way in ends here, so a locked account has none.
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
  // Held until the session is there: locking waits for it and ends it, or comes first and is seen here.
  const made = await tx.run(sql`
    with account as (select id from users where id = ${user.id} and locked_at is null for share)
    insert into sessions (id, user_id, created_at, expires_at, chain_until, ip, agent)
    select ${id}::uuid, id, ${created}::timestamptz, ${expires}::timestamptz, ${chain}::timestamptz, ${from.ip}, ${from.agent.slice(0, 300)}
    from account`)
  if (made === 0) throw new AppError('accountLocked')
  return signed(context, tx, id, user.uid, created, expires)
}

/**
 * The session a token names, when the token is ours and not past its time. Only our one algorithm is looked at, and only keys of ours by
 * their `kid`; what the token's header says of keys otherwise is not.
 */
export async function readToken(context: Deps, token: string): Promise<ReadToken | undefined> {
  const name = nameOf(token)
  const seen = checked.get(name)
  if (seen && seen.keys === context.keys && seen.until > context.clock.now() && seen.expires > context.clock.now())
    return seen
  // Asked outside of the check: a database that does not answer is no bad token.
  const key = await believedKey(context, keyNameOf(token))
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
    checked.set(name, { ...read, keys: context.keys, until: context.clock.now() + CHECKED_FOR })
    return read
  } catch {
    return undefined
  }
}

function keyNameOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    return undefined
  }
}

/** A fresh token of the same session, unless the seven days of its chain are over. */
export async function rotate(context: Deps, session: string): Promise<IssuedToken | undefined> {
  const at = now(context)
  const row = await context.db.maybe<{ uid: string; expires_at: Date }>(sql`
    update sessions s set expires_at = least(s.chain_until, ${new Date(at.getTime() + SESSION_LIFE)})
    from users u
    where s.id = ${session} and u.id = s.user_id and s.revoked_at is null and s.chain_until > ${at}
    returning u.uid, s.expires_at`)
  return row && signed(context, context.db, session, row.uid, at, row.expires_at)
}

/** Also ends what is half signed in: no second factor completes it any more. */
export async function endAllSessions(context: Pick<Context, 'clock'>, tx: Db, userId: number): Promise<void> {
  await dropTickets(tx, userId)
  await tx.run(sql`update sessions set revoked_at = ${now(context)} where user_id = ${userId} and revoked_at is null`)
}
