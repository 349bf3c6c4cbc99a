import { Link } from '@tanstack/react-router'
import { TRACE } from '@tidenet/contract/storage-enums'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime, formatNumber, formatSize, formatSpeed } from '../../lib/format.ts'
import { formatDuration } from '../../lib/phrases.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { t } from './texts.ts'

const SIZE = 10
const REFRESH_MS = 15_000

/** Below ten seconds in milliseconds, longer durations in words. */
export const formatTook = (ms: number): string => (ms < 10_000 ? `${formatNumber(ms)} ms` : formatDuration(ms))

export function StateBadge({ state }: { state: number }) {
  return (
    <Badge tone={state === TRACE.failed ? 'warn' : state === TRACE.open ? 'accent' : 'plain'}>{t.state[state]}</Badge>
  )
}

/** The latest transfers; each links to its trace. */
export function Transfers() {
  const [page, setPage] = useState(1)
  const list = useQuery({
    ...query('traces.list', { page, page_size: SIZE }),
    ...paged,
    refetchInterval: page === 1 ? REFRESH_MS : false,
  })
  const pages = Math.ceil((list.data?.total ?? 0) / SIZE)
  return (
    <section aria-labelledby="transfers" className="flex flex-col gap-3">
      <h2 id="transfers" className="text-lg font-semibold">
        {t.transfers}
      </h2>
      <Card className="overflow-hidden">
        {list.isPending ? (
          <Loading />
        ) : list.isError ? (
          <LoadFailed title={t.transfersFailed} error={list.error} onRetry={() => void list.refetch()} />
        ) : list.data.list.length === 0 ? (
          <p className="px-5 py-8 text-center text-muted">{t.transfersNone}</p>
        ) : (
          <ul>
            {list.data.list.map((trace) => {
              const up = trace.transfer_type === 'upload'
              const Icon = up ? ArrowUp : ArrowDown
              return (
                <li key={trace.trace_id} className="relative border-b border-line last:border-b-0 hover:bg-sunken/60">
                  <div className="grid grid-cols-[1.5rem_1fr_auto] items-center gap-x-3 px-5 py-3 lg:grid-cols-[1.5rem_2fr_1fr_1fr_1fr_7rem]">
                    <Icon aria-hidden className={up ? 'size-4 text-series-4' : 'size-4 text-series-1'} />
                    <div className="min-w-0">
                      <Link
                        to="/dashboard"
                        search={{ trace: trace.trace_id }}
                        className="block truncate font-medium after:absolute after:inset-0"
                        translate="no"
                        aria-label={t.details(trace.name || trace.cid)}
                      >
                        {trace.name || trace.cid || trace.trace_id}
                      </Link>
                      <p className="text-sm text-muted">
                        {up ? t.upload : t.download} · {formatDateTime(trace.created_at)}
                        <span className="lg:hidden"> · {formatSize(trace.total_size)}</span>
                      </p>
                    </div>
                    <span className="hidden font-mono text-sm tabular-nums lg:block">
                      {formatSize(trace.total_size)}
                    </span>
                    <span className="hidden font-mono text-sm tabular-nums lg:block">{formatTook(trace.cost_ms)}</span>
                    <span className="hidden font-mono text-sm tabular-nums lg:block">
                      {trace.rate > 0 ? formatSpeed(trace.rate) : '–'}
                    </span>
                    <span className="justify-self-end">
                      <StateBadge state={trace.state} />
                    </span>
                  </div>
                </li>
              )
            })}
          </ul>
        )}
      </Card>
      {pages > 1 && (
        <div className="flex justify-end gap-2">
          <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t.newer}
          </Button>
          <Button disabled={page >= pages} onClick={() => setPage(page + 1)}>
            {t.older}
          </Button>
        </div>
      )}
    </section>
  )
}
