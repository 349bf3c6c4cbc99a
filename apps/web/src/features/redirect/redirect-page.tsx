import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowUpRight, CircleSlash, ShieldAlert } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { linkTo } from '../../lib/link.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Page } from '../../ui/page.tsx'
import { Card, Loading } from '../../ui/states.tsx'
import { openSupport } from '../feedback/support.ts'
import { checkOutbound, type Verdict } from './outbound.ts'
import { t } from './texts.ts'

/** Interstitial for external links; nodes also redirect here with an error code. */
export function RedirectPage() {
  const { url, errCode } = useSearch({ from: '/site/redirect' })
  return (
    <Page width="narrow">{errCode !== undefined ? <Refused code={String(errCode)} /> : <Outbound text={url} />}</Page>
  )
}

/** Explains an error of a node or the server, by its code. */
function Refused({ code }: { code: string }) {
  const signedIn = useSession((session) => session.address !== '')
  const known = /^\d{3,5}$/.test(code)
  const [title, text] = (known && t.errors[code]) || [t.unknown, t.unknownText]
  usePageTitle(title)
  return (
    <Box icon={<CircleSlash aria-hidden className="size-6" />} title={title} text={text}>
      {known && <p className="font-mono text-sm text-muted">{t.number(code)}</p>}
      <Buttons>
        {code === '401' ? (
          <Link to="/login" className={buttonClass('primary')}>
            {t.errors['401']?.[0]}
          </Link>
        ) : signedIn ? (
          <Link to="/fileStorage" className={buttonClass('primary')}>
            {t.files}
          </Link>
        ) : (
          <Link to="/" className={buttonClass('primary')}>
            {t.home}
          </Link>
        )}
        <GoBack />
        <Button look="ghost" onClick={() => openSupport('support')}>
          {t.support}
        </Button>
      </Buttons>
    </Box>
  )
}

function Outbound({ text }: { text: string | undefined }) {
  const settings = useQuery({ ...query('portal.settings', {}), staleTime: 5 * 60_000 })
  const [known, setKnown] = useState<readonly string[]>()
  const [origin, setOrigin] = useState<string>()
  useEffect(() => {
    setOrigin(location.origin)
    // External URLs that the portal links to; none if the list fails to load.
    Promise.all([import('../company/ecology-entries.ts'), import('../wallet/install.ts')]).then(
      ([{ entries }, { extensions }]) => setKnown([...entries, ...extensions].map(({ site }) => site)),
      () => setKnown([]),
    )
  }, [])
  if (!origin || !known || settings.isPending) return <Loading />
  const verdict = checkOutbound(text, { origin, known, hosts: settings.data?.outbound_hosts ?? [] })
  return <Judged verdict={verdict} />
}

function Judged({ verdict }: { verdict: Verdict }) {
  const navigate = useNavigate()
  const inside = verdict.kind === 'inside' ? verdict.href : undefined
  const outside = verdict.kind === 'allowed' ? verdict.url : undefined
  useEffect(() => {
    if (inside !== undefined) void navigate({ ...linkTo(inside), replace: true })
  }, [inside, navigate])
  useEffect(() => {
    if (outside !== undefined) location.replace(outside)
  }, [outside])
  usePageTitle(verdict.kind === 'refused' ? t.refused : t.leaving)
  if (verdict.kind === 'inside') return <Loading />
  if (verdict.kind === 'refused')
    return (
      <Box icon={<ShieldAlert aria-hidden className="size-6" />} title={t.refused} text={t.why[verdict.why]}>
        {verdict.text && <Address host={verdict.host} text={verdict.text} />}
        <Buttons>
          <GoBack primary />
          <Link to="/" className={buttonClass('secondary')}>
            {t.home}
          </Link>
          {verdict.why === 'host' && <CopyButton text={verdict.text}>{t.copy}</CopyButton>}
        </Buttons>
      </Box>
    )
  const allowed = verdict.kind === 'allowed'
  return (
    <Box
      icon={<ArrowUpRight aria-hidden className="size-6" />}
      title={allowed ? t.going(verdict.host) : t.leaving}
      text={allowed ? t.goingText : t.leavingText}
    >
      <Address host={verdict.host} text={verdict.url} />
      <Buttons>
        <a href={verdict.url} rel="noreferrer" className={buttonClass('primary')}>
          {t.go(verdict.host)}
        </a>
        <GoBack />
      </Buttons>
    </Box>
  )
}

function Box({ icon, title, text, children }: { icon: ReactNode; title: string; text: string; children: ReactNode }) {
  return (
    <Card className="flex flex-col items-start gap-3 p-6 sm:p-8">
      <span className="flex size-12 items-center justify-center rounded-xl bg-sunken text-muted">{icon}</span>
      <h1 className="mt-2 text-xl font-semibold wrap-anywhere">{title}</h1>
      <p className="text-muted">{text}</p>
      {children}
    </Card>
  )
}

const Buttons = ({ children }: { children: ReactNode }) => <div className="mt-3 flex flex-wrap gap-2">{children}</div>

function GoBack({ primary = false }: { primary?: boolean }) {
  return (
    <Button look={primary ? 'primary' : 'secondary'} onClick={() => history.back()}>
      {t.back}
    </Button>
  )
}

/** Shows a URL as text, not as a link. */
function Address({ host, text }: { host: string | undefined; text: string }) {
  return (
    <dl className="flex w-full flex-col gap-3">
      {host && (
        <div>
          <dt className="text-sm text-muted">{t.host}</dt>
          <dd className="font-medium wrap-anywhere">{host}</dd>
        </div>
      )}
      <div>
        <dt className="text-sm text-muted">{t.address}</dt>
        <dd className="mt-1 rounded-lg border border-line bg-sunken px-3 py-2 font-mono text-[0.8125rem] break-all">
          {text.slice(0, 1000)}
        </dd>
      </div>
    </dl>
  )
}
