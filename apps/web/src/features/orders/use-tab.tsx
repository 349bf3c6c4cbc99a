import { Link } from '@tanstack/react-router'
import { ORDER_FILTERS } from '@tidenet/contract/order-enums'
import { Boxes, Wallet } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, query, refresh, useQuery } from '../../lib/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { lazyView } from '../wallet/lazy-view.tsx'
import { BalanceCard } from './balance-card.tsx'
import { Notices } from './notices.tsx'
import { OrderRow } from './order-row.tsx'
import { isChanging } from './terms.ts'
import { t } from './texts.ts'
import { useSymbol } from './use-offers.ts'

const PasswordDialog = lazyView(async () => (await import('./password-dialog.tsx')).PasswordDialog)
const WalletDialog = lazyView(async () => (await import('../wallet/wallet-dialog.tsx')).default)

const u = t.use
type Filter = keyof typeof ORDER_FILTERS
const filters = Object.keys(ORDER_FILTERS) as Filter[]

/** The list is polled more often while an order is changing. */
const CHANGING_REFRESH_MS = 3000
const REFRESH_MS = 30_000

/** Balance, counts and list of orders. */
export function UseTab() {
  const [filter, setFilter] = useState<Filter>('all')
  const [page, setPage] = useState(1)
  const [showingPassword, setShowingPassword] = useState(false)
  const [linking, setLinking] = useState(false)
  const info = useQuery(query('wallets.bindInfo', {}))
  const unlinked = info.data?.keplr === ''
  const rows = usePreferences((preferences) => preferences.rows)
  const symbol = useSymbol()
  const status = filter === 'all' ? {} : { status: ORDER_FILTERS[filter].join(',') as never }
  const orders = useQuery({
    ...query('orders.history', { page, size: rows, ...status }),
    ...paged,
    // Orders belong to the linked wallet: without one the server refuses the request.
    enabled: info.isError || Boolean(info.data?.keplr),
    refetchInterval: ({ state }) =>
      state.data?.list.some(({ label }) => isChanging(label)) ? CHANGING_REFRESH_MS : REFRESH_MS,
  })
  const { list = [], total = 0 } = orders.data ?? {}
  const counts = [
    [u.inService, orders.data?.done],
    [u.expired, orders.data?.expired],
    [u.terminated, orders.data?.termination],
  ] as const
  return (
    <>
      <Notices />
      <div className="grid gap-6 lg:grid-cols-[1fr_1.4fr]">
        <BalanceCard />
        <dl className="grid grid-cols-3 gap-px overflow-hidden rounded-2xl border border-line bg-line">
          {counts.map(([name, count]) => (
            <div key={name} className="flex flex-col justify-center bg-surface px-4 py-4 sm:px-5">
              <dt className="text-sm text-muted">{name}</dt>
              <dd className="mt-1 font-mono text-2xl tabular-nums">
                {count === undefined ? '–' : formatNumber(count)}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="mt-8 mb-3 flex flex-wrap items-center gap-x-4 gap-y-3">
        <h2 className="text-lg font-semibold">{u.orders}</h2>
        <Button className="ml-auto" onClick={() => setShowingPassword(true)}>
          {u.password}
        </Button>
        <Segments
          label={u.filter}
          options={filters.map((each) => ({ value: each, name: u.filters[each] }))}
          value={filter}
          isWide
          onChange={(each) => {
            setFilter(each)
            setPage(1)
          }}
        />
      </div>
      <Card>
        {unlinked ? (
          <Empty icon={<Wallet aria-hidden className="size-5" />} title={u.needsWallet}>
            <p>{u.needsWalletText}</p>
            <Button look="primary" className="mt-4" onClick={() => setLinking(true)}>
              {u.bindWallet}
            </Button>
          </Empty>
        ) : orders.isPending ? (
          <Loading />
        ) : orders.isError ? (
          <LoadFailed title={u.failed} error={orders.error} onRetry={() => void orders.refetch()} />
        ) : list.length === 0 ? (
          <Empty icon={<Boxes aria-hidden className="size-5" />} title={filter === 'all' ? u.none : u.noneOfFilter}>
            {filter === 'all' && (
              <>
                <p>{u.noneText}</p>
                <Link to="/mycenter" search={{ tab: 2 }} className={buttonClass('secondary', 'mt-4')}>
                  {u.choose}
                </Link>
              </>
            )}
          </Empty>
        ) : (
          list.map((order) => <OrderRow key={order.id} order={order} symbol={symbol} />)
        )}
      </Card>
      {total > rows && (
        <div className="mt-4">
          <Pager page={page} total={total} onPage={setPage} />
        </div>
      )}
      {showingPassword && <PasswordDialog onClose={() => setShowingPassword(false)} />}
      {linking && (
        <WalletDialog
          purpose="link"
          kinds={['cosmos']}
          onClose={() => setLinking(false)}
          onDone={() => refresh('orders.history')}
        />
      )}
    </>
  )
}
