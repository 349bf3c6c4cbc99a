import {
  AppError,
  FOLDER_SCOPE,
  isAgentRole,
  isTeamOperation,
  type OperationName,
  PERMISSIONS,
  type Permission,
  type Route,
  SESSION_ROTATE_BELOW,
} from '@tidenet/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ago } from '../../platform/ago.ts'
import { sql } from '../../platform/db/sql.ts'
import {
  type ConsoleCaller,
  type Member,
  type NodeCaller,
  permissionRefusal,
  type Visitor,
} from '../../platform/http/callers.ts'
import { LAST_USE_PRECISION_MS, type MemberRow, memberColumns, toMember } from '../accounts/member.ts'
import { IMPORT_TOKEN_PREFIX, importMember } from '../api-keys/import-tokens.ts'
import { API_KEY_PREFIX, type KeyLimits, keyMember, refusalBy, s3TokenMember } from '../api-keys/member-of-key.ts'
import { isGatewaySecret } from '../api-keys/s3-gateway-secret.ts'
import { S3_TOKEN_PREFIX } from '../api-keys/s3-tokens.ts'
import { type Context, now } from '../context.ts'
import { actFor } from '../teams/acting.ts'
import { noteActing } from '../teams/events.ts'
import { requireSecondFactor } from './require-second-factor.ts'
import { readToken, rotate } from './tokens.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock' | 'keys'>

/** A revoked key or session is rejected after this time at the latest. */
const CACHE_TTL_MS = 500
const CACHE_MAX = 10_000
const KEY_PREFIXES = [API_KEY_PREFIX, S3_TOKEN_PREFIX, IMPORT_TOKEN_PREFIX]

/** Authenticates callers that are not members. Undefined: the token is invalid. */
export interface OtherCallers {
  node(token: string): Promise<NodeCaller | undefined>
  console(token: string, ip: string): Promise<ConsoleCaller | undefined>
}

/** Identifies the caller, and refuses callers that the operation does not admit. */
export function createAuthenticate(context: Deps, others: OtherCallers) {
  const cache = new Map<string, Authenticated & { until: number; untilClock: number }>()
  const teams = new Map<string, { found: Awaited<ReturnType<typeof actFor>>; until: number; untilClock: number }>()

  async function memberOf(credential: string, ip: string): Promise<Authenticated | 'locked' | undefined> {
    const cached = cache.get(credential)
    // Both clocks, because tests change one of them.
    if (cached && cached.until > Date.now() && cached.untilClock > context.clock.now()) return cached
    const found: Authenticated | 'locked' | undefined = credential.startsWith(API_KEY_PREFIX)
      ? await keyMember(context, credential, ip)
      : credential.startsWith(S3_TOKEN_PREFIX)
        ? await s3TokenMember(context, credential, ip)
        : credential.startsWith(IMPORT_TOKEN_PREFIX)
          ? await importMember(context, credential)
          : await sessionMember(context, credential)
    cache.delete(credential)
    if (!found || found === 'locked') return found
    if (cache.size >= CACHE_MAX) cache.delete(cache.keys().next().value as string)
    cache.set(credential, {
      ...found,
      until: Date.now() + CACHE_TTL_MS,
      untilClock: context.clock.now() + CACHE_TTL_MS,
    })
    return found
  }

  /** @throws AppError teamUnknown, forbidden */
  async function teamOf(person: Member, team: string): Promise<Awaited<ReturnType<typeof actFor>>> {
    const key = `${person.credential} ${team}`
    const cached = teams.get(key)
    if (cached && cached.until > Date.now() && cached.untilClock > context.clock.now()) return cached.found
    const found = await actFor(context, person, team)
    if (teams.size >= CACHE_MAX) teams.delete(teams.keys().next().value as string)
    teams.set(key, { found, until: Date.now() + CACHE_TTL_MS, untilClock: context.clock.now() + CACHE_TTL_MS })
    return found
  }

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { auth, authorization: inAuthorization, team: least }: Route,
  ): Promise<Visitor | Member | NodeCaller | ConsoleCaller> => {
    if (auth === 'public') return { kind: 'visitor' }
    if (auth === 'gateway') {
      if (!isGatewaySecret(context.config, bearer(request.headers.authorization))) throw new AppError('unauthorized')
      return { kind: 'visitor' }
    }
    if (auth === 'node') {
      const node = await others.node(bearer(request.headers.authorization))
      if (!node) throw new AppError('unauthorized')
      return node
    }
    if (auth === 'console') {
      const text = bearer(request.headers.authorization)
      const found = await others.console(text, request.ip)
      if (!found) throw new AppError(text === '' ? 'unauthorized' : 'sessionExpired')
      return found
    }
    const credentials = credentialsOf(request, inAuthorization)
    let member: Member | undefined
    let locked = false
    let refusal: AppError | undefined
    for (const credential of credentials) {
      if (member) break
      const found = await memberOf(credential, request.ip)
      if (found === 'locked') locked = true
      else if (found) {
        refusal = found.limits && refusalBy(found.limits, found.limits.address ?? request.ip, context.clock.now())
        if (!refusal) member = sendFresh(found, reply)
      }
    }
    if (!member) {
      // Even where visitors are admitted: the caller would not learn why it is treated as one.
      if (refusal?.key === 'keyAddress') throw refusal
      if (auth === 'optional') return { kind: 'visitor' }
      if (refusal) throw refusal
      if (locked) throw new AppError('accountLocked')
      if (credentials.length === 0) {
        if (inAuthorization) throw new AppError('keyMissing')
        // Generated clients send their token there unless they are told otherwise.
        throw new AppError(bearer(request.headers.authorization) === '' ? 'unauthorized' : 'tokenHeader')
      }
      const hasKey =
        inAuthorization ||
        request.headers.apikey !== undefined ||
        credentials.some((text) => KEY_PREFIXES.some((prefix) => text.startsWith(prefix)))
      throw new AppError(hasKey ? 'keyRejected' : 'sessionExpired')
    }
    if (member.import && !member.import.operations.has(request.routeOptions.config.operation ?? ''))
      throw new AppError('forbidden')
    const { team } = request.headers
    if (typeof team === 'string' && team !== '') {
      const acting = await teamOf(member, team)
      if (acting === 'locked') throw new AppError('accountLocked')
      if (!isTeamOperation({ auth, ...(least && { team: least }) }, acting.role)) throw new AppError('forbidden')
      noteActing(request, acting.member)
      return acting.member
    }
    if (!isAllowed(auth, member)) throw callRefusal(auth, member)
    if (member.folders) {
      const scope = FOLDER_SCOPE[request.routeOptions.config.operation as OperationName]
      if (scope === 'visitor' && auth === 'optional') return { kind: 'visitor' }
      if (!scope || scope === 'visitor') throw new AppError('keyFolders')
    }
    if (auth === 'operator' || auth === 'agent') await requireSecondFactor(context, member)
    return member
  }
}

interface Authenticated {
  member: Member
  /** A new session token, if the current one is about to expire. */
  fresh?: string | undefined
  /** Of an API key. */
  limits?: KeyLimits
}

/** Sends the new token with every response while the old one is cached, because a response can get lost. */
function sendFresh({ member, fresh }: Authenticated, reply: FastifyReply): Member {
  if (fresh) reply.header('new-token', fresh)
  return member
}

function isAllowed(auth: Route['auth'], member: Member): boolean {
  if (auth === 'operator') return member.via === 'session' && member.role === 'operator'
  if (auth === 'agent') return member.via === 'session' && isAgentRole(member.role)
  if (member.via === 'session') return true
  if (auth === 'session') return false
  if (auth === 'any' || auth === 'optional' || member.permissions === 'all') return true
  return member.permissions.has(auth as Permission)
}

/** Why a person or key must not call it. */
function callRefusal(auth: Route['auth'], member: Member): AppError {
  if (auth === 'admin') return new AppError('keyAdmin')
  const permission = PERMISSIONS.find((each) => each === auth)
  return permission ? permissionRefusal(member, permission) : new AppError('forbidden')
}

/** In the order of precedence. Clients without a token send `token`. */
function credentialsOf(request: FastifyRequest, inAuthorization = false): string[] {
  const { jwtauthorization, apikey, authorization } = request.headers
  return [bearer(jwtauthorization), apikey, inAuthorization && bearer(authorization)].filter(
    (text): text is string => typeof text === 'string' && text !== '' && text !== 'token',
  )
}

function bearer(header: string | string[] | undefined): string {
  return typeof header === 'string' ? (/^Bearer +(.*)$/i.exec(header)?.[1]?.trim() ?? '') : ''
}

async function sessionMember(context: Deps, token: string): Promise<Authenticated | 'locked' | undefined> {
  const read = await readToken(context, token)
  if (!read) return undefined
  const row = await context.db.maybe<MemberRow & { revoked: boolean; chain_until: Date; seen_at: Date | null }>(sql`
    select ${memberColumns}, s.revoked_at is not null as revoked, s.chain_until, s.seen_at
    from sessions s join users u on u.id = s.user_id where s.id = ${read.session} and u.uid = ${read.uid}`)
  // Locking an account also revokes its sessions; the caller gets the reason.
  if (row?.locked) return 'locked'
  if (!row || row.revoked) return undefined
  const at = now(context)
  const recent = ago(at, LAST_USE_PRECISION_MS)
  if (row.seen_at === null || row.seen_at < recent)
    await context.db.run(sql`
      update sessions set seen_at = ${at} where id = ${read.session} and (seen_at is null or seen_at < ${recent})`)
  // The last token of a session cannot be extended (JWT times are whole seconds).
  const last = read.expires + 1000 > row.chain_until.getTime()
  const expiring = !last && read.expires - context.clock.now() < SESSION_ROTATE_BELOW
  const member = toMember(row, { via: 'session', credential: read.session, permissions: 'all', folders: null })
  return { member, fresh: expiring ? (await rotate(context, read.session))?.token : undefined }
}
