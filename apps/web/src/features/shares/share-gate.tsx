import { lazy, type ReactNode, Suspense } from 'react'
import { ApiError, api } from '../../lib/api.ts'
import { queries, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { Closed, type ClosedState, closedBy } from './closed.tsx'
import { t } from './texts.ts'

const PasswordForm = lazy(async () => ({ default: (await import('./password-form.tsx')).PasswordForm }))

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
  // Both at once: on a slow line each is a wait of its own.
  const asked = { cid, username: owner }
  const opened = api('shares.check', { ...asked, password: '' }, { signal })
  opened.catch(() => undefined)
  const status = await api('assets.status', asked, { signal })
  if (!status.IsExist) return { state: 'gone' }
  if (status.IsExpiration) return { state: 'expired' }
  if (status.IsVisitOutOfLimit) return { state: 'spent' }
  try {
    const { ticket } = await opened
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
      <Suspense fallback={<Loading page label={t.states.opening} />}>
        <PasswordForm
          cid={cid}
          owner={owner}
          onTicket={(ticket) => queries.setQueryData(key, (): Access => ({ state: 'open', ticket }))}
        />
      </Suspense>,
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
