import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { formatDate, formatNumber, formatSize } from '../../lib/format.ts'
import { pageNames } from '../../lib/page-names.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { signOut } from '../../lib/sign-out.ts'
import { actingTeam } from '../../lib/team.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { Badge, Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { downloadFile } from './download-file.ts'
import { planOf } from './plan.ts'
import { t } from './texts.ts'

const EmailDialog = lazy(async () => ({ default: (await import('./email-dialog.tsx')).EmailDialog }))
const LinkedServices = lazy(async () => ({
  default: (await import('../external-sign-in/linked-services.tsx')).LinkedServices,
}))
const ThirdPartyChoiceCard = lazy(async () => ({
  default: (await import('../third-party/choice-card.tsx')).ThirdPartyChoiceCard,
}))
const WalletsCard = lazy(async () => ({ default: (await import('../wallet/wallets-card.tsx')).WalletsCard }))

const REFRESH_MS = 30_000
/** Share of a quota from which its bar turns to the warning colour. */
const WARN_FROM = 0.9

/** Profile, quota, wallets, linked identities and security settings. */
export function AccountPage() {
  const title = usePageTitle()
  const role = useSession((session) => session.userinfo?.role)
  const info = useQuery({ ...query('accounts.info', {}), refetchInterval: REFRESH_MS })
  const points = useQuery({ ...query('rewards.state', {}), refetchInterval: REFRESH_MS })
  const size = useQuery({ ...query('usage.storageSize', {}), refetchInterval: REFRESH_MS })
  const [changing, setChanging] = useState(false)
  const team = actingTeam()
  return (
    <div className="mx-auto max-w-6xl">
      <PageTitle title={title} />
      {info.isPending ? (
        <Loading />
      ) : info.isError ? (
        <LoadFailed title={t.failed} error={info.error} onRetry={() => void info.refetch()} />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-[1.35fr_1fr]">
          <Card className="p-6">
            <h2 className="mb-4 text-lg font-semibold">{t.profile}</h2>
            <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
              <Fact name={t.email}>
                {info.data.user_email ? (
                  <>
                    <span className="wrap-anywhere" translate="no">
                      {info.data.user_email}
                    </span>
                    <CopyIcon text={info.data.user_email} label={t.copyEmail} />
                  </>
                ) : (
                  t.noEmail
                )}
                <Button className="ml-2 shrink-0" onClick={() => setChanging(true)}>
                  <span aria-hidden={info.data.user_email !== ''}>
                    {info.data.user_email ? t.mail.change : t.mail.add}
                  </span>
                  {info.data.user_email && <span className="sr-only">{t.mail.changeOf(info.data.user_email)}</span>}
                </Button>
              </Fact>
              <Fact name={t.accountId}>
                <span className="font-mono wrap-anywhere">{info.data.uuid}</span>
                <CopyIcon text={info.data.uuid} label={t.copyId} />
              </Fact>
              <Fact name={t.points}>
                {points.data && (
                  <span className="flex flex-wrap items-baseline gap-x-3">
                    {t.pointsOf(formatNumber(points.data.not_withdrawn), formatNumber(points.data.accumulated))}
                    <Link to="/testCoin" className="text-sm text-accent underline">
                      {t.redeem}
                    </Link>
                    <Link to="/devices" className="text-sm text-accent underline">
                      {t.earnings}
                    </Link>
                  </span>
                )}
              </Fact>
              <Fact name={t.since}>{formatDate(info.data.created_at)}</Fact>
            </dl>
          </Card>
          <Card className="p-6">
            <div className="mb-4 flex flex-wrap items-center gap-3">
              <h2 className="text-lg font-semibold">{t.plan}</h2>
              <Badge tone="accent">{t.plans[planOf({ vip: info.data.vip, ...(role && { role }) })]}</Badge>
              <Link to="/center" className="ml-auto inline-flex min-h-7 items-center text-sm text-accent underline">
                {t.toPlans}
              </Link>
            </div>
            {size.isPending ? (
              <Loading />
            ) : size.isError ? (
              <LoadFailed title={t.quotaFailed} error={size.error} onRetry={() => void size.refetch()} />
            ) : (
              <div className="grid gap-5">
                {team && (
                  <p className="text-sm text-muted" data-testid="usage-of-team">
                    {t.usageOfTeam(team.name)}
                  </p>
                )}
                <QuotaBar used={size.data.UsedSize} total={size.data.TotalSize} format={t.storageOf} />
                {size.data.VersionSize + size.data.TrashSize > 0 && (
                  <p className="-mt-3 text-sm text-muted" data-testid="free-quota">
                    {t.givesWay(formatSize(size.data.VersionSize), formatSize(size.data.TrashSize))}
                  </p>
                )}
                <QuotaBar used={size.data.UsedTraffic} total={size.data.TotalTraffic} format={t.outflowOf} />
                <p className="text-sm text-muted">
                  {t.counts(size.data.AssetCount, size.data.FolderCount)}{' '}
                  <Link to="/dashboard" className="text-accent underline">
                    {t.toDashboard}
                  </Link>
                </p>
              </div>
            )}
          </Card>
          <div className="lg:col-span-2">
            <Suspense
              fallback={
                <Card className="p-6">
                  <Loading />
                </Card>
              }
            >
              <WalletsCard />
            </Suspense>
          </div>
          <div className="empty:hidden lg:col-span-2">
            <Suspense>
              <LinkedServices />
            </Suspense>
          </div>
          <div className="lg:col-span-2">
            <Suspense
              fallback={
                <Card className="p-6">
                  <Loading />
                </Card>
              }
            >
              <ThirdPartyChoiceCard />
            </Suspense>
          </div>
          <Card className="p-6 lg:col-span-2">
            <h2 className="mb-2 text-lg font-semibold">{t.security}</h2>
            {info.data.user_email && (
              <Row title={t.passwordTitle} text={t.passwordText}>
                <Link to="/login" search={{ mode: 'reset' }} className={buttonClass()}>
                  {t.password}
                </Link>
              </Row>
            )}
            <Row title={pageNames.security} text={t.securityText}>
              <Link to="/security" className={buttonClass()}>
                {t.toSecurity}
              </Link>
            </Row>
            <Row title={pageNames.keys} text={t.keysText}>
              <Link to="/key" className={buttonClass()}>
                {t.keys}
              </Link>
            </Row>
            <Row title={t.session} text={t.signOut}>
              <Button onClick={() => void signOut()}>{shell.shell.signOut}</Button>
            </Row>
          </Card>

          <Card className="p-6 lg:col-span-2">
            <h2 className="mb-2 text-lg font-semibold">{t.data}</h2>
            <Row title={pageNames.activity} text={t.activityText}>
              <Link to="/activity" className={buttonClass()}>
                {t.toActivity}
              </Link>
            </Row>
            <Row title={pageNames.notifications} text={t.notificationsText}>
              <Link to="/notifications" className={buttonClass()}>
                {t.toNotifications}
              </Link>
            </Row>
            <Row title={pageNames.blockedFiles} text={t.blockedText}>
              <Link to="/blockedFiles" className={buttonClass()}>
                {t.toBlocked}
              </Link>
            </Row>
            <Row title={t.exportTitle} text={t.exportText}>
              <ExportButton />
            </Row>
            <Row title={pageNames.closeAccount} text={t.closeText}>
              <Link to="/closeAccount" className={buttonClass()}>
                {t.toClose}
              </Link>
            </Row>
          </Card>
        </div>
      )}
      {changing && info.data && (
        <Suspense>
          <EmailDialog current={info.data.user_email} onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </div>
  )
}

function ExportButton() {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    await downloadFile('accountExport.get', 'tidenet-account.json').catch(() => toast.error(t.exportFailed))
    setBusy(false)
  }
  return (
    <Button busy={busy} onClick={() => void save()}>
      {t.exportGo}
    </Button>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="flex min-h-9 items-center">{children}</dd>
    </div>
  )
}

function QuotaBar({
  used,
  total,
  format,
}: {
  used: number
  total: number
  format: (used: string, total: string) => string
}) {
  const text = format(formatSize(used), formatSize(total))
  return (
    <div>
      <p className="mb-2 tabular-nums">{text}</p>
      <ProgressBar
        label={text}
        tone={used >= total * WARN_FROM ? 'warn' : 'accent'}
        value={total > 0 ? Math.min(100, (used / total) * 100) : 0}
      />
    </div>
  )
}

function Row({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3.5 first-of-type:border-t-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="font-medium">{title}</h3>
        <p className="text-sm text-muted">{text}</p>
      </div>
      {children}
    </div>
  )
}
