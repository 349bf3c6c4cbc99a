import { Link } from '@tanstack/react-router'
import type { AuditRow } from '@tidenet/contract'
import { AUDIT_ACTIONS, AUDIT_RESULTS, type AuditAction } from '@tidenet/contract/audit-actions'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { startOfDay } from '../../lib/local-day.ts'
import { paged, query, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/dialog.tsx'
import { Badge } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { downloadAudit } from './download-audit.ts'
import { type Column, DateFilter, Facts, Filters, List, SelectFilter, TextFilter } from './list.tsx'
import { type AdminSearch, choiceOf, useAdminSearch, useSetSearch } from './search.ts'
import { t } from './texts.ts'

/** Falls back to the name in the API for actions without a text. */
const actionName = (action: string): string => t.audit.actions[action as AuditAction] ?? action
const actorName = (row: AuditRow): string => (row.via === 'system' ? t.audit.system : row.actor)

const columns = (): Column<AuditRow>[] => [
  {
    title: t.audit.time,
    className: 'tabular-nums whitespace-nowrap max-md:hidden',
    cell: (row) => formatDateTime(row.at),
  },
  {
    title: t.audit.action,
    cell: (row) => (
      <>
        <span className="flex flex-wrap items-center gap-2">
          {actionName(row.action)}
          {row.result === 'refused' && <Badge tone="warn">{t.audit.results.refused}</Badge>}
        </span>
        <span className="block font-mono text-xs text-muted wrap-anywhere">{row.subject}</span>
        <span className="block text-xs text-muted tabular-nums md:hidden">{formatDateTime(row.at)}</span>
      </>
    ),
  },
  {
    title: t.audit.actor,
    cell: (row) => (
      <>
        <span className="block font-mono text-xs leading-5 wrap-anywhere">{actorName(row)}</span>
        {row.via !== 'system' && <span className="block text-xs text-muted">{t.audit.via[row.via]}</span>}
      </>
    ),
  },
  {
    title: t.audit.ip,
    className: 'max-lg:hidden',
    cell: (row) => <Mono text={row.ip || '–'} />,
  },
]

function filterOf(search: AdminSearch) {
  const action = choiceOf(search.action, AUDIT_ACTIONS)
  const result = choiceOf(search.result, AUDIT_RESULTS)
  const from = startOfDay(search.from)
  const to = startOfDay(search.to, 1)
  return {
    ...(action && { action }),
    ...(search.actor && { actor: search.actor.slice(0, 80) }),
    ...(search.subject && { subject: search.subject.slice(0, 300) }),
    ...(result && { result }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

/** The audit log, newest first. */
export function AuditView() {
  const search = useAdminSearch()
  const set = useSetSearch()
  const [busy, setBusy] = useState(false)
  const filter = filterOf(search)
  const state = useQuery({
    ...query('admin.audit', { ...filter, ...(search.after && { after: search.after }) }),
    ...paged,
  })
  const open = state.data?.list.find((row) => String(row.id) === search.open)
  const download = async () => {
    setBusy(true)
    await downloadAudit(filter).catch(() => toast.error(t.audit.csvFailed))
    setBusy(false)
  }
  return (
    <>
      <Filters names={['action', 'actor', 'subject', 'result', 'from', 'to']}>
        <SelectFilter
          name="action"
          label={t.audit.action}
          options={AUDIT_ACTIONS.map((each) => [each, actionName(each)] as const)}
        />
        <SelectFilter
          name="result"
          label={t.audit.result}
          options={AUDIT_RESULTS.map((each) => [each, t.audit.results[each]] as const)}
        />
        <DateFilter name="from" label={t.audit.from} />
        <DateFilter name="to" label={t.audit.to} />
        <TextFilter name="actor" label={t.audit.actor} hint={t.audit.actorHint} />
        <TextFilter name="subject" label={t.audit.subject} hint={t.audit.subjectHint} />
        <Button
          className="self-end max-sm:col-span-2 sm:ml-auto"
          icon={<Download aria-hidden className="size-4" />}
          busy={busy}
          onClick={() => void download()}
        >
          {t.audit.csv}
        </Button>
      </Filters>
      <List
        state={state}
        columns={columns()}
        keyOf={(row) => String(row.id)}
        nameOf={(row) => t.audit.entry(row.id)}
        onOpen={(row) => set({ open: String(row.id) })}
      />
      {open && (
        <Panel open onClose={() => set({ open: undefined }, true)} title={actionName(open.action)}>
          <Facts
            facts={[
              [t.audit.time, formatDateTime(open.at)],
              [t.audit.actor, <Mono key="actor" text={actorName(open)} />],
              [t.audit.viaLabel, t.audit.via[open.via]],
              [t.audit.credential, <Mono key="credential" text={open.credential || '–'} />],
              [t.audit.ip, <Mono key="ip" text={open.ip || '–'} />],
              [t.audit.subject, <Mono key="subject" text={open.subject} />],
              [t.audit.result, t.audit.results[open.result]],
            ]}
          />
          <p className="mt-4 flex flex-wrap gap-x-5 text-sm">
            {open.subject.startsWith('user:') && <ToAccount uid={open.subject.slice(5)}>{t.audit.toAccount}</ToAccount>}
            {open.actor && open.subject !== `user:${open.actor}` && (
              <ToAccount uid={open.actor}>{t.audit.toActor}</ToAccount>
            )}
          </p>
          <h3 className="mt-5 mb-2 text-sm font-medium">{t.audit.detail}</h3>
          <pre className="rounded-xl bg-sunken px-4 py-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere">
            {JSON.stringify(open.detail, null, 2)}
          </pre>
        </Panel>
      )}
    </>
  )
}

const ToAccount = ({ uid, children }: { uid: string; children: string }) => (
  <Link
    to="/admin"
    search={{ view: 'users', open: uid } as never}
    className="inline-flex min-h-7 items-center text-accent underline"
  >
    {children}
  </Link>
)

const Mono = ({ text }: { text: string }) => <span className="font-mono text-xs leading-5 wrap-anywhere">{text}</span>
