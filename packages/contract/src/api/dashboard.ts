import { z } from 'zod'
import { nothing } from '../fields.ts'
import { ORDER_LABELS } from '../order-enums.ts'
import { route } from '../route.ts'

/** What needs the owner's attention, the most urgent first. */
export const ATTENTION = [
  'ordersDelete',
  'ordersEnd',
  'ordersUnpaid',
  'storage',
  'traffic',
  'transfers',
  'devices',
  'filesEnd',
  'webhooks',
  'answers',
] as const

export const dashboard = {
  overview: route({
    method: 'GET',
    path: '/api/v1/user/dashboard',
    auth: 'session',
    input: nothing,
    output: z.object({
      attention: z.array(
        z.object({
          /**
           * `ordersDelete`: expired orders whose data is deleted at `at`; `ordersEnd`: orders that end soon without automatic renewal;
           * `ordersUnpaid`; `storage`, `traffic`: 80 % of the quota is used, also that of an owned team; `transfers`: failed, and not successful since;
           * `devices`: with a problem; `filesEnd`: files that are deleted soon; `webhooks`: switched off after failures, or failing;
           * `answers` of the support that are not read
           */
          kind: z.enum(ATTENTION),
          /** How many; bytes used for `storage` and `traffic`. */
          count: z.number(),
          /** The quota in bytes for `storage` and `traffic`; 0 for others. */
          quota: z.number(),
          /** When it ends or ended, the first of several. */
          at: z.string().nullable(),
          /** The order, transfer, device or webhook, the first of several; the team whose quota is used, '' for the own quota. */
          id: z.string(),
          name: z.string(),
        }),
      ),
      /** Newest first. */
      events: z.array(
        z.object({
          /**
           * `uploaded`, `downloaded`: transfers of the account; `traffic`: downloads of a day (UTC), by everyone; `ordered`, `claimed`,
           * `earned`: points of devices of a day
           */
          kind: z.enum(['uploaded', 'downloaded', 'traffic', 'ordered', 'claimed', 'earned']),
          at: z.string(),
          /** Bytes of transfers and traffic, coins that were claimed, millionths of points that were earned. */
          amount: z.number(),
          /** Downloads of a day; 0 for others. */
          count: z.number(),
          /** The transfer or order. */
          id: z.string(),
          name: z.string(),
          /** Whether a transfer failed. */
          failed: z.boolean(),
          /** Of orders. */
          label: z.enum(ORDER_LABELS).nullable(),
        }),
      ),
      /** First steps that the account has done. */
      steps: z.object({ upload: z.boolean(), share: z.boolean(), claim: z.boolean() }),
    }),
    errors: [],
    summary: 'Returns what needs attention, the latest events, and the first steps of the account',
  }),
}
