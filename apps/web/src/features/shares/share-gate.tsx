import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarX2, Gauge, LinkIcon, Lock, SearchX } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError, api, messageOf } from '../../lib/api.ts'
import { t } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'

/** Numbers of refusals that the gate knows how to meet. */
const NOT_FOUND = 1000
const EXPIRED = 2058
const PASSWORD_NEEDED = 2059

/** How a share stands towards this visitor. A share without a link has no ticket to give. */
export type Access = { state: 'open'; ticket?: string } | { state: 'gone' | 'expired' | 'spent' | 'locked' }

async function openShare(cid: string, owner: string, signal: AbortSignal): Promise<Access> {
  const status = await api('assets.status', { cid, username: owner }, { signal })
  if (!status.IsExist) return { state: 'gone' }
  if (status.IsExpiration) return { state: 'expired' }
  if (status.IsVisitOutOfLimit) return { state: 'spent' }
  try {
    const { ticket } = await api('shares.check', { cid, username: owner, password: '' }, { signal })
    return { state: 'open', ticket }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.err === PASSWORD_NEEDED) return { state: 'locked' }
    if (error.err === EXPIRED) return { state: 'expired' }
    if (error.err === NOT_FOUND) return { state: 'open' }
    throw error
  }
}

interface ShareGateProps {
  cid: string | undefined
  owner: string | undefined
  children: (access: { cid: string; owner: string; ticket?: string }) => ReactNode
}

/** Finds out whether a share may be seen, asks for its password, and says why when it may not. */
export function ShareGate({ cid, owner, children }: ShareGateProps) {
  if (!cid || !owner)
    return (
      <Closed icon={<LinkIcon aria-hidden className="size-6" />} title={t.shares.invalidTitle}>
        {t.shares.invalidText}
      </Closed>
    )
  return (
    <Gate cid={cid} owner={owner}>
      {children}
    </Gate>
  )
}

function Gate({ cid, owner, children }: { cid: string; owner: string } & Pick<ShareGateProps, 'children'>) {
  const client = useQueryClient()
  const key = ['share', cid, owner]
  const access = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => openShare(cid, owner, signal),
    staleTime: 30 * 60_000,
  })
  if (access.isPending) return <Loading label={t.shares.loading} />
  if (access.isError)
    return <LoadFailed title={t.shares.goneTitle} error={access.error} onRetry={() => void access.refetch()} />
  const { data } = access
  switch (data.state) {
    case 'open':
      return children({ cid, owner, ...(data.ticket && { ticket: data.ticket }) })
    case 'locked':
      return (
        <PasswordForm
          cid={cid}
          owner={owner}
          onTicket={(ticket) => client.setQueryData(key, (): Access => ({ state: 'open', ticket }))}
        />
      )
    case 'expired':
      return (
        <Closed icon={<CalendarX2 aria-hidden className="size-6" />} title={t.shares.expiredTitle}>
          {t.shares.expiredText}
        </Closed>
      )
    case 'spent':
      return (
        <Closed icon={<Gauge aria-hidden className="size-6" />} title={t.shares.spentTitle}>
          {t.shares.spentText}
        </Closed>
      )
    case 'gone':
      return <Gone />
  }
}

export function Gone() {
  return (
    <Closed icon={<SearchX aria-hidden className="size-6" />} title={t.shares.goneTitle}>
      {t.shares.goneText}
    </Closed>
  )
}

function Closed({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <Card>
      <h1 className="sr-only">{title}</h1>
      <Empty icon={icon} title={title}>
        {children}
      </Empty>
    </Card>
  )
}

function PasswordForm({ cid, owner, onTicket }: { cid: string; owner: string; onTicket: (ticket: string) => void }) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      onTicket((await api('shares.check', { cid, username: owner, password })).ticket)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card className="p-6 sm:p-8">
      <Lock aria-hidden className="mb-3 size-7 text-accent" />
      <h1 className="text-xl font-semibold">{t.shares.passwordTitle}</h1>
      <p className="mt-1 mb-5 text-muted">{t.shares.passwordText}</p>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        <Field label={t.shares.password} error={problem}>
          <PasswordInput
            autoFocus
            autoComplete="off"
            maxLength={6}
            value={password}
            onChange={(event) => {
              setPassword(event.target.value)
              setProblem(undefined)
            }}
          />
        </Field>
        <Button look="primary" type="submit" busy={busy} disabled={password === ''} className="self-start">
          {t.shares.open}
        </Button>
      </form>
    </Card>
  )
}
