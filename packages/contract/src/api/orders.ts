import { z } from 'zod'
import { PAGE_SIZE, PAGE_SIZE_MAX } from '../constants.ts'
import { bool, int, msg, nothing, page, plain, refuse } from '../fields.ts'
import { ORDER_EVENTS, ORDER_NOTICES, ORDER_STATUSES } from '../order-words.ts'
import { order, orderPayment, resourceFields } from '../orders.ts'
import { CLUSTERS } from '../price.ts'
import { route } from '../route.ts'

/** The order's own id: made by the server, never guessed. */
const orderId = plain(64).pipe(z.string().min(1))
const hash = z
  .string({ error: refuse('hashFormat') })
  .trim()
  .regex(/^(0x)?[0-9a-f]{64}$/i, refuse('hashFormat'))
  .transform((text) => text.replace(/^0x/i, '').toUpperCase())

const statuses = z.preprocess(
  (value) =>
    value === undefined || value === ''
      ? undefined
      : (Array.isArray(value) ? value : [value]).flatMap((each) => String(each).split(',')).map(Number),
  z.array(z.literal(ORDER_STATUSES)).min(1).max(50).optional(),
)

/** What every operation on an order may answer. */
const ofOrder = ['notFound', 'needBindKeplr'] as const

const reason = z.string()

export const orders = {
  price: route({
    method: 'GET',
    path: '/api/v1/platform/order/price',
    auth: 'public',
    input: z.object({
      ...resourceFields,
      /** Both regions cost the same. */
      kub_name: z.enum(CLUSTERS).optional(),
    }),
    output: z.object({
      /** Whole coins. */
      cost: z.number(),
    }),
    errors: [],
    summary: 'What these resources cost for so many hours, for anyone',
  }),
  /** For the page of prices and for the form: what is sold at all, and why not. */
  offers: route({
    method: 'GET',
    path: '/api/v1/platform/order/offers',
    auth: 'public',
    input: nothing,
    output: z.object({
      /** Without a chain nothing can be paid; `reason` in the caller's language, empty when ready. */
      chain: z.object({ ready: z.boolean(), reason }),
      clusters: z.array(z.object({ name: z.enum(CLUSTERS), ready: z.boolean(), reason })),
      /** Share of the tariff that is asked for: 0.25 on a test network. */
      factor: z.number(),
      /** Coins of one claim, and of all claims of an hour. */
      claim: z.number(),
      hourly: z.number(),
      token: z.object({ symbol: z.string(), decimals: z.number() }),
      fee: z.object({ amount: z.string(), denom: z.string(), gas: z.string() }),
      /** Hours that a stopped workspace is kept after its order ended. */
      grace_hours: z.number(),
      /** Minutes for paying an order, an upgrade or a renewal. */
      pay_minutes: z.object({ create: z.number(), upgrade: z.number(), renewal: z.number() }),
    }),
    errors: [],
    summary: 'Which clusters sell, and the terms, for anyone',
  }),
  create: route({
    method: 'POST',
    path: '/api/v1/platform/order/create',
    auth: 'session',
    input: z.object({
      ...resourceFields,
      kub_name: z.enum(CLUSTERS, refuse('clusterUnknown')).default('distributed'),
      /** An expired order of the account: while its workspace is kept, the new order takes it up again. */
      rebuy: orderId.optional(),
    }),
    output: z.object({ id: z.string() }),
    errors: [
      'needBindKeplr',
      'chainAbsent',
      'chainAway',
      'clusterUnknown',
      'clusterNotReady',
      'tooManyUnpaid',
      'lowerConfiguration',
    ],
    limit: 60,
    summary: 'An order that waits for its payment (status 0)',
  }),
  upgrade: route({
    method: 'POST',
    path: '/api/v1/platform/order/upgrade',
    auth: 'session',
    input: z.object({ ...resourceFields, id: orderId }),
    output: z.object({
      /** The new order (status 6); the old one is 8 until it is paid or withdrawn. */
      id: z.string(),
    }),
    errors: [
      ...ofOrder,
      'chainAbsent',
      'chainAway',
      'clusterNotReady',
      'orderStatus',
      'lowerConfiguration',
      'sameConfiguration',
    ],
    limit: 60,
    summary: 'A larger order in the place of a running one: same workspace and region, its time starts when it is paid',
  }),
  /** Asked before the wallet signs; asked again, the same payment with a later end. */
  payment: route({
    method: 'POST',
    path: '/api/v1/platform/order/payment',
    auth: 'session',
    input: z.object({
      id: orderId,
      /** Of a running order that is to be renewed: its new total of hours; left out: twice the present one, at most 720. */
      duration: int(2, 720).optional(),
    }),
    output: orderPayment,
    errors: [
      ...ofOrder,
      'chainAbsent',
      'chainAway',
      'orderStatus',
      'clusterNotReady',
      'longestOrder',
      'renewalShorter',
    ],
    limit: 60,
    summary:
      'What the wallet is to sign for an order that waits to be paid (0, 6) or for the renewal of a running one (2, 7)',
  }),
  hash: route({
    method: 'POST',
    path: '/api/v1/platform/order/hash',
    auth: 'session',
    input: z.object({ id: orderId, hash }),
    output: msg,
    errors: [...ofOrder, 'hashFormat', 'hashUsed', 'orderStatus', 'chainAbsent', 'chainAway'],
    limit: 120,
    summary: 'Tells by which transaction an order was paid; a hint, the chain alone decides',
  }),
  renewal: route({
    method: 'POST',
    path: '/api/v1/platform/order/renewal',
    auth: 'session',
    input: z.object({
      id: orderId,
      /** The new total of hours that was paid for; left out: as `payment` said last, or twice the present one. */
      duration: int(2, 720).optional(),
      hash: hash.optional(),
    }),
    output: msg,
    errors: [
      ...ofOrder,
      'hashFormat',
      'hashUsed',
      'orderStatus',
      'chainAbsent',
      'chainAway',
      'longestOrder',
      'renewalShorter',
      'clusterNotReady',
    ],
    limit: 60,
    summary: 'Says that an extension was paid: 7 until the chain shows it, then 2 with the later end',
  }),
  refund: route({
    method: 'GET',
    path: '/api/v1/platform/order/refund',
    auth: 'session',
    input: z.object({ id: orderId }),
    output: z.object({
      /** Whole coins, rounded down. */
      cost: z.number(),
      /** Exactly what would go back, as text with the token's decimals: `93.33`. */
      exact: z.string(),
      used_hours: z.number(),
      total_hours: z.number(),
    }),
    errors: [...ofOrder, 'orderStatus', 'chainAbsent', 'chainAway'],
    limit: 120,
    summary: 'What would go back if the order ended now; of own orders only',
  }),
  terminate: route({
    method: 'POST',
    path: '/api/v1/platform/order/terminate',
    auth: 'session',
    input: z.object({ id: orderId }),
    output: msg,
    errors: [...ofOrder, 'orderStatus', 'chainAbsent', 'chainAway'],
    limit: 60,
    summary: 'Ends a running order early: the workspace goes, the unused part is paid back, the status becomes 9',
  }),
  cancel: route({
    method: 'POST',
    path: '/api/v1/platform/order/cancel',
    auth: 'session',
    input: z.object({ id: orderId }),
    output: msg,
    errors: [...ofOrder, 'orderStatus'],
    limit: 60,
    summary: 'Withdraws an order or an upgrade that was not paid (5, cancelled); what arrives later goes back whole',
  }),
  history: route({
    method: 'GET',
    path: '/api/v1/platform/order/history',
    auth: 'session',
    input: z.object({ page, size: int(1, PAGE_SIZE_MAX).default(PAGE_SIZE), status: statuses }),
    output: z.object({
      list: z.array(order),
      /** Of the filter. */
      total: z.number(),
      /** Of all orders, whatever the filter: running (2, 6, 7, 8), expired (3), terminated early (9). */
      done: z.number(),
      expired: z.number(),
      termination: z.number(),
    }),
    errors: ['needBindKeplr'],
    summary: 'The orders of the account, newest first; without `status` all',
  }),
  all: route({
    method: 'GET',
    path: '/api/v1/admin/orders',
    auth: 'operator',
    input: z.object({
      /** The beginning of an order's id, of an account's uid or of a wallet's address. */
      q: plain(254)
        .transform((text) => text.trim())
        .optional(),
      status: statuses,
      /** What is behind `next` of the page before. */
      after: plain(400).optional(),
      size: int(1, 200).default(50),
    }),
    output: z.object({
      list: z.array(
        order.extend({
          email: z.string(),
          /** The wallet that pays. */
          payer: z.string(),
          /** Failures in a row of the step that comes next; 0: it goes on as it should. */
          tries: z.number(),
        }),
      ),
      next: z.string().nullable(),
    }),
    errors: ['operatorSecondFactor'],
    summary: 'Orders of all accounts, newest first, page by page',
  }),
  details: route({
    method: 'GET',
    path: '/api/v1/platform/order/details',
    auth: 'session',
    input: z.object({ id: orderId }),
    output: z.object({
      order,
      /** Oldest first. */
      timeline: z.array(
        z.object({
          event: z.enum(ORDER_EVENTS),
          at: z.string(),
          /** Of a transaction, hex; empty when none belongs to it. */
          hash: z.string(),
          /** In the caller's language, such as why something failed; empty when there is nothing to say. */
          text: z.string(),
        }),
      ),
      /** Latest first: what was asked for and what became of it. */
      payments: z.array(orderPayment),
      /** Times of what happens by itself; empty where it does not apply. */
      timers: z.object({
        /** Until when an order, an upgrade or a renewal can be paid. */
        pay_until: z.string(),
        ends_at: z.string(),
        /** Block in which the order ends on the chain, 0 when none does; the later of the two ends it. */
        end_height: z.number(),
        /** Until when a stopped workspace and its snapshot are kept. */
        kept_until: z.string(),
        seconds_left: z.number(),
      }),
      /** As `refund` says it; null when nothing can be given back, or the chain does not answer. */
      refund: z
        .object({ cost: z.number(), exact: z.string(), used_hours: z.number(), total_hours: z.number() })
        .nullable(),
      /** What a renewal to the double costs, and to how many hours in total; null when there is none. */
      renewal: z.object({ cost: z.number(), duration: z.number() }).nullable(),
      /** The same configuration, bought again today. */
      next_price: z.number(),
      auto_renew: z.object({
        on: z.boolean(),
        /** Whole coins that all renewals together may cost; 0: none. */
        cap: z.number(),
        spent: z.number(),
        /** Whether this network can renew by itself at all. */
        possible: z.boolean(),
        /**
         * Coins that the wallet lets the network take at present, and those that all its orders which renew themselves may still cost:
         * text with the token's decimals. Empty for an order that never renewed itself, and when the chain does not answer.
         */
        allowed: z.string(),
        needed: z.string(),
        /** The next renewal by itself: its price in whole coins, hours in total after it, and its time; null when there is none. */
        next: z.object({ cost: z.number(), duration: z.number(), at: z.string() }).nullable(),
      }),
    }),
    errors: ['notFound'],
    summary: 'One order of the account with its history, payments, timers and estimates',
  }),
  autoRenew: route({
    method: 'POST',
    path: '/api/v1/platform/order/auto_renew',
    auth: 'session',
    input: z.object({
      id: orderId,
      on: bool,
      /** Whole coins that all renewals of the order together may cost. */
      cap: int(0, 1_000_000_000).default(0),
      /** Nothing is switched: what the wallet would have to sign is told alone. */
      dry_run: bool.default(false),
    }),
    output: z.object({
      on: z.boolean(),
      cap: z.number(),
      spent: z.number(),
      /** The wallet that the order was paid with: it alone can allow what renewals take. */
      payer: z.string(),
      token: z.string(),
      spender: z.string(),
      /** Coins in the smallest unit that `spender` may take of the wallet at present; and those that all orders of it need that renew themselves. */
      allowance: z.string(),
      needed: z.string(),
      /** JSON of the message to `token` by which the wallet allows what is needed, or takes back what is not; empty: it allows just that. */
      execute: z.string(),
      fee: z.object({ amount: z.string(), denom: z.string(), gas: z.string() }),
    }),
    errors: [...ofOrder, 'orderStatus', 'chainAbsent', 'chainAway', 'autoRenewImpossible', 'autoRenewCap'],
    limit: 60,
    summary: 'Renews an order by itself an hour before its end, by an allowance of the wallet and never above a cap',
  }),
  notices: route({
    method: 'GET',
    path: '/api/v1/platform/order/notices',
    auth: 'session',
    input: z.object({ page, size: int(1, PAGE_SIZE_MAX).default(PAGE_SIZE) }),
    output: z.object({
      list: z.array(
        z.object({
          id: z.number(),
          order_id: z.string(),
          kind: z.enum(ORDER_NOTICES),
          /** In the caller's language. */
          text: z.string(),
          created_at: z.string(),
          read: z.boolean(),
        }),
      ),
      total: z.number(),
      unread: z.number(),
    }),
    errors: [],
    summary: 'What happened to orders of the account and what is about to, newest first',
  }),
  readNotices: route({
    method: 'POST',
    path: '/api/v1/platform/order/notices_read',
    auth: 'session',
    input: z.object({
      /** Left out: all. */
      ids: z.array(int(1)).max(PAGE_SIZE_MAX).optional(),
    }),
    output: z.object({ unread: z.number() }),
    errors: [],
    summary: 'Marks notices of the account as read',
  }),
}
