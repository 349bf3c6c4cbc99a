import { z } from 'zod'
import { bool, int, nothing } from '../fields.ts'
import { route } from '../route.ts'
import { SIGN_IN_WAYS } from '../ways.ts'

/** What a user agent says of itself, read by a short list; `''`: it says nothing known. */
export const device = z.object({
  kind: z.enum(['computer', 'phone', 'tablet', 'program', 'unknown']),
  /** `Firefox`, `curl`, `` */
  program: z.string(),
  /** `Windows`, `Android`, `` */
  system: z.string(),
})
export type Device = z.infer<typeof device>

/**
 * What an address tells without asking anybody: `machine`: the server's own; `local`: a private network; `public`: somewhere in the
 * internet. `network` is shortened: 203.0.113.x, 2001:db8:1::
 */
export const place = z.object({ kind: z.enum(['machine', 'local', 'public', 'unknown']), network: z.string() })
export type Place = z.infer<typeof place>

const session = z.object({
  id: z.string(),
  device,
  place,
  /** RFC 3339. */
  created_at: z.string(),
  /** To a minute. */
  seen_at: z.string(),
  /** The one that asks. */
  current: z.boolean(),
})
export type OpenSession = z.infer<typeof session>

const signIn = z.object({
  at: z.string(),
  way: z.enum(SIGN_IN_WAYS),
  /** `owed`: the first factor was right, the second never came. */
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
    summary: 'The open sessions of the account, the last seen first',
  }),
  revoke: route({
    method: 'POST',
    path: '/api/v1/user/sessions/revoke',
    auth: 'session',
    input: z.object({
      /** One session, or … */
      id: z.uuid().optional(),
      /** … all but the one that asks, or … */
      others: bool.optional(),
      /** … that one too. */
      all: bool.optional(),
    }),
    output: z.object({ ended: z.number() }),
    errors: ['sessionUnknown'],
    summary: 'Ends one session, all others or all; every server refuses them within five seconds',
  }),
  signIns: route({
    method: 'GET',
    path: '/api/v1/user/sign_ins',
    auth: 'session',
    input: z.object({ size: int(1, 100).default(20) }),
    output: z.object({ signIns: z.array(signIn) }),
    errors: [],
    summary: 'Who came into the account lately, and who tried to; kept for 90 days',
  }),
}
