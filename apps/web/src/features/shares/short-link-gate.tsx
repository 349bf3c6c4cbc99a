import { lazy, type ReactNode, Suspense } from 'react'
import { rememberProof, shortLinkKey } from '../../lib/opened-links.ts'
import { queries, useQuery } from '../../lib/queries.ts'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { ShareUnavailable } from './share-unavailable.tsx'
import { type OpenedLink, openWithPassword, stateOf, type UploadTarget } from './short-link-opening.ts'
import { t } from './texts.ts'

const EmailForm = lazy(async () => ({ default: (await import('./email-form.tsx')).EmailForm }))
const PasswordForm = lazy(async () => ({ default: (await import('./password-form.tsx')).PasswordForm }))

interface ShortLinkGateProps {
  token: string | undefined
  /** Wraps what is shown instead of the share. */
  around?: (inside: ReactNode) => ReactNode
  children: (link: OpenedLink) => ReactNode
  /** What is shown for a link that receives files; without it, such a link is unavailable here. */
  uploads?: (target: UploadTarget) => ReactNode
}

/** Opens a short link, asks for its access password, or explains why it is unavailable. */
export function ShortLinkGate({ token = '', around = (inside) => inside, children, uploads }: ShortLinkGateProps) {
  const key = shortLinkKey(token)
  const access = useQuery({
    queryKey: key,
    queryFn: () => stateOf(token),
    enabled: token !== '',
    // A share token is valid for an hour.
    staleTime: ({ state }) => (state.data?.state === 'open' ? 50 * 60_000 : 0),
    gcTime: 60 * 60_000,
    refetchOnWindowFocus: false,
    // Uploads open the link again when they need to; its page must not change under them.
    refetchOnReconnect: ({ state }) => state.data?.state !== 'upload',
  })
  if (token === '') return around(<ShareUnavailable state="gone" />)
  if (access.isPending) return around(<Loading page label={t.states.opening} />)
  // What is open stays open if it cannot be loaded again.
  if (!access.data)
    return around(<LoadFailed title={t.states.failed} error={access.error} onRetry={() => void access.refetch()} />)
  const { data } = access
  if (data.state === 'open') return children(data.link)
  if (data.state === 'upload') return uploads ? uploads(data.target) : around(<ShareUnavailable state="gone" />)
  if (data.state === 'email')
    return around(
      <Suspense fallback={<Loading page label={t.states.opening} />}>
        <EmailForm
          token={token}
          onProven={async (proof) => {
            rememberProof(token, proof)
            const next = await stateOf(token)
            // The address may not open the link (any more); the form does not say more.
            if (next.state === 'email') throw new Error(t.email.refused)
            queries.setQueryData(key, next)
          }}
        />
      </Suspense>,
    )
  if (data.state !== 'locked') return around(<ShareUnavailable state={data.state} />)
  return around(
    <Suspense fallback={<Loading page label={t.states.opening} />}>
      <PasswordForm
        onSubmit={async (password) => {
          queries.setQueryData(key, await openWithPassword(token, password))
        }}
      />
    </Suspense>,
  )
}
