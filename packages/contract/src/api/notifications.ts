import { z } from 'zod'
import { bool, nothing, refuse } from '../fields.ts'
import { NOTICE_KINDS, OPTIONAL_NOTICES } from '../notifications.ts'
import { route } from '../route.ts'

const choice = z.object({
  kind: z.enum(NOTICE_KINDS),
  email: z.boolean(),
  /** Whether the dashboard and the pages of the portal show it; null: notices of this kind are e-mails only. */
  portal: z.boolean().nullable(),
  /** Whether it cannot be changed. */
  fixed: z.boolean(),
})

/** Which notices an account gets. */
export const notifications = {
  list: route({
    method: 'GET',
    path: '/api/v1/user/notifications',
    auth: 'session',
    input: nothing,
    output: z.object({
      /** Where e-mails go; '' for an account without an address, which gets none. */
      email: z.string(),
      list: z.array(choice),
    }),
    errors: [],
    summary: 'Lists the kinds of notifications, and whether the account gets them by e-mail and in the portal',
  }),
  set: route({
    method: 'POST',
    path: '/api/v1/user/notifications',
    auth: 'session',
    repeatable: true,
    input: z.object({
      kind: z.enum(OPTIONAL_NOTICES),
      /** What is left out stays. */
      email: bool.optional(),
      portal: bool.optional(),
    }),
    output: choice,
    errors: [],
    summary:
      'Sets whether the account gets notifications of a kind by e-mail and in the portal. Security notifications stay on',
  }),
  subscription: route({
    method: 'POST',
    path: '/api/v1/user/notifications/subscription',
    auth: 'public',
    repeatable: true,
    input: z.object({
      /** From the link in an e-mail. */
      token: z.string({ error: refuse('unsubscribeInvalid') }).max(400, refuse('unsubscribeInvalid')),
      /** Whether e-mails of this kind are sent; left out: only asks. */
      email: bool.optional(),
    }),
    output: z.object({ kind: z.enum(OPTIONAL_NOTICES), email: z.boolean() }),
    errors: ['unsubscribeInvalid'],
    limit: 60,
    summary: 'Turns e-mails of one kind off or on again with the token of such an e-mail, without signing in',
  }),
}
