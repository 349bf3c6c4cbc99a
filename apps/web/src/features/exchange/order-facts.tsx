import type { ExchangeOrder } from '@tidenet/contract'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { locale } from '../../lib/texts.ts'
import { CopyIcon } from '../../ui/copy.tsx'
import { formatDecimal } from './credits.ts'
import { Line, PaymentsList } from './payments-list.tsx'
import { Simulated } from './simulated.tsx'
import { ExchangeStatus } from './status.tsx'
import { t } from './texts.ts'
import { formatTnt4, formatUsd } from './use-terms.ts'

const d = t.details

/** Everything about an exchange: its state and reason, what was agreed, and its payments. */
export function OrderFacts({ order }: { order: ExchangeOrder }) {
  const isExchange = order.points > 0
  return (
    <div className="grid gap-6">
      <div role="status">
        <p className="flex flex-wrap items-center gap-2">
          <ExchangeStatus status={order.status} />
          <Simulated when={order.simulated} />
        </p>
        {order.reason_text && <p className="mt-2">{order.reason_text}</p>}
      </div>
      <dl>
        <Line name={isExchange ? d.number : t.records.columns.order}>
          <span className="inline-flex max-w-full items-center gap-1">
            <span className="min-w-0 font-mono text-xs wrap-anywhere" translate="no">
              {order.id}
            </span>
            <CopyIcon text={order.id} label={d.copyNumber} />
          </span>
        </Line>
        {isExchange && (
          <>
            <Line name={d.account}>
              <bdi>{t.account.verified(order.account_name, order.account)}</bdi>
            </Line>
            <Line name={d.credits}>{formatNumber(order.points)}</Line>
            <Line name={d.price}>
              {formatTnt4(order.tnt4)} <span className="text-muted">{formatUsd(order.usd)}</span>
            </Line>
            <Line name={d.rate}>
              {t.quote.rateText(formatDecimal(order.rate.usd_per_tnt4, locale))}
              <br />
              {t.quote.perUsd(formatNumber(order.rate.credits_per_usd))}
              {order.rate.discount > 0 && (
                <>
                  <br />
                  {t.points.discount(String(order.rate.discount))}
                </>
              )}
            </Line>
          </>
        )}
        {order.wallet && (
          <Line name={d.wallet}>
            <span className="font-mono text-xs" translate="no" title={order.wallet}>
              {shorten(order.wallet, 12, 6)}
            </span>
          </Line>
        )}
        {order.reference && (
          <Line name={d.reference}>
            <span className="font-mono text-xs" translate="no">
              {order.reference}
            </span>
          </Line>
        )}
        {order.attempts > 0 && <Line name={d.attempts}>{formatNumber(order.attempts)}</Line>}
        <Line name={d.created}>{formatDateTime(order.created_at)}</Line>
        <Line name={d.updated}>{formatDateTime(order.updated_at)}</Line>
      </dl>
      <section>
        <h3 className="mb-3 font-semibold">{d.payments}</h3>
        <PaymentsList payments={order.payments} />
      </section>
    </div>
  )
}
