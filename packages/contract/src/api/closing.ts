import { z } from 'zod'
import { bool, nothing, plain } from '../fields.ts'
import { route } from '../route.ts'

/**
 * What an account must finish before it is deleted. `orders`: in use or with money in the contract; `exchanges`: not ended; `payouts`: coins
 * that are on their way; `teams`: without another owner; `workspaces`: not removed from their cluster yet, which happens by itself.
 */
export const OBLIGATIONS = ['orders', 'exchanges', 'payouts', 'teams', 'workspaces'] as const
export type Obligation = (typeof OBLIGATIONS)[number]

const state = z.object({
  /** RFC 3339: from when the account is deleted, if it was asked for; '' otherwise. */
  closing_at: z.string(),
  /** What the owner types to confirm: the e-mail address, or else the account ID. */
  confirm: z.string(),
  obligations: z.array(z.object({ kind: z.enum(OBLIGATIONS), count: z.number() })),
  /** What is given up. */
  points: z.number(),
  files: z.number(),
  folders: z.number(),
  bytes: z.number(),
  devices: z.number(),
})

/** Deleting an account. */
export const closing = {
  state: route({
    method: 'GET',
    path: '/api/v1/user/closing',
    auth: 'session',
    input: nothing,
    output: state,
    errors: [],
    summary: 'Returns whether the account is to be deleted, what prevents that, and what would be lost',
  }),
  start: route({
    method: 'POST',
    path: '/api/v1/user/closing',
    auth: 'session',
    input: z.object({
      confirm: plain(254),
      /** Required if there are points that were not redeemed. */
      give_up_points: bool.optional(),
    }),
    output: z.object({ closing_at: z.string() }),
    errors: ['recentAuthRequired', 'closingRole', 'closingConfirm', 'closingObligations', 'closingPoints'],
    limit: 60,
    summary:
      'Schedules the account for deletion in seven days. Until then its shares and API keys do not work, and it can be undone. Needs recent authentication',
  }),
  cancel: route({
    method: 'POST',
    path: '/api/v1/user/closing/cancel',
    auth: 'session',
    input: nothing,
    output: nothing,
    errors: ['closingNone'],
    summary: 'Keeps an account that is scheduled for deletion; shares and API keys work again',
  }),
}
