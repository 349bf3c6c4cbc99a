import { z } from 'zod'
import { int, receiptId } from './fields.ts'
import {
  AUTO_RENEW_PROBLEMS,
  ORDER_ACTIONS,
  ORDER_EVENTS,
  ORDER_LABELS,
  type OrderStatus,
  OUTAGE_CAUSES,
  PAYMENT_KINDS,
  PAYMENT_STATES,
} from './order-enums.ts'
import { CLUSTERS, GPUS_MAX, RESOURCE_BOUNDS } from './price.ts'

const bounded = ({ min, max, step }: { min: number; max: number; step: number }) => int(min, max).multipleOf(step)

/** Cores, GB of memory, GB of disk in steps of ten, hours; GPUs only where `offers` has some. */
export const resourceFields = {
  cpu: bounded(RESOURCE_BOUNDS.cpu),
  ram: bounded(RESOURCE_BOUNDS.ram),
  storage: bounded(RESOURCE_BOUNDS.storage),
  duration: bounded(RESOURCE_BOUNDS.duration),
  gpus: int(0, GPUS_MAX).optional(),
}

export const order = z.object({
  id: z.string(),
  /** The account's uid. */
  account: z.string(),
  cpu: z.number(),
  ram: z.number(),
  storage: z.number(),
  gpus: z.number(),
  /** Total hours. */
  duration: z.number(),
  /** Whole coins, paid or to be paid. */
  price: z.number(),
  /**
   * The price of its first hours, or of the first hours of the order that it replaced if those were more expensive. An hour of a renewal
   * or an upgrade costs at least 70% of that.
   */
  rate: z.object({ price: z.number(), duration: z.number() }),
  cluster: z.enum(CLUSTERS),
  kub_name: z.enum(CLUSTERS),
  /** Any number in the OpenAPI document, because statuses may be added. */
  status: z.number() as z.ZodType<OrderStatus, OrderStatus>,
  label: z.enum(ORDER_LABELS),
  actions: z.array(z.enum(ORDER_ACTIONS)),
  workspace_id: z.string(),
  /** Transaction of the payment; empty if unknown. */
  hash: z.string(),
  /** Transaction of the refund; empty if there is none. */
  refund_hash: z.string(),
  /** Refunded coins with the token's decimals; empty if there is no refund. */
  refund: z.string(),
  /** Of the refund. */
  refund_receipt_id: receiptId,
  created_at: z.string(),
  /** Start of its hours; empty before. */
  started_at: z.string(),
  /** End of its hours; of an unpaid order, as if it had started at its creation. */
  expired_at: z.string(),
  updated_at: z.string(),
  /** The order that it replaces, and the order that replaced it; empty if there is none. */
  replaces: z.string(),
  replaced_by: z.string(),
})
export type Order = z.infer<typeof order>

/** The transaction for a wallet to sign: sends `amount` of the token with `message` to the orders contract. */
export const orderPayment = z.object({
  order_id: z.string(),
  kind: z.enum(PAYMENT_KINDS),
  state: z.enum(PAYMENT_STATES),
  /** Whole coins, and the same in base units as text. */
  cost: z.number(),
  amount: z.string(),
  decimals: z.number(),
  symbol: z.string(),
  /** Total hours. */
  duration: z.number(),
  /** The linked wallet; only it can pay. */
  payer: z.string(),
  chain_id: z.string(),
  /** Contract addresses. */
  token: z.string(),
  orders: z.string(),
  /** The order message as JSON, the same in base64, and the complete message to `token` as JSON. */
  message: z.string(),
  msg: z.string(),
  execute: z.string(),
  fee: z.object({ amount: z.string(), denom: z.string(), gas: z.string() }),
  /** Transactions in earlier blocks do not count. */
  from_height: z.number(),
  created_at: z.string(),
  expires_at: z.string(),
  /** The transaction, if known, and why it does not count, in the caller's language. */
  hash: z.string(),
  problem: z.string(),
  receipt_id: receiptId,
})
export type OrderPayment = z.infer<typeof orderPayment>

/** An order with its history, deadlines and estimates. */
export const orderDetails = z.object({
  order,
  /** Oldest first. */
  timeline: z.array(
    z.object({
      event: z.enum(ORDER_EVENTS),
      at: z.string(),
      /** Transaction hash, hex; empty if there is none. */
      hash: z.string(),
      /** Details in the caller's language, such as the reason of a failure; may be empty. */
      text: z.string(),
    }),
  ),
  /** Newest first. */
  payments: z.array(orderPayment),
  /** Times of automatic changes; empty if not applicable. */
  timers: z.object({
    /** Payment deadline of an order, an upgrade or a renewal. */
    pay_until: z.string(),
    ends_at: z.string(),
    /** Block height of the order's end on the chain, or 0; the order ends at the later of this and `ends_at`. */
    end_height: z.number(),
    /** When a stopped workspace and its snapshot are deleted. */
    kept_until: z.string(),
    seconds_left: z.number(),
  }),
  /** The same as `refund`; null if nothing can be refunded or the chain does not answer. */
  refund: z
    .object({
      cost: z.number(),
      exact: z.string(),
      used: z.string(),
      used_hours: z.number(),
      total_hours: z.number(),
    })
    .nullable(),
  /** Price and new total hours of a renewal that doubles the duration; null if not possible. */
  renewal: z.object({ cost: z.number(), duration: z.number() }).nullable(),
  /** Price of the same configuration today. */
  next_price: z.number(),
  /** When the workspace was not available, and what is paid back for it; oldest first. */
  outages: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      cause: z.enum(OUTAGE_CAUSES),
      /** Coins with the token's decimals. */
      amount: z.string(),
      /** Transaction that paid it; empty until a block contains it. */
      hash: z.string(),
      receipt_id: receiptId,
    }),
  ),
  auto_renew: z.object({
    on: z.boolean(),
    /** Maximum whole coins for all automatic renewals; 0: none. */
    cap: z.number(),
    spent: z.number(),
    /** Whether this network supports automatic renewal. */
    possible: z.boolean(),
    /**
     * The wallet's current allowance, and what all its orders with automatic renewal can still cost, as text with the token's
     * decimals. Empty if the order never had automatic renewal, or the chain does not answer.
     */
    allowed: z.string(),
    needed: z.string(),
    /** The next automatic renewal: price in whole coins, total hours afterwards, and time; null if there is none. */
    next: z.object({ cost: z.number(), duration: z.number(), at: z.string() }).nullable(),
    /** Checked every hour. */
    problem: z.enum(AUTO_RENEW_PROBLEMS),
  }),
})
