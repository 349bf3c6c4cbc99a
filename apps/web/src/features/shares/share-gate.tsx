import { lazy, type ReactNode, Suspense } from 'react'
import { ApiError, api } from '../../lib/api.ts'
import { isShortLink, shortLinkKey, tokenOfShortLink } from '../../lib/opened-links.ts'
import { queries, useQuery } from '../../lib/queries.ts'
import { useStorageAccount } from '../../lib/team.ts'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { ShareUnavailable, type UnavailableState, unavailableStateOf } from './share-unavailable.tsx'
import { t } from './texts.ts'

const PasswordForm = lazy(async () => ({ default: (await import('./password-form.tsx')).PasswordForm }))

/** Error numbers handled here. */
const NOT_FOUND = 1000
const PASSWORD_NEEDED = 2059

/** Access of this visitor to a share. A folder's files need no share token if it has no link. */
type AccessState =
  | { state: 'open'; shareToken?: string; password?: string }
  | { state: 'locked' }
  | { state: UnavailableState }

/** Granted access to a share. `own`: the visitor owns it and needs no share token. `owner` of a short link stands for the account. */
export interface ShareAccess {
  cid: string
  owner: string
  own: boolean
  shareToken?: string
  /** What opened it, if it has one. */
  password?: string
}

/** @param password what opened it before: its token lasts an hour, and is then renewed without asking again */
async function openShare(cid: string, owner: string, password: string, signal: AbortSignal): Promise<AccessState> {
  // In parallel: each request costs a round trip.
  const asked = { cid, username: owner }
  const opened = api('shares.check', { ...asked, password }, { signal })
  opened.catch(() => undefined)
  const status = await api('assets.status', asked, { signal })
  if (!status.IsExist) return { state: 'gone' }
  if (status.IsExpiration) return { state: 'expired' }
  if (status.IsVisitOutOfLimit) return { state: 'limitReached' }
  try {
    const { ticket } = await opened
    return { state: 'open', ...(ticket && { shareToken: ticket }), ...(password && { password }) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.err === PASSWORD_NEEDED) return { state: 'locked' }
    if (error.err === NOT_FOUND) return { state: 'gone' }
    const closed = unavailableStateOf(error)
    if (closed) return { state: closed }
    // Its owner may have changed the password.
    if (error.kind === 'refused' && password !== '') return openShare(cid, owner, '', signal)
    throw error
  }
}

const keyOf = (cid: string, owner: string) => ['share', cid, owner] as const

interface ShareGateProps {
  /** A CID or folder number. */
  cid: string | undefined
  owner: string | undefined
  /** Wraps what is shown instead of the share. */
  around?: (inside: ReactNode) => ReactNode
  children: (access: ShareAccess) => ReactNode
}

/** Checks access to a share, asks for its access password, or explains why it is unavailable. */
export function ShareGate({ cid, owner, around = (inside) => inside, children }: ShareGateProps) {
  const me = useStorageAccount()
  if (!cid || !owner) return around(<ShareUnavailable state="incomplete" />)
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
    queryFn: ({ signal }) => {
      const before = queries.getQueryData<AccessState>(key)
      return openShare(cid, owner, (before?.state === 'open' && before.password) || '', signal)
    },
    // A share token is valid for an hour.
    staleTime: 50 * 60_000,
    gcTime: 60 * 60_000,
    refetchOnWindowFocus: false,
  })
  if (access.isPending) return around(<Loading page label={t.states.opening} />)
  if (access.isError)
    return around(<LoadFailed title={t.states.failed} error={access.error} onRetry={() => void access.refetch()} />)
  const { data } = access
  if (data.state === 'open') {
    const { shareToken, password } = data
    return children({ cid, owner, own: false, ...(shareToken && { shareToken }), ...(password && { password }) })
  }
  if (data.state === 'locked')
    return around(
      <Suspense fallback={<Loading page label={t.states.opening} />}>
        <PasswordForm
          onSubmit={async (password) => {
            const { ticket } = await api('shares.check', { cid, username: owner, password })
            queries.setQueryData(key, (): AccessState => ({ state: 'open', shareToken: ticket, password }))
          }}
        />
      </Suspense>,
    )
  return around(<ShareUnavailable state={data.state} />)
}

/** Renews access after an error that says that the share token expired or the terms changed. What is shown stays if nothing is asked. */
export function useReopen(cid: string, owner: string): (error: unknown) => void {
  return (error) => {
    if (error instanceof ApiError && error.err === PASSWORD_NEEDED)
      void queries.refetchQueries(
        { queryKey: isShortLink(owner) ? shortLinkKey(tokenOfShortLink(owner)) : keyOf(cid, owner) },
        { cancelRefetch: false },
      )
  }
}
