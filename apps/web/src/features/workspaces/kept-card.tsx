import type { ConsoleWorkspace } from '@tidenet/contract'
import { Archive, RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateTime, formatSize } from '../../lib/format.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/states.tsx'
import { TimeLeft } from '../../ui/time-left.tsx'
import { t } from './kept-texts.ts'
import { programOf } from './state.tsx'

type Kept = NonNullable<ConsoleWorkspace['kept']>

/** A workspace whose order has ended: what is kept of it, for how long, and how to restore it. */
export function KeptCard({ space: { workloads }, kept }: { space: ConsoleWorkspace; kept: Kept }) {
  return (
    <Card className="mb-5 border-warn p-5 sm:p-6">
      <h2 className="flex items-start gap-2.5 font-medium">
        <Archive aria-hidden className="mt-0.5 size-5 shrink-0 text-warn" />
        {t.title}
      </h2>
      <p className="mt-2 max-w-2xl text-sm text-muted">{t.text}</p>
      <dl className="mt-4 grid gap-x-8 gap-y-3 text-sm sm:grid-cols-3">
        <Fact name={t.since}>{formatDateTime(kept.since)}</Fact>
        <Fact name={t.until}>{formatDateTime(kept.until)}</Fact>
        <Fact name={t.left}>
          <TimeLeft to={kept.until} />
        </Fact>
      </dl>
      <a
        href={`/mycenter?${new URLSearchParams({ tab: '1', order: kept.order })}`}
        className={buttonClass('primary', 'mt-5')}
      >
        <RotateCcw aria-hidden className="size-4" />
        {t.restore}
      </a>
      {workloads.length > 0 && (
        <div className="mt-6 border-t border-line pt-4 text-sm">
          <h3 className="font-medium">{t.what}</h3>
          <ul className="mt-2 grid gap-1.5">
            {workloads.map((workload) => {
              const disk = kept.disks.find(({ id }) => id === workload.id)
              return (
                <li key={workload.id} className="flex flex-wrap gap-x-3">
                  <span className="font-medium wrap-anywhere">{workload.name}</span>
                  <span className="text-muted wrap-anywhere" translate="no">
                    {programOf(workload)}
                  </span>
                  <span className="text-muted">{disk ? t.disk(formatSize(disk.bytes)) : t.unmeasured}</span>
                </li>
              )
            })}
          </ul>
          <div className="mt-3 grid max-w-2xl gap-1 text-muted">
            <p>{t.settings}</p>
            <p>{t.not}</p>
            <p>{t.files}</p>
            <p>{t.one}</p>
          </div>
        </div>
      )}
    </Card>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-muted">{name}</dt>
    <dd className="mt-0.5 tabular-nums">{children}</dd>
  </div>
)

/** As `KeptCard`, in the list of workspaces. */
export const KeptLine = ({ until }: { until: string }) => (
  <p className="flex items-start gap-2 text-sm">
    <Archive aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
    {t.line(formatDateTime(until))}
  </p>
)
