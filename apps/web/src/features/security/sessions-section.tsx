import type { Device, OpenSession } from '@tidenet/contract'
import { Monitor, Smartphone, Tablet, Terminal } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { query, refresh, useQuery } from '../../lib/queries.ts'
import { clearSession } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Badge, Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { deviceName, formatMoment, isPublicNetwork, placeName } from './format.ts'
import { t } from './texts.ts'

const REFRESH_MS = 30_000
const icons: Record<Device['kind'], typeof Monitor> = {
  computer: Monitor,
  phone: Smartphone,
  tablet: Tablet,
  program: Terminal,
  unknown: Monitor,
}

/** Sessions of the account; they can be ended. */
export function SessionsSection() {
  const s = t.sessions
  const list = useQuery({ ...query('sessions.list', {}), refetchInterval: REFRESH_MS })
  const [asking, setAsking] = useState<'others' | 'all'>()
  const sessions = [...(list.data?.sessions ?? [])].sort((a, b) => Number(b.current) - Number(a.current))
  const endOthers = async () => {
    const { ended } = await api('sessions.revoke', { others: true })
    toast.success(s.othersDone(ended))
    setAsking(undefined)
    refresh('sessions.list')
  }
  const endAll = async () => {
    await api('sessions.revoke', { all: true })
    clearSession('left')
  }
  return (
    <Card className="min-w-0 p-6">
      <h2 className="text-lg font-semibold">{s.title}</h2>
      <p className="mt-1 text-sm text-muted">{s.text}</p>
      {list.isPending ? (
        <Loading />
      ) : list.isError ? (
        <LoadFailed title={s.failed} error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <ul className="mt-4 border-t border-line">
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
          <div className="mt-4 flex flex-wrap items-center gap-2">
            {sessions.length > 1 ? (
              <Button onClick={() => setAsking('others')}>{s.others}</Button>
            ) : (
              <p className="mr-2 text-sm text-muted">{s.only}</p>
            )}
            <Button look="quietDanger" onClick={() => setAsking('all')}>
              {s.all}
            </Button>
          </div>
        </>
      )}
      {asking === 'others' && (
        <Confirm
          title={s.othersTitle}
          text={s.othersText}
          action={s.others}
          onClose={() => setAsking(undefined)}
          onConfirm={endOthers}
        />
      )}
      {asking === 'all' && (
        <Confirm
          title={s.allTitle}
          text={s.allText}
          action={s.all}
          onClose={() => setAsking(undefined)}
          onConfirm={endAll}
        />
      )}
    </Card>
  )
}

function SessionRow({ session }: { session: OpenSession }) {
  const s = t.sessions
  const [busy, setBusy] = useState(false)
  const Icon = icons[session.device.kind]
  const name = deviceName(session.device)
  const end = async () => {
    setBusy(true)
    try {
      await api('sessions.revoke', { id: session.id })
      toast.success(s.ended)
    } catch (failure) {
      toast.error(failure)
    }
    setBusy(false)
    refresh('sessions.list')
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-3">
      <Icon aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {session.current && <Badge tone="accent">{s.current}</Badge>}
        </p>
        <p className="text-sm text-muted">
          <span className={isPublicNetwork(session.place) ? 'font-mono text-[0.8125rem]' : ''}>
            {placeName(session.place)}
          </span>
          {' · '}
          {session.current ? s.now : s.seen(formatMoment(session.seen_at))}
          {' · '}
          {s.opened(formatMoment(session.created_at))}
        </p>
      </div>
      {!session.current && (
        <Button look="ghost" busy={busy} className="-mr-2" aria-label={s.endOf(name)} onClick={() => void end()}>
          {s.end}
        </Button>
      )}
    </li>
  )
}
