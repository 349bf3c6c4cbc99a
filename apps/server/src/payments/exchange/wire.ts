import type { ExchangeOrder, ExchangePayment, Lang } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { decimal } from './offer.ts'
import { type PaymentRow, paymentsOf } from './payments-repository.ts'
import type { ExchangeRow } from './repository.ts'
import { orderText, paymentText } from './texts.ts'

interface Wiring {
  decimals: number
  simulated: boolean
  lang: Lang
}

/** US dollars, from 1/10,000. */
export const dollars = (tenThousandths: number): string => decimal(BigInt(tenThousandths), 4)

export const toWireRate = (rate: { usd_per_tnt4: number; credits_per_usd: number; discount: number }) => ({
  usd_per_tnt4: dollars(rate.usd_per_tnt4),
  credits_per_usd: rate.credits_per_usd,
  discount: rate.discount,
})

function toWirePayment(row: PaymentRow, { decimals, lang }: Wiring): ExchangePayment {
  const result = row.result === 'refund' ? (row.refund_state === 'done' ? 'refunded' : 'refunding') : row.result
  const fee = decimal(row.fee, decimals)
  return {
    hash: row.hash,
    height: row.height,
    at: row.block_time.toISOString(),
    from: row.payer,
    tnt4: decimal(row.units, decimals),
    memo: row.memo,
    result,
    reason: row.reason,
    reason_text: paymentText({ result, reason: row.reason, fee }, lang),
    fee,
    refund:
      row.refund_units === null
        ? null
        : {
            tnt4: decimal(row.refund_units, decimals),
            hash: row.refund_hash ?? '',
            done: row.refund_state === 'done',
          },
  }
}

function toWireOrder(row: ExchangeRow, payments: readonly PaymentRow[], wiring: Wiring): ExchangeOrder {
  const { decimals, simulated, lang } = wiring
  return {
    id: row.id,
    account: row.account,
    account_name: row.account_name,
    points: row.points,
    usd: dollars(row.usd),
    tnt4: decimal(row.units, decimals),
    status: row.state,
    reason: row.reason,
    reason_text: orderText(row.state, row.reason, { isGivenUp: row.given_up !== '' }, lang),
    rate: toWireRate(row),
    confirmed: row.confirmed,
    expires_at: row.expires_at.toISOString(),
    wallet: row.wallet,
    attempts: row.attempts,
    reference: row.reference,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    payments: payments.map((payment) => toWirePayment(payment, wiring)),
    simulated,
  }
}

/** With their payments. @returns also the rows of the payments, for operators */
export async function toWireOrders(
  db: Db,
  rows: readonly ExchangeRow[],
  wiring: Wiring,
): Promise<{ order: ExchangeOrder; row: ExchangeRow; payments: PaymentRow[] }[]> {
  const all = await paymentsOf(
    db,
    rows.map(({ no }) => no),
  )
  return rows.map((row) => {
    const payments = all.filter(({ exchange_no }) => exchange_no === row.no)
    return { order: toWireOrder(row, payments, wiring), row, payments }
  })
}
