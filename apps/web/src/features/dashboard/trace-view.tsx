import { Link } from '@tanstack/react-router'
import type { TraceDetail } from '@tidenet/contract'
import { DOWNLOAD_RECEIPT_MIN } from '@tidenet/contract/constants'
import { TRACE } from '@tidenet/contract/storage-enums'
import { ArrowLeft } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { formatDateTime, formatSize, formatSpeed } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { shorten } from '../../lib/phrases.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { CopyIcon } from '../../ui/copy.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { ReceiptButton } from '../../ui/receipt-button.tsx'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { SlowNodes } from './slow-nodes.tsx'
import { t } from './texts.ts'
import { formatTook, StateBadge } from './transfers-card.tsx'
import { Waterfall } from './waterfall.tsx'

// The dashboard shares this chunk, and needs no form fields.
const SupportForm = lazy(async () => ({ default: (await import('./support-form.tsx')).SupportForm }))

/** A transfer with all attempts at all nodes. */
export function TraceView({ id }: { id: string }) {
  usePageTitle(t.traceTitle)
  const trace = useQuery({
    ...query('traces.get', { trace_id: id }),
    refetchInterval: ({ state }) => (state.data?.state === TRACE.open ? 2000 : false),
  })
  return (
    <>
      <Link to="/dashboard" className="mb-4 inline-flex min-h-8 items-center gap-2 text-sm text-muted hover:text-text">
        <ArrowLeft aria-hidden className="size-4" />
        {t.back}
      </Link>
      <PageTitle title={t.traceTitle} intro={t.traceIntro} />
      {trace.isPending ? (
        <Loading />
      ) : trace.isError ? (
        <LoadFailed title={t.notFound} error={trace.error} onRetry={() => void trace.refetch()} />
      ) : (
        <div className="flex flex-col gap-5">
          <Card className="p-5">
            <div className="flex flex-wrap items-center gap-3">
              <h2 className="min-w-0 text-lg font-semibold wrap-anywhere" translate="no">
                {trace.data.name || trace.data.cid || id}
              </h2>
              <StateBadge state={trace.data.state} />
            </div>
            <p className="mt-1 flex items-center gap-1 font-mono text-sm text-muted">
              <span className="break-all">{id}</span>
              <CopyIcon text={id} label={t.copyTrace} />
            </p>
            <dl className="mt-4 grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-6">
              <Fact name={trace.data.transfer_type === 'upload' ? t.upload : t.download}>
                {formatSize(trace.data.total_size)}
              </Fact>
              <Fact name={t.started}>{formatDateTime(trace.data.created_at)}</Fact>
              <Fact name={t.time}>{formatTook(trace.data.cost_ms)}</Fact>
              <Fact name={t.firstByte}>
                {trace.data.first_byte_time > 0 ? formatTook(trace.data.first_byte_time) : '–'}
              </Fact>
              <Fact name={t.speed}>{trace.data.rate > 0 ? formatSpeed(trace.data.rate) : '–'}</Fact>
              <Fact name={t.byNodes} note={t.byNodesNote}>
                {formatSize(trace.data.node_bytes)}
              </Fact>
            </dl>
            <SlowNodes details={trace.data.details as TraceDetail[]} names={trace.data.names} />
          </Card>
          <Card className="p-5">
            <h2 className="font-semibold">{t.waterfall}</h2>
            {trace.data.details.length === 0 ? (
              <p className="mt-3 text-muted">{t.noTries}</p>
            ) : (
              <Waterfall details={trace.data.details as TraceDetail[]} names={trace.data.names} />
            )}
          </Card>
          {trace.data.transfer_type === 'download' && (
            <Card className="p-5">
              <h2 className="font-semibold">{t.receipts}</h2>
              <p className="mt-1 text-muted">{t.receiptsText(formatSize(DOWNLOAD_RECEIPT_MIN))}</p>
              {trace.data.receipts.length === 0 ? (
                <p className="mt-3">{t.noReceipts}</p>
              ) : (
                <ul className="mt-3 flex flex-col gap-2">
                  {trace.data.receipts.map(({ receipt, node_id, signed }) => (
                    <li key={receipt} className="flex flex-wrap items-center gap-x-4 tabular-nums">
                      <span className="min-w-0 wrap-anywhere">
                        {trace.data.names[node_id] ?? shorten(node_id, 10, 6)}
                      </span>
                      {formatSize(signed)}
                      <ReceiptButton id={receipt} of={node_id} />
                    </li>
                  ))}
                </ul>
              )}
            </Card>
          )}
          {trace.data.log && (
            <Card className="p-5">
              <h2 className="font-semibold">{t.log}</h2>
              <p className="mt-2 font-mono text-sm break-all whitespace-pre-wrap" translate="no">
                {trace.data.log}
              </p>
            </Card>
          )}
          <Suspense>
            <SupportForm traceId={id} sent={trace.data.support} />
          </Suspense>
        </div>
      )}
    </>
  )
}

function Fact({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted" title={note}>
        {name}
      </dt>
      <dd className="font-mono tabular-nums">{children}</dd>
    </div>
  )
}
