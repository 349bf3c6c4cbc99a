import type { AdminLead } from '@tidenet/contract'
import { LEAD_KINDS } from '@tidenet/contract/api/leads'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { paged, query, refresh, useQuery } from '../../lib/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/dialog.tsx'
import { Badge, Empty } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { type Column, Facts, Filters, List, SelectFilter, TextFilter } from './list.tsx'
import { NoteForm } from './note-form.tsx'
import { choiceOf, useAdminSearch, useSetSearch } from './search.ts'
import { t } from './texts.ts'

const kinds = LEAD_KINDS

const columns = (): Column<AdminLead>[] => [
  {
    title: t.leads.who,
    cell: (lead) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
          {lead.name}
          {lead.handled_at && <Badge>{t.leads.handled}</Badge>}
        </span>
        <span translate="no" className="block text-xs text-muted wrap-anywhere">
          {lead.email}
        </span>
        <span className="mt-1 line-clamp-2 text-xs text-muted wrap-anywhere md:hidden">
          {`${t.leads.kinds[lead.kind]} · ${lead.text}`}
        </span>
      </>
    ),
  },
  {
    title: t.leads.kind,
    className: 'whitespace-nowrap max-md:hidden',
    cell: (lead) => t.leads.kinds[lead.kind],
  },
  {
    title: t.leads.text,
    className: 'w-1/2 max-md:hidden',
    cell: (lead) => <span className="line-clamp-2 wrap-anywhere text-muted">{lead.text}</span>,
  },
  {
    title: t.leads.came,
    className: 'tabular-nums whitespace-nowrap max-sm:hidden',
    cell: (lead) => formatDateTime(lead.created_at),
  },
]

/** Contact requests, newest first. */
export function LeadsView() {
  const search = useAdminSearch()
  const set = useSetSearch()
  const kind = choiceOf(search.kind, kinds)
  const handled = search.state === 'open' ? false : search.state === 'handled' ? true : undefined
  const state = useQuery({
    ...query('admin.leads', {
      ...(search.q && { q: search.q }),
      ...(kind && { kind }),
      ...(handled !== undefined && { handled }),
      ...(search.after && { after: search.after }),
    }),
    ...paged,
  })
  const open = state.data?.list.find((lead) => String(lead.id) === search.open)
  const unfiltered = !search.q && !kind && handled !== true
  return (
    <>
      <Filters names={['q', 'kind', 'state']}>
        <TextFilter name="q" label={t.leads.search} />
        <SelectFilter
          name="kind"
          label={t.leads.kind}
          options={kinds.map((each) => [each, t.leads.kinds[each]] as const)}
        />
        <SelectFilter
          name="state"
          label={t.leads.state}
          options={[
            ['open', t.leads.open],
            ['handled', t.leads.handled],
          ]}
        />
      </Filters>
      <List
        state={state}
        columns={columns()}
        keyOf={(lead) => String(lead.id)}
        nameOf={(lead) => lead.name}
        onOpen={(lead) => set({ open: String(lead.id) })}
        {...(unfiltered && {
          empty: (
            <Empty icon={<Inbox aria-hidden className="size-6" />} title={t.leads.emptyTitle}>
              {t.leads.emptyText}
            </Empty>
          ),
        })}
      />
      {open && (
        <Panel open onClose={() => set({ open: undefined }, true)} title={open.name}>
          <LeadDetails lead={open} />
        </Panel>
      )}
    </>
  )
}

function LeadDetails({ lead }: { lead: AdminLead }) {
  const [busy, setBusy] = useState(false)
  const l = t.leads
  const change = async (what: { handled?: boolean; note?: string }) => {
    await api('admin.leadChange', { id: lead.id, ...what })
    refresh('admin.leads', 'admin.overview', 'admin.audit')
  }
  const toggle = async () => {
    setBusy(true)
    await change({ handled: lead.handled_at === null }).then(() => toast.success(t.saved), toast.error)
    setBusy(false)
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="rounded-xl bg-sunken px-4 py-3 whitespace-pre-wrap wrap-anywhere">{lead.text}</p>
      <Facts
        facts={[
          [l.kind, l.kinds[lead.kind]],
          [l.email, lead.email],
          ...(lead.organisation ? [[l.organisation, lead.organisation] as const] : []),
          [l.language, l.languages[lead.lang] ?? lead.lang],
          [l.came, formatDateTime(lead.created_at)],
        ]}
      />
      {lead.handled_at && (
        <p className="text-sm text-muted wrap-anywhere">
          {l.handledBy(lead.handled_by, formatDateTime(lead.handled_at))}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button look={lead.handled_at ? 'secondary' : 'primary'} busy={busy} onClick={() => void toggle()}>
          {lead.handled_at ? l.reopen : l.handle}
        </Button>
        <a href={`mailto:${encodeURIComponent(lead.email)}`} className={buttonClass()}>
          {l.answer}
        </a>
      </div>
      <NoteForm note={lead.note} onSave={(note) => change({ note })} />
    </div>
  )
}
