import { useNavigate } from '@tanstack/react-router'
import type { EarningDispute } from '@tidenet/contract'
import { DOWNLOAD_RECEIPT_MIN } from '@tidenet/contract/constants'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime, formatPoints, formatSize } from '../../lib/format.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Panel } from '../../ui/dialog.tsx'
import { inputClass } from '../../ui/field.tsx'
import { ReceiptButton } from '../../ui/receipt-button.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { DisputeCard } from './disputes.tsx'
import { t } from './earnings-texts.ts'
import { deviceName } from './format.ts'
import { HourRow } from './hour-row.tsx'
import { Recompute } from './recompute.tsx'
import type { Statement } from './statement.ts'

const DAY_MS = 86_400_000
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** What one device earned on one day, hour by hour. */
export function StatementPanel({
  node,
  day = isoDay(Date.now()),
  disputes,
}: {
  node: string
  /** Default: today. */
  day?: string | undefined
  disputes: readonly EarningDispute[]
}) {
  const navigate = useNavigate()
  const state = useQuery({ ...query('earnings.statement', { node_id: node, day }), retry: false })
  const { data } = state
  const open = (next: string | undefined) =>
    void navigate({
      to: '/devices',
      search: next === undefined ? {} : { statement: node, day: next },
      replace: next !== undefined,
      resetScroll: false,
    })
  return (
    <Panel
      open
      wide
      onClose={() => open(undefined)}
      title={t.statementOf(deviceName({ node_id: node, name: data?.name ?? '' }))}
    >
      <DayChoice day={day} onDay={open} />
      {data ? (
        <Content
          key={`${node} ${day}`}
          statement={data}
          disputes={disputes.filter((each) => each.node_id === node && each.day === day)}
        />
      ) : state.isError ? (
        <LoadFailed title={t.statementFailed} error={state.error} onRetry={() => void state.refetch()} />
      ) : (
        <Loading />
      )}
    </Panel>
  )
}

function DayChoice({ day, onDay }: { day: string; onDay: (day: string) => void }) {
  const today = isoDay(Date.now())
  const at = Date.parse(day)
  return (
    <div className="mb-5 flex items-end gap-2">
      <label className="flex flex-col gap-1.5 text-sm font-medium">
        {t.day}
        <input
          type="date"
          className={inputClass}
          value={day}
          max={today}
          onChange={({ target: { value } }) => value && value <= today && onDay(value)}
        />
      </label>
      <IconButton label={t.previous} onClick={() => onDay(isoDay(at - DAY_MS))}>
        <ChevronLeft aria-hidden className="size-5" />
      </IconButton>
      <IconButton label={t.next} disabled={day >= today} onClick={() => onDay(isoDay(at + DAY_MS))}>
        <ChevronRight aria-hidden className="size-5" />
      </IconButton>
    </div>
  )
}

function Content({ statement, disputes }: { statement: Statement; disputes: readonly EarningDispute[] }) {
  const { day, traffic, storage, receipt, running, hours } = statement
  const open = running.traffic + running.storage
  if (hours.length === 0 && receipt === null && traffic + storage === 0)
    return (
      <div className="py-8 text-center">
        <p className="font-medium">{t.none}</p>
        <p className="text-sm text-muted">{t.noneText}</p>
      </div>
    )
  return (
    <div className="flex flex-col gap-8">
      <section>
        <h3 className="text-sm text-muted">{t.sum}</h3>
        <p className="mt-1 font-mono text-2xl tabular-nums">{formatPoints(traffic + storage)}</p>
        <p className="text-sm text-muted tabular-nums">
          {t.cause(t.traffic, formatPoints(traffic))} · {t.cause(t.storage, formatPoints(storage))}
        </p>
        {open > 0 && <p className="text-sm text-muted">{t.withRunning(formatPoints(open))}</p>}
        <p className="mt-2 text-sm">
          {receipt === null ? <span className="text-muted">{t.dayOpen}</span> : <ReceiptButton id={receipt} of={day} />}
        </p>
      </section>
      <Recompute statement={statement} isDisputed={disputes.some(({ closed_at }) => closed_at === null)} />
      {disputes.map((dispute) => (
        <DisputeCard key={dispute.id} dispute={dispute} />
      ))}
      <section>
        <h3 className="mb-2 font-semibold">{t.hours}</h3>
        {hours.length === 0 ? (
          <p className="text-sm text-muted">{t.onlySums}</p>
        ) : (
          <ol className="border-y border-line">
            {hours.map((hour) => (
              <HourRow key={hour.hour} hour={hour} />
            ))}
          </ol>
        )}
      </section>
      <Downloads statement={statement} />
    </div>
  )
}

const DOWNLOADS_STEP = 20

/** Receipts of the day's downloads. A former owner does not see them. */
function Downloads({ statement: { node_id, day } }: { statement: Statement }) {
  const [size, setSize] = useState(DOWNLOADS_STEP)
  const { data } = useQuery({
    ...query('earnings.downloads', { node_id, day, page: 1, size }),
    ...paged,
    retry: false,
  })
  if (!data) return null
  return (
    <section>
      <h3 className="font-semibold">{t.downloads}</h3>
      <p className="mb-2 text-sm text-muted">{t.downloadsText(formatSize(DOWNLOAD_RECEIPT_MIN))}</p>
      {data.total === 0 && <p className="text-sm">{t.noDownloads}</p>}
      <ul>
        {data.list.map(({ receipt, signed, issued_at }) => (
          <li key={receipt} className="flex flex-wrap items-center gap-x-4 text-sm tabular-nums">
            {formatSize(signed)} · {formatDateTime(issued_at)}
            <ReceiptButton id={receipt} of={formatDateTime(issued_at)} />
          </li>
        ))}
      </ul>
      {data.total > data.list.length && data.list.length === size && size < 100 && (
        <Button className="mt-2" onClick={() => setSize(Math.min(100, size + DOWNLOADS_STEP))}>
          {t.moreDownloads}
        </Button>
      )}
    </section>
  )
}
