import { lazy, type ReactNode, Suspense } from 'react'
import { ApiError, api } from '../../lib/api.ts'
import { proofOfShortLink, rememberProof, rememberShortLink, shortLinkKey } from '../../lib/opened-links.ts'
import { queries, useQuery } from '../../lib/queries.ts'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { ShareUnavailable, type UnavailableState, unavailableStateOf } from './share-unavailable.tsx'
import { t } from './texts.ts'

const EmailForm = lazy(async () => ({ default: (await import('./email-form.tsx')).EmailForm }))
const PasswordForm = lazy(async () => ({ default: (await import('./password-form.tsx')).PasswordForm }))

/** Error numbers handled here. */
const PASSWORD_NEEDED = 2059
const EMAIL_NEEDED = 2130
const LIMIT_REACHED = 2064

/** An opened short link. */
export interface OpenedLink {
  cid: string
  kind: 'file' | 'folder' | 'group'
  owner: string
  own: false
  shareToken: string
  /** What opened it; '' without a password. */
  password: string
}

/** A link by which visitors upload files, and see nothing. */
export interface UploadTarget {
  /** For the SDK's uploads. */
  ticket: string
  /** Of the folder. */
  name: string
  filesLeft: number
  bytesLeft: number
}

type State =
  | { state: 'open'; link: OpenedLink }
  | { state: 'upload'; target: UploadTarget }
  | { state: 'locked' }
  | { state: 'email' }
  | { state: UnavailableState }

async function open(token: string, password: string): Promise<State> {
  const proof = proofOfShortLink(token)
  const opened = await api('shortLinks.open', { token, password, ...(proof !== undefined && { proof }) })
  const { user_id: owner, ticket, cid, kind, name, upload } = opened
  if (kind === 'upload') {
    const { files_left: filesLeft, bytes_left: bytesLeft } = upload ?? { files_left: 0, bytes_left: 0 }
    return { state: 'upload', target: { ticket, name, filesLeft, bytesLeft } }
  }
  rememberShortLink(owner, token)
  return { state: 'open', link: { cid, kind, owner, own: false, shareToken: ticket, password } }
}

async function stateOf(token: string): Promise<State> {
  try {
    return await open(token, '')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.err === PASSWORD_NEEDED) return { state: 'locked' }
    if (error.err === EMAIL_NEEDED) return { state: 'email' }
    if (error.err === LIMIT_REACHED) return { state: 'linkUsedUp' }
    const closed = unavailableStateOf(error)
    if (closed) return { state: closed }
    throw error
  }
}

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
  })
  if (token === '') return around(<ShareUnavailable state="gone" />)
  if (access.isPending) return around(<Loading page label={t.states.opening} />)
  if (access.isError)
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
          const opened = await open(token, password)
          queries.setQueryData(key, (): State => opened)
        }}
      />
    </Suspense>,
  )
}
