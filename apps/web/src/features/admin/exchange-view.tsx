import { Link } from '@tanstack/react-router'
import type { AdminExchange } from '@tidenet/contract'
import { EXCHANGE_STATES } from '@tidenet/contract/exchange'
import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { paged, query, refresh, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/dialog.tsx'
import { Badge, Empty, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { OrderFacts } from '../exchange/order-facts.tsx'
import { isSettled } from '../exchange/orders.ts'
import { ExchangeStatus } from '../exchange/status.tsx'
import { t as exchange } from '../exchange/texts.ts'
import { formatTnt4 } from '../exchange/use-terms.ts'
import { t } from './exchange-texts.ts'
import { ExchangeTotalsCards } from './exchange-totals.tsx'
import { useExchangeTotals } from './exchange-totals-query.ts'
import { type Column, Facts, Filters, List, SelectFilter, TextFilter } from './list.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { choiceOf, useAdminSearch, useSetSearch } from './search.ts'

const CHANGING_MS = 3000
const REFRESH_MS = 15_000

const ownerOf = ({ email, uid }: AdminExchange): string => email || uid || t.gone

const columns: readonly Column<AdminExchange>[] = [
  {
    title: t.order,
    cell: (row) => (
      <>
        <span className="block font-mono text-xs" translate="no">
          {shorten(row.id, 8, 4)}
        </span>
        <span className="block text-xs text-muted wrap-anywhere">{ownerOf(row)}</span>
        <span className="block text-xs text-muted tabular-nums lg:hidden">{formatDateTime(row.created_at)}</span>
      </>
    ),
  },
  {
    title: t.status,
    cell: (row) => (
      <span className="flex flex-wrap gap-1.5">
        <ExchangeStatus status={row.status} />
        {row.stuck && <Badge tone="warn">{t.stuck}</Badge>}
      </span>
    ),
  },
  {
    title: t.amount,
    className: 'max-sm:hidden',
    cell: (row) => (
      <>
        <span className="block font-mono whitespace-nowrap tabular-nums">{formatTnt4(row.tnt4)}</span>
        <span className="block text-xs text-muted tabular-nums">
          {row.points > 0 ? exchange.credits(formatNumber(row.points)) : t.unassigned}
        </span>
      </>
    ),
  },
  {
    title: exchange.records.columns.account,
    className: 'max-md:hidden',
    cell: (row) => <bdi className="wrap-anywhere">{row.account || '–'}</bdi>,
  },
  {
    title: t.created,
    className: 'tabular-nums whitespace-nowrap max-lg:hidden',
    cell: (row) => formatDateTime(row.created_at),
  },
]

/** The points exchange: totals, connections, and the exchanges of all accounts. */
export default function ExchangeView() {
  const search = useAdminSearch()
  const set = useSetSearch()
  const status = choiceOf(search.state, EXCHANGE_STATES)
  const { data: totals } = useExchangeTotals()
  const list = useQuery({
    ...query('admin.exchanges', {
      ...(search.q && { q: search.q }),
      ...(status && { status }),
      ...(search.stuck === 'true' && { stuck: true }),
      ...(search.after && { after: search.after }),
    }),
    ...paged,
    refetchInterval: ({ state: { data } }) => (!data || data.list.every(isSettled) ? REFRESH_MS : CHANGING_MS),
  })
  const open = list.data?.list.find(({ id }) => id === search.open)
  return (
    <>
      <ExchangeTotalsCards />
      <Filters names={['q', 'state', 'stuck']}>
        <TextFilter name="q" label={t.search} hint={t.searchHint} />
        <SelectFilter
          name="state"
          label={t.status}
          options={EXCHANGE_STATES.map((each) => [each, exchange.statuses[each]] as const)}
        />
        <SelectFilter
          name="stuck"
          label={t.attention}
          options={[['true', t.stuckOnly(totals ? formatNumber(totals.stuck) : '–')]]}
        />
      </Filters>
      <List
        state={list}
        columns={columns}
        keyOf={(row) => row.id}
        nameOf={(row) => row.id}
        onOpen={(row) => set({ open: row.id })}
        empty={
          search.q || status || search.stuck ? undefined : (
            <Empty icon={<ArrowLeftRight aria-hidden className="size-6" />} title={t.none}>
              {t.noneText}
            </Empty>
          )
        }
      />
      {open && (
        <Panel
          open
          wide
          onClose={() => set({ open: undefined }, true)}
          title={exchange.details.title(shorten(open.id, 8, 4))}
        >
          <Details row={open} />
        </Panel>
      )}
    </>
  )
}

function Details({ row }: { row: AdminExchange }) {
  const [busy, setBusy] = useState(false)
  const [refunding, setRefunding] = useState(false)
  const reload = () => refresh('admin.exchanges', 'admin.exchangeTotals', 'admin.audit')
  const retry = async () => {
    setBusy(true)
    await api('admin.exchangeRetry', { id: row.id }).then(() => toast.success(t.retried), toast.error)
    reload()
    setBusy(false)
  }
  return (
    <div className="grid gap-6">
      {(row.stuck || row.error || row.due_at) && (
        <Notice tone={row.stuck ? 'bad' : 'warn'}>
          <Facts
            facts={[
              ...(row.error ? [[t.details.error, row.error] as const] : []),
              ...(row.due_at ? [[t.details.due, formatDateTime(row.due_at)] as const] : []),
            ]}
          />
          {row.stuck && !row.error && !row.due_at && t.stuck}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {!isSettled(row) && row.status !== 'in_progress' && (
          <Button busy={busy} onClick={() => void retry()}>
            {t.retry}
          </Button>
        )}
        {row.refundable && (
          <Button look="quietDanger" onClick={() => setRefunding(true)}>
            {t.refund}
          </Button>
        )}
      </div>
      <Facts
        facts={[
          [
            t.details.owner,
            row.uid ? (
              <Link
                key="owner"
                to="/admin"
                search={{ view: 'users', q: row.uid, open: row.uid } as never}
                className="text-accent hover:underline"
              >
                {ownerOf(row)}
              </Link>
            ) : (
              t.gone
            ),
          ],
        ]}
      />
      <OrderFacts order={row} />
      {refunding && (
        <ReasonDialog
          title={t.refundTitle}
          text={t.refundText}
          confirm={t.refund}
          danger
          act={async (reason) => {
            await api('admin.exchangeRefund', { id: row.id, reason })
            reload()
            return t.refunded
          }}
          onClose={() => setRefunding(false)}
        />
      )}
    </div>
  )
}
