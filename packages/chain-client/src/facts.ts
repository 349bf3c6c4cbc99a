import { fromUtf8 } from '@cosmjs/encoding'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { BLOCKS_PER_HOUR, orderIn } from './orders.ts'
import { type Contracts, sameAddress } from './verify.ts'

/** What a transaction does, decoded only from its bytes, so that it can be described before or after it is signed. */

/**
 * Amount in the smallest unit of a coin. `token`: the token that orders are paid with; the denom of another token is `cw20:` and its
 * address.
 */
export interface Amount {
  units: string
  of: 'token' | { denom: string }
}

export interface OrderFacts {
  action: 'create' | 'update' | 'extend' | 'release'
  id: string
  /** Of an update: id of the order that replaces the other. */
  newId: string
  cpu: number
  /** GB. */
  memory: number
  /** GB. */
  disk: number
  /** Total, not added. */
  hours: number
}

/**
 * `coins`: transfer of the fee coin. `transfer`: of the token. `pay`: token payment for an order. `allow`: increases the allowance of `to`,
 * `disallow`: decreases it. `release`: the network ends an order. `call`: another contract call, named by `action`. `other`: unknown.
 */
export interface MessageFacts {
  kind: 'coins' | 'transfer' | 'pay' | 'allow' | 'disallow' | 'release' | 'call' | 'other'
  /** Message type, such as `/cosmos.bank.v1beta1.MsgSend`. */
  type: string
  from: string
  to: string
  amount: Amount | undefined
  action: string
  order: OrderFacts | undefined
}

export interface TransactionFacts {
  messages: MessageFacts[]
  memo: string
  fee: { denom: string; units: string }[]
  /** Gas limit. */
  gas: string
  /** The signer of the first message. */
  sender: string
}

const EXECUTE = '/cosmwasm.wasm.v1.MsgExecuteContract'
/** Receivers and messages of one transaction that are listed. */
const TOLD = 200

/** Undefined if the bytes are not a transaction. */
export function factsOf(bytes: Uint8Array, contracts: Contracts): TransactionFacts | undefined {
  try {
    const { bodyBytes, authInfoBytes } = TxRaw.decode(bytes)
    return factsOfParts(bodyBytes, authInfoBytes, contracts)
  } catch {
    return undefined
  }
}

/** The same for the parts that a wallet signs. Throws if they cannot be decoded. */
export function factsOfParts(bodyBytes: Uint8Array, authInfoBytes: Uint8Array, contracts: Contracts): TransactionFacts {
  const body = TxBody.decode(bodyBytes)
  const { fee } = AuthInfo.decode(authInfoBytes)
  const messages = body.messages.slice(0, TOLD).flatMap((message) => factsOfMessage(message, contracts))
  return {
    messages: messages.slice(0, TOLD),
    memo: short(body.memo, 256),
    fee: (fee?.amount ?? []).slice(0, 10).map(({ denom, amount }) => ({ denom: short(denom), units: short(amount) })),
    gas: String(fee?.gasLimit ?? 0n),
    sender: signerOf(body.messages[0]) || (messages[0]?.from ?? ''),
  }
}

/** The required signer: the caller of a contract may move another account's tokens. */
function signerOf(message: Any | undefined): string {
  if (message?.typeUrl !== EXECUTE) return ''
  try {
    return MsgExecuteContract.decode(message.value).sender
  } catch {
    return ''
  }
}

function factsOfMessage({ typeUrl, value }: Any, contracts: Contracts): MessageFacts[] {
  const base = { type: short(typeUrl), from: '', to: '', amount: undefined, action: '', order: undefined }
  try {
    if (typeUrl === '/cosmos.bank.v1beta1.MsgSend') {
      const { fromAddress, toAddress, amount } = MsgSend.decode(value)
      return amount.map((coin) => ({
        ...base,
        kind: 'coins',
        from: fromAddress,
        to: toAddress,
        amount: amountOf(coin),
      }))
    }
    if (typeUrl === '/cosmos.bank.v1beta1.MsgMultiSend') {
      const { inputs, outputs } = MsgMultiSend.decode(value)
      const from = inputs[0]?.address ?? ''
      return outputs
        .slice(0, TOLD)
        .flatMap(({ address, coins }) =>
          coins.map((coin) => ({ ...base, kind: 'coins' as const, from, to: address, amount: amountOf(coin) })),
        )
    }
    if (typeUrl === EXECUTE) {
      const { sender, contract, msg } = MsgExecuteContract.decode(value)
      const asked: unknown = JSON.parse(fromUtf8(msg))
      return [{ ...base, from: sender, to: contract, ...factsOfCall(contract, asked, contracts) }]
    }
  } catch {
    // Undecodable messages are shown as unknown.
  }
  return [{ ...base, kind: 'other' }]
}

type Call = Pick<MessageFacts, 'kind'> & Partial<Omit<MessageFacts, 'kind'>>

function factsOfCall(contract: string, asked: unknown, { token, orders, ...others }: Contracts): Call {
  const [[name, given] = ['', undefined]] = Object.entries((asked ?? {}) as object) as [string, unknown][]
  const action = short(name)
  const body = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>
  const text = (key: string) => (typeof body[key] === 'string' ? (body[key] as string) : '')
  if (sameAddress(contract, token)) {
    const amount = { units: short(text('amount')), of: 'token' as const }
    if (name === 'transfer') return { kind: 'transfer', action, to: short(text('recipient'), 130), amount }
    if (name === 'increase_allowance' || name === 'decrease_allowance') {
      const kind = name === 'increase_allowance' ? 'allow' : 'disallow'
      return { kind, action, to: short(text('spender'), 130), amount }
    }
    if (name === 'send' || name === 'send_from') {
      const to = short(text('contract'), 130)
      const order = sameAddress(to, orders) ? factsOfOrder(text('msg')) : undefined
      // From the balance of an account that granted an allowance.
      const from = name === 'send_from' ? { from: short(text('owner'), 130) } : {}
      return { kind: order ? 'pay' : 'transfer', action, to, amount, order, ...from }
    }
  }
  for (const other of [others.rewardsToken, others.exchangeToken])
    if (other && sameAddress(contract, other) && name === 'transfer') {
      const amount = { units: short(text('amount')), of: { denom: `cw20:${other}` } }
      return { kind: 'transfer', action, to: short(text('recipient'), 130), amount }
    }
  if (sameAddress(contract, orders) && name === 'renew_order') {
    const amount = { units: short(text('amount')), of: 'token' as const }
    return { kind: 'pay', action, from: short(text('payer'), 130), amount, order: factsOfBody('extend', body) }
  }
  if (sameAddress(contract, orders) && name === 'release_order')
    return { kind: 'release', action, order: { ...NO_ORDER, action: 'release', id: short(text('order_id')) } }
  return { kind: 'call', action }
}

const NO_ORDER: OrderFacts = { action: 'create', id: '', newId: '', cpu: 0, memory: 0, disk: 0, hours: 0 }
/** As the portal and the Rust contract spell them. */
const ACTIONS: Readonly<Record<string, OrderFacts['action']>> = {
  CreateOrder: 'create',
  create_order: 'create',
  UpdateOrder: 'update',
  update_order: 'update',
  ExtendOrder: 'extend',
  extend_order: 'extend',
}

function factsOfOrder(msg: string): OrderFacts | undefined {
  const [[name, given] = ['', undefined]] = Object.entries(orderIn(msg) ?? {}) as [string, unknown][]
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (!action || typeof given !== 'object' || given === null) return undefined
  return factsOfBody(action, given as Record<string, unknown>)
}

function factsOfBody(action: OrderFacts['action'], body: Record<string, unknown>): OrderFacts {
  const text = (key: string) => (typeof body[key] === 'string' ? short(body[key] as string) : '')
  const number = (key: string) =>
    typeof body[key] === 'number' && Number.isFinite(body[key]) ? (body[key] as number) : 0
  return {
    action,
    id: text('order_id'),
    newId: text('new_order_id'),
    cpu: number('cpu'),
    memory: number('memory'),
    disk: number('disk'),
    hours: number('duration') / BLOCKS_PER_HOUR,
  }
}

const amountOf = ({ denom, amount }: { denom: string; amount: string }): Amount => ({
  units: short(amount),
  of: { denom: short(denom) },
})

/** The text is untrusted: limit its length. */
const short = (text: string, most = 80): string => (text.length > most ? `${text.slice(0, most)}…` : text)
