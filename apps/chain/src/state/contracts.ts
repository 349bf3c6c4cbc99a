import { fromUtf8, toUtf8 } from '@cosmjs/encoding'
import type { Settings } from '../settings.ts'
import { readAddress } from './addresses.ts'
import { balanceOf, type ChainEvent, type Coin, event, sendCoins } from './bank.ts'
import { createGasMeter, ENDLESS, GAS, type GasMeter, QUERY_GAS } from './gas.ts'
import { HostFailure, Refusal, refuse } from './refusal.ts'
import type { Store } from './store.ts'

/** Storage of one contract. Keys and values of wasm contracts are bytes, one per character. */
export interface ContractStorage extends Pick<Store, 'get' | 'set' | 'delete' | 'entries'> {
  /** Entries from `start` (inclusive) to `end` (exclusive), sorted by key, as they are at the time of this call. */
  range(
    start: string | undefined,
    end: string | undefined,
    descending?: boolean,
  ): Iterable<[key: string, value: string]>
}

/** The block that a transaction is executed in. */
export interface BlockContext {
  height: number
  /** Unix ms. */
  time: number
  /** Rules version of the block, see `RULES`. */
  rules: number
}

/** Rules version from which contracts are wasm; before, they were written in TypeScript. */
export const WASM = 3
/** Rules version from which orders of the first wasm are kept by the second. */
export const SECOND_ORDERS = 4
/**
 * Rules version of new blocks. Stored blocks name theirs, so that a replay executes them unchanged; blocks without one use the first rules.
 */
export const RULES = 4

export interface Call extends BlockContext {
  chainId: string
  /** The called contract. */
  address: string
  sender: string
  /** Already transferred to the contract. */
  funds: readonly Coin[]
  storage: ContractStorage
  gas: GasMeter
  /** Validates an address of this chain. */
  addressOf: (text: string) => string
  /** The chain and its other contracts. */
  chain: {
    balance: (address: string) => Coin
    /** @throws Refusal also if there is no such contract */
    query: (contract: string, question: Uint8Array) => Uint8Array
    raw: (contract: string, key: string) => string | undefined
    instance: (contract: string) => Instance | undefined
  }
}

/** Calls that belong to a call: if one fails, all are rolled back. */
export type SubCall = { contract: string; message: Uint8Array; funds: readonly Coin[] } | { to: string; coins: Coin[] }

export interface Outcome {
  attributes: ChainEvent['attributes']
  events: ChainEvent[]
  calls: SubCall[]
  data: Uint8Array
}

/** A contract's code. It throws to refuse; messages and answers are JSON. */
export interface Code {
  name: string
  /** Absent from codes that are not wasm. */
  wasm?: { bytes: Uint8Array; checksum: Uint8Array }
  instantiate(call: Call, message: Uint8Array): Outcome
  execute(call: Call, message: Uint8Array): Outcome
  /** After its code was replaced by this one. */
  migrate(call: Omit<Call, 'sender' | 'funds'>, message: Uint8Array): Outcome
  query(call: Omit<Call, 'sender' | 'funds'>, question: Uint8Array): Uint8Array
}

export interface Instance {
  address: string
  code: number
  creator: string
  /** Who may replace its code; empty if nobody. */
  admin: string
  label: string
  height: number
}

/** Maximum depth of calls within calls, and of queries within queries. */
const CALL_DEPTH_MAX = 8

const instanceKey = (address: string) => `contract/${address}`

export function findInstance(store: Store, address: string): Instance | undefined {
  const text = store.get(instanceKey(address))
  return text === undefined ? undefined : (JSON.parse(text) as Instance)
}

/** All contracts, sorted by address. */
export const instancesOf = (store: Store): Instance[] =>
  store.entries(instanceKey('')).map(([, text]) => JSON.parse(text) as Instance)

export function saveInstance(store: Store, instance: Instance): void {
  store.set(instanceKey(instance.address), JSON.stringify(instance))
}

export function storageOf(store: Store, address: string): ContractStorage {
  const prefix = `state/${address}/`
  const own = ([key, value]: [string, string]): [string, string] => [key.slice(prefix.length), value]
  function* owned(entries: Iterable<[string, string]>): Generator<[string, string]> {
    for (const entry of entries) yield own(entry)
  }
  return {
    get: (key) => store.get(prefix + key),
    set: (key, value) => store.set(prefix + key, value),
    delete: (key) => store.delete(prefix + key),
    entries: (begin) => store.entries(prefix + begin).map(own),
    // The character after the slash ends the prefix.
    range: (start = '', end, descending) =>
      owned(store.range(prefix + start, end === undefined ? `state/${address}0` : prefix + end, descending)),
  }
}

export function createContracts(settings: Settings, codes: ReadonlyMap<number, Code>) {
  const codeOf = (store: Store, address: string): Code => {
    const instance = findInstance(store, address)
    const code = instance && codes.get(instance.code)
    if (!code) throw refuse.noContract(`address ${address}`)
    return code
  }
  const common = (store: Store, address: string, blockContext: BlockContext, gas: GasMeter, depth: number) => ({
    ...blockContext,
    chainId: settings.chainId,
    address,
    storage: storageOf(store, address),
    gas,
    addressOf: (text: string) => readAddress(settings, text),
    chain: {
      balance: (of: string): Coin => ({ denom: settings.denom, amount: String(balanceOf(store, of)) }),
      query: (contract: string, question: Uint8Array) => query(store, blockContext, contract, question, gas, depth + 1),
      raw: (contract: string, key: string) => storageOf(store, contract).get(key),
      instance: (contract: string) => findInstance(store, contract),
    },
  })

  function query(
    store: Store,
    blockContext: BlockContext,
    address: string,
    question: Uint8Array,
    gas = createGasMeter(QUERY_GAS),
    depth = 0,
  ): Uint8Array {
    const code = codeOf(store, address)
    if (depth > CALL_DEPTH_MAX) throw refuse.query('too many queries within queries')
    try {
      return code.query(common(store, address, blockContext, gas, depth), question)
    } catch (error) {
      if (error instanceof Refusal || error instanceof HostFailure) throw error
      throw refuse.query((error as Error).message)
    }
  }

  function instantiate(store: Store, blockContext: BlockContext, instance: Instance, message: unknown): ChainEvent[] {
    saveInstance(store, instance)
    const code = codeOf(store, instance.address)
    const outcome = code.instantiate(
      {
        ...common(store, instance.address, blockContext, createGasMeter(ENDLESS), 0),
        sender: instance.creator,
        funds: [],
      },
      toJson(message),
    )
    return [
      event('instantiate', { _contract_address: instance.address, code_id: String(instance.code) }),
      ...contractEvents(instance.address, outcome),
    ]
  }

  /** Replaces the code of a contract. */
  function migrate(store: Store, blockContext: BlockContext, instance: Instance, message: unknown): void {
    saveInstance(store, instance)
    const call = common(store, instance.address, blockContext, createGasMeter(ENDLESS), 0)
    codeOf(store, instance.address).migrate(call, toJson(message))
  }

  function execute(
    store: Store,
    blockContext: BlockContext,
    gas: GasMeter,
    {
      sender,
      contract,
      message,
      funds,
    }: { sender: string; contract: string; message: Uint8Array; funds: readonly Coin[] },
    depth = 0,
  ): { events: ChainEvent[]; data: Uint8Array } {
    const paid = funds.length > 0 ? sendCoins(settings, store, sender, contract, funds) : []
    const code = codeOf(store, contract)
    gas.take(GAS.contract, 'wasm contract')
    if (depth > CALL_DEPTH_MAX) throw refuse.execute('too many calls within calls')
    let outcome: Outcome
    try {
      outcome = code.execute({ ...common(store, contract, blockContext, gas, depth), sender, funds }, message)
    } catch (error) {
      if (error instanceof Refusal || error instanceof HostFailure) throw error
      throw refuse.execute(depth > 0 ? `dispatch: submessages: ${(error as Error).message}` : (error as Error).message)
    }
    return {
      events: [
        ...paid,
        event('execute', { _contract_address: contract }),
        ...contractEvents(contract, outcome),
        ...outcome.calls.flatMap((call) =>
          'to' in call
            ? sendCoins(settings, store, contract, call.to, call.coins)
            : execute(store, blockContext, gas, { sender: contract, ...call }, depth + 1).events,
        ),
      ],
      data: outcome.data,
    }
  }

  return { query, instantiate, migrate, execute }
}

/** Events that a contract named, each with its address, as wasmd makes them. */
function contractEvents(address: string, { attributes, events }: Outcome): ChainEvent[] {
  const own = attributes.length > 0 ? [{ type: 'wasm', attributes }] : []
  return [...own, ...events].map((each) => ({
    type: each.type,
    attributes: [{ key: '_contract_address', value: address }, ...each.attributes],
  }))
}

export type Contracts = ReturnType<typeof createContracts>

/** Parses JSON for a contract. */
export function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(fromUtf8(bytes))
  } catch {
    throw refuse.execute('Error parsing into type: the message is not JSON')
  }
}

export const toJson = (value: unknown): Uint8Array => toUtf8(JSON.stringify(value))
