import { z } from 'zod'
import { bool, int, name, nothing, plain, refuse } from '../fields.ts'
import { route } from '../route.ts'
import { WEBHOOK_DISABLED_BY, WEBHOOK_EVENTS, WEBHOOK_FAILURES, WEBHOOK_STATES } from '../webhooks.ts'

const id = int(1)
const url = z
  .string({ error: refuse('webhookUrl') })
  .trim()
  .max(2000, refuse('webhookUrl'))
  .refine((text) => !text.includes('\u0000'), refuse('webhookUrl'))
const events = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1, refuse('webhookEvents'))
  .max(50)
  .transform((list) => WEBHOOK_EVENTS.filter((event) => list.includes(event)))
const secret = z.string()

const answer = {
  /** HTTP status; null: no answer. */
  status: z.number().nullable(),
  failure: z.enum(WEBHOOK_FAILURES),
  /** The first 1,024 bytes of the answer, as text. */
  answer: z.string(),
  took_ms: z.number().nullable(),
}

export const webhooks = {
  create: route({
    method: 'POST',
    path: '/api/v1/webhook/create',
    auth: 'session',
    team: 'owner',
    input: z.object({ name, url, events }),
    output: z.object({ id: z.number(), secret }),
    errors: ['nameMissing', 'nameTooLong', 'nameForbidden', 'webhookUrl', 'webhookEvents', 'tooManyWebhooks'],
    summary: 'Creates a webhook; its secret is returned only once',
  }),
  list: route({
    method: 'GET',
    path: '/api/v1/webhook/list',
    auth: 'session',
    team: 'owner',
    input: nothing,
    output: z.object({
      max: z.number(),
      list: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          url: z.string(),
          events: z.array(z.enum(WEBHOOK_EVENTS)),
          enabled: z.boolean(),
          disabled_by: z.enum(WEBHOOK_DISABLED_BY),
          /** Of the first failed attempt since the last successful one; null: the last one succeeded, or there was none. */
          failing_since: z.string().nullable(),
          /** Until then, deliveries are signed with the replaced secret too; null: they are not. */
          previous_until: z.string().nullable(),
          waiting: z.number(),
          dead: z.number(),
          created_at: z.string(),
        }),
      ),
    }),
    errors: [],
    summary: 'Lists the webhooks of the account, newest first',
  }),
  change: route({
    method: 'POST',
    path: '/api/v1/webhook/change',
    auth: 'session',
    team: 'owner',
    /** Absent fields stay. Disabling ends waiting deliveries; they can be replayed. */
    input: z.object({
      id,
      name: name.optional(),
      url: url.optional(),
      events: events.optional(),
      enabled: bool.optional(),
    }),
    output: nothing,
    errors: ['webhookUnknown', 'nameMissing', 'nameTooLong', 'nameForbidden', 'webhookUrl', 'webhookEvents'],
    summary: 'Changes, enables or disables a webhook',
  }),
  rotate: route({
    method: 'POST',
    path: '/api/v1/webhook/rotate',
    auth: 'session',
    team: 'owner',
    input: z.object({ id }),
    output: z.object({ secret, previous_until: z.string() }),
    errors: ['webhookUnknown'],
    summary: 'Replaces the secret of a webhook, and returns it once; for 24 hours, the old one signs too',
  }),
  remove: route({
    method: 'POST',
    path: '/api/v1/webhook/remove',
    auth: 'session',
    team: 'owner',
    input: z.object({ id }),
    output: nothing,
    errors: ['webhookUnknown'],
    summary: 'Deletes a webhook and its deliveries',
  }),
  test: route({
    method: 'POST',
    path: '/api/v1/webhook/test',
    auth: 'session',
    team: 'owner',
    input: z.object({ id }),
    output: z.object({ delivered: z.boolean(), ...answer }),
    errors: ['webhookUnknown', 'tooManyRequests'],
    summary: 'Sends the event test.ping at once, also if the webhook is disabled, and returns the answer',
  }),
  deliveries: route({
    method: 'GET',
    path: '/api/v1/webhook/deliveries',
    auth: 'session',
    team: 'owner',
    input: z.object({
      id,
      /** `next` of the previous page. */
      before: int(1).optional(),
      state: z.enum(WEBHOOK_STATES).optional(),
    }),
    output: z.object({
      list: z.array(
        z.object({
          id: z.number(),
          /** The header webhook-id, the same at every attempt. */
          message_id: z.string(),
          event: plain(40),
          state: z.enum(WEBHOOK_STATES),
          tries: z.number(),
          created_at: z.string(),
          tried_at: z.string().nullable(),
          /** Of the next attempt. */
          due_at: z.string().nullable(),
          ...answer,
        }),
      ),
      /** For the next page; null: this is the last one. */
      next: z.number().nullable(),
    }),
    errors: ['webhookUnknown'],
    summary: 'Lists the last deliveries of a webhook, newest first',
  }),
  replay: route({
    method: 'POST',
    path: '/api/v1/webhook/replay',
    auth: 'session',
    team: 'owner',
    input: z.object({
      id,
      /** Absent: all that were given up. */
      delivery: int(1).optional(),
    }),
    output: z.object({ count: z.number() }),
    errors: ['webhookUnknown', 'webhookDisabled', 'notFound', 'tooManyRequests'],
    summary: 'Sends an ended delivery again, or all that were given up, with the same webhook-id and a new timestamp',
  }),
}
