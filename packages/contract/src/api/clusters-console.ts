import { z } from 'zod'
import { msg, nothing, plain } from '../fields.ts'
import { CLUSTERS } from '../price.ts'
import { route } from '../route.ts'

/** The account and the sessions of the container console. */
export const consoleOperations = {
  kubUrl: route({
    method: 'GET',
    path: '/api/v1/platform/kub_url',
    auth: 'public',
    input: z.object({ kub_name: plain(60).optional() }),
    output: z.object({
      /** The console opens at this URL + `/login?account=…&password=…`, where `password` is a console token. */
      url: z.string(),
    }),
    errors: ['clusterUnknown'],
    summary: 'Returns the URL of the container console of a region',
  }),
  account: route({
    method: 'GET',
    path: '/api/v1/platform/user/info',
    auth: 'session',
    input: nothing,
    output: z.object({
      /** The linked wallet, which is the account name in the console. */
      account: z.string(),
      avatar: z.string(),
      user_name: z.string(),
      user_email: z.string(),
      kub_pwd: z.string(),
      created_at: z.string(),
    }),
    errors: ['walletRequired'],
    limit: 60,
    summary: 'Returns account and password of the container console; the first call creates them',
  }),
  resetPassword: route({
    method: 'POST',
    path: '/api/v1/platform/user/reset_kub_pwd',
    auth: 'session',
    input: nothing,
    output: z.object({ kub_pwd: z.string() }),
    errors: ['walletRequired'],
    limit: 10,
    summary: 'Sets a new password for the container console and ends its sessions',
  }),
  ticket: route({
    method: 'POST',
    path: '/api/v1/platform/console_ticket',
    auth: 'session',
    input: z.object({ kub_name: z.enum(CLUSTERS).optional() }),
    output: z.object({
      account: z.string(),
      /** Used instead of the password, once, within 60 seconds. */
      ticket: z.string(),
      /** The console's sign-in page with account and token. */
      url: z.string(),
      expires_at: z.string(),
    }),
    errors: ['walletRequired'],
    limit: 60,
    summary: 'Issues a token that opens the container console once',
  }),

  enter: route({
    method: 'POST',
    path: '/api/v1/console/login',
    auth: 'public',
    input: z.object({ account: plain(254), password: plain(200) }),
    output: z.object({ token: z.string(), account: z.string(), expires_at: z.string() }),
    errors: ['signInFailed', 'signInLocked', 'signInExpired', 'incomplete'],
    refuses401: true,
    limit: 30,
    summary: 'Signs in to the container console with a password or a console token',
  }),
  session: route({
    method: 'POST',
    path: '/api/v1/platform/console_session',
    auth: 'admin',
    input: nothing,
    output: z.object({ token: z.string(), expires_at: z.string() }),
    errors: ['keyExpired'],
    limit: 60,
    summary: 'Opens a session of the container console, which ends with the session or API key of the caller',
  }),
  leave: route({
    method: 'POST',
    path: '/api/v1/console/logout',
    auth: 'console',
    input: nothing,
    output: msg,
    errors: [],
    summary: 'Signs out of the container console',
  }),
}
