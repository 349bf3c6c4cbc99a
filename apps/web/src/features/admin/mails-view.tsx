import type { AdminMail } from '@tidenet/contract'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { paged, query, refresh, useQuery } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { type Column, Filters, List, SelectFilter, TextFilter } from './list.tsx'
import { choiceOf, useAdminSearch } from './search.ts'
import { t } from './texts.ts'

const STATES = ['waiting', 'sent', 'refused'] as const
const REFRESH_MS = 15_000

function State({ mail }: { mail: AdminMail }) {
  const bad = mail.state === 'refused' || mail.error !== ''
  return (
    <Badge tone={bad ? 'warn' : mail.state === 'waiting' ? 'accent' : 'plain'}>
      {mail.state === 'waiting' && bad ? t.mails.failing : t.mails.states[mail.state]}
    </Badge>
  )
}

const columns = (): Column<AdminMail>[] => [
  {
    title: t.mails.recipient,
    cell: (mail) => (
      <>
        <span translate="no" className="block wrap-anywhere">
          {mail.recipient}
        </span>
        <span translate="no" className="block text-xs text-muted wrap-anywhere lg:hidden">
          {mail.subject}
        </span>
        {mail.error && <span className="mt-0.5 block text-xs text-warn wrap-anywhere">{mail.error}</span>}
        <span className="-ml-3.5 block sm:hidden">{mail.has_text && <Resend mail={mail} />}</span>
      </>
    ),
  },
  {
    title: t.mails.subject,
    className: 'max-lg:hidden',
    cell: (mail) => (
      <span translate="no" className="wrap-anywhere text-muted">
        {mail.subject}
      </span>
    ),
  },
  { title: t.mails.state, cell: (mail) => <State mail={mail} /> },
  {
    title: t.mails.written,
    className: 'tabular-nums whitespace-nowrap max-md:hidden',
    cell: (mail) => formatDateTime(mail.created_at),
  },
  { title: t.mails.resend, className: 'w-px text-right max-sm:hidden', cell: (mail) => <Resend mail={mail} /> },
]

function Resend({ mail }: { mail: AdminMail }) {
  const [busy, setBusy] = useState(false)
  if (!mail.has_text) return <span className="text-xs whitespace-nowrap text-muted">{t.mails.textGone}</span>
  const resend = async () => {
    setBusy(true)
    await api('admin.mailResend', { id: mail.id }).then(() => toast.success(t.mails.resent), toast.error)
    refresh('admin.mails', 'admin.overview', 'admin.audit')
    setBusy(false)
  }
  return (
    <Button
      look="ghost"
      busy={busy}
      aria-label={t.mails.resendOf(mail.recipient)}
      className="-my-1 whitespace-nowrap"
      onClick={() => void resend()}
    >
      {t.mails.resend}
    </Button>
  )
}

/** Mails of the last 30 days, newest first. */
export function MailsView() {
  const search = useAdminSearch()
  const mailState = choiceOf(search.state, STATES)
  const state = useQuery({
    ...query('admin.mails', {
      ...(search.q && { q: search.q }),
      ...(mailState && { state: mailState }),
      ...(search.after && { after: search.after }),
    }),
    ...paged,
    refetchInterval: REFRESH_MS,
  })
  return (
    <>
      <Filters names={['q', 'state']}>
        <TextFilter name="q" label={t.mails.search} />
        <SelectFilter
          name="state"
          label={t.mails.state}
          options={STATES.map((each) => [each, t.mails.states[each]] as const)}
        />
      </Filters>
      <List state={state} columns={columns()} keyOf={(mail) => String(mail.id)} nameOf={(mail) => mail.recipient} />
    </>
  )
}
