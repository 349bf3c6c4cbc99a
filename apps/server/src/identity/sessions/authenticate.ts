import { AppError, type Permission, type Role, type Route, SESSION_ROTATE_BELOW } from '@tidenet/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from '../../platform/db/sql.ts'
import type { ConsoleCaller, Member, NodeCaller, Visitor } from '../../platform/http/callers.ts'
import { API_KEY, keyMember } from '../api-keys/member-of-key.ts'
import { type Context, now } from '../context.ts'
import { requireSecondFactor } from './require-second-factor.ts'
import { readToken, rotate } from './tokens.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock' | 'keys'>

/** How long a credential that was just checked is believed again: a deleted key or ended session is refused within it. */
const BELIEVED = 500
const REMEMBERED = 10_000
/** The last use of a session is known to this many ms, so that a busy one is not written with every call. */
const USE_NOTED = 60_000

/** How callers are told apart that are no accounts. Each gives nothing for a token that is not right. */
export interface OtherCallers {
  node(token: string): Promise<NodeCaller | undefined>
  console(token: string): Promise<ConsoleCaller | undefined>
}

/** Finds out who calls, and refuses those whom the operation does not admit. */
export function createAuthenticate(context: Deps, others: OtherCallers) {
  const recent = new Map<string, Known & { until: number; untilClock: number }>()

  async function memberOf(credential: string, reply: FastifyReply): Promise<Member | 'locked' | undefined> {
    const known = recent.get(credential)
    // Both times: a test that moves the clock must neither stretch the cache nor find it older than it says.
    if (known && known.until > Date.now() && known.untilClock > context.clock.now()) return said(known, reply)
    const found = credential.startsWith(API_KEY)
      ? await keyMember(context, credential)
      : await sessionMember(context, credential)
    recent.delete(credential)
    if (!found || found === 'locked') return found
    if (recent.size >= REMEMBERED) recent.delete(recent.keys().next().value as string)
    recent.set(credential, { ...found, until: Date.now() + BELIEVED, untilClock: context.clock.now() + BELIEVED })
    return said(found, reply)
  }

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { auth }: Route,
  ): Promise<Visitor | Member | NodeCaller | ConsoleCaller> => {
    if (auth === 'public') return { kind: 'visitor' }
    if (auth === 'node') {
      const node = await others.node(bearer(request.headers.authorization))
      if (!node) throw new AppError('unauthorized')
      return node
    }
    if (auth === 'console') {
      const text = bearer(request.headers.authorization)
      const found = await others.console(text)
      if (!found) throw new AppError(text === '' ? 'unauthorized' : 'sessionExpired')
      return found
    }
    const credentials = credentialsOf(request)
    let member: Member | undefined
    let locked = false
    for (const credential of credentials) {
      const found = member ?? (await memberOf(credential, reply))
      if (found === 'locked') locked = true
      else member = found
    }
    if (!member) {
      if (auth === 'optional') return { kind: 'visitor' }
      if (locked) throw new AppError('accountLocked')
      if (credentials.length === 0) throw new AppError('unauthorized')
      // A program has no session that could have ended.
      const keys =
        request.headers.apikey !== undefined || credentials.some((credential) => credential.startsWith(API_KEY))
      throw new AppError(keys ? 'keyRejected' : 'sessionExpired')
    }
    if (!admits(auth, member)) throw new AppError('forbidden')
    if (auth === 'operator') await requireSecondFactor(context, member)
    return member
  }
}

/** Whom a credential names, and the token that takes its place when it is about to end. */
interface Known {
  member: Member
  fresh?: string | undefined
}

/** The new token goes with every answer while the old one is believed: the first of them may never arrive. */
function said({ member, fresh }: Known, reply: FastifyReply): Member {
  if (fresh) reply.header('new-token', fresh)
  return member
}

function admits(auth: Route['auth'], member: Member): boolean {
  if (auth === 'operator') return member.via === 'session' && member.role === 'operator'
  if (member.via === 'session') return true
  if (auth === 'session') return false
  if (auth === 'any' || auth === 'optional' || member.permissions === 'all') return true
  return member.permissions.has(auth as Permission)
}

/** In the order they are tried. `token` is what clients send that have none. */
function credentialsOf(request: FastifyRequest): string[] {
  const { jwtauthorization, apikey } = request.headers
  return [bearer(jwtauthorization), apikey].filter(
    (text): text is string => typeof text === 'string' && text !== '' && text !== 'token',
  )
}

function bearer(header: string | string[] | undefined): string {
  return typeof header === 'string' && header.startsWith('Bearer ') ? header.slice(7).trim() : ''
}

async function sessionMember(context: Deps, token: string): Promise<Known | 'locked' | undefined> {
  const read = await readToken(context, token)
  if (!read) return undefined
  const row = await context.db.maybe<{
    id: number
    uid: string
    email: string | null
    vip: boolean
    role: Role
    locked: boolean
    revoked: boolean
    chain_until: Date
    seen_at: Date | null
  }>(sql`
    select u.id, u.uid, u.email, u.vip, u.role, u.locked_at is not null as locked, s.revoked_at is not null as revoked, s.chain_until, s.seen_at
    from sessions s join users u on u.id = s.user_id where s.id = ${read.session} and u.uid = ${read.uid}`)
  // Locking ends the sessions too; whoever held one is told why.
  if (row?.locked) return 'locked'
  if (!row || row.revoked) return undefined
  const at = now(context)
  const noted = new Date(at.getTime() - USE_NOTED)
  if (row.seen_at === null || row.seen_at < noted)
    await context.db.run(sql`
      update sessions set seen_at = ${at} where id = ${read.session} and (seen_at is null or seen_at < ${noted})`)
  // The last token of a chain ends with it (its time is in whole seconds): another one would live no longer.
  const last = read.expires + 1000 > row.chain_until.getTime()
  const ends = !last && read.expires - context.clock.now() < SESSION_ROTATE_BELOW
  const member: Member = {
    kind: 'member',
    userId: row.id,
    uid: row.uid,
    email: row.email ?? '',
    vip: row.vip,
    role: row.role,
    via: 'session',
    credential: read.session,
    permissions: 'all',
  }
  return { member, fresh: ends ? (await rotate(context, read.session))?.token : undefined }
}
