import { Link } from '@tanstack/react-router'
import { SHARE_DOWNLOADS } from '@tidenet/contract/constants'
import { CalendarX2, CloudOff, Gauge, LinkIcon, type LucideIcon, MapPinOff, SearchX, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** Why a share cannot be shown. */
export type UnavailableState =
  | 'gone'
  | 'expired'
  | 'limitReached'
  | 'linkUsedUp'
  | 'fileExpired'
  | 'downloadTraffic'
  | 'visitorTraffic'
  | 'offline'
  | 'area'
  | 'incomplete'

/** By error number. */
const byNumber: Record<number, UnavailableState> = {
  1000: 'gone',
  1001: 'gone',
  1005: 'area',
  2057: 'limitReached',
  2058: 'expired',
  2064: 'limitReached',
  2065: 'downloadTraffic',
  2066: 'visitorTraffic',
  10011: 'limitReached',
  10018: 'gone',
  10025: 'offline',
  10028: 'gone',
}

/** Maps an error to the state of the share; undefined for other errors. */
export const unavailableStateOf = (error: unknown): UnavailableState | undefined =>
  error instanceof ApiError && error.err !== undefined ? byNumber[error.err] : undefined

const icons: Record<UnavailableState, LucideIcon> = {
  gone: SearchX,
  expired: CalendarX2,
  limitReached: Gauge,
  linkUsedUp: Gauge,
  fileExpired: CalendarX2,
  downloadTraffic: TriangleAlert,
  visitorTraffic: Gauge,
  offline: CloudOff,
  area: MapPinOff,
  incomplete: LinkIcon,
}

const wordsOf = (state: UnavailableState): [string, string] => {
  const { states } = t
  const words: Record<UnavailableState, [string, string]> = {
    gone: [states.gone, states.goneText],
    expired: [states.expired, states.expiredText],
    limitReached: [states.spent, states.spentText(SHARE_DOWNLOADS)],
    linkUsedUp: [states.spent, states.linkSpentText],
    fileExpired: [states.fileExpired, states.fileExpiredText],
    downloadTraffic: [states.outflow, states.outflowText],
    visitorTraffic: [states.visits, states.visitsText],
    offline: [states.offline, states.offlineText],
    area: [states.area, states.areaText],
    incomplete: [states.incomplete, states.incompleteText],
  }
  return words[state]
}

/** Explains why a share cannot be shown. */
export function ShareUnavailable({ state, onRetry }: { state: UnavailableState; onRetry?: () => void }) {
  const Icon = icons[state]
  const [title, text] = wordsOf(state)
  const [framed, setFramed] = useState(false)
  useEffect(() => setFramed(window.self !== window.top), [])
  return (
    <Card className="mx-auto flex max-w-xl flex-col items-start gap-3 p-6 sm:p-8">
      <span className="flex size-12 items-center justify-center rounded-xl bg-sunken text-muted">
        <Icon aria-hidden className="size-6" />
      </span>
      <h1 className="mt-2 text-xl font-semibold">{title}</h1>
      <p className="text-muted">{text}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {onRetry && <Button onClick={onRetry}>{shell.words.retry}</Button>}
        {/* The portal never opens within another site's frame. */}
        <Link to="/" target={framed ? '_blank' : undefined} className={buttonClass('secondary')}>
          {t.states.home}
        </Link>
      </div>
    </Card>
  )
}
