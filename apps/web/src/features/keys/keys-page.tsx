import { useQuery } from '@tanstack/react-query'
import type { Output, RouteOf } from '@tidenet/contract'
import { KeyRound, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { query, refresh } from '../../lib/queries.ts'
import { t } from '../../lib/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Badge, Card, Empty, LoadFailed, Loading } from '../../ui/states.tsx'
import { tell, warn } from '../../ui/toast.tsx'
import { usePageTitle } from '../shell/page-title.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { type NewKey, NewKeyDialog } from './new-key-dialog.tsx'
import { permissionText } from './permissions.ts'

type Key = Output<RouteOf<'apiKeys.list'>>['list'][number]

export function KeysPage() {
  usePageTitle(t.keys.title)
  const keys = useQuery(query('apiKeys.list', {}))
  const [creating, setCreating] = useState(false)
  const [made, setMade] = useState<NewKey>()
  const [removing, setRemoving] = useState<string>()
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-5">
      <div className="flex flex-wrap items-start gap-4">
        <div className="mr-auto">
          <h1 className="text-2xl font-semibold">{t.keys.title}</h1>
          <p className="max-w-2xl text-muted">{t.keys.intro}</p>
        </div>
        <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setCreating(true)}>
          {t.keys.create}
        </Button>
      </div>
      {keys.isPending ? (
        <Loading />
      ) : keys.isError ? (
        <LoadFailed title={t.keys.failed} error={keys.error} onRetry={() => void keys.refetch()} />
      ) : keys.data.list.length === 0 ? (
        <Card>
          <Empty icon={<KeyRound aria-hidden className="size-6" />} title={t.keys.emptyTitle}>
            {t.keys.emptyText}
          </Empty>
        </Card>
      ) : (
        <ul className="grid gap-3 lg:grid-cols-2">
          {keys.data.list.map((key) => (
            <KeyCard key={key.name} apiKey={key} onRemove={() => setRemoving(key.name)} />
          ))}
        </ul>
      )}
      {creating && <CreateKeyDialog onClose={() => setCreating(false)} onMade={setMade} />}
      {made && <NewKeyDialog made={made} onClose={() => setMade(undefined)} />}
      {removing !== undefined && <RemoveDialog name={removing} onClose={() => setRemoving(undefined)} />}
    </div>
  )
}

function KeyCard({ apiKey, onRemove }: { apiKey: Key; onRemove: () => void }) {
  const { name, key, type, perms, time, last_used } = apiKey
  return (
    <li className="rounded-2xl border border-line bg-surface p-4">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
            {name}
            <Badge tone={type === 'admin' ? 'accent' : 'plain'}>
              {type === 'admin' ? t.keys.admin : t.keys.normal}
            </Badge>
          </h2>
          <p className="font-mono text-[0.8125rem] text-muted">{key}…</p>
        </div>
        <IconButton label={t.keys.actions(name)} className="-mt-1.5 -mr-1.5 hover:text-danger" onClick={onRemove}>
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      </div>
      <p className="mt-3 flex flex-wrap gap-1.5">
        {type === 'admin' ? (
          <Badge>{t.keys.all}</Badge>
        ) : (
          perms.map((perm) => <Badge key={perm}>{permissionText(perm)}</Badge>)
        )}
      </p>
      <dl className="mt-3 grid grid-cols-2 gap-2 text-sm">
        <div>
          <dt className="text-muted">{t.keys.created}</dt>
          <dd>{formatDateTime(time)}</dd>
        </div>
        <div>
          <dt className="text-muted">{t.keys.lastUsed}</dt>
          <dd>{last_used ? formatDateTime(last_used) : t.keys.never}</dd>
        </div>
      </dl>
    </li>
  )
}

function RemoveDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await api('apiKeys.remove', { key_name: name })
      refresh('apiKeys.list')
      tell(t.keys.deleted)
      onClose()
    } catch (error) {
      warn(error)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.keys.deleteTitle(name)}
      actions={
        <>
          <Button onClick={onClose}>{t.words.cancel}</Button>
          <Button look="danger" busy={busy} onClick={() => void remove()}>
            {t.words.delete}
          </Button>
        </>
      }
    >
      <p>{t.keys.deleteText}</p>
    </Dialog>
  )
}
