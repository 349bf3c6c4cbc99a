import { fromBech32, fromUtf8 } from '@cosmjs/encoding'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { type OrderMessage, orderIn } from './orders.ts'

/** What somebody was asked to pay. */
export interface Intent {
  /** Bech32 of the bound wallet. */
  payer: string
  /** In the token's smallest unit. */
  amount: bigint
  message: OrderMessage
  /** Transactions before this height paid for something else. */
  fromHeight: number
}

/** A transaction as a node tells it. */
export interface ChainTransaction {
  /** Hex in capitals. */
  hash: string
  height: number
  /** 0 when it was carried out. */
  code: number
  codespace: string
  log: string
  bytes: Uint8Array
  /** As far as the node tells it. */
  gasUsed?: number
  events: readonly { type: string; attributes: readonly { key: string; value: string }[] }[]
}

export interface Contracts {
  token: string
  orders: string
  /** Another token, whose transfers are told as such; nothing is paid with it. */
  rewardsToken?: string | undefined
}

/**
 * `paid`: exactly what was asked for. `failed`: the chain refused it, nothing moved. `mismatch`: something else was paid, by
 * somebody else or for something else. `foreign`: no payment to the orders contract at all.
 */
export type Verdict =
  | { state: 'paid' }
  | { state: 'failed'; reason: string; codespace: string; code: number }
  | { state: 'mismatch' | 'foreign'; reason: string }

const LONGEST_ADDRESS = 1023

/** Compares a transaction of the chain with what was asked for; believes its bytes and events, and nothing that was posted. */
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
  // What the contract did counts, not what it was asked to.
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

/** The one message of a transaction, when it is the call of a contract; what acts for others is none. */
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

/** Addresses by what they say, not by how they are written. */
export function sameAddress(a: string, b: string): boolean {
  try {
    const [x, y] = [fromBech32(a, LONGEST_ADDRESS), fromBech32(b, LONGEST_ADDRESS)]
    return x.prefix === y.prefix && x.data.length === y.data.length && x.data.every((byte, at) => byte === y.data[at])
  } catch {
    return false
  }
}

/** Values of JSON, whatever the order of their keys. */
function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key as keyof typeof a], b[key as keyof typeof b]))
  )
}
