import { z } from 'zod'
import { nothing } from '../fields.ts'
import { route } from '../route.ts'

/** 256 random bits that only the guest's browser has. */
const key = z.string().min(1).max(100)
const consoleSession = { token: z.string(), expires_at: z.string() }

/** Workspaces of ten minutes for people without an account. */
export const guests = {
  offer: route({
    method: 'GET',
    path: '/api/v1/guest_workspace/offer',
    auth: 'public',
    input: nothing,
    output: z.object({
      /** False: the operator does not offer guest workspaces, or no cluster is ready. */
      available: z.boolean(),
      minutes: z.number(),
      /** Hours for which the workspace is kept if an account adopted it. */
      kept_hours: z.number(),
    }),
    errors: [],
    limit: 120,
    summary: 'Returns whether guest workspaces are offered, and the terms',
  }),
  start: route({
    method: 'POST',
    path: '/api/v1/guest_workspace/start',
    auth: 'public',
    input: nothing,
    output: z.object({
      /** Proves later that the workspace is the caller's. */
      key: z.string(),
      /** A session of the console that can use this workspace only. */
      ...consoleSession,
    }),
    errors: ['guestsOff', 'guestsFull', 'guestRunning', 'guestsTooMany'],
    limit: 20,
    summary:
      'Starts a workspace of ten minutes without an account: one at a time per client network, without access to the internet',
  }),
  state: route({
    method: 'POST',
    path: '/api/v1/guest_workspace/state',
    auth: 'public',
    input: z.object({ key }),
    output: z.object({
      state: z.enum(['starting', 'running', 'failed', 'over']),
      /** Until it stops; 0 unless it runs. */
      seconds_left: z.number(),
      adopted: z.boolean(),
    }),
    errors: ['notFound'],
    limit: 120,
    summary: 'Returns the state of a guest workspace',
  }),
  adopt: route({
    method: 'POST',
    path: '/api/v1/guest_workspace/adopt',
    auth: 'session',
    input: z.object({ key }),
    output: z.object({
      ...consoleSession,
      /** When it stops. It is then an expired order of the account. */
      ends_at: z.string(),
    }),
    errors: ['notFound', 'guestOver', 'guestAdopted'],
    limit: 20,
    summary:
      'Adds a running guest workspace to the account. When its time is over, it is kept like that of an expired order, which can be bought again',
  }),
}
