import { Link } from '@tanstack/react-router'
import { SHARE_DOWNLOADS } from '@tidenet/contract/constants'
import { CalendarX2, CloudOff, Gauge, LinkIcon, type LucideIcon, MapPinOff, SearchX, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** Why somebody does not get to see what a link shows. */
export type ClosedState = 'gone' | 'expired' | 'spent' | 'fileExpired' | 'outflow' | 'offline' | 'area' | 'incomplete'

/** By the numbers of the refusals. */
const byNumber: Record<number, ClosedState> = {
  1000: 'gone',
  1001: 'gone',
  1005: 'area',
  2057: 'spent',
  2058: 'expired',
  2064: 'spent',
  2065: 'outflow',
  10011: 'spent',
  10018: 'gone',
  10025: 'offline',
  10028: 'gone',
}

/** What a refusal means to a visitor; undefined when it is something else. */
export const closedBy = (error: unknown): ClosedState | undefined =>
  error instanceof ApiError && error.err !== undefined ? byNumber[error.err] : undefined

const icons: Record<ClosedState, LucideIcon> = {
  gone: SearchX,
  expired: CalendarX2,
  spent: Gauge,
  fileExpired: CalendarX2,
  outflow: TriangleAlert,
  offline: CloudOff,
  area: MapPinOff,
  incomplete: LinkIcon,
}

const wordsOf = (state: ClosedState): [string, string] => {
  const { states } = t
  const words: Record<ClosedState, [string, string]> = {
    gone: [states.gone, states.goneText],
    expired: [states.expired, states.expiredText],
    spent: [states.spent, states.spentText(SHARE_DOWNLOADS)],
    fileExpired: [states.fileExpired, states.fileExpiredText],
    outflow: [states.outflow, states.outflowText],
    offline: [states.offline, states.offlineText],
    area: [states.area, states.areaText],
    incomplete: [states.incomplete, states.incompleteText],
  }
  return words[state]
}

/** A share that does not open: why, and what can be done. */
export function Closed({ state, onRetry }: { state: ClosedState; onRetry?: () => void }) {
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
        {/* The rest of the portal is never shown in the frame of another site. */}
        <Link to="/" target={framed ? '_blank' : undefined} className={buttonClass('secondary')}>
          {t.states.home}
        </Link>
      </div>
    </Card>
  )
}
