import { Lock } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { ApiError, api, messageOf } from '../../lib/api.ts'
import { formatDuration } from '../../lib/phrases.ts'
import { queries, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { Closed, type ClosedState, closedBy } from './closed.tsx'
import { t } from './texts.ts'

/** Numbers of refusals that the gate meets itself. */
const NOT_FOUND = 1000
const PASSWORD_NEEDED = 2059

/** How a share stands towards this visitor. What is shared without a link has no ticket to give. */
type Access = { state: 'open'; ticket?: string } | { state: 'locked' } | { state: ClosedState }

/** What the gate lets through. `own`: it is the owner who looks, to whom nothing is shut. */
export interface Admitted {
  cid: string
  owner: string
  own: boolean
  ticket?: string
}

async function openShare(cid: string, owner: string, signal: AbortSignal): Promise<Access> {
  const status = await api('assets.status', { cid, username: owner }, { signal })
  if (!status.IsExist) return { state: 'gone' }
  if (status.IsExpiration) return { state: 'expired' }
  if (status.IsVisitOutOfLimit) return { state: 'spent' }
  try {
    const { ticket } = await api('shares.check', { cid, username: owner, password: '' }, { signal })
    return { state: 'open', ...(ticket && { ticket }) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.err === PASSWORD_NEEDED) return { state: 'locked' }
    if (error.err === NOT_FOUND) return { state: 'gone' }
    const closed = closedBy(error)
    if (closed) return { state: closed }
    throw error
  }
}

const keyOf = (cid: string, owner: string) => ['share', cid, owner] as const

interface ShareGateProps {
  /** A CID, or the number of a folder. */
  cid: string | undefined
  owner: string | undefined
  /** Put around what stands there instead of the share. */
  around?: (inside: ReactNode) => ReactNode
  children: (admitted: Admitted) => ReactNode
}

/** Finds out whether a share may be seen, asks for its password, and says why when it may not. */
export function ShareGate({ cid, owner, around = (inside) => inside, children }: ShareGateProps) {
  const me = useSession((session) => session.address)
  if (!cid || !owner) return around(<Closed state="incomplete" />)
  if (me === owner) return children({ cid, owner, own: true })
  return (
    <Gate cid={cid} owner={owner} around={around}>
      {children}
    </Gate>
  )
}

type GateProps = Required<Pick<ShareGateProps, 'around' | 'children'>> & { cid: string; owner: string }

function Gate({ cid, owner, around, children }: GateProps) {
  const key = keyOf(cid, owner)
  const access = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => openShare(cid, owner, signal),
    // A ticket opens for an hour.
    staleTime: 50 * 60_000,
    gcTime: 60 * 60_000,
    refetchOnWindowFocus: false,
  })
  if (access.isPending) return around(<Loading page label={t.states.opening} />)
  if (access.isError)
    return around(<LoadFailed title={t.states.failed} error={access.error} onRetry={() => void access.refetch()} />)
  const { data } = access
  if (data.state === 'open') return children({ cid, owner, own: false, ...(data.ticket && { ticket: data.ticket }) })
  if (data.state === 'locked')
    return around(
      <PasswordForm
        cid={cid}
        owner={owner}
        onTicket={(ticket) => queries.setQueryData(key, (): Access => ({ state: 'open', ticket }))}
      />,
    )
  return around(<Closed state={data.state} />)
}

/** A ticket that has run out, or terms that changed: the gate looks again. */
export function useReopen(cid: string, owner: string): (error: unknown) => void {
  return (error) => {
    if (error instanceof ApiError && error.err === PASSWORD_NEEDED)
      void queries.resetQueries({ queryKey: keyOf(cid, owner) })
  }
}

function PasswordForm({ cid, owner, onTicket }: { cid: string; owner: string; onTicket: (ticket: string) => void }) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [until, setUntil] = useState(0)
  const left = useSecondsLeft(until)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (password === '' || left > 0) return
    setBusy(true)
    try {
      onTicket((await api('shares.check', { cid, username: owner, password })).ticket)
    } catch (error) {
      const seconds = error instanceof ApiError && (error.data as { seconds?: number } | undefined)?.seconds
      if (seconds) setUntil(Date.now() + seconds * 1000)
      setProblem(seconds ? undefined : messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const locked = left > 0 ? t.password.locked(formatDuration(left * 1000)) : undefined
  return (
    <Card className="mx-auto max-w-xl p-6 sm:p-8">
      <Lock aria-hidden className="mb-3 size-7 text-accent" />
      <h1 className="text-xl font-semibold">{t.password.title}</h1>
      <p className="mt-1 mb-5 text-muted">{t.password.text}</p>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        <Field label={t.password.label} error={locked ?? problem}>
          <PasswordInput
            autoFocus
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={6}
            value={password}
            onChange={(event) => {
              setPassword(event.target.value)
              setProblem(undefined)
            }}
          />
        </Field>
        <Button look="primary" type="submit" busy={busy} disabled={password === '' || left > 0} className="self-start">
          {t.password.open}
        </Button>
        <span className="sr-only" role="status">
          {locked ? shell.errors.tooMany : ''}
        </span>
      </form>
    </Card>
  )
}

/** Counts down to a moment, in whole seconds. @param until unix ms */
function useSecondsLeft(until: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (until <= Date.now()) return
    setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= until) clearInterval(timer)
    }, 500)
    return () => clearInterval(timer)
  }, [until])
  return Math.max(0, Math.ceil((until - now) / 1000))
}
