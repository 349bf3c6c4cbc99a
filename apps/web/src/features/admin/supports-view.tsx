import type { AdminSupport, TraceDetail } from '@tidenet/contract'
import { slowNodes } from '@tidenet/contract/slow-nodes'
import { LifeBuoy } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime, formatSize, formatSpeed } from '../../lib/format.ts'
import { paged, query, refresh, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/dialog.tsx'
import { Badge, Empty } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { type Column, Facts, Filters, List, SelectFilter, TextFilter } from './list.tsx'
import { NoteForm } from './note-form.tsx'
import { useAdminSearch, useSetSearch } from './search.ts'
import { t } from './texts.ts'

const nameOf = ({ trace }: AdminSupport): string => trace.name || trace.cid || trace.trace_id
const senderOf = ({ email, uid }: AdminSupport): string => email || uid || t.supports.visitor
const kindOf = ({ trace }: AdminSupport): string =>
  `${trace.transfer_type === 'upload' ? t.supports.upload : t.supports.download} · ${t.supports.states[trace.state] ?? trace.state}`

const columns = (): Column<AdminSupport>[] => [
  {
    title: t.supports.transfer,
    cell: (support) => (
      <>
        <span translate="no" className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
          <bdi>{nameOf(support)}</bdi>
          {support.closed_at && <Badge>{t.supports.closed}</Badge>}
        </span>
        <span className="block text-xs text-muted wrap-anywhere">
          {kindOf(support)} · {senderOf(support)}
        </span>
        <span className="mt-1 line-clamp-2 text-xs text-muted wrap-anywhere md:hidden">{support.text}</span>
      </>
    ),
  },
  {
    title: t.supports.text,
    className: 'w-1/2 max-md:hidden',
    cell: (support) => <bdi className="line-clamp-2 wrap-anywhere text-muted">{support.text || t.supports.noText}</bdi>,
  },
  {
    title: t.supports.came,
    className: 'tabular-nums whitespace-nowrap max-sm:hidden',
    cell: (support) => formatDateTime(support.created_at),
  },
]

/** Transfers that users sent to support, newest first. */
export function SupportsView() {
  const search = useAdminSearch()
  const set = useSetSearch()
  const closed = search.state === 'open' ? false : search.state === 'closed' ? true : undefined
  const state = useQuery({
    ...query('admin.supports', {
      ...(search.q && { q: search.q }),
      ...(closed !== undefined && { closed }),
      ...(search.after && { after: search.after }),
    }),
    ...paged,
  })
  const open = state.data?.list.find((support) => String(support.id) === search.open)
  return (
    <>
      <Filters names={['q', 'state']}>
        <TextFilter name="q" label={t.supports.search} />
        <SelectFilter
          name="state"
          label={t.supports.state}
          options={[
            ['open', t.supports.open],
            ['closed', t.supports.closed],
          ]}
        />
      </Filters>
      <List
        state={state}
        columns={columns()}
        keyOf={(support) => String(support.id)}
        nameOf={nameOf}
        onOpen={(support) => set({ open: String(support.id) })}
        {...(!search.q &&
          closed !== true && {
            empty: (
              <Empty icon={<LifeBuoy aria-hidden className="size-6" />} title={t.supports.emptyTitle}>
                {t.supports.emptyText}
              </Empty>
            ),
          })}
      />
      {open && (
        <Panel open onClose={() => set({ open: undefined }, true)} title={nameOf(open)}>
          <SupportDetails support={open} />
        </Panel>
      )}
    </>
  )
}

/** Everything a user sent is shown as plain text. */
function SupportDetails({ support }: { support: AdminSupport }) {
  const [busy, setBusy] = useState(false)
  const s = t.supports
  const { trace } = support
  const change = async (what: { closed?: boolean; note?: string }) => {
    await api('admin.supportChange', { id: support.id, ...what })
    refresh('admin.supports', 'admin.audit')
  }
  const toggle = async () => {
    setBusy(true)
    await change({ closed: support.closed_at === null }).then(() => toast.success(t.saved), toast.error)
    setBusy(false)
  }
  const details = trace.details as TraceDetail[]
  const slow = slowNodes(details)
  const failures = details.filter(({ error }) => error !== '')
  return (
    <div className="flex flex-col gap-5">
      <p className="rounded-xl bg-sunken px-4 py-3 whitespace-pre-wrap wrap-anywhere">
        <bdi>{support.text || s.noText}</bdi>
      </p>
      <Facts
        facts={[
          [s.transfer, kindOf(support)],
          [s.sender, senderOf(support)],
          [s.came, formatDateTime(support.created_at)],
          [s.traceId, trace.trace_id],
          [s.cid, trace.cid || '–'],
          [s.started, formatDateTime(trace.created_at)],
          [s.size, formatSize(trace.total_size)],
          [s.duration, `${(trace.cost_ms / 1000).toFixed(1)} s`],
          [s.speed, trace.rate > 0 ? formatSpeed(trace.rate) : '–'],
          ...(slow.length > 0
            ? [[s.slow, slow.map(({ node_id, ms }) => `${node_id} (${(ms / 1000).toFixed(1)} s)`).join(', ')] as const]
            : []),
        ]}
      />
      <div>
        <p className="text-sm text-muted">{s.attempts(details.length)}</p>
        {failures.length > 0 && (
          <ul className="mt-1 max-h-60 overflow-y-auto font-mono text-xs leading-5">
            {failures.map((detail, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of the attempts does not change
              <li key={index} className="wrap-anywhere">
                {detail.node_id}: {detail.status_code || '–'} <bdi>{detail.error}</bdi>
              </li>
            ))}
          </ul>
        )}
      </div>
      {trace.log && (
        <div>
          <p className="text-sm text-muted">{s.log}</p>
          <pre className="mt-1 max-h-60 overflow-y-auto rounded-xl bg-sunken px-4 py-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere">
            <bdi>{trace.log}</bdi>
          </pre>
        </div>
      )}
      {support.closed_at && (
        <p className="text-sm text-muted wrap-anywhere">
          {s.closedBy(support.closed_by, formatDateTime(support.closed_at))}
        </p>
      )}
      <div>
        <Button look={support.closed_at ? 'secondary' : 'primary'} busy={busy} onClick={() => void toggle()}>
          {support.closed_at ? s.reopen : s.close}
        </Button>
      </div>
      <NoteForm note={support.note} onSave={(note) => change({ note })} />
    </div>
  )
}
