import { createHash } from 'node:crypto'
import { fromBase64, toBase64, toBech32 } from '@cosmjs/encoding'
import { decodeAddress } from '../state/addresses.ts'
import type { ChainEvent, Coin } from '../state/bank.ts'
import { type Call, type Code, type Outcome, readJson, type SubCall, toJson } from '../state/contracts.ts'
import { STORAGE_GAS } from '../state/gas.ts'
import { Refusal } from '../state/refusal.ts'
import { type EntryPoint, loadContract, type Outside } from './module.ts'

/** `Response` of cosmwasm-std, as JSON. */
interface Response {
  messages: { msg: Record<string, Record<string, unknown>>; reply_on: string }[]
  attributes: ChainEvent['attributes']
  events: ChainEvent[]
  data: string | null
}

/** A contract compiled to wasm. */
export function wasmCode(name: string, bytes: Uint8Array): Code {
  const module = loadContract(bytes)
  const run = (call: QueryCall, entryPoint: EntryPoint, ...parameters: Uint8Array[]) =>
    module.call(outsideOf(call), entryPoint, [environmentOf(call), ...parameters])
  const change = (call: Call, entryPoint: 'instantiate' | 'execute', message: Uint8Array): Outcome => {
    const { sender, funds } = call
    const info = toJson({ sender, funds: funds.map(({ denom, amount }) => ({ denom, amount })) })
    return outcomeOf(run(call, entryPoint, info, message) as Response)
  }
  return {
    name,
    wasm: { bytes, checksum: new Uint8Array(createHash('sha256').update(bytes).digest()) },
    instantiate: (call, message) => change(call, 'instantiate', message),
    execute: (call, message) => change(call, 'execute', message),
    migrate: (call, message) => outcomeOf(run(call, 'migrate', message) as Response),
    query: (call, question) => fromBase64(run(call, 'query', question) as string),
  }
}

type QueryCall = Omit<Call, 'sender' | 'funds'>

const environmentOf = ({ height, time, chainId, address }: QueryCall): Uint8Array =>
  toJson({
    block: { height, time: `${Math.floor(time)}000000`, chain_id: chainId },
    transaction: null,
    contract: { address },
  })

/** The Cosmos SDK names types of events of contracts with this prefix. */
const EVENT_PREFIX = 'wasm-'

const outcomeOf = ({ messages, attributes, events, data }: Response): Outcome => ({
  attributes,
  events: events.map((each) => ({ ...each, type: EVENT_PREFIX + each.type })),
  calls: messages.map(subCallOf),
  data: data === null ? new Uint8Array() : fromBase64(data),
})

function subCallOf({ msg, reply_on }: Response['messages'][number]): SubCall {
  if (reply_on !== 'never') throw new Error('replies to submessages are not supported')
  const { execute } = (msg.wasm ?? {}) as { execute?: { contract_addr: string; msg: string; funds: Coin[] } }
  if (execute) return { contract: execute.contract_addr, message: fromBase64(execute.msg), funds: execute.funds }
  const { send } = (msg.bank ?? {}) as { send?: { to_address: string; amount: Coin[] } }
  if (send) return { to: send.to_address, coins: send.amount }
  throw new Error(`messages of this kind are not supported: ${Object.keys(msg).join(', ')}`)
}

function outsideOf(call: QueryCall): Outside {
  const { storage, gas, addressOf } = call
  return {
    get(key) {
      const value = storage.get(key)
      gas.take(STORAGE_GAS.read + STORAGE_GAS.readByte * (key.length + (value?.length ?? 0)), 'ReadFlat')
      return value
    },
    set(key, value) {
      gas.take(STORAGE_GAS.write + STORAGE_GAS.writeByte * (key.length + value.length), 'WriteFlat')
      storage.set(key, value)
    },
    delete(key) {
      gas.take(STORAGE_GAS.delete, 'Delete')
      storage.delete(key)
    },
    *range(start, end, descending) {
      for (const entry of storage.range(start, end, descending)) {
        gas.take(STORAGE_GAS.next + STORAGE_GAS.readByte * (entry[0].length + entry[1].length), 'IterNextFlat')
        yield entry
      }
    },
    validateAddress(text) {
      if (addressOf(text) !== text) throw new Error('Address is not normalized')
    },
    canonicalAddress: (text) => decodeAddress(addressOf(text)).data,
    humanAddress: (bytes) => addressOf(toBech32(decodeAddress(call.address).prefix, bytes)),
    query: (request) => JSON.stringify(answerOf(call, request)),
  }
}

/** `SystemResult<ContractResult<Binary>>` of cosmwasm-std. */
type Answer = { ok: { ok: string } | { error: string } } | { error: object }

function answerOf({ chain }: QueryCall, request: Uint8Array): Answer {
  const ok = (data: Uint8Array): Answer => ({ ok: { ok: toBase64(data) } })
  const { wasm = {}, bank = {} } = readJson(request) as {
    wasm?: { smart?: { contract_addr: string; msg: string }; raw?: { contract_addr: string; key: string } }
    bank?: { balance?: { address: string; denom: string } }
  }
  const asked = wasm.smart ?? wasm.raw
  if (asked && !chain.instance(asked.contract_addr))
    return { error: { no_such_contract: { addr: asked.contract_addr } } }
  try {
    if (wasm.smart) return ok(chain.query(wasm.smart.contract_addr, fromBase64(wasm.smart.msg)))
    if (wasm.raw) {
      const key = Buffer.from(wasm.raw.key, 'base64').toString('latin1')
      return ok(Buffer.from(chain.raw(wasm.raw.contract_addr, key) ?? '', 'latin1'))
    }
    if (bank.balance) {
      const held = chain.balance(bank.balance.address)
      const amount = held.denom === bank.balance.denom ? held.amount : '0'
      return ok(toJson({ amount: { denom: bank.balance.denom, amount } }))
    }
  } catch (error) {
    if (error instanceof Refusal && error.codespace === 'wasm') return { ok: { error: error.message } }
    throw error
  }
  return { error: { unsupported_request: { kind: 'query' } } }
}
