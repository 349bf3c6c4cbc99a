import { Link } from '@tanstack/react-router'
import type { ExchangePayment } from '@tidenet/contract'
import type { ReactNode } from 'react'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { TransactionLink } from '../../ui/transaction-link.tsx'
import { t } from './texts.ts'
import { formatTnt4 } from './use-terms.ts'

const d = t.details

/** Payments of an exchange, each with its transaction, what became of it, and its refund. */
export function PaymentsList({ payments }: { payments: readonly ExchangePayment[] }) {
  if (payments.length === 0) return <p className="text-sm text-muted">{d.noPayments}</p>
  return (
    <ul className="grid gap-4">
      {payments.map((payment) => (
        <li key={payment.hash} className="rounded-xl border border-line p-4">
          <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <span className="font-mono font-medium tabular-nums">{formatTnt4(payment.tnt4)}</span>
            <span className="text-sm font-medium">{t.results[payment.result]}</span>
          </p>
          {payment.reason_text && <p className="mt-1 text-sm text-warn">{payment.reason_text}</p>}
          <dl className="mt-2 text-sm">
            <Line name={d.transaction}>
              <TransactionLink hash={payment.hash} none={d.noHash} />
            </Line>
            <Line name={d.block}>
              <Link
                to="/chain/block/$height"
                params={{ height: String(payment.height) }}
                className="font-mono text-accent tabular-nums underline-offset-3 hover:underline"
              >
                {formatNumber(payment.height)}
              </Link>{' '}
              <span className="text-muted">{formatDateTime(payment.at)}</span>
            </Line>
            <Line name={d.from}>
              <span className="font-mono text-xs" translate="no" title={payment.from}>
                {shorten(payment.from, 12, 6)}
              </span>
            </Line>
            <Line name={d.memo}>
              {payment.memo === '' ? (
                d.noMemo
              ) : (
                <bdi className="font-mono text-xs wrap-anywhere" translate="no">
                  {payment.memo}
                </bdi>
              )}
            </Line>
            {payment.refund && (
              <>
                {payment.fee !== '0' && <Line name={d.fee}>{formatTnt4(payment.fee)}</Line>}
                <Line name={d.refund}>
                  <span className="font-mono tabular-nums">{formatTnt4(payment.refund.tnt4)}</span>{' '}
                  <span className="text-muted">{payment.refund.done ? d.refundDone : d.refundWaiting}</span>{' '}
                  <TransactionLink hash={payment.refund.hash} none="" />
                </Line>
              </>
            )}
          </dl>
        </li>
      ))}
    </ul>
  )
}

/** A name and its value, side by side on wide screens. */
export function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 border-b border-line py-1.5 last:border-b-0 sm:grid-cols-[9.5rem_1fr]">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-w-0 text-sm wrap-anywhere">{children}</dd>
    </div>
  )
}
