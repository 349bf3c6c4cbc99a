import { z } from 'zod'
import { msg, nothing, plain } from '../fields.ts'
import { route } from '../route.ts'

/** Id of a sign-in provider in the server's configuration. */
const provider = plain(40)
/** Page of the portal to open afterwards; other addresses are ignored. */
const redirect = plain(2000).optional()
/** Handover code: valid once, within two minutes, in the browser that started the sign-in. */
const code = plain(100)
const tokens = z.object({
  token: z.string(),
  /** RFC 3339. */
  expire: z.string(),
})

/**
 * Why an external sign-in failed, in the fragment `#identity=…` of the portal's address.
 * `unreachable`: the service cannot be accessed; `browser`: the sign-in cookie is missing; `denied`: the user cancelled;
 * `expired`: it took too long or was already used; `refused`: the service's answer is not valid.
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
      /** Language of the service's pages: cn or en; default: the language of the request. */
      lang: plain(10).optional(),
    }),
    output: z.object({}),
    shape: 'raw',
    media: 'text/html',
    errors: [],
    limit: 60,
    summary: 'Redirects the browser to another service to sign in',
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
    summary: 'Callback of the other service: redirects to the portal with `#handover=…` or `#identity=…`',
  }),
  finish: route({
    method: 'POST',
    path: '/api/v1/user/oauth/finish',
    auth: 'public',
    input: z.object({ code }),
    output: tokens,
    errors: ['identityExpired', 'identityEmailTaken', 'secondFactorNeeded'],
    limit: 60,
    summary: 'Completes an external sign-in with the handover code; the first sign-in creates an account',
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
          /** Name and e-mail address at the service; empty if it gave none. */
          name: z.string(),
          email: z.string(),
          /** RFC 3339; `used_at` is empty before the first sign-in. */
          created_at: z.string(),
          used_at: z.string(),
        }),
      ),
    }),
    errors: [],
    summary: 'Lists the external sign-ins linked to the account',
  }),
  link: route({
    method: 'POST',
    path: '/api/v1/user/oauth/link',
    auth: 'session',
    input: z.object({ provider, redirect }),
    output: z.object({
      /** The page of the service to open now. */
      url: z.string(),
    }),
    errors: ['identityUnreachable', 'identityUnknown', 'identityAlreadyLinked', 'recentAuthRequired'],
    limit: 30,
    summary: 'Starts linking an external sign-in to the account (needs recent authentication)',
  }),
  add: route({
    method: 'POST',
    path: '/api/v1/user/oauth/add',
    auth: 'session',
    input: z.object({ code }),
    output: msg,
    errors: ['identityExpired', 'identityTaken', 'identityAlreadyLinked'],
    limit: 60,
    summary: 'Completes linking an external sign-in with the handover code',
  }),
  remove: route({
    method: 'POST',
    path: '/api/v1/user/oauth/remove',
    auth: 'session',
    input: z.object({ provider }),
    output: msg,
    errors: ['identityUnknown', 'lastIdentity', 'recentAuthRequired'],
    limit: 60,
    summary: 'Unlinks an external sign-in from the account, unless it is the only sign-in method',
  }),
}
