import { z } from 'zod'
import { bool, int, nothing } from '../fields.ts'
import { route } from '../route.ts'
import { SIGN_IN_METHODS } from '../sign-in-methods.ts'

/** Parsed from the User-Agent header; `''`: unknown. */
export const device = z.object({
  kind: z.enum(['computer', 'phone', 'tablet', 'program', 'unknown']),
  /** `Firefox`, `curl`, `` */
  program: z.string(),
  /** `Windows`, `Android`, `` */
  system: z.string(),
})
export type Device = z.infer<typeof device>

/**
 * The kind of an IP address. `machine`: the server's own; `local`: a private network; `public`: the internet. `network` is shortened:
 * 203.0.113.x, 2001:db8:1::
 */
export const place = z.object({ kind: z.enum(['machine', 'local', 'public', 'unknown']), network: z.string() })
export type Place = z.infer<typeof place>

const session = z.object({
  id: z.string(),
  device,
  place,
  /** RFC 3339. */
  created_at: z.string(),
  /** With a precision of one minute. */
  seen_at: z.string(),
  /** Whether it is the caller's session. */
  current: z.boolean(),
})
export type OpenSession = z.infer<typeof session>

const signIn = z.object({
  at: z.string(),
  way: z.enum(SIGN_IN_METHODS),
  /** `owed`: the first factor was correct, the second is missing. */
  second: z.enum(['', 'owed', 'totp', 'passkey', 'recovery']),
  device,
  place,
  ok: z.boolean(),
})
export type SignInRecord = z.infer<typeof signIn>

export const sessions = {
  list: route({
    method: 'GET',
    path: '/api/v1/user/sessions',
    auth: 'session',
    input: nothing,
    output: z.object({ sessions: z.array(session) }),
    errors: [],
    summary: 'Lists the open sessions of the account, most recently used first',
  }),
  revoke: route({
    method: 'POST',
    path: '/api/v1/user/sessions/revoke',
    auth: 'session',
    input: z.object({
      /** Ends one session. */
      id: z.uuid().optional(),
      /** Ends all sessions except the caller's. */
      others: bool.optional(),
      /** Ends all sessions. */
      all: bool.optional(),
    }),
    output: z.object({ ended: z.number() }),
    errors: ['sessionUnknown'],
    summary: 'Ends one session, all others or all; every server rejects them within five seconds',
  }),
  signIns: route({
    method: 'GET',
    path: '/api/v1/user/sign_ins',
    auth: 'session',
    input: z.object({ size: int(1, 100).default(20) }),
    output: z.object({ signIns: z.array(signIn) }),
    errors: [],
    summary: 'Lists successful and failed sign-ins of the last 90 days',
  }),
}
