import { createHash } from 'node:crypto'
import { type ChainTransaction, type Verdict, verifyPayment } from '@tidenet/chain-client'
import type { Chain } from '../chain/chain.ts'
import type { PaymentRow } from './payments-repository.ts'

/** What the orders contract says of an order. Funds in units, durations in blocks. */
export interface OnChain {
  id: string
  initiator: string
  start_height: number
  duration: number
  locked_funds: number
  /** The same, exact, and what its hours were bought for; both absent from earlier contracts. */
  locked?: string
  lots?: { hours: number; amount: string }[]
  status: string
  /** Ended by the network, with so much given back. */
  released?: { height: number; refund: string }
  replaced_by?: string
}

/** Orders that one question names at most. */
const ASKED = 100

/** The orders among these that the chain knows, and the height at which it was asked. */
export async function readOrders(
  chain: Pick<Chain, 'port' | 'orders'>,
  ids: readonly string[],
): Promise<{ height: number; found: Map<string, OnChain> }> {
  const { height } = await chain.port.status()
  const found = new Map<string, OnChain>()
  for (let at = 0; at < ids.length; at += ASKED) {
    const list = await chain.port.query<OnChain[]>(chain.orders, { orders: { order_ids: ids.slice(at, at + ASKED) } })
    for (const order of list) found.set(order.id, order)
  }
  return { height, found }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Compares a transaction with what was asked to be paid; believes nothing but the chain. */
export const judge = (
  chain: Pick<Chain, 'token' | 'orders'>,
  tx: ChainTransaction,
  payment: Pick<PaymentRow, 'payer' | 'amount' | 'message' | 'from_height'>,
): Verdict =>
  verifyPayment(
    tx,
    {
      payer: payment.payer,
      amount: BigInt(payment.amount),
      message: payment.message,
      fromHeight: payment.from_height,
    },
    chain,
    sha256,
  )

/** The same for what the network itself paid from an allowance: its hash was written down before it was sent, by nobody else. */
export function judgeOwn(
  chain: Pick<Chain, 'token' | 'orders'>,
  tx: ChainTransaction,
  { payer, amount, hash }: Pick<PaymentRow, 'payer' | 'amount' | 'hash'>,
): Verdict {
  if (tx.hash !== hash) return { state: 'mismatch', reason: 'payer' }
  if (tx.code !== 0) return { state: 'failed', reason: tx.log, codespace: tx.codespace, code: tx.code }
  const moved = tx.events.some(({ type, attributes }) => {
    const value = (key: string) => attributes.find((each) => each.key === key)?.value
    return (
      type === 'wasm' &&
      value('_contract_address') === chain.token &&
      value('action') === 'send_from' &&
      value('from') === payer &&
      value('to') === chain.orders &&
      value('amount') === amount
    )
  })
  return moved ? { state: 'paid' } : { state: 'mismatch', reason: 'event' }
}

/** Transactions that name an order: `order_id` for what is done to it, `new_order_id` for the upgrade that made it. */
export const transactionsOf = (
  { port }: Pick<Chain, 'port'>,
  id: string,
  as: 'order_id' | 'new_order_id',
): Promise<ChainTransaction[]> => port.search(`wasm.${as}='${id}'`)

/**
 * What the orders contract wrote down about one action on an order; undefined when the transaction did nothing such. It may have done more
 * than one thing, with orders of several people.
 */
export function attributesOf(
  tx: ChainTransaction,
  orders: string,
  action: string,
  [key, id]: readonly [key: 'order_id' | 'new_order_id', id: string],
): Map<string, string> | undefined {
  if (tx.code !== 0) return undefined
  for (const { type, attributes } of tx.events) {
    if (type !== 'wasm') continue
    const values = new Map(attributes.map((each) => [each.key, each.value]))
    if (values.get('_contract_address') === orders && values.get('action') === action && values.get(key) === id)
      return values
  }
  return undefined
}

/** The transaction that made an order, and the order in whose place it made it, if any; undefined as long as no index shows it. */
export async function makingOf(
  chain: Pick<Chain, 'port' | 'orders'>,
  id: string,
): Promise<{ tx: ChainTransaction; replaced: { id: string; refund: string } | undefined } | undefined> {
  for (const tx of await transactionsOf(chain, id, 'order_id'))
    if (attributesOf(tx, chain.orders, 'create_order', ['order_id', id])) return { tx, replaced: undefined }
  for (const tx of await transactionsOf(chain, id, 'new_order_id')) {
    const said = attributesOf(tx, chain.orders, 'update_order', ['new_order_id', id])
    if (said) return { tx, replaced: { id: said.get('order_id') ?? '', refund: said.get('refund') ?? '0' } }
  }
  return undefined
}

/** The transaction by which the contract ended an order, and what it gave back. */
export async function endOf(
  chain: Chain,
  order: { id: string; release_hash: string },
  onChain: OnChain,
): Promise<[hash: string, units: bigint]> {
  const own = order.release_hash === '' ? undefined : await chain.port.tx(order.release_hash)
  const candidates = own?.code === 0 ? [own] : await chain.port.search(`wasm.order_id='${order.id}'`)
  for (const tx of candidates) {
    const said =
      attributesOf(tx, chain.orders, 'release_order', ['order_id', order.id]) ??
      attributesOf(tx, chain.orders, 'update_order', ['order_id', order.id])
    if (said) return [tx.hash, BigInt(said.get('refund') ?? '0')]
  }
  return [order.release_hash, BigInt(onChain.released?.refund ?? '0')]
}
