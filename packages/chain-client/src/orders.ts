import { fromBase64, fromUtf8, toBase64, toUtf8 } from '@cosmjs/encoding'

/** Messages sent with payments, in the spelling of the orders contract. */

export interface Resources {
  cpu: number
  /** GB. */
  memory: number
  /** GB. */
  disk: number
}

export type OrderMessage =
  | { CreateOrder: { order_id: string; duration: number } & Resources }
  | { UpdateOrder: { order_id: string; new_order_id: string; duration: number } & Resources }
  | { ExtendOrder: { order_id: string; duration: number } }

/** Blocks per hour: the chain measures the duration of orders in blocks. */
export const BLOCKS_PER_HOUR = 600

export const createOrder = (id: string, resources: Resources, hours: number): OrderMessage => ({
  CreateOrder: { order_id: id, ...resources, duration: hours * BLOCKS_PER_HOUR },
})

export const updateOrder = (id: string, next: string, resources: Resources, hours: number): OrderMessage => ({
  UpdateOrder: { order_id: id, new_order_id: next, ...resources, duration: hours * BLOCKS_PER_HOUR },
})

/** `hours` is the new total, so that repeating the message has no effect. */
export const extendOrder = (id: string, hours: number): OrderMessage => ({
  ExtendOrder: { order_id: id, duration: hours * BLOCKS_PER_HOUR },
})

/** The token message that pays an order; `amount` in the token's smallest unit. */
export const payment = (contract: string, amount: bigint, message: OrderMessage) => ({
  send: { contract, amount: String(amount), msg: toBase64(toUtf8(JSON.stringify(message))) },
})

/** The operator's message that renews an order from its payer's allowance to the contract. `hours` is the new total. */
export const renewOrder = (id: string, payer: string, hours: number, amount: bigint) => ({
  renew_order: { order_id: id, payer, duration: hours * BLOCKS_PER_HOUR, amount: String(amount) },
})

/** The order in a message; undefined if there is none. */
export function orderIn(msg: string): OrderMessage | undefined {
  try {
    const read: unknown = JSON.parse(fromUtf8(fromBase64(msg)))
    return typeof read === 'object' && read !== null ? (read as OrderMessage) : undefined
  } catch {
    return undefined
  }
}
