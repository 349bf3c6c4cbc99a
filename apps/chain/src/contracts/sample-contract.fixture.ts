import { toBase64, toUtf8 } from '@cosmjs/encoding'
import { type Call, type Outcome, RULES } from '../state/contracts.ts'
import { orders } from './orders.ts'

/** The orders contract without a chain. */

export type Json = Record<string, unknown>
export interface Step {
  height: number
  from?: string
  execute?: Json
  query?: Json
}

export const CONFIG = {
  token: 'token',
  operator: 'operator',
  treasury: 'treasury',
  capacity: { cpu: 40, memory: 60, disk: 4000 },
}

/** @param rules of the blocks, see `RULES` */
export function createContract(config: Json = CONFIG, rules = RULES) {
  let kept = new Map<string, string>()
  const callOf = (height: number, sender: string): Call => ({
    height,
    time: 0,
    rules,
    address: 'orders',
    sender,
    storage: {
      get: (key) => kept.get(key),
      set: (key, value) => void kept.set(key, value),
      delete: (key) => void kept.delete(key),
      entries: () => [...kept],
    },
    addressOf: (text) => text,
  })
  orders.instantiate(callOf(0, 'maker'), config)
  return ({ height, from = '', execute, query }: Step): { error: string } | { answer: unknown } | Outcome => {
    const before = new Map(kept)
    try {
      if (query) return { answer: orders.query(callOf(height, ''), query) }
      const { attributes, calls = [] } = orders.execute(callOf(height, from), packed(execute))
      return { attributes, calls }
    } catch (error) {
      // The chain rolls back a refused message.
      kept = before
      return { error: (error as Error).message }
    }
  }
}

const packed = (message: Json = {}): Json => {
  const { receive } = message as { receive?: { msg?: unknown } }
  if (!receive || !('msg' in receive)) return message
  const text = typeof receive.msg === 'string' ? receive.msg : JSON.stringify(receive.msg)
  return { receive: { ...receive, msg: toBase64(toUtf8(text)) } }
}

export const paid = (height: number, sender: string, amount: unknown, msg: unknown, from = 'token'): Step => ({
  height,
  from,
  execute: { receive: { sender, amount, msg } },
})
export const release = (height: number, order_id: string, more: Json = {}, from = 'operator'): Step => ({
  height,
  from,
  execute: { release_order: { order_id, ...more } },
})
export const ask = (height: number, ...order_ids: string[]): Step => ({ height, query: { orders: { order_ids } } })
export const size = { cpu: 1, memory: 1, disk: 40 }
export const create = (order_id: string, duration = 1200, resource: Json = size) => ({
  CreateOrder: { order_id, ...resource, duration },
})
export const extend = (order_id: string, duration: number) => ({ ExtendOrder: { order_id, duration } })
export const update = (order_id: string, new_order_id: string, resource: Json = size, duration = 2400) => ({
  UpdateOrder: { order_id, new_order_id, ...resource, duration },
})
