import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '@tidenet/contract'
import type { Member, Visitor } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'

/** The customer of a conversation: an account, or a visitor by the hash of the token. */
export interface Customer {
  userId: number | null
  visitorHash: Buffer | null
  /** The same for all servers; in notifications. */
  key: string
  /** Undefined: a visitor. */
  member?: Member
}

type Deps = Pick<Context, 'keys'>

const SECRET_BYTES = 24
const MAC_BYTES = 12

const macOf = ({ keys }: Deps, secret: Buffer): Buffer =>
  createHmac('sha256', keys.pepper).update('chat visitor ').update(secret).digest().subarray(0, MAC_BYTES)

/** A new token. Its second half proves that a server made it, so that nobody can choose a token that is easy to guess. */
export function newVisitorToken(deps: Deps): string {
  const secret = randomBytes(SECRET_BYTES)
  return Buffer.concat([secret, macOf(deps, secret)]).toString('base64url')
}

/** @returns the hash that is stored @throws AppError chatVisitor */
export function readVisitorToken(deps: Deps, token: string): Buffer {
  const bytes = Buffer.from(token, 'base64url')
  const secret = bytes.subarray(0, SECRET_BYTES)
  const mac = bytes.subarray(SECRET_BYTES)
  if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, macOf(deps, secret))) throw new AppError('chatVisitor')
  return createHash('sha256').update(bytes).digest()
}

export const memberKey = (userId: number): string => `a${userId}`
export const visitorKey = (hash: Buffer): string => `v${hash.toString('base64url')}`

export const visitorOf = (deps: Deps, token: string): Customer => {
  const visitorHash = readVisitorToken(deps, token)
  return { userId: null, visitorHash, key: visitorKey(visitorHash) }
}

/**
 * Who calls: the session counts, the visitor token only without one. An API key counts for nothing: programs must not read what their owner
 * writes to support.
 * @throws AppError chatVisitor
 */
export function customerOf(deps: Deps, caller: Member | Visitor, token: string | undefined): Customer {
  if (caller.kind !== 'member' || caller.via !== 'session') return visitorOf(deps, token ?? '')
  return { userId: caller.userId, visitorHash: null, key: memberKey(caller.userId), member: caller }
}
