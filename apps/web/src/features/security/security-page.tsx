import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { useRecentAuth } from '../recent-auth/recent-auth.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { RecoveryDialog } from './recovery-dialog.tsx'
import { RecoverySection } from './recovery-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SignInsSection } from './sign-ins-section.tsx'
import { t } from './texts.ts'
import { TotpSection } from './totp-section.tsx'

const VaultSection = lazy(async () => ({ default: (await import('../vault/vault-section.tsx')).VaultSection }))

/** Sign-in methods, sessions and recent sign-ins. */
export function SecurityPage() {
  const title = usePageTitle()
  const overview = useQuery(query('secondFactors.overview', {}))
  const { withRecentAuth, dialog } = useRecentAuth()
  const [codes, setCodes] = useState<readonly string[]>([])
  return (
    <div className="mx-auto max-w-6xl">
      <PageTitle title={title} intro={t.intro} />
      {overview.isPending ? (
        <Loading />
      ) : overview.isError ? (
        <LoadFailed title={t.failed} error={overview.error} onRetry={() => void overview.refetch()} />
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <div className="grid gap-6">
            <PasskeysSection overview={overview.data} withRecentAuth={withRecentAuth} onCodes={setCodes} />
            {overview.data.email && (
              <Card className="p-6">
                <div className="flex flex-wrap items-start justify-between gap-3">
                  <div className="min-w-0 flex-1 basis-56">
                    <h2 className="text-lg font-semibold">{t.password.title}</h2>
                    <p className="mt-1 text-sm text-muted">
                      {overview.data.password ? t.password.set : t.password.none}
                    </p>
                  </div>
                  <Link to="/login" search={{ mode: 'reset' }} className={buttonClass()}>
                    {overview.data.password ? t.password.change : t.password.make}
                  </Link>
                </div>
              </Card>
            )}
          </div>
          <div className="grid gap-6">
            <TotpSection overview={overview.data} withRecentAuth={withRecentAuth} onCodes={setCodes} />
            <RecoverySection overview={overview.data} withRecentAuth={withRecentAuth} onCodes={setCodes} />
            <Suspense fallback={<Loading />}>
              <VaultSection withRecentAuth={withRecentAuth} />
            </Suspense>
          </div>
          <div className="grid min-w-0 gap-6 lg:col-span-2">
            <SessionsSection />
            <SignInsSection />
          </div>
        </div>
      )}
      {dialog}
      {codes.length > 0 && <RecoveryDialog codes={codes} onClose={() => setCodes([])} />}
    </div>
  )
}
