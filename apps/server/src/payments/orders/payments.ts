import { toBase64, toUtf8 } from '@cosmjs/encoding'
import { createOrder, extendOrder, type OrderMessage, payment, updateOrder } from '@tidenet/chain-client'
import type { OrderPayment, PaymentKind, Resources } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import type { Chain } from '../chain/chain.ts'
import { feeOf, usualFee } from '../chain/fees.ts'
import { insertPayment, type PaymentRow } from './payments-repository.ts'
import type { OrderRow } from './repository.ts'
import { problemText } from './texts.ts'

/** Payment requests: what wallets are asked to sign. */

const sizeOf = ({ cpu, ram, storage }: Omit<Resources, 'duration'>) => ({ cpu, memory: ram, disk: storage })

type Paid = Pick<OrderRow, 'id' | 'replaces' | 'cpu' | 'ram' | 'storage' | 'duration'>

/** The message to the orders contract; `duration` is the total hours after a renewal. */
export function messageOf(kind: PaymentKind, order: Paid, duration = order.duration): OrderMessage {
  if (kind === 'create') return createOrder(order.id, sizeOf(order), duration)
  if (kind === 'upgrade') return updateOrder(order.replaces, order.id, sizeOf(order), duration)
  return extendOrder(order.id, duration)
}

export interface PaymentRequest {
  kind: PaymentKind
  order: Paid & Pick<OrderRow, 'payer'>
  cost: number
  duration: number
  /** Transactions in earlier blocks cannot be this payment. */
  fromHeight: number
  at: Date
  expiresAt: Date
}

/** Stores a payment request, which fixes the amount even if prices change. */
export async function requestPayment(
  tx: Db,
  { chain, units }: { chain: Chain; units: bigint },
  { kind, order, cost, duration, fromHeight, at, expiresAt }: PaymentRequest,
): Promise<PaymentRow> {
  return insertPayment(tx, {
    order_id: order.id,
    kind,
    payer: order.payer,
    cost,
    amount: String(units),
    duration,
    message: messageOf(kind, order, duration),
    from_height: fromHeight,
    chain_id: chain.config.id,
    created_at: at,
    expires_at: expiresAt,
  })
}

/** The gas fee. */
export interface WireFee {
  amount: string
  denom: string
  gas: string
}
/** Without a chain, or while it is unavailable. */
export const NO_FEE: WireFee = { amount: '', denom: '', gas: '' }

const executeOf = ({ amount, message }: PaymentRow, orders: string) =>
  JSON.stringify(payment(orders, BigInt(amount), message))

/** The fee of a payment to be signed now. */
export async function feeOfPayment(chain: Chain, row: PaymentRow): Promise<WireFee> {
  const fee = await feeOf(chain, row.payer, chain.token, executeOf(row, chain.orders))
  return { ...fee, denom: chain.config.denom }
}

/** The maximum fee, for display. */
export async function feeAtMost(chain: Chain | undefined): Promise<WireFee> {
  if (!chain) return NO_FEE
  return usualFee(chain).then(
    (fee) => ({ ...fee, denom: chain.config.denom }),
    () => NO_FEE,
  )
}

export function toWirePayment(
  row: PaymentRow,
  chain: Chain | undefined,
  { decimals, symbol, lang, fee }: { decimals: number; symbol: string; lang: 'en' | 'cn'; fee: WireFee },
): OrderPayment {
  const message = JSON.stringify(row.message)
  return {
    order_id: row.order_id,
    kind: row.kind,
    state: row.state,
    cost: row.cost,
    amount: row.amount,
    decimals,
    symbol,
    duration: row.duration,
    payer: row.payer,
    chain_id: row.chain_id,
    token: chain?.token ?? '',
    orders: chain?.orders ?? '',
    message,
    msg: toBase64(toUtf8(message)),
    execute: executeOf(row, chain?.orders ?? ''),
    fee,
    from_height: row.from_height,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    hash: row.hash,
    problem: problemText(row.problem, lang),
    receipt_id: row.receipt_id,
  }
}
