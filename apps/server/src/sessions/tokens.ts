import { randomUUID } from 'node:crypto'
import { SESSION_CHAIN, SESSION_LIFE } from '@tidenet/contract'
import { jwtVerify, SignJWT } from 'jose'
import { type Context, now } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'keys'>

export interface IssuedToken {
  token: string
  /** RFC 3339. */
  expire: string
}

const signed = async (
  { keys }: Pick<Context, 'keys'>,
  session: string,
  uid: string,
  issued: Date,
  expires: Date,
): Promise<IssuedToken> => ({
  token: await new SignJWT({ id: uid })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setJti(session)
    .setIssuer('tidenet')
    .setAudience('portal')
    .setIssuedAt(issued)
    .setExpirationTime(expires)
    .sign(keys.session),
  expire: expires.toISOString(),
})

/** Opens a session and gives its token. */
export async function openSession(
  context: Needs,
  tx: Db,
  user: { id: number; uid: string },
  from: { ip: string; agent: string },
): Promise<IssuedToken> {
  const id = randomUUID()
  const created = now(context)
  const expires = new Date(created.getTime() + SESSION_LIFE)
  const chain = new Date(created.getTime() + SESSION_CHAIN)
  await tx.run(sql`
    insert into sessions (id, user_id, created_at, expires_at, chain_until, ip, agent)
    values (${id}, ${user.id}, ${created}, ${expires}, ${chain}, ${from.ip}, ${from.agent.slice(0, 300)})`)
  return signed(context, id, user.uid, created, expires)
}

/** The session a token names, when the token is ours and not past its time. */
export async function readToken(
  { keys, clock }: Pick<Context, 'keys' | 'clock'>,
  token: string,
): Promise<{ session: string; uid: string; expires: number } | undefined> {
  try {
    const { payload } = await jwtVerify(token, keys.session, {
      algorithms: ['HS256'],
      issuer: 'tidenet',
      audience: 'portal',
      currentDate: new Date(clock.now()),
    })
    if (typeof payload.jti !== 'string' || typeof payload.id !== 'string') return undefined
    return { session: payload.jti, uid: payload.id, expires: (payload.exp ?? 0) * 1000 }
  } catch {
    return undefined
  }
}

/** A fresh token of the same session, unless the seven days of its chain are over. */
export async function rotate(context: Needs, session: string): Promise<IssuedToken | undefined> {
  const at = now(context)
  const row = await context.db.maybe<{ uid: string; expires_at: Date }>(sql`
    update sessions s set expires_at = least(s.chain_until, ${new Date(at.getTime() + SESSION_LIFE)})
    from users u
    where s.id = ${session} and u.id = s.user_id and s.revoked_at is null and s.chain_until > ${at}
    returning u.uid, s.expires_at`)
  return row && signed(context, session, row.uid, at, row.expires_at)
}

export async function endSession(context: Pick<Context, 'db' | 'clock'>, session: string): Promise<void> {
  await context.db.run(
    sql`update sessions set revoked_at = ${now(context)} where id = ${session} and revoked_at is null`,
  )
}

export async function endAllSessions(context: Pick<Context, 'clock'>, tx: Db, userId: number): Promise<void> {
  await tx.run(sql`update sessions set revoked_at = ${now(context)} where user_id = ${userId} and revoked_at is null`)
}
