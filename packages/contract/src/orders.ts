import { z } from 'zod'
import { int } from './fields.ts'
import { ORDER_ACTIONS, ORDER_LABELS, type OrderStatus, PAYMENT_KINDS, PAYMENT_STATES } from './order-words.ts'
import { CLUSTERS, RESOURCE_BOUNDS } from './price.ts'

/** Container orders as the wire names them. */

const bounded = ({ least, most, step }: { least: number; most: number; step: number }) =>
  int(least, most).multipleOf(step)

/** Cores, GB of memory, GB of disk in steps of ten, hours. */
export const resourceFields = {
  cpu: bounded(RESOURCE_BOUNDS.cpu),
  ram: bounded(RESOURCE_BOUNDS.ram),
  storage: bounded(RESOURCE_BOUNDS.storage),
  duration: bounded(RESOURCE_BOUNDS.duration),
}

export const order = z.object({
  id: z.string(),
  /** The account's public name. */
  account: z.string(),
  cpu: z.number(),
  ram: z.number(),
  storage: z.number(),
  /** Hours in total. */
  duration: z.number(),
  /** Whole coins paid so far, or to be paid. */
  price: z.number(),
  /**
   * What its first hours cost, or those of an order in whose place it came, if they were dearer: an hour of a renewal or an upgrade costs
   * seven tenths of that at least.
   */
  rate: z.object({ price: z.number(), duration: z.number() }),
  cluster: z.enum(CLUSTERS),
  kub_name: z.enum(CLUSTERS),
  /** Any number to those who read the API: statuses may be added. */
  status: z.number() as z.ZodType<OrderStatus, OrderStatus>,
  label: z.enum(ORDER_LABELS),
  actions: z.array(z.enum(ORDER_ACTIONS)),
  workspace_id: z.string(),
  /** Of the payment; empty before one is known. */
  hash: z.string(),
  /** Of what went back; empty when nothing did. */
  refund_hash: z.string(),
  /** Coins that went back, with the token's decimals; empty when nothing did. */
  refund: z.string(),
  created_at: z.string(),
  /** From when it runs; empty before. */
  started_at: z.string(),
  /** Its end; for one that was never paid as if it had started when it was made. */
  expired_at: z.string(),
  updated_at: z.string(),
  /** The order whose place it takes or took, and the one that took its place; empty when there is none. */
  replaces: z.string(),
  replaced_by: z.string(),
})
export type Order = z.infer<typeof order>

/** What a wallet is asked to sign: one message to the token that moves `amount` with `message` to the orders contract. */
export const orderPayment = z.object({
  order_id: z.string(),
  kind: z.enum(PAYMENT_KINDS),
  state: z.enum(PAYMENT_STATES),
  /** Whole coins, and the same in the token's smallest unit as text. */
  cost: z.number(),
  amount: z.string(),
  decimals: z.number(),
  symbol: z.string(),
  /** Hours that it is for in total. */
  duration: z.number(),
  /** The bound wallet: nobody else can pay. */
  payer: z.string(),
  chain_id: z.string(),
  /** Addresses of the contracts. */
  token: z.string(),
  orders: z.string(),
  /** JSON of the order message, the same in base64, and JSON of the whole message to `token`. */
  message: z.string(),
  msg: z.string(),
  execute: z.string(),
  fee: z.object({ amount: z.string(), denom: z.string(), gas: z.string() }),
  /** Transactions in earlier blocks paid for something else. */
  from_height: z.number(),
  created_at: z.string(),
  expires_at: z.string(),
  /** The transaction, when one is known; why it does not count, in the caller's language. */
  hash: z.string(),
  problem: z.string(),
})
export type OrderPayment = z.infer<typeof orderPayment>
