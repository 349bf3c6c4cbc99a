import { Link } from '@tanstack/react-router'
import type { ExchangeOrder } from '@tidenet/contract'
import { EXCHANGE_STATES } from '@tidenet/contract/exchange'
import { ReceiptText, SearchX } from 'lucide-react'
import { useId, useState } from 'react'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { startOfDay } from '../../lib/local-day.ts'
import { shorten } from '../../lib/phrases.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Pager } from '../../ui/pager.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { isSettled } from './orders.ts'
import { ExchangeStatus } from './status.tsx'
import { t } from './texts.ts'
import { formatTnt4 } from './use-terms.ts'

const r = t.records
const CHANGING_MS = 2000
const REFRESH_MS = 30_000
const NO_FILTERS = { status: '', from: '', to: '' }
type Filters = typeof NO_FILTERS

const control = 'min-h-9 w-full min-w-0 rounded-lg border border-control/60 bg-surface px-2.5 text-sm'

/** All exchanges of the account, filtered by state and days. */
export default function Records() {
  const [filters, setFilters] = useState(NO_FILTERS)
  const [page, setPage] = useState(1)
  const size = usePreferences(({ rows }) => rows)
  const status = EXCHANGE_STATES.find((each) => each === filters.status)
  const from = startOfDay(filters.from)
  const to = startOfDay(filters.to, 1)
  const records = useQuery({
    ...query('exchange.records', {
      ...(status && { status }),
      ...(from && { from }),
      ...(to && { to }),
      page,
      size,
    }),
    ...paged,
    refetchInterval: ({ state: { data } }) => (!data || data.list.every(isSettled) ? REFRESH_MS : CHANGING_MS),
  })
  const { data } = records
  const isFiltered = Object.values(filters).some((value) => value !== '')
  return (
    <>
      <FilterBar
        filters={filters}
        onChange={(next) => {
          setFilters(next)
          setPage(1)
        }}
      />
      <Card className="overflow-hidden">
        {!data ? (
          records.isError ? (
            <LoadFailed title={r.failed} error={records.error} onRetry={() => void records.refetch()} />
          ) : (
            <Loading />
          )
        ) : data.total === 0 ? (
          isFiltered ? (
            <Empty icon={<SearchX aria-hidden className="size-5" />} title={r.noneMatch}>
              {r.noneMatchText}
            </Empty>
          ) : (
            <Empty icon={<ReceiptText aria-hidden className="size-5" />} title={r.none}>
              {r.noneText}
            </Empty>
          )
        ) : (
          <Table list={data.list} faded={records.isPlaceholderData} />
        )}
      </Card>
      {data && data.total > Math.min(size, 10) && (
        <div className="mt-3">
          <Pager page={page} total={data.total} onPage={setPage} />
        </div>
      )}
    </>
  )
}

function FilterBar({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const id = useId()
  const isFiltered = Object.values(filters).some((value) => value !== '')
  return (
    <search aria-label={r.filters} className="mb-4 grid grid-cols-2 gap-3 sm:flex sm:flex-wrap sm:items-end">
      <span className="flex min-w-0 flex-col gap-1 max-sm:col-span-2">
        <label htmlFor={`${id}-status`} className="text-sm text-muted">
          {r.status}
        </label>
        <select
          id={`${id}-status`}
          value={filters.status}
          onChange={(event) => onChange({ ...filters, status: event.target.value })}
          className={control}
        >
          <option value="">{r.all}</option>
          {EXCHANGE_STATES.map((status) => (
            <option key={status} value={status}>
              {t.statuses[status]}
            </option>
          ))}
        </select>
      </span>
      {(['from', 'to'] as const).map((name) => (
        <span key={name} className="flex min-w-0 flex-col gap-1">
          <label htmlFor={`${id}-${name}`} className="text-sm text-muted">
            {r[name]}
          </label>
          <input
            id={`${id}-${name}`}
            type="date"
            value={filters[name]}
            {...(name === 'to' && filters.from && { min: filters.from })}
            onChange={(event) => onChange({ ...filters, [name]: event.target.value })}
            className={control}
          />
        </span>
      ))}
      {isFiltered && (
        <Button look="ghost" className="max-sm:col-span-2" onClick={() => onChange(NO_FILTERS)}>
          {r.clear}
        </Button>
      )}
    </search>
  )
}

function Table({ list, faded }: { list: readonly ExchangeOrder[]; faded: boolean }) {
  const c = r.columns
  return (
    <table
      aria-label={t.recordsTitle}
      className={classes('w-full text-left text-sm max-md:block', faded && 'opacity-60')}
    >
      <thead className="max-md:sr-only">
        <tr className="border-b border-line text-muted">
          {[c.order, c.account, c.credits, c.tnt4, c.status, c.time].map((name) => (
            <th
              key={name}
              scope="col"
              className={classes(
                'px-4 py-3 font-medium first:pl-5 last:pr-5',
                (name === c.credits || name === c.tnt4) && 'text-right',
              )}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {list.map((order) => (
          <Row key={order.id} order={order} />
        ))}
      </tbody>
    </table>
  )
}

/** A table row on wide screens, a small card on phones; a click anywhere opens the details. */
function Row({ order }: { order: ExchangeOrder }) {
  const { id, account, account_name: name, points, tnt4, status, reason_text: reason } = order
  const cell = 'md:px-4 md:py-3'
  return (
    <tr className="relative border-b border-line last:border-b-0 hover:bg-sunken/60 has-focus-visible:bg-sunken/60 max-md:grid max-md:grid-cols-[1fr_auto] max-md:gap-x-4 max-md:gap-y-1 max-md:p-4 md:align-top">
      <th scope="row" className="font-normal md:py-3 md:pl-5">
        <Link
          to="/exchangePnuts"
          search={{ order: id }}
          resetScroll={false}
          aria-label={r.open(id)}
          className="inline-flex min-h-6 items-center font-mono text-xs text-accent after:absolute after:inset-0"
          translate="no"
        >
          {shorten(id, 8, 4)}
        </Link>
      </th>
      <td className={`${cell} max-md:order-3 max-md:col-span-2`}>
        {points > 0 ? (
          <bdi className="wrap-anywhere">
            {name} <span className="text-muted">{account}</span>
          </bdi>
        ) : (
          <span className="text-muted">{r.unassigned}</span>
        )}
        {status === 'failure' && reason && <span className="block max-w-xs text-muted md:text-xs">{reason}</span>}
      </td>
      <td className={`${cell} font-mono tabular-nums max-md:order-4 md:text-right`}>
        {points > 0 ? (
          <>
            {formatNumber(points)} <span className="font-sans text-muted md:hidden">{c.credits}</span>
          </>
        ) : (
          '–'
        )}
      </td>
      <td className={`${cell} font-mono whitespace-nowrap tabular-nums text-right max-md:order-5`}>
        {formatTnt4(tnt4)}
      </td>
      <td className={`${cell} max-md:order-2 max-md:text-right`}>
        <ExchangeStatus status={status} />
      </td>
      <td className={`${cell} whitespace-nowrap text-muted tabular-nums max-md:order-6 max-md:col-span-2 md:pr-5`}>
        <time dateTime={order.created_at}>{formatDateTime(order.created_at)}</time>
      </td>
    </tr>
  )
}

const c = r.columns
