import { z } from 'zod'
import { msg, nothing, plain } from '../fields.ts'
import { route } from '../route.ts'

/** The id that the configuration gives to a provider of sign-ins. */
const provider = plain(40)
/** Where the portal goes on afterwards; anything but an address of the portal itself is left out. */
const redirect = plain(2000).optional()
/** What a sign-in hands over to the portal: once, within two minutes, in the browser that began it. */
const code = plain(100)
const tokens = z.object({
  token: z.string(),
  /** RFC 3339. */
  expire: z.string(),
})

/**
 * How a sign-in through another service ended, as the fragment `#identity=…` of the portal's address tells it:
 * `unreachable`: the service cannot be accessed; `browser`: the cookie of the sign-in is missing; `denied`: the person said no;
 * `expired`: it took too long or was used before; `refused`: the answer of the service does not hold.
 */
export const IDENTITY_FAILURES = ['unreachable', 'browser', 'denied', 'expired', 'refused'] as const
export type IdentityFailure = (typeof IDENTITY_FAILURES)[number]

export const identities = {
  start: route({
    method: 'GET',
    path: '/api/v1/user/oauth/:provider/start',
    auth: 'public',
    input: z.object({
      provider,
      redirect,
      /** In which the service is asked to show its pages: cn or en; absent: the language of the request. */
      lang: plain(10).optional(),
    }),
    output: z.object({}),
    shape: 'raw',
    media: 'text/html',
    errors: [],
    limit: 60,
    summary: 'Sends a browser to another service to sign in there',
  }),
  callback: route({
    method: 'GET',
    path: '/api/v1/user/oauth/:provider/callback',
    auth: 'public',
    input: z.object({ provider, code: plain(4000).optional(), state: plain(500).optional() }),
    output: z.object({}),
    shape: 'raw',
    media: 'text/html',
    errors: [],
    limit: 60,
    summary: 'Where the other service sends the browser back to: on to the portal with `#handover=…` or `#identity=…`',
  }),
  finish: route({
    method: 'POST',
    path: '/api/v1/user/oauth/finish',
    auth: 'public',
    input: z.object({ code }),
    output: tokens,
    errors: ['identityExpired', 'identityEmailTaken', 'secondFactorNeeded'],
    limit: 60,
    summary: 'Signs in with what was handed over; the first time an identity signs in it gets an account',
  }),
  list: route({
    method: 'GET',
    path: '/api/v1/user/oauth',
    auth: 'session',
    input: nothing,
    output: z.object({
      identities: z.array(
        z.object({
          provider: z.string(),
          /** What the service calls the person, and the address it knows; empty: it did not say. */
          name: z.string(),
          email: z.string(),
          /** RFC 3339; `used_at` is empty until somebody has signed in by it. */
          created_at: z.string(),
          used_at: z.string(),
        }),
      ),
    }),
    errors: [],
    summary: 'The identities at other services that sign in to the account',
  }),
  link: route({
    method: 'POST',
    path: '/api/v1/user/oauth/link',
    auth: 'session',
    input: z.object({ provider, redirect }),
    output: z.object({
      /** Where the browser has to go now. */
      url: z.string(),
    }),
    errors: ['identityUnreachable', 'identityUnknown', 'identityBound', 'proofNeeded'],
    limit: 30,
    summary: 'Begins to link an identity to the account; the session needs a fresh proof',
  }),
  add: route({
    method: 'POST',
    path: '/api/v1/user/oauth/add',
    auth: 'session',
    input: z.object({ code }),
    output: msg,
    errors: ['identityExpired', 'identityTaken', 'identityBound'],
    limit: 60,
    summary: 'Links the identity that was handed over to the account that began it',
  }),
  remove: route({
    method: 'POST',
    path: '/api/v1/user/oauth/remove',
    auth: 'session',
    input: z.object({ provider }),
    output: msg,
    errors: ['identityUnknown', 'identityLastWayIn', 'proofNeeded'],
    limit: 60,
    summary: 'Takes an identity from the account; never the last way in',
  }),
}
