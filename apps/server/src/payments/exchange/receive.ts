import { type ExchangeReason, PAYMENT_GRACE } from '@tidenet/contract'
import { findOwner } from '../../identity/index.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { now } from '../context.ts'
import { type Deps, feeUnits, quoteOf } from './offer.ts'
import { insertPayment, insertRefund, isKnown } from './payments-repository.ts'
import * as repository from './repository.ts'
import type { Transfer } from './transfers.ts'

/** Decides once, in one transaction, what becomes of a payment: credited later, refunded or kept. */

interface Decision {
  exchange: repository.ExchangeRow
  /** Empty: it is credited. */
  reason: ExchangeReason
  /** It also ends the exchange. */
  ends: boolean
}

/** @returns whether the payment was new */
export function receive(
  context: Pick<Deps, 'db' | 'clock' | 'config'>,
  transfer: Transfer,
  blockTime: Date,
  decimals: number,
): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    // Servers may read the same block at once.
    await advisoryLock(tx, `exchange payment ${transfer.hash}`)
    if (await isKnown(tx, transfer.hash, transfer.event)) return false
    const at = now(context)
    const { exchange, reason, ends } =
      (await decideByMemo(tx, transfer, blockTime, at)) ??
      (await decideByWallet(tx, transfer)) ??
      (await recordStray(tx, transfer, decimals, at))
    const fee = feeUnits(context.config.exchange.fee, decimals)
    const isKept = reason !== '' && transfer.units <= fee
    const payment = {
      ...transfer,
      exchange_no: exchange.no,
      block_time: blockTime,
      result: reason === '' ? ('pending' as const) : isKept ? ('kept' as const) : ('refund' as const),
      reason,
      fee: reason === '' ? 0n : isKept ? transfer.units : fee,
      at,
    }
    const id = await insertPayment(tx, payment)
    if (payment.result === 'refund')
      await insertRefund(tx, {
        userId: exchange.user_id,
        paymentId: id,
        wallet: transfer.payer,
        units: transfer.units - fee,
        at,
      })
    if (reason === '') await repository.setPaid(tx, exchange.no, at)
    else if (ends) await repository.endUnpaid(tx, exchange.no, reason, at)
    return true
  })
}

async function decideByMemo(
  tx: Db,
  { memo, units, payer }: Transfer,
  blockTime: Date,
  at: Date,
): Promise<Decision | undefined> {
  const exchange = memo.length > 64 ? undefined : await repository.lockExchange(tx, memo)
  // Ids of payments that named no exchange are no memos.
  if (!exchange || exchange.points === 0) return undefined
  const decided = (reason: ExchangeReason, ends = false): Decision => ({ exchange, reason, ends })
  if (exchange.state === 'incomplete' || exchange.state === 'completed') return decided('double')
  if (exchange.state === 'failure') return decided(exchange.reason === 'unpaid' ? 'late' : 'ended')
  // Memos are public as soon as somebody pays: a stranger's wrong amount must not end the exchange.
  if (String(units) !== exchange.units) return decided('amount', payer === exchange.wallet)
  const deadline = exchange.expires_at.getTime() + PAYMENT_GRACE
  // After an outage we see payments later than they were made.
  const isInTime = blockTime.getTime() <= deadline || at.getTime() <= deadline
  return isInTime ? decided('') : decided('late', true)
}

/** The memo names no exchange, but its wallet has one that waits for a payment. */
async function decideByWallet(tx: Db, { payer }: Transfer): Promise<Decision | undefined> {
  const exchange = await repository.lockWaitingOf(tx, payer)
  return exchange && { exchange, reason: 'memo', ends: true }
}

/** A record of its own for a payment that names no exchange. */
async function recordStray(tx: Db, transfer: Transfer, decimals: number, at: Date): Promise<Decision> {
  const owner = await findOwner(tx, transfer.payer)
  const exchange = await repository.insertExchange(tx, {
    id: `tx-${transfer.hash.slice(0, 32).toLowerCase()}-${transfer.event}`,
    user_id: owner?.id ?? null,
    wallet: transfer.payer,
    account: '',
    account_name: '',
    points: 0,
    state: 'failure',
    reason: 'memo',
    quote: quoteOf(0, { usdPerTnt4: 1, creditsPerUsd: 1, discount: 0 }, decimals),
    expires_at: at,
    at,
  })
  return { exchange, reason: 'memo', ends: false }
}
