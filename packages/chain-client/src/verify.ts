import { fromBech32, fromUtf8 } from '@cosmjs/encoding'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { type OrderMessage, orderIn } from './orders.ts'

/** A requested payment. */
export interface Intent {
  /** Bech32 address of the linked wallet. */
  payer: string
  /** In the token's smallest unit. */
  amount: bigint
  message: OrderMessage
  /** Earlier transactions belong to other payments. */
  fromHeight: number
}

/** A transaction as reported by a node. */
export interface ChainTransaction {
  /** Hex, upper case. */
  hash: string
  height: number
  /** 0 on success. */
  code: number
  codespace: string
  log: string
  bytes: Uint8Array
  /** If the node reports it. */
  gasUsed?: number
  events: readonly { type: string; attributes: readonly { key: string; value: string }[] }[]
}

export interface Contracts {
  token: string
  orders: string
  /** Another token, listed in transfers but not accepted for payment. */
  rewardsToken?: string | undefined
  /** TNT4, which the points exchange takes. */
  exchangeToken?: string | undefined
}

/**
 * `paid`: exactly as requested. `failed`: the transaction failed, nothing was transferred. `mismatch`: another payer, amount or order.
 * `foreign`: not a payment to the orders contract.
 */
export type Verdict =
  | { state: 'paid' }
  | { state: 'failed'; reason: string; codespace: string; code: number }
  | { state: 'mismatch' | 'foreign'; reason: string }

const LONGEST_ADDRESS = 1023

/** Compares a transaction with the requested payment. Uses only its bytes and events, not data from the client. */
export function verifyPayment(
  tx: ChainTransaction,
  intent: Intent,
  contracts: Contracts,
  sha256: (bytes: Uint8Array) => string,
): Verdict {
  if (sha256(tx.bytes).toUpperCase() !== tx.hash) return { state: 'foreign', reason: 'hash' }
  if (tx.code !== 0) return { state: 'failed', reason: tx.log, codespace: tx.codespace, code: tx.code }
  const execute = onlyExecute(tx.bytes)
  if (!execute) return { state: 'foreign', reason: 'messages' }
  if (!sameAddress(execute.contract, contracts.token)) return { state: 'foreign', reason: 'contract' }
  const sent = sendOf(execute.msg)
  if (!sent || !sameAddress(sent.contract, contracts.orders)) return { state: 'foreign', reason: 'send' }

  const wrong = (reason: string): Verdict => ({ state: 'mismatch', reason })
  if (tx.height < intent.fromHeight) return wrong('height')
  if (!sameAddress(execute.sender, intent.payer)) return wrong('payer')
  if (execute.funds.length > 0) return wrong('funds')
  if (sent.amount !== String(intent.amount)) return wrong('amount')
  const message = orderIn(sent.msg)
  if (!message || !sameValue(message, intent.message)) return wrong('order')
  // Check the contract's events, not the request.
  const moved = tx.events.some(({ type, attributes }) => {
    const value = (key: string) => attributes.find((each) => each.key === key)?.value ?? ''
    return (
      type === 'wasm' &&
      sameAddress(value('_contract_address'), contracts.token) &&
      value('action') === 'send' &&
      sameAddress(value('from'), intent.payer) &&
      sameAddress(value('to'), contracts.orders) &&
      value('amount') === String(intent.amount)
    )
  })
  return moved ? { state: 'paid' } : wrong('event')
}

/** The only message of a transaction if it is a contract call; undefined for authz and other wrappers. */
function onlyExecute(bytes: Uint8Array): MsgExecuteContract | undefined {
  try {
    const { messages } = TxBody.decode(TxRaw.decode(bytes).bodyBytes)
    const [only] = messages
    if (!only || messages.length !== 1 || only.typeUrl !== '/cosmwasm.wasm.v1.MsgExecuteContract') return undefined
    return MsgExecuteContract.decode(only.value)
  } catch {
    return undefined
  }
}

function sendOf(msg: Uint8Array): { contract: string; amount: string; msg: string } | undefined {
  try {
    const read = JSON.parse(fromUtf8(msg)) as { send?: Record<string, unknown> }
    const { contract, amount, msg: inner } = read.send ?? {}
    if (Object.keys(read).length !== 1) return undefined
    if (typeof contract !== 'string' || typeof amount !== 'string' || typeof inner !== 'string') return undefined
    return { contract, amount, msg: inner }
  } catch {
    return undefined
  }
}

/** Compares addresses by value, not by spelling. */
export function sameAddress(a: string, b: string): boolean {
  try {
    const [x, y] = [fromBech32(a, LONGEST_ADDRESS), fromBech32(b, LONGEST_ADDRESS)]
    return x.prefix === y.prefix && x.data.length === y.data.length && x.data.every((byte, at) => byte === y.data[at])
  } catch {
    return false
  }
}

/** Compares JSON values regardless of key order. */
function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key as keyof typeof a], b[key as keyof typeof b]))
  )
}
