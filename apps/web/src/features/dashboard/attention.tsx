import { Link } from '@tanstack/react-router'
import type { Output, RouteOf } from '@tidenet/contract'
import { CircleAlert } from 'lucide-react'
import { formatDateTime, formatNumber, formatPercent, formatSize } from '../../lib/format.ts'
import { linkTo } from '../../lib/link.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/states.tsx'
import { openSupport } from '../feedback/support.ts'
import { t } from './texts.ts'

type Thing = Output<RouteOf<'dashboard.overview'>>['attention'][number]

/** Where each is solved. `answers` opens the chat instead. */
const targetOf = ({ kind, count, id }: Thing): string => {
  switch (kind) {
    case 'ordersDelete':
    case 'ordersEnd':
    case 'ordersUnpaid':
      return '/mycenter?tab=1'
    case 'storage':
    case 'traffic':
      return '/center'
    case 'transfers':
      return count === 1 ? `/dashboard?trace=${encodeURIComponent(id)}` : '#transfers'
    case 'devices':
      return '/devices'
    case 'filesEnd':
      return '/endingFiles'
    case 'webhooks':
      return '/webhooks'
    case 'answers':
      return ''
  }
}

const factsOf = ({ count, quota, at, name }: Thing) => ({
  count,
  number: formatNumber(count),
  name,
  when: at ? formatDateTime(at) : '',
  used: formatPercent(count, quota),
  quota: formatSize(quota),
})

/** What needs the owner's attention; each with a link to the page that solves it. */
export function Attention({ list }: { list: readonly Thing[] }) {
  const a = t.attention
  if (list.length === 0) return null
  return (
    <section aria-labelledby="attention">
      <Card className="overflow-hidden">
        <h2 id="attention" className="px-5 pt-4 pb-2 text-lg font-semibold">
          {a.title}
        </h2>
        <ul>
          {list.map((thing) => (
            <li
              key={`${thing.kind} ${thing.kind === 'storage' || thing.kind === 'traffic' ? thing.id : ''}`}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-3 first:border-t-0"
            >
              <CircleAlert aria-hidden className="size-5 shrink-0 text-warn" />
              <p className="min-w-0 flex-1 basis-56 wrap-anywhere">{a.texts[thing.kind](factsOf(thing))}</p>
              {thing.kind === 'answers' ? (
                <button type="button" className={buttonClass()} onClick={() => openSupport('support')}>
                  {a.actions.answers}
                </button>
              ) : targetOf(thing).startsWith('#') ? (
                <a href={targetOf(thing)} className={buttonClass()}>
                  {a.actions[thing.kind]}
                </a>
              ) : (
                <Link {...linkTo(targetOf(thing))} className={buttonClass()}>
                  {a.actions[thing.kind]}
                </Link>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
