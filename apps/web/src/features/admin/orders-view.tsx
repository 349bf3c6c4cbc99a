import { Link } from '@tanstack/react-router'
import type { OrderLabel, Output, RouteOf } from '@tidenet/contract'
import { ORDER_STATUSES } from '@tidenet/contract/order-enums'
import { Boxes } from 'lucide-react'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/states.tsx'
import { formatCoins, formatHours, formatMachine } from '../orders/format.ts'
import { HashLink } from '../orders/order-row.tsx'
import { Status } from '../orders/status.tsx'
import { t as orders } from '../orders/texts.ts'
import { useSymbol } from '../orders/use-offers.ts'
import { type Column, Filters, List, SelectFilter, TextFilter } from './list.tsx'
import { LABELS } from './order-labels.ts'
import { t } from './orders-texts.ts'
import { choiceOf, useAdminSearch } from './search.ts'

type Row = Output<RouteOf<'orders.all'>>['list'][number]

const REFRESH_MS = 30_000

const names = [...new Set(Object.values(LABELS))]
const statusesOf = (name: OrderLabel) => ORDER_STATUSES.filter((status) => LABELS[status] === name).join(',')

const columns = (symbol: string): Column<Row>[] => [
  {
    title: t.order,
    cell: (row) => (
      <>
        <span className="block">
          {formatMachine(row)} · {formatHours(row.duration)}
        </span>
        <span className="block font-mono text-xs text-muted" translate="no" title={row.id}>
          {shorten(row.id, 8, 4)}
        </span>
        <span className="mt-1 block md:hidden">
          <Account row={row} />
        </span>
        {row.tries > 0 && <span className="mt-0.5 block text-xs text-warn">{t.stuck(formatNumber(row.tries))}</span>}
      </>
    ),
  },
  { title: t.status, cell: (row) => <Status label={row.label} /> },
  { title: t.account, className: 'max-md:hidden', cell: (row) => <Account row={row} /> },
  {
    title: t.price,
    className: 'max-sm:hidden',
    cell: (row) => (
      <>
        <span className="block font-mono whitespace-nowrap tabular-nums">{formatCoins(row.price, symbol)}</span>
        {row.hash && <HashLink hash={row.hash} />}
      </>
    ),
  },
  {
    title: t.bought,
    className: 'tabular-nums whitespace-nowrap max-lg:hidden',
    cell: (row) => formatDateTime(row.created_at),
  },
]

function Account({ row: { account, email, payer } }: { row: Row }) {
  return (
    <>
      <Link
        to="/admin"
        search={{ view: 'users', q: account, open: account } as never}
        className="inline-flex min-h-6 items-center text-accent wrap-anywhere hover:underline"
        translate={email ? 'no' : undefined}
      >
        {email || t.noEmail}
      </Link>
      <span className="block font-mono text-xs text-muted" translate="no" title={payer}>
        {shorten(payer, 10, 6)}
      </span>
    </>
  )
}

/** Orders of all accounts, newest first. */
export function OrdersView() {
  const search = useAdminSearch()
  const symbol = useSymbol()
  const state = choiceOf(search.state, names)
  const list = useQuery({
    ...query('orders.all', {
      ...(search.q && { q: search.q }),
      ...(state && { status: statusesOf(state) as never }),
      ...(search.after && { after: search.after }),
    }),
    ...paged,
    refetchInterval: REFRESH_MS,
  })
  return (
    <>
      <Filters names={['q', 'state']}>
        <TextFilter name="q" label={t.search} hint={t.searchHint} />
        <SelectFilter
          name="state"
          label={t.status}
          options={names.map((each) => [each, orders.labels[each]] as const)}
        />
      </Filters>
      <List
        state={list}
        columns={columns(symbol)}
        keyOf={(row) => row.id}
        nameOf={(row) => row.id}
        empty={
          search.q || state ? undefined : (
            <Empty icon={<Boxes aria-hidden className="size-6" />} title={t.none}>
              <p>{t.noneText}</p>
              <Link to="/admin" search={{ view: 'clusters' } as never} className={buttonClass('secondary', 'mt-4')}>
                {t.toClusters}
              </Link>
            </Empty>
          )
        }
      />
    </>
  )
}
