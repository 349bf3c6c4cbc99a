import { Link } from '@tanstack/react-router'
import type { Output, RouteOf } from '@tidenet/contract'
import { isUnpaid, ORDER } from '@tidenet/contract/order-enums'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { CopyIcon } from '../../ui/copy.tsx'
import { ReceiptButton } from '../../ui/receipt-button.tsx'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { TimeLeft } from '../../ui/time-left.tsx'
import { AutoRenewCard } from './auto-renew-card.tsx'
import { formatCoins, formatHours, formatMachine } from './format.ts'
import { OrderActions } from './order-actions.tsx'
import { HashLink } from './order-row.tsx'
import { Status } from './status.tsx'
import { endOf, isChanging } from './terms.ts'
import { t } from './texts.ts'
import { useSymbol } from './use-offers.ts'

const d = t.details
const CHANGING_REFRESH_MS = 3000
const REFRESH_MS = 30_000

type Details = Output<RouteOf<'orders.details'>>

/** An order: configuration, timeline, payments, and auto-renewal. */
export function OrderDetails({ id }: { id: string }) {
  const details = useQuery({
    ...query('orders.details', { id }),
    refetchInterval: ({ state }) =>
      state.data && isChanging(state.data.order.label) ? CHANGING_REFRESH_MS : REFRESH_MS,
  })
  const symbol = useSymbol()
  return (
    <>
      <Link
        to="/mycenter"
        search={{ tab: 1 }}
        className="mb-4 inline-flex min-h-8 items-center gap-1.5 text-sm text-muted hover:text-text"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {d.back}
      </Link>
      {details.isPending ? (
        <Loading />
      ) : details.isError ? (
        <LoadFailed title={d.failed} error={details.error} onRetry={() => void details.refetch()} />
      ) : (
        <LoadedDetails details={details.data} symbol={symbol} onOver={() => void details.refetch()} />
      )}
    </>
  )
}

function LoadedDetails({ details, symbol, onOver }: { details: Details; symbol: string; onOver: () => void }) {
  const { order, timeline, payments, outages } = details
  return (
    <>
      <Card className="mb-6 grid gap-4 p-6">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h2 className="text-lg font-semibold">{t.use.order(shorten(order.id, 8, 4))}</h2>
          <Status label={order.label} />
        </div>
        <OrderActions order={order} />
      </Card>
      <div className="grid items-start gap-6 lg:grid-cols-[1.2fr_1fr]">
        <Card className="p-6">
          <h2 className="mb-2 font-semibold">{d.configuration}</h2>
          <Facts details={details} symbol={symbol} onOver={onOver} />
        </Card>
        <div className="grid gap-6">
          <AutoRenewCard order={order} renewal={details.auto_renew} symbol={symbol} />
          <Card className="p-6">
            <h2 className="mb-4 font-semibold">{d.timeline}</h2>
            <ol className="ml-1.5 border-l border-line">
              {timeline.map(({ event, at, hash, text }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the timeline is append-only
                <li key={index} className="relative pb-5 pl-6 last:pb-0">
                  <span
                    aria-hidden
                    className="absolute top-1.5 -left-1.25 size-2.5 rounded-full border border-accent bg-surface"
                  />
                  <p className="font-medium">{t.events[event]}</p>
                  {text && <p className="text-sm">{text}</p>}
                  <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
                    {formatDateTime(at)}
                    {hash && <HashLink hash={hash} />}
                  </p>
                </li>
              ))}
            </ol>
          </Card>
          {outages.length > 0 && <Outages outages={outages} symbol={symbol} />}
          {payments.length > 0 && (
            <Card className="p-6">
              <h2 className="mb-2 font-semibold">{d.payments}</h2>
              <ul>
                {payments.map((payment) => (
                  <li
                    key={`${payment.kind} ${payment.created_at}`}
                    className="border-t border-line py-2.5 first:border-t-0"
                  >
                    <p className="flex flex-wrap justify-between gap-x-4">
                      <span>
                        {d.kinds[payment.kind]} · {formatHours(payment.duration)}
                      </span>
                      <span className="font-mono tabular-nums">{formatCoins(payment.cost, payment.symbol)}</span>
                    </p>
                    <p className="flex flex-wrap items-center justify-between gap-x-4 text-sm text-muted">
                      <span>{d.states[payment.state]}</span>
                      <span className="flex flex-wrap items-center gap-x-3">
                        <ReceiptButton
                          id={payment.receipt_id}
                          of={`${d.kinds[payment.kind]} · ${formatHours(payment.duration)}`}
                        />
                        {payment.hash && <HashLink hash={payment.hash} />}
                      </span>
                    </p>
                    {payment.problem && <p className="text-sm text-danger">{payment.problem}</p>}
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </div>
      </div>
    </>
  )
}

/** When the workspace was not available, what was paid back, and the receipts as evidence. */
function Outages({ outages, symbol }: { outages: Details['outages']; symbol: string }) {
  return (
    <Card className="p-6" label={d.outages}>
      <h2 className="mb-2 font-semibold">{d.outages}</h2>
      <ul>
        {outages.map(({ from, to, cause, amount, hash, receipt_id }) => {
          const span = d.outage(formatDateTime(from), formatDateTime(to))
          return (
            <li key={from} className="border-t border-line py-2.5 first:border-t-0">
              <p className="flex flex-wrap justify-between gap-x-4">
                <span>{span}</span>
                <span className="font-mono tabular-nums">{formatCoins(amount, symbol)}</span>
              </p>
              <p className="flex flex-wrap items-center justify-between gap-x-4 text-sm text-muted">
                <span>{d.causes[cause]}</span>
                <span className="flex flex-wrap items-center gap-x-3">
                  <ReceiptButton id={receipt_id} of={span} />
                  {hash ? <HashLink hash={hash} /> : d.owed}
                </span>
              </p>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

function Facts({ details, symbol, onOver }: { details: Details; symbol: string; onOver: () => void }) {
  const { order, timers, refund, renewal, next_price } = details
  const unpaid = isUnpaid(order.status) || order.status === ORDER.renewalPending
  return (
    <dl>
      <Fact name={d.number}>
        <span className="inline-flex max-w-full items-center gap-1">
          <span className="min-w-0 font-mono text-sm wrap-anywhere" translate="no">
            {order.id}
          </span>
          <CopyIcon text={order.id} label={d.copyNumber} />
        </span>
      </Fact>
      <Fact name={d.machine}>{formatMachine(order)}</Fact>
      <Fact name={d.total}>{formatHours(order.duration)}</Fact>
      <Fact name={t.use.region}>{t.regions[order.kub_name]}</Fact>
      <Fact name={order.hash === '' ? d.price : d.paid}>
        <span className="font-mono tabular-nums">{formatCoins(order.price, symbol)}</span>
      </Fact>
      <Fact name={t.use.hash}>
        <HashLink hash={order.hash} />
      </Fact>
      {order.refund && (
        <Fact name={d.refunded}>
          <span className="font-mono tabular-nums">{formatCoins(order.refund, symbol)}</span>
          {order.refund_hash && (
            <span className="ml-3">
              <HashLink hash={order.refund_hash} />
            </span>
          )}
          {order.refund_receipt_id !== null && (
            <span className="ml-3">
              <ReceiptButton id={order.refund_receipt_id} of={d.refunded} />
            </span>
          )}
        </Fact>
      )}
      <Fact name={t.use.bought}>{formatDateTime(order.created_at)}</Fact>
      {order.started_at && <Fact name={d.started}>{formatDateTime(order.started_at)}</Fact>}
      {(order.started_at || order.status === ORDER.terminated) && (
        <Fact name={order.status === ORDER.terminated ? t.use.ended : t.use.expires}>
          {formatDateTime(endOf(order))}
        </Fact>
      )}
      {unpaid && timers.pay_until && (
        <Fact name={d.payUntil}>
          <TimeLeft to={timers.pay_until} onOver={onOver} />
        </Fact>
      )}
      {timers.seconds_left > 0 && timers.ends_at && (
        <Fact name={d.endsIn}>
          <TimeLeft to={timers.ends_at} onOver={onOver} />
        </Fact>
      )}
      {timers.end_height > 0 && (
        <Fact name={d.endHeight}>
          <Link
            to="/chain/block/$height"
            params={{ height: String(timers.end_height) }}
            className="font-mono tabular-nums hover:text-accent hover:underline"
          >
            {formatNumber(timers.end_height)}
          </Link>
        </Fact>
      )}
      {timers.kept_until && <Fact name={d.keptUntil}>{formatDateTime(timers.kept_until)}</Fact>}
      {refund && (
        <>
          <Fact name={d.used}>
            <span className="font-mono tabular-nums">{formatCoins(refund.used, symbol)}</span>
            <span className="ml-3 text-sm text-muted">{d.usedHours(refund.used_hours, refund.total_hours)}</span>
          </Fact>
          <Fact name={d.refund}>
            <span className="font-mono tabular-nums">{formatCoins(refund.exact, symbol)}</span>
          </Fact>
        </>
      )}
      {renewal && (
        <Fact name={d.renewal}>{d.renewalTo(formatCoins(renewal.cost, symbol), formatHours(renewal.duration))}</Fact>
      )}
      <Fact name={d.again}>
        <span className="font-mono tabular-nums">{formatCoins(next_price, symbol)}</span>
      </Fact>
      {order.replaces && (
        <Fact name={d.replaces}>
          <OrderLink id={order.replaces} />
        </Fact>
      )}
      {order.replaced_by && (
        <Fact name={d.replacedBy}>
          <OrderLink id={order.replaced_by} />
        </Fact>
      )}
      <Fact name={d.updated}>{formatDateTime(order.updated_at)}</Fact>
    </dl>
  )
}

function OrderLink({ id }: { id: string }) {
  return (
    <Link
      to="/mycenter"
      search={{ tab: 1, order: id }}
      className="inline-flex min-h-6 items-center font-mono text-sm text-accent hover:underline"
      translate="no"
    >
      {shorten(id, 8, 4)}
    </Link>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 border-b border-line py-2 last:border-b-0 sm:grid-cols-[11rem_1fr]">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}
