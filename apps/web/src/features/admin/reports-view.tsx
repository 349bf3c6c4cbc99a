import type { ReportCase } from '@tidenet/contract'
import { Flag } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Panel } from '../../ui/dialog.tsx'
import { Badge, Empty, Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { t as abuse } from '../abuse/texts.ts'
import { t } from './abuse-texts.ts'
import { BlockDialog, LiftDialog, refreshBlocks } from './block-dialog.tsx'
import { type Column, Facts, Filters, List, SelectFilter, TextFilter } from './list.tsx'
import { NoteForm } from './note-form.tsx'
import { useAdminSearch, useSetSearch } from './search.ts'

const columns = (): Column<ReportCase>[] => [
  {
    title: t.target,
    cell: ({ cid, target, reports, decision, blocked }) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {reports[0] && abuse.categories[reports[0].category]}
          {decision && <Badge>{t.decision[decision]}</Badge>}
          {blocked && <Badge tone="warn">{t.blockedNow}</Badge>}
        </span>
        <span className="line-clamp-2 font-mono text-xs text-muted wrap-anywhere" translate="no">
          {cid || target}
        </span>
      </>
    ),
  },
  {
    title: t.count,
    className: 'text-right tabular-nums',
    cell: ({ count }) => formatNumber(count),
  },
  {
    title: t.came,
    className: 'tabular-nums whitespace-nowrap max-sm:hidden',
    cell: ({ created_at }) => formatDateTime(created_at),
  },
]

/** Reported contents; those that wait for a decision unless others are asked for. */
export function ReportsView() {
  const search = useAdminSearch()
  const set = useSetSearch()
  const closed = search.state === 'all' ? undefined : search.state === 'closed'
  const state = useQuery({
    ...query('admin.reports', {
      ...(closed !== undefined && { closed }),
      ...(search.q && { q: search.q }),
      ...(search.after && { after: search.after }),
    }),
    ...paged,
  })
  const open = state.data?.list.find(({ id }) => String(id) === search.open)
  return (
    <>
      <Filters names={['state', 'q']}>
        <SelectFilter
          name="state"
          label={t.state}
          none={t.open}
          options={[
            ['closed', t.closed],
            ['all', t.allStates],
          ]}
        />
        <TextFilter name="q" label={t.search} />
      </Filters>
      <List
        state={state}
        columns={columns()}
        keyOf={({ id }) => String(id)}
        nameOf={({ id }) => t.title(id)}
        onOpen={({ id }) => set({ open: String(id) })}
        {...(closed === false &&
          !search.q && {
            empty: (
              <Empty icon={<Flag aria-hidden className="size-6" />} title={t.emptyTitle}>
                {t.emptyText}
              </Empty>
            ),
          })}
      />
      {open && (
        <Panel open onClose={() => set({ open: undefined }, true)} title={t.title(open.id)}>
          <CaseDetails report={open} />
        </Panel>
      )}
    </>
  )
}

/** Everything here is of strangers: plain text, not even a link. */
function CaseDetails({ report }: { report: ReportCase }) {
  const [dialog, setDialog] = useState<'block' | 'lift'>()
  const [busy, setBusy] = useState(false)
  const { id, cid, target, known, blocked, kept_before, decision, closed_at, closed_by, count, reports, note } = report
  const category = reports[0]?.category ?? 'other'
  const change = async (what: { closed?: true; note?: string }) => {
    await api('admin.reportChange', { id, ...what })
    refreshBlocks()
  }
  const keep = async () => {
    setBusy(true)
    await change({ closed: true }).then(() => toast.success(t.kept), toast.error)
    setBusy(false)
  }
  return (
    <div className="flex flex-col gap-5">
      <Facts
        facts={[
          ...(cid ? [[t.content, <Copied key="cid" text={cid} label={t.cid} />] as const] : []),
          ...(target !== cid ? [[t.link, <Copied key="link" text={target} label={t.link} />] as const] : []),
          [t.came, formatDateTime(report.created_at)],
        ]}
      />
      {cid === '' && <Notice>{t.noContent}</Notice>}
      {cid !== '' && !known && <Notice>{t.unknown}</Notice>}
      {kept_before > 0 && <Notice>{t.keptBefore(kept_before)}</Notice>}
      {closed_at && decision && (
        <p className="text-sm text-muted wrap-anywhere">
          {t.decidedBy(t.decision[decision], closed_by, formatDateTime(closed_at))}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {cid !== '' &&
          (blocked ? (
            <Button onClick={() => setDialog('lift')}>{t.lift}</Button>
          ) : (
            <Button look="danger" onClick={() => setDialog('block')}>
              {t.block}
            </Button>
          ))}
        {!closed_at && (
          <Button busy={busy} title={t.keepText} onClick={() => void keep()}>
            {t.keep}
          </Button>
        )}
      </div>
      <section className="flex flex-col gap-3">
        {count > reports.length && <p className="text-sm text-muted">{t.shownOf(reports.length, count)}</p>}
        {reports.map((each) => (
          <div key={`${each.at} ${each.email} ${each.text}`} className="rounded-xl bg-sunken px-4 py-3">
            <p className="text-sm text-muted wrap-anywhere">
              {abuse.categories[each.category]} · {formatDateTime(each.at)} · {each.email || t.anonymous}
            </p>
            <p className="mt-1 whitespace-pre-wrap wrap-anywhere">
              <bdi>{each.text}</bdi>
            </p>
            {each.target !== target && each.target !== cid && (
              <p className="mt-1 font-mono text-xs text-muted wrap-anywhere" translate="no">
                {each.target}
              </p>
            )}
          </div>
        ))}
      </section>
      <NoteForm note={note} onSave={(text) => change({ note: text })} />
      {dialog === 'block' && (
        <BlockDialog
          cid={cid}
          category={category}
          reason={t.reasonOf(id, abuse.categories[category])}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'lift' && <LiftDialog cid={cid} onClose={() => setDialog(undefined)} />}
    </div>
  )
}

const Copied = ({ text, label }: { text: string; label: string }) => (
  <span className="flex items-start gap-1">
    <span className="min-w-0 font-mono text-xs wrap-anywhere" translate="no">
      {text}
    </span>
    <CopyIcon text={text} label={label} />
  </span>
)
