import { readFileSync } from 'node:fs'
import { fromUtf8, toBase64, toUtf8 } from '@cosmjs/encoding'
import { type Call, RULES, readJson, toJson } from '../state/contracts.ts'
import { createGasMeter, ENDLESS } from '../state/gas.ts'
import { createStore } from '../state/store.ts'
import { wasmCode } from './code.ts'

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

const BLOCK_MS = 6000
const orders = wasmCode('orders', readFileSync(new URL('../../wasm/orders.wasm', import.meta.url)))

export interface Answered {
  attributes: Record<string, string>
  calls: { contract: string; message: unknown }[]
}

export function createContract(config: Json = CONFIG) {
  const store = createStore()
  const callOf = (height: number, sender: string): Call => ({
    height,
    time: height * BLOCK_MS,
    rules: RULES,
    chainId: 'test-1',
    address: 'orders',
    sender,
    funds: [],
    storage: { ...store, range: (start = '', end = '\u0100', descending) => store.range(start, end, descending) },
    gas: createGasMeter(ENDLESS),
    addressOf: (text) => text,
    chain: {
      balance: () => ({ denom: '', amount: '0' }),
      query: () => new Uint8Array(),
      raw: () => undefined,
      instance: () => undefined,
    },
  })
  orders.instantiate(callOf(0, 'maker'), toJson(config))
  return ({ height, from = '', execute, query }: Step): { error: string } | { answer: unknown } | Answered => {
    try {
      if (query) return { answer: JSON.parse(fromUtf8(orders.query(callOf(height, ''), toJson(query)))) }
      // The chain rolls back a refused message.
      const { attributes, calls } = store.atomically(() =>
        orders.execute(callOf(height, from), toJson(packed(execute))),
      )
      return {
        attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, value])),
        calls: calls.flatMap((call) =>
          'to' in call ? [] : { contract: call.contract, message: readJson(call.message) },
        ),
      }
    } catch (error) {
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
export const renew = (
  height: number,
  payer: string,
  order_id: string,
  duration: number,
  amount: string,
  from = 'operator',
): Step => ({ height, from, execute: { renew_order: { order_id, payer, duration, amount } } })
export const ask = (height: number, ...order_ids: string[]): Step => ({ height, query: { orders: { order_ids } } })
export const size = { cpu: 1, memory: 1, disk: 40 }
export const create = (order_id: string, duration = 1200, resource: Json = size) => ({
  CreateOrder: { order_id, ...resource, duration },
})
export const extend = (order_id: string, duration: number) => ({ ExtendOrder: { order_id, duration } })
export const update = (order_id: string, new_order_id: string, resource: Json = size, duration = 2400) => ({
  UpdateOrder: { order_id, new_order_id, ...resource, duration },
})
