import { Link } from '@tanstack/react-router'
import type { Output, RouteOf } from '@tidenet/contract'
import { ArrowDown, ArrowUp, Boxes, Coins, HardDrive, type LucideIcon, UsersRound } from 'lucide-react'
import { formatDateTime, formatDay, formatNumber, formatPoints, formatSize } from '../../lib/format.ts'
import { linkTo } from '../../lib/link.ts'
import { Badge, Card } from '../../ui/states.tsx'
import { t } from './texts.ts'

type Event = Output<RouteOf<'dashboard.overview'>>['events'][number]

const icons: Readonly<Record<Event['kind'], LucideIcon>> = {
  uploaded: ArrowUp,
  downloaded: ArrowDown,
  traffic: UsersRound,
  ordered: Boxes,
  claimed: Coins,
  earned: HardDrive,
}

const targetOf = ({ kind, id }: Event): string | undefined => {
  switch (kind) {
    case 'uploaded':
    case 'downloaded':
      return `/dashboard?trace=${encodeURIComponent(id)}`
    case 'ordered':
      return '/mycenter?tab=1'
    case 'claimed':
      return '/testCoin'
    case 'earned':
      return '/devices'
    case 'traffic':
      return undefined
  }
}

const factsOf = ({ count, amount, name, label }: Event) => ({
  count,
  number: formatNumber(count),
  name,
  size: formatSize(amount),
  coins: formatNumber(amount),
  points: formatPoints(amount),
  label,
})

/** Things that are counted by day have no time of day. */
const isDaily = ({ kind }: Event): boolean => kind === 'traffic' || kind === 'earned'

/** What happened lately in the account, newest first. */
export function Events({ list }: { list: readonly Event[] }) {
  const e = t.events
  if (list.length === 0) return null
  return (
    <section aria-labelledby="events">
      <Card className="overflow-hidden">
        <h2 id="events" className="px-5 pt-4 pb-2 text-lg font-semibold">
          {e.title}
        </h2>
        <ul>
          {list.map((event) => {
            const Icon = icons[event.kind]
            const target = targetOf(event)
            const text = e.texts[event.kind](factsOf(event))
            return (
              <li
                key={`${event.kind} ${event.id} ${event.at}`}
                className="relative flex items-center gap-x-3 max-sm:flex-wrap border-t border-line px-5 py-2.5 first:border-t-0 has-[a:hover]:bg-sunken/60"
              >
                <Icon aria-hidden className="size-4 shrink-0 text-muted" />
                <p className="min-w-0 flex-1 wrap-anywhere">
                  {target ? (
                    <Link {...linkTo(target)} className="after:absolute after:inset-0">
                      {text}
                    </Link>
                  ) : (
                    text
                  )}
                </p>
                {event.failed && <Badge tone="warn">{t.state[2]}</Badge>}
                <time
                  dateTime={event.at}
                  className="shrink-0 text-right text-sm text-muted tabular-nums max-sm:basis-full max-sm:pl-7 max-sm:text-left"
                >
                  {isDaily(event) ? formatDay(event.at) : formatDateTime(event.at)}
                </time>
              </li>
            )
          })}
        </ul>
      </Card>
    </section>
  )
}
