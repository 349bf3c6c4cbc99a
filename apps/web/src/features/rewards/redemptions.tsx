import type { Redemption } from '@tidenet/contract'
import { Gift } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { classes } from '../../ui/classes.ts'
import { Pager } from '../../ui/pager.tsx'
import { ReceiptButton } from '../../ui/receipt-button.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { TransactionLink } from '../../ui/transaction-link.tsx'
import { t } from './texts.ts'

const PENDING_MS = 3000

/** Redemptions, newest first, with their transactions. */
export function Redemptions() {
  const [page, setPage] = useState(1)
  const size = usePreferences(({ rows }) => rows)
  const history = useQuery({
    ...query('rewards.history', { page, size }),
    ...paged,
    refetchInterval: ({ state: { data } }) =>
      data?.list.some(({ state }) => state === 'withdrawing') ? PENDING_MS : false,
  })
  const { data } = history
  return (
    <div className="mt-6">
      <h3 className="mb-3 font-semibold">{t.history}</h3>
      <Card className="overflow-hidden">
        {data ? (
          data.total === 0 ? (
            <Empty icon={<Gift aria-hidden className="size-5" />} title={t.none}>
              {t.noneText}
            </Empty>
          ) : (
            <Table list={data.list} faded={history.isPlaceholderData} />
          )
        ) : history.isError ? (
          <LoadFailed title={t.historyFailed} error={history.error} onRetry={() => void history.refetch()} />
        ) : (
          <Loading />
        )}
      </Card>
      {data && data.total > 0 && (
        <div className="mt-3">
          <Pager page={page} total={data.total} onPage={setPage} />
        </div>
      )}
    </div>
  )
}

function Table({ list, faded }: { list: readonly Redemption[]; faded: boolean }) {
  return (
    <table aria-label={t.history} className={classes('w-full text-left text-sm', faded && 'opacity-60')}>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-3 pr-4 pl-5 font-medium">
            {t.time}
          </th>
          <th scope="col" className="px-4 py-3 text-right font-medium max-sm:hidden">
            {t.points}
          </th>
          <th scope="col" className="px-4 py-3 text-right font-medium">
            {t.coins}
          </th>
          <th scope="col" className="px-4 py-3 font-medium max-sm:hidden">
            {t.state}
          </th>
          <th scope="col" className="py-3 pr-5 pl-4 text-right font-medium">
            {t.link}
          </th>
        </tr>
      </thead>
      <tbody>
        {list.map(({ id, points, coins, state, hash, created_at, receipt_id }) => (
          <tr key={id} className="border-b border-line last:border-b-0">
            <td className="py-2.5 pr-2 pl-5 sm:pr-4">
              <time dateTime={created_at} className="break-keep">
                {formatDateTime(created_at)}
              </time>
              <span className="block text-muted sm:hidden">{t.states[state]}</span>
            </td>
            <td className="px-4 py-2.5 text-right font-mono tabular-nums max-sm:hidden">{formatNumber(points)}</td>
            <td className="px-4 py-2.5 text-right font-mono whitespace-nowrap tabular-nums">
              {formatNumber(coins)} {t.coin}
            </td>
            <td className={classes('px-4 py-2.5 max-sm:hidden', state === 'withdrawing' && 'text-signal')}>
              {t.states[state]}
            </td>
            <td className="py-2.5 pr-5 pl-4 text-right">
              <span className="flex flex-wrap items-center justify-end gap-x-3">
                <ReceiptButton id={receipt_id} of={formatDateTime(created_at)} />
                <TransactionLink hash={hash} none={t.noLink} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
