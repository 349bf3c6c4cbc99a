import { fromUtf8, toUtf8 } from '@cosmjs/encoding'
import type { Settings } from '../settings.ts'
import { readAddress } from './addresses.ts'
import { type ChainEvent, event } from './bank.ts'
import { GAS, type GasMeter } from './gas.ts'
import { Refusal, refuse } from './refusal.ts'
import type { Store } from './store.ts'

/** Storage of one contract. */
export type ContractStorage = Pick<Store, 'get' | 'set' | 'delete' | 'entries'>

/** The block that a transaction is executed in. */
export interface BlockContext {
  height: number
  /** Unix ms. */
  time: number
  /** Rules version of the block, see `RULES`. */
  rules: number
}

/**
 * Rules version of new blocks. Stored blocks name theirs, so that a replay executes them unchanged; blocks without one use the first rules.
 */
export const RULES = 2

export interface Call extends BlockContext {
  /** The called contract. */
  address: string
  sender: string
  storage: ContractStorage
  /** Validates an address of this chain. */
  addressOf: (text: string) => string
}

export interface Outcome {
  attributes: Record<string, string>
  /** Calls that belong to this one: if one fails, all are rolled back. */
  calls?: { contract: string; message: unknown }[]
}

/** A contract's code. It throws to refuse; messages are parsed JSON. */
export interface Code {
  name: string
  instantiate(call: Call, message: unknown): Outcome
  execute(call: Call, message: unknown): Outcome
  query(call: Omit<Call, 'sender'>, question: unknown): unknown
}

export interface Instance {
  address: string
  code: number
  creator: string
  admin: string
  label: string
  height: number
}

/** Maximum call depth. */
const CALL_DEPTH_MAX = 8

const instanceKey = (address: string) => `contract/${address}`

export function findInstance(store: Store, address: string): Instance | undefined {
  const text = store.get(instanceKey(address))
  return text === undefined ? undefined : (JSON.parse(text) as Instance)
}

export function createContracts(settings: Settings, codes: ReadonlyMap<number, Code>) {
  const shelfOf = (store: Store, address: string): ContractStorage => {
    const prefix = `state/${address}/`
    return {
      get: (key) => store.get(prefix + key),
      set: (key, value) => store.set(prefix + key, value),
      delete: (key) => store.delete(prefix + key),
      entries: (begin) => store.entries(prefix + begin).map(([key, value]) => [key.slice(prefix.length), value]),
    }
  }
  const codeOf = (store: Store, address: string): Code => {
    const instance = findInstance(store, address)
    const code = instance && codes.get(instance.code)
    if (!code) throw refuse.noContract(`address ${address}`)
    return code
  }
  const common = (store: Store, address: string, blockContext: BlockContext) => ({
    ...blockContext,
    address,
    storage: shelfOf(store, address),
    addressOf: (text: string) => readAddress(settings, text),
  })

  function query(store: Store, blockContext: BlockContext, address: string, question: unknown): unknown {
    const code = codeOf(store, address)
    try {
      return code.query(common(store, address, blockContext), question)
    } catch (error) {
      throw error instanceof Refusal ? error : refuse.query((error as Error).message)
    }
  }

  function instantiate(store: Store, blockContext: BlockContext, instance: Instance, message: unknown): ChainEvent[] {
    store.set(instanceKey(instance.address), JSON.stringify(instance))
    const code = codeOf(store, instance.address)
    const { attributes } = code.instantiate(
      { ...common(store, instance.address, blockContext), sender: instance.creator },
      message,
    )
    return [
      event('instantiate', { _contract_address: instance.address, code_id: String(instance.code) }),
      event('wasm', { _contract_address: instance.address, ...attributes }),
    ]
  }

  function execute(
    store: Store,
    blockContext: BlockContext,
    gas: GasMeter,
    { sender, contract, message }: { sender: string; contract: string; message: unknown },
    depth = 0,
  ): ChainEvent[] {
    const code = codeOf(store, contract)
    gas.take(GAS.contract, 'wasm contract')
    if (depth > CALL_DEPTH_MAX) throw refuse.execute('too many calls within calls')
    let outcome: Outcome
    try {
      outcome = code.execute({ ...common(store, contract, blockContext), sender }, message)
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw refuse.execute(depth > 0 ? `dispatch: submessages: ${(error as Error).message}` : (error as Error).message)
    }
    return [
      event('execute', { _contract_address: contract }),
      event('wasm', { _contract_address: contract, ...outcome.attributes }),
      ...(outcome.calls ?? []).flatMap((call) =>
        execute(store, blockContext, gas, { sender: contract, ...call }, depth + 1),
      ),
    ]
  }

  return { query, instantiate, execute, shelfOf }
}

export type Contracts = ReturnType<typeof createContracts>

/** Parses the JSON message to a contract. */
export function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(fromUtf8(bytes))
  } catch {
    throw refuse.execute('Error parsing into type: the message is not JSON')
  }
}

export const toJson = (value: unknown): Uint8Array => toUtf8(JSON.stringify(value))
