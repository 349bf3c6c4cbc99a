import { Link } from '@tanstack/react-router'
import type { Output, RouteOf } from '@tidenet/contract'
import { FREE_API_KEYS, VIP_API_KEYS } from '@tidenet/contract/constants'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Badge, Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { type NewKey, NewKeyDialog } from './new-key-dialog.tsx'
import { abilities } from './permissions.ts'
import { t } from './texts.ts'
import { UsageExamples } from './usage-examples.tsx'

type Key = Output<RouteOf<'apiKeys.list'>>['list'][number]

const REFRESH_MS = 30_000

/** API keys: permissions, last use, and revoking. */
export function KeysPage() {
  const title = usePageTitle(t.page.title)
  const keys = useQuery({ ...query('apiKeys.list', {}), refetchInterval: REFRESH_MS })
  const limit = useSession((session) => (session.userinfo?.vip ? VIP_API_KEYS : FREE_API_KEYS))
  const [creating, setCreating] = useState(false)
  const [created, setCreated] = useState<NewKey>()
  const [removing, setRemoving] = useState<string>()
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
            onClick={() => setCreating(true)}
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
        <NoKeys />
      ) : (
        <div className="grid items-start gap-6 xl:grid-cols-[1fr_26rem]">
          <div>
            <p className="mb-2 text-sm text-muted">{count >= limit ? t.full(limit) : t.countOf(count, limit)}</p>
            <Card>
              <ul>
                {keys.data.list.map((key) => (
                  <KeyRow key={key.name} apiKey={key} onRevoke={() => setRemoving(key.name)} />
                ))}
              </ul>
            </Card>
            <p className="mt-2 text-sm text-muted">{t.never}</p>
          </div>
          <section aria-labelledby="use-key" className="xl:pt-8">
            <h2 id="use-key" className="text-lg font-semibold">
              {t.useTitle}
            </h2>
            <p className="mt-1 mb-4 text-sm text-muted">{t.useText}</p>
            <UsageExamples />
            <ToExamples />
          </section>
        </div>
      )}
      {creating && <CreateKeyDialog onClose={() => setCreating(false)} onCreated={setCreated} />}
      {created && <NewKeyDialog created={created} onClose={() => setCreated(undefined)} />}
      {removing !== undefined && <RevokeDialog name={removing} onClose={() => setRemoving(undefined)} />}
    </div>
  )
}

const ToExamples = () => (
  <Link to="/developer" className="mt-4 inline-flex min-h-7 items-center text-sm text-accent underline">
    {t.more}
  </Link>
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
        <ToExamples />
      </div>
      <UsageExamples />
    </Card>
  )
}

function KeyRow({ apiKey, onRevoke }: { apiKey: Key; onRevoke: () => void }) {
  const { name, key, type, time, last_used } = apiKey
  const [may, mayNot] = abilities(apiKey)
  return (
    <li className="grid gap-x-8 gap-y-2 border-b border-line p-5 last:border-b-0 sm:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
          <span translate="no">{name}</span>
          <Badge tone={type === 'admin' ? 'accent' : 'plain'}>{type === 'admin' ? t.page.admin : t.page.normal}</Badge>
          <code className="font-mono text-sm font-normal text-muted">{key}…</code>
        </h2>
        <p className="mt-1">{may}</p>
        {mayNot && <p className="text-sm text-muted">{mayNot}</p>}
        <p className="mt-2 flex flex-wrap gap-x-5 text-sm text-muted">
          <span>{last_used ? t.usedAt(formatDateTime(last_used)) : t.unused}</span>
          <span>{t.madeAt(formatDateTime(time))}</span>
        </p>
      </div>
      <Button
        look="quietDanger"
        aria-label={t.revokeOf(name)}
        className="justify-self-start max-sm:-ml-3.5 sm:justify-self-end"
        onClick={onRevoke}
      >
        {t.revoke}
      </Button>
    </li>
  )
}

function RevokeDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await api('apiKeys.remove', { key_name: name })
      refresh('apiKeys.list')
      toast.success(t.revoked)
      onClose()
    } catch (error) {
      toast.error(error)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.revokeTitle(name)}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button look="danger" busy={busy} onClick={() => void remove()}>
            {t.revoke}
          </Button>
        </>
      }
    >
      <p>{t.revokeText}</p>
    </Dialog>
  )
}
