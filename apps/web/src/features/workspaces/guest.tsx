import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { TimeLeft } from '../../ui/time-left.tsx'
import { toast } from '../../ui/toast.ts'
import { readGuestKey, storeGuestKey } from '../adoption/own-workspace.ts'
import { begin } from './session.ts'
import { t } from './texts.ts'

const g = t.guest
const REFRESH_MS = 5000

/** Offers a workspace of ten minutes without an account. Renders nothing if the operator offers none. */
export function GuestCard() {
  const navigate = useNavigate()
  const offer = useQuery(query('guests.offer', {}))
  const [busy, setBusy] = useState(false)
  if (!offer.data?.available) return null
  const start = async () => {
    setBusy(true)
    try {
      const { key, token, expires_at: expires } = await api('guests.start', {}, { token: '' })
      storeGuestKey(key)
      begin({ token, account: '', expires })
      void navigate({ to: '/console' })
    } catch (error) {
      toast.error(error)
      setBusy(false)
    }
  }
  return (
    <Card className="mt-5 p-5 sm:p-6" label={g.title(offer.data.minutes)}>
      <h2 className="font-semibold">{g.title(offer.data.minutes)}</h2>
      <p className="mt-1 text-sm text-muted">{g.text}</p>
      <Button className="mt-4 min-h-11 w-full" busy={busy} onClick={() => void start()}>
        {g.start}
      </Button>
    </Card>
  )
}

/** How long the guest workspace of this browser still runs, and how to keep it. Renders nothing without one. */
export function GuestBanner() {
  const key = readGuestKey()
  const signedIn = useSession(({ token }) => token !== '')
  const state = useQuery({ ...query('guests.state', { key }), enabled: key !== '', refetchInterval: REFRESH_MS })
  const [busy, setBusy] = useState(false)
  if (key === '' || !state.data) return null
  const { state: now, seconds_left, adopted } = state.data
  const adopt = async () => {
    setBusy(true)
    try {
      const { token, expires_at: expires } = await api('guests.adopt', { key })
      begin({ token, account: '', expires })
      await state.refetch()
      toast.success(g.adopted)
    } catch (error) {
      toast.error(error)
    }
    setBusy(false)
  }
  const end = new Date(state.dataUpdatedAt + 1000 * seconds_left).toISOString()
  return (
    <div className="mb-6">
      <Notice tone={now === 'failed' ? 'bad' : 'info'}>
        {now === 'starting' && <p>{g.starting}</p>}
        {now === 'failed' && <p>{g.failed}</p>}
        {now === 'over' && <p>{adopted ? g.kept : g.over}</p>}
        {now === 'running' && (
          <p className="flex flex-wrap items-center gap-x-2">
            <span>{adopted ? g.runningOwn : g.running}</span>
            <TimeLeft to={end} />
          </p>
        )}
        {now === 'running' &&
          !adopted &&
          (signedIn ? (
            <Button className="mt-2" busy={busy} onClick={() => void adopt()}>
              {g.adopt}
            </Button>
          ) : (
            <Link to="/login" search={{ mode: 'signup' }} className={buttonClass('secondary', 'mt-2')}>
              {g.signUp}
            </Link>
          ))}
        {now === 'over' && adopted && (
          <Link to="/mycenter" search={{ tab: 1 }} className={buttonClass('secondary', 'mt-2')}>
            {g.orders}
          </Link>
        )}
      </Notice>
    </div>
  )
}
