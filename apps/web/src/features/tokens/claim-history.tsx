import type { Claim } from '@tidenet/contract'
import { Coins } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { usePreferences } from '../../lib/preferences.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { classes } from '../../ui/classes.ts'
import { Pager } from '../../ui/pager.tsx'
import { ReceiptButton } from '../../ui/receipt-button.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { TransactionLink } from '../../ui/transaction-link.tsx'
import { t } from './texts.ts'

const c = t.claim
const PENDING_MS = 3000

/** Claims of the account, newest first, with their transactions. */
export function ClaimHistory({ linked }: { linked: string | undefined }) {
  const [page, setPage] = useState(1)
  const size = usePreferences(({ rows }) => rows)
  const history = useQuery({
    ...query('faucet.history', { page, size }),
    ...paged,
    enabled: Boolean(linked),
    refetchInterval: ({ state: { data } }) => (data?.list.some(({ state }) => state !== 'done') ? PENDING_MS : false),
  })
  const { data } = history
  return (
    <section className="mt-8">
      <h2 className="mb-3 text-lg font-semibold">{c.history}</h2>
      <Card className="overflow-hidden">
        {history.isError && !data ? (
          <LoadFailed title={c.historyFailed} error={history.error} onRetry={() => void history.refetch()} />
        ) : !data ? (
          linked === '' ? (
            <None />
          ) : (
            <Loading />
          )
        ) : data.total === 0 ? (
          <None />
        ) : (
          <Table list={data.list} faded={history.isPlaceholderData} />
        )}
      </Card>
      {data && data.total > 0 && (
        <div className="mt-3">
          <Pager page={page} total={data.total} onPage={setPage} />
        </div>
      )}
    </section>
  )
}

const None = () => (
  <Empty icon={<Coins aria-hidden className="size-5" />} title={c.none}>
    {c.noneText}
  </Empty>
)

function Table({ list, faded }: { list: readonly Claim[]; faded: boolean }) {
  return (
    <table className={classes('w-full text-left text-sm', faded && 'opacity-60')}>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-3 pr-2 pl-5 font-medium sm:pr-4">
            {c.time}
          </th>
          <th scope="col" className="px-2 py-3 text-right font-medium sm:px-4">
            {c.amount}
          </th>
          <th scope="col" className="px-4 py-3 font-medium max-md:hidden">
            {c.wallet}
          </th>
          <th scope="col" className="px-4 py-3 font-medium max-sm:hidden">
            {c.state}
          </th>
          <th scope="col" className="py-3 pr-5 pl-2 text-right font-medium sm:pl-4">
            {c.link}
          </th>
        </tr>
      </thead>
      <tbody>
        {list.map(({ account, amount, hash, created_at, state, receipt_id }) => (
          <tr key={`${account} ${created_at}`} className="border-b border-line last:border-b-0">
            <td className="py-2.5 pr-2 pl-5 sm:pr-4">
              <time dateTime={created_at} className="break-keep">
                {formatDateTime(created_at)}
              </time>
              <span className="block text-muted sm:hidden">{c.states[state]}</span>
            </td>
            <td className="px-2 py-2.5 text-right font-mono whitespace-nowrap tabular-nums sm:px-4">
              {formatNumber(amount)} {t.coin}
            </td>
            <td className="px-4 py-2.5 font-mono max-md:hidden" translate="no" title={account}>
              {shorten(account, 10, 6)}
            </td>
            <td className={classes('px-4 py-2.5 max-sm:hidden', state !== 'done' && 'text-signal')}>
              {c.states[state]}
            </td>
            <td className="py-2.5 pr-5 pl-2 text-right sm:pl-4">
              <span className="flex flex-wrap items-center justify-end gap-x-3">
                <ReceiptButton id={receipt_id} of={formatDateTime(created_at)} />
                <TransactionLink hash={hash} none={t.claim.noLink} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
