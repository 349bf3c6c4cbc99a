import { z } from 'zod'
import { int } from './fields.ts'
import { ORDER_ACTIONS, ORDER_LABELS, type OrderStatus, PAYMENT_KINDS, PAYMENT_STATES } from './order-enums.ts'
import { CLUSTERS, RESOURCE_BOUNDS } from './price.ts'

const bounded = ({ min, max, step }: { min: number; max: number; step: number }) => int(min, max).multipleOf(step)

/** Cores, GB of memory, GB of disk in steps of ten, hours. */
export const resourceFields = {
  cpu: bounded(RESOURCE_BOUNDS.cpu),
  ram: bounded(RESOURCE_BOUNDS.ram),
  storage: bounded(RESOURCE_BOUNDS.storage),
  duration: bounded(RESOURCE_BOUNDS.duration),
}

export const order = z.object({
  id: z.string(),
  /** The account's uid. */
  account: z.string(),
  cpu: z.number(),
  ram: z.number(),
  storage: z.number(),
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
})
export type OrderPayment = z.infer<typeof orderPayment>
