import { Link } from '@tanstack/react-router'
import type { Order } from '@tidenet/contract'
import { ORDER } from '@tidenet/contract/order-enums'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { formatCoins, formatHours, formatMachine } from './format.ts'
import { OrderActions } from './order-actions.tsx'
import { Status } from './status.tsx'
import { endOf } from './terms.ts'
import { t } from './texts.ts'

const u = t.use

/** An order in the list, with its actions. */
export function OrderRow({ order, symbol }: { order: Order; symbol: string }) {
  const id = shorten(order.id, 8, 4)
  return (
    <article aria-label={u.order(id)} className="grid gap-4 border-b border-line px-5 py-5 last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Status label={order.label} />
        <h3 className="min-w-0 font-medium">
          {formatMachine(order)} · {formatHours(order.duration)}
        </h3>
        <Link
          to="/mycenter"
          search={{ tab: 1, order: order.id }}
          className="ml-auto inline-flex min-h-6 items-center font-mono text-sm text-accent hover:underline"
          aria-label={`${u.details}: ${u.order(id)}`}
        >
          {id}
          <ChevronRight aria-hidden className="ml-0.5 size-4" />
        </Link>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3 lg:grid-cols-5">
        <Fact name={u.bought}>{formatDateTime(order.created_at)}</Fact>
        <Fact name={order.status === ORDER.terminated ? u.ended : u.expires}>
          {order.started_at || order.status === ORDER.terminated ? formatDateTime(endOf(order)) : '–'}
        </Fact>
        <Fact name={u.price}>
          <span className="font-mono tabular-nums">{formatCoins(order.price, symbol)}</span>
        </Fact>
        {order.refund && (
          <Fact name={t.details.refunded}>
            <span className="font-mono tabular-nums">{formatCoins(order.refund, symbol)}</span>
          </Fact>
        )}
        <Fact name={u.region}>{t.regions[order.kub_name]}</Fact>
        <Fact name={u.hash}>
          <HashLink hash={order.hash} />
        </Fact>
      </dl>
      <OrderActions order={order} />
    </article>
  )
}

/** Link to a transaction in the chain explorer. */
export function HashLink({ hash }: { hash: string }) {
  if (hash === '') return <span className="text-muted">{u.noHash}</span>
  return (
    <Link
      to="/chain/tx/$hash"
      params={{ hash }}
      title={hash}
      className="inline-flex min-h-6 items-center font-mono text-accent hover:underline"
      translate="no"
    >
      {shorten(hash, 8, 6)}
    </Link>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-sm wrap-anywhere">{children}</dd>
    </div>
  )
}
