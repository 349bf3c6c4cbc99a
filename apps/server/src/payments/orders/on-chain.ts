import { createHash } from 'node:crypto'
import { type ChainTransaction, type Verdict, verifyPayment } from '@tidenet/chain-client'
import type { Chain } from '../chain/chain.ts'
import type { PaymentRow } from './payments-repository.ts'
import type { OrderRow } from './repository.ts'

/** An order in the orders contract. Funds in units, durations in blocks. */
export interface OnChain {
  id: string
  initiator: string
  start_height: number
  /** Unix seconds. */
  start_time: number
  duration: number
  /** The exact amount. */
  locked: string
  lots: { hours: number; amount: string }[]
  status: string
  /** Ended by the network, with this refund. */
  released?: { height: number; refund: string }
  replaced_by?: string
}

/** The contract keys orders by payer and id: others may use the same id for orders of their own. */
export type OrderKey = Pick<OrderRow, 'id' | 'payer'>

/** Per question. Chains limit what an answer costs, and up to ten others may have orders of an id, as large as orders can be. */
const MAX_KEYS = 100
const MAX_IDS = 20

/** Asks the contract about all of `list`, a part at a time. */
async function askInParts<T>(
  { port, orders }: Pick<Chain, 'port' | 'orders'>,
  list: readonly T[],
  most: number,
  questionOf: (part: T[]) => object,
): Promise<OnChain[]> {
  const answers: OnChain[] = []
  for (let at = 0; at < list.length; at += most)
    answers.push(...(await port.query<OnChain[]>(orders, questionOf(list.slice(at, at + most)))))
  return answers
}

/** The orders that the contract has, and a block that is not later than their state. */
export async function readOrders(
  chain: Pick<Chain, 'port' | 'orders'>,
  keys: readonly OrderKey[],
): Promise<{ height: number; time: Date; found: Map<string, OnChain> }> {
  const { height, time } = await chain.port.status()
  // Nobody paid for orders without a payer.
  const paid = keys.filter(({ payer }) => payer !== '')
  const list = await askInParts(chain, paid, MAX_KEYS, (part) => ({
    orders_by_key: { keys: part.map(({ id, payer }) => ({ payer, order_id: id })) },
  }))
  return { height, time, found: new Map(list.map((order) => [order.id, order])) }
}

/** Orders with these ids that others paid for, and that have not ended. The contract lists the first ten of an id. */
export async function readStrays(chain: Pick<Chain, 'port' | 'orders'>, keys: readonly OrderKey[]): Promise<OnChain[]> {
  const payers = new Map(keys.map(({ id, payer }) => [id, payer]))
  const list = await askInParts(chain, [...payers.keys()], MAX_IDS, (order_ids) => ({ orders: { order_ids } }))
  return list.filter((order) => order.initiator !== payers.get(order.id) && !hasEnded(order))
}

export const hasEnded = (onChain: OnChain): boolean =>
  onChain.released !== undefined || onChain.replaced_by !== undefined

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Verifies that a transaction is the requested payment. */
export const verifyTransaction = (
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

/** Verifies a payment that the network made from an allowance; we stored its hash before it was sent. */
export function verifyAutoRenewal(
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
      value('action') === 'transfer_from' &&
      value('from') === payer &&
      value('to') === chain.orders &&
      value('amount') === amount
    )
  })
  return moved ? { state: 'paid' } : { state: 'mismatch', reason: 'event' }
}

/** An attribute with the id, and the one with the payer: an upgrade has the order's id as `new_order_id`. */
type Attributes = readonly [id: 'order_id' | 'new_order_id', payer: 'payer' | 'initiator']

/**
 * Transactions of an order, by attributes of their events. Others may have orders of the same id, and make as many transactions with it as
 * they like.
 * @param anyPayer also those that name none: of earlier contracts, which had one order of each id
 */
const search = (
  { port }: Pick<Chain, 'port'>,
  { id, payer }: OrderKey,
  [byId, byPayer]: Attributes,
  anyPayer: boolean,
) => port.search(`wasm.${byId}='${id}'${anyPayer ? '' : ` AND wasm.${byPayer}='${payer}'`}`)

/** Transactions that extended or ended an order. */
export async function transactionsOf(chain: Pick<Chain, 'port'>, order: OrderKey): Promise<ChainTransaction[]> {
  const list = await search(chain, order, ['order_id', 'payer'], false)
  return list.length > 0 ? list : search(chain, order, ['order_id', 'payer'], true)
}

/**
 * The event attributes of one action on an order, if the transaction contains it. A transaction can contain several actions, on orders of
 * several accounts. Earlier contracts, which had one order of each id, named no payer.
 */
export function attributesOf(
  tx: ChainTransaction,
  orders: string,
  action: string,
  { id, payer }: OrderKey,
  key: 'order_id' | 'new_order_id' = 'order_id',
): Map<string, string> | undefined {
  if (tx.code !== 0) return undefined
  for (const { type, attributes } of tx.events) {
    if (type !== 'wasm') continue
    const values = new Map(attributes.map((each) => [each.key, each.value]))
    const by = values.get('payer') ?? values.get('initiator') ?? payer
    const isThis = values.get('action') === action && values.get(key) === id && by === payer
    if (values.get('_contract_address') === orders && isThis) return values
  }
  return undefined
}

/** The transaction that created an order, and the order that it replaced, if any; undefined until it is indexed. */
export async function findCreation(
  chain: Pick<Chain, 'port' | 'orders'>,
  order: OrderKey,
): Promise<{ tx: ChainTransaction; replaced: { id: string; refund: string } | undefined } | undefined> {
  for (const anyPayer of [false, true]) {
    for (const tx of await search(chain, order, ['order_id', 'initiator'], anyPayer))
      if (attributesOf(tx, chain.orders, 'create_order', order)) return { tx, replaced: undefined }
    for (const tx of await search(chain, order, ['new_order_id', 'payer'], anyPayer)) {
      const attributes = attributesOf(tx, chain.orders, 'update_order', order, 'new_order_id')
      if (attributes)
        return { tx, replaced: { id: attributes.get('order_id') ?? '', refund: attributes.get('refund') ?? '0' } }
    }
  }
  return undefined
}

/** The transaction that ended an order, and the refund. `isFound`: false if only the contract says so. */
export async function findEnding(
  chain: Chain,
  order: OrderKey & { release_hash: string },
  onChain: OnChain,
): Promise<{ hash: string; units: bigint; isFound: boolean }> {
  const own = order.release_hash === '' ? undefined : await chain.port.tx(order.release_hash)
  const candidates = own?.code === 0 ? [own] : await transactionsOf(chain, order)
  for (const tx of candidates) {
    const attributes =
      attributesOf(tx, chain.orders, 'release_order', order) ?? attributesOf(tx, chain.orders, 'update_order', order)
    if (attributes) return { hash: tx.hash, units: BigInt(attributes.get('refund') ?? '0'), isFound: true }
  }
  return { hash: order.release_hash, units: BigInt(onChain.released?.refund ?? '0'), isFound: false }
}
