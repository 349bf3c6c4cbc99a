import { Link } from '@tanstack/react-router'
import { FREE_API_KEYS, VIP_API_KEYS } from '@tidenet/contract/constants'
import { KeyRound, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import type { Key, NewKey } from './key.ts'
import { KeyRow } from './key-row.tsx'
import { RemovedKeys } from './removed-keys.tsx'
import { t } from './texts.ts'
import { UsageExamples } from './usage-examples.tsx'

const KeyDialog = lazy(async () => ({ default: (await import('./key-dialog.tsx')).KeyDialog }))
const NewKeyDialog = lazy(async () => ({ default: (await import('./new-key-dialog.tsx')).NewKeyDialog }))
const S3Usage = lazy(async () => ({ default: (await import('./s3-access.tsx')).S3Usage }))
const RotateDialog = lazy(async () => ({ default: (await import('./rotate-dialog.tsx')).RotateDialog }))

const REFRESH_MS = 30_000

/** API keys: permissions, limits and last use; creating, editing, rotating and revoking. */
export function KeysPage() {
  const title = usePageTitle(t.page.title)
  const keys = useQuery({ ...query('apiKeys.list', {}), refetchInterval: REFRESH_MS })
  const limit = useSession((session) => (session.userinfo?.vip ? VIP_API_KEYS : FREE_API_KEYS))
  const [dialog, setDialog] = useState<{ form: 'create' } | { form: 'edit' | 'rotate'; apiKey: Key }>()
  const [created, setCreated] = useState<NewKey>()
  const close = () => setDialog(undefined)
  const count = keys.data?.list.length ?? 0
  return (
    <div className="mx-auto max-w-6xl">
      <PageTitle
        title={title}
        intro={t.intro}
        actions={
          <Button
            look="primary"
            icon={<Plus aria-hidden className="size-4" />}
            disabled={count >= limit}
            onClick={() => setDialog({ form: 'create' })}
          >
            {t.page.create}
          </Button>
        }
      />
      {keys.isPending ? (
        <Loading />
      ) : keys.isError ? (
        <LoadFailed title={t.page.failed} error={keys.error} onRetry={() => void keys.refetch()} />
      ) : count === 0 ? (
        <>
          <NoKeys />
          <RemovedKeys keys={keys.data.removed} />
        </>
      ) : (
        <div className="grid items-start gap-6 xl:grid-cols-[1fr_26rem]">
          <div>
            <p className="mb-2 text-sm text-muted">{count >= limit ? t.full(limit) : t.countOf(count, limit)}</p>
            <Card>
              <ul>
                {keys.data.list.map((key) => (
                  <KeyRow
                    key={key.name}
                    apiKey={key}
                    onEdit={() => setDialog({ form: 'edit', apiKey: key })}
                    onRotate={() => setDialog({ form: 'rotate', apiKey: key })}
                  />
                ))}
              </ul>
            </Card>
            <p className="mt-2 text-sm text-muted">{t.never}</p>
            <RemovedKeys keys={keys.data.removed} />
          </div>
          <section aria-labelledby="use-key" className="xl:pt-8">
            <h2 id="use-key" className="text-lg font-semibold">
              {t.useTitle}
            </h2>
            <p className="mt-1 mb-4 text-sm text-muted">{t.useText}</p>
            <UsageExamples />
            <Suspense fallback={null}>
              <S3Usage />
            </Suspense>
            <ToExamples />
          </section>
        </div>
      )}
      <Suspense fallback={null}>
        {dialog?.form === 'rotate' ? (
          <RotateDialog apiKey={dialog.apiKey} onClose={close} onRotated={setCreated} />
        ) : (
          dialog && (
            <KeyDialog
              apiKey={dialog.form === 'edit' ? dialog.apiKey : undefined}
              onClose={close}
              onCreated={setCreated}
            />
          )
        )}
        {created && <NewKeyDialog created={created} onClose={() => setCreated(undefined)} />}
      </Suspense>
    </div>
  )
}

const linkClass = 'inline-flex min-h-7 items-center text-sm text-accent underline'

/** @param withS3 false where the configuration of S3 clients is shown, with its link */
const ToExamples = ({ withS3 = false }) => (
  <p className="mt-4 flex flex-wrap gap-x-5 gap-y-1">
    <Link to="/docs/start" className={linkClass}>
      {t.start}
    </Link>
    <Link to="/developer" className={linkClass}>
      {t.more}
    </Link>
    <Link to="/docs/start" hash="agents" className={linkClass}>
      {t.agents}
    </Link>
    {withS3 && (
      <Link to="/docs/s3" className={linkClass}>
        {t.s3}
      </Link>
    )}
  </p>
)

/** Shown without keys: what a key is for, with examples. */
function NoKeys() {
  return (
    <Card className="grid gap-x-10 gap-y-6 p-6 sm:p-8 lg:grid-cols-[1fr_1.3fr]">
      <div>
        <span className="flex size-12 items-center justify-center rounded-full bg-sunken text-muted">
          <KeyRound aria-hidden className="size-6" />
        </span>
        <h2 className="mt-4 text-lg font-semibold">{t.page.emptyTitle}</h2>
        <p className="mt-1 text-muted">{t.emptyText}</p>
        <ToExamples withS3 />
      </div>
      <UsageExamples />
    </Card>
  )
}
