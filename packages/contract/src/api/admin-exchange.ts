import { z } from 'zod'
import { EXCHANGE_STATES } from '../exchange.ts'
import { bool, int, nothing, plain } from '../fields.ts'
import { route } from '../route.ts'
import { after, next, q, reason, size } from './admin-fields.ts'
import { exchangeOrder, exchangePartner, exchangeRate } from './exchange.ts'

/** The points exchange in the operator area. */

export const adminExchange = exchangeOrder.extend({
  /** Of the owner; empty if the account is gone, or for a payment that names no exchange from an unknown wallet. */
  uid: z.string(),
  email: z.string(),
  /** It needs attention: the partner does not answer, or contradicts itself, or a refund fails again and again. */
  stuck: z.boolean(),
  /** The last problem with the partner or the chain, for operators; empty if there is none. */
  error: z.string(),
  /** When it is tried again; null if nothing is waiting. */
  due_at: z.string().nullable(),
  /** Whether `exchangeRefund` is possible. */
  refundable: z.boolean(),
})
export type AdminExchange = z.infer<typeof adminExchange>

const id = plain(64).min(1)

export const adminExchanges = {
  exchanges: route({
    method: 'GET',
    path: '/api/v1/admin/exchanges',
    auth: 'operator',
    input: z.object({
      status: z.enum(EXCHANGE_STATES).optional(),
      stuck: bool.optional(),
      /** A complete order id, uid or e-mail of the owner, wallet, partner account or transaction hash. */
      q,
      after,
      size,
    }),
    output: z.object({ list: z.array(adminExchange), next }),
    errors: ['operatorSecondFactor'],
    summary: 'Lists exchanges and payments that name no exchange, newest first',
  }),
  exchangeTotals: route({
    method: 'GET',
    path: '/api/v1/admin/exchange/totals',
    auth: 'operator',
    input: nothing,
    output: z.object({
      /** TNT4 as decimal numbers. `paid` = `credited` + `refunded` + `refunding` + `fees` + `pending`. */
      paid: z.string(),
      credited: z.string(),
      refunded: z.string(),
      refunding: z.string(),
      fees: z.string(),
      pending: z.string(),
      /** Credits that the partner gave. */
      points: z.number(),
      /** Exchanges by state. */
      states: z.record(z.enum(EXCHANGE_STATES), z.number()),
      stuck: z.number(),
      /** The address that receives payments and pays refunds, with its TNT4; empty if there is none. */
      address: z.string(),
      balance: z.string().nullable(),
      /** How far payments were read; null before the first time. */
      read: z.object({ height: z.number(), block_time: z.string(), at: z.string() }).nullable(),
      partner: exchangePartner.extend({ reachable: z.boolean(), ms: z.number(), error: z.string() }).nullable(),
      rate: exchangeRate.extend({ since: z.string().nullable(), by: z.string() }),
    }),
    errors: ['operatorSecondFactor'],
    summary: 'Returns totals of the points exchange, and the state of the partner and of the payments read',
  }),
  exchangeRetry: route({
    method: 'POST',
    path: '/api/v1/admin/exchange/retry',
    auth: 'operator',
    input: z.object({ id }),
    output: adminExchange,
    errors: ['operatorSecondFactor', 'notFound', 'exchangeStep'],
    summary: 'Tries a paid exchange or its refund again at once',
  }),
  exchangeRefund: route({
    method: 'POST',
    path: '/api/v1/admin/exchange/refund',
    auth: 'operator',
    input: z.object({ id, reason }),
    output: adminExchange,
    errors: ['operatorSecondFactor', 'notFound', 'exchangeStep', 'reasonMissing', 'textTooLong'],
    summary:
      'Gives up crediting a paid exchange and refunds it in full, once the partner confirms that it did not and will not credit it',
  }),
  exchangeRate: route({
    method: 'POST',
    path: '/api/v1/admin/exchange/rate',
    auth: 'operator',
    input: z.object({
      /** In 1/10,000 US dollars. */
      usd_per_tnt4: int(1, 1_000_000_000),
      credits_per_usd: int(1, 1_000_000),
      /** In percent. */
      discount: int(0, 99),
      reason,
    }),
    output: exchangeRate,
    errors: ['operatorSecondFactor', 'reasonMissing', 'textTooLong'],
    summary: 'Sets the rate of new quotes. Open quotes are recalculated when they are confirmed',
  }),
}
