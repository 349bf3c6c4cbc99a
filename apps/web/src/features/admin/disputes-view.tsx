import type { AdminDispute, EarnedAmounts } from '@tidenet/contract'
import { Scale } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime, formatPoints, formatUtcHour } from '../../lib/format.ts'
import { paged, query, refresh, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/dialog.tsx'
import { Badge, Empty } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { type Column, Facts, Filters, List, SelectFilter } from './list.tsx'
import { NoteForm } from './note-form.tsx'
import { useAdminSearch, useSetSearch } from './search.ts'
import { t } from './texts.ts'

const senderOf = ({ email, uid }: AdminDispute): string => email || uid || t.disputes.gone
const nameOf = ({ node_id, day }: AdminDispute): string => `${node_id}, ${day}`
const sumOf = ({ traffic, storage }: EarnedAmounts): string => formatPoints(traffic + storage)
const causes = ({ traffic, storage }: EarnedAmounts): string =>
  t.disputes.causes(formatPoints(traffic), formatPoints(storage))

const columns = (): Column<AdminDispute>[] => [
  {
    title: t.disputes.day,
    cell: (dispute) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {dispute.day}
          {dispute.closed_at && <Badge>{t.disputes.closed}</Badge>}
        </span>
        <span className="block text-xs text-muted wrap-anywhere">{senderOf(dispute)}</span>
        <span className="block font-mono text-xs text-muted wrap-anywhere" translate="no">
          {dispute.node_id}
        </span>
      </>
    ),
  },
  {
    title: t.disputes.results,
    className: 'tabular-nums max-sm:hidden',
    cell: ({ stated, computed }) => `${sumOf(stated)} / ${sumOf(computed)}`,
  },
  {
    title: t.disputes.came,
    className: 'tabular-nums whitespace-nowrap max-sm:hidden',
    cell: (dispute) => formatDateTime(dispute.created_at),
  },
]

/** Days whose earnings an owner computed differently, newest first. */
export function DisputesView() {
  const search = useAdminSearch()
  const set = useSetSearch()
  const closed = search.state === 'open' ? false : search.state === 'closed' ? true : undefined
  const state = useQuery({
    ...query('admin.disputes', {
      ...(closed !== undefined && { closed }),
      ...(search.after && { after: search.after }),
    }),
    ...paged,
  })
  const open = state.data?.list.find((dispute) => String(dispute.id) === search.open)
  return (
    <>
      <Filters names={['state']}>
        <SelectFilter
          name="state"
          label={t.disputes.state}
          options={[
            ['open', t.disputes.open],
            ['closed', t.disputes.closed],
          ]}
        />
      </Filters>
      <List
        state={state}
        columns={columns()}
        keyOf={(dispute) => String(dispute.id)}
        nameOf={nameOf}
        onOpen={(dispute) => set({ open: String(dispute.id) })}
        {...(closed !== true && {
          empty: (
            <Empty icon={<Scale aria-hidden className="size-6" />} title={t.disputes.emptyTitle}>
              {t.disputes.emptyText}
            </Empty>
          ),
        })}
      />
      {open && (
        <Panel open onClose={() => set({ open: undefined }, true)} title={t.disputes.title(open.day)}>
          <DisputeDetails dispute={open} />
        </Panel>
      )}
    </>
  )
}

/** Everything an owner sent is shown as plain text. */
function DisputeDetails({ dispute }: { dispute: AdminDispute }) {
  const [busy, setBusy] = useState(false)
  const d = t.disputes
  const change = async (what: { closed?: boolean; note?: string }) => {
    await api('admin.disputeChange', { id: dispute.id, ...what })
    refresh('admin.disputes', 'admin.audit')
  }
  const toggle = async () => {
    setBusy(true)
    await change({ closed: dispute.closed_at === null }).then(() => toast.success(t.saved), toast.error)
    setBusy(false)
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="rounded-xl bg-sunken px-4 py-3 whitespace-pre-wrap wrap-anywhere">
        <bdi>{dispute.text || d.noText}</bdi>
      </p>
      <Facts
        facts={[
          [d.sender, senderOf(dispute)],
          [d.node, dispute.node_id],
          [d.came, formatDateTime(dispute.created_at)],
          [d.stated, causes(dispute.stated)],
          [d.computed, causes(dispute.computed)],
        ]}
      />
      {dispute.hours.length > 0 && (
        <details className="text-sm">
          <summary className="cursor-pointer text-muted">{d.hours}</summary>
          <ul className="mt-1 max-h-60 overflow-y-auto font-mono text-xs leading-5">
            {dispute.hours.map(({ hour, ...amounts }) => (
              <li key={hour}>
                {formatUtcHour(hour)} UTC: {sumOf(amounts)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {dispute.closed_at && (
        <p className="text-sm text-muted wrap-anywhere">
          {d.closedBy(dispute.closed_by, formatDateTime(dispute.closed_at))}
        </p>
      )}
      <NoteForm note={dispute.note} hint={d.noteHint} onSave={(note) => change({ note })} />
      <div>
        <Button look={dispute.closed_at ? 'secondary' : 'primary'} busy={busy} onClick={() => void toggle()}>
          {dispute.closed_at ? d.reopen : d.close}
        </Button>
      </div>
    </div>
  )
}
