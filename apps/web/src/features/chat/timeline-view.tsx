import { ArrowDown, LoaderCircle } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { formatDate, formatDateTime, formatHour } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { splitLinks } from './links.ts'
import { t } from './texts.ts'
import { dayName, isNewDay } from './timeline.ts'

/** What a conversation shows: a message, an internal note, or something that happened. */
export interface TimelineItem {
  key: string
  /** `own`: of whoever looks at it. */
  side: 'own' | 'other' | 'note' | 'event'
  author: string
  text: string
  at: string | number
  /** The file of a message, or its name. */
  file?: ReactNode
  /** State and actions below a message. */
  footer?: ReactNode
}

/** How far from the end a reader may be to be taken to new messages. */
const NEAR_END_PX = 80
/** Entries that are drawn at first, and added when the reader goes back: drawing thousands at once would block the page. */
const WINDOW = 150

const scrollToEnd = (element: HTMLElement) => element.scrollTo({ top: element.scrollHeight })

interface TimelineProps {
  label: string
  items: readonly TimelineItem[]
  hasMore: boolean
  /** Loads earlier messages. */
  onEarlier: () => Promise<void>
  /** Shown before the first message. */
  intro?: ReactNode
  /** Shown after the last message. */
  children?: ReactNode
}

/** The messages of a conversation, oldest first, by day. Follows new ones while the reader is at the end. */
export function Timeline({ label, items, hasMore, onEarlier, intro, children }: TimelineProps) {
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const top = useRef(0)
  const last = useRef<{ first?: string | undefined; last?: string | undefined; height: number }>({ height: 0 })
  const [isBusy, setIsBusy] = useState(false)
  /** Key of the first entry that is drawn while the reader is not at the end; `all`: all of them; undefined: the last ones. */
  const [from, setFrom] = useState<{ key: string } | 'all'>()
  const found = from === 'all' ? 0 : from ? items.findIndex(({ key }) => key === from.key) : -1
  const start = found >= 0 ? found : Math.max(0, items.length - WINDOW)
  const shown = useMemo(() => items.slice(start), [items, start])
  const [hasNew, setHasNew] = useState(false)
  const [now, setNow] = useState(Date.now)

  // "Today" becomes "Yesterday" in pages that stay open.
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const [first, end] = [shown[0]?.key, shown.at(-1)]
    const before = last.current
    // Earlier messages were added above: keep what is being read where it is.
    if (before.first !== undefined && first !== before.first && end?.key === before.last)
      element.scrollTop += element.scrollHeight - before.height
    else if (isAtEnd.current || end?.side === 'own') scrollToEnd(element)
    else if (end?.key !== before.last) setHasNew(true)
    last.current = { first, last: end?.key, height: element.scrollHeight }
  }, [shown])

  // The on-screen keyboard, a form below and attachments change the height.
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => isAtEnd.current && scrollToEnd(element))
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    return () => observer.disconnect()
  }, [])

  const earlier = async () => {
    if (start > 0) return setFrom({ key: items[Math.max(0, start - WINDOW)]?.key ?? '' })
    setIsBusy(true)
    setFrom('all')
    await onEarlier()
    setIsBusy(false)
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={box}
        role="log"
        aria-label={label}
        aria-busy={isBusy || undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable with the keyboard
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-3 -outline-offset-2"
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          // Only readers scroll back; a form that appears below makes the box smaller, and leaves its top where it is.
          if (scrollHeight - scrollTop - clientHeight < NEAR_END_PX) isAtEnd.current = true
          else if (scrollTop < top.current) isAtEnd.current = false
          top.current = scrollTop
          if (isAtEnd.current) {
            setHasNew(false)
            if (items.length > WINDOW) setFrom(undefined)
          } else if (!from && shown[0]) setFrom({ key: shown[0].key })
        }}
      >
        <div className="flex min-h-full flex-col justify-end gap-2">
          {hasMore || start > 0 ? (
            <Button look="ghost" busy={isBusy} className="self-center" onClick={() => void earlier()}>
              {t.earlier}
            </Button>
          ) : (
            intro
          )}
          {shown.map((item, index) => (
            <Entry
              key={item.key}
              item={item}
              day={isNewDay(item.at, shown[index - 1]?.at) ? formatDayName(item.at, now) : undefined}
              isFirst={shown[index - 1]?.side !== item.side || shown[index - 1]?.author !== item.author}
            />
          ))}
          {children}
        </div>
      </div>
      {hasNew && (
        <Button
          className="absolute bottom-2 left-1/2 -translate-x-1/2 rounded-full shadow-raised"
          icon={<ArrowDown aria-hidden className="size-4" />}
          onClick={() => box.current && scrollToEnd(box.current)}
        >
          {t.newMessages}
        </Button>
      )}
    </div>
  )
}

function formatDayName(moment: string | number, now: number): string {
  const name = dayName(moment, now)
  return name ? t[name] : formatDate(moment)
}

const bubbles = {
  own: 'self-end rounded-br-md bg-accent text-on-accent',
  other: 'self-start rounded-bl-md border border-line bg-sunken',
  note: 'self-stretch border border-dashed border-warn/60 bg-warn-soft',
} as const

/** A message is plain text; only web addresses become links. */
function Entry({ item, day, isFirst }: { item: TimelineItem; day: string | undefined; isFirst: boolean }) {
  const { side, author, text, at, file, footer } = item
  return (
    <>
      {day && (
        <p className="flex items-center gap-3 py-1 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {day}
        </p>
      )}
      {side === 'event' ? (
        <p className="px-6 text-center text-xs text-muted wrap-anywhere">
          {author} · <time dateTime={isoOf(at)}>{formatHour(at)}</time>
          {text && (
            <span className="block">
              <bdi translate="no">{text}</bdi>
            </span>
          )}
        </p>
      ) : (
        <div className={classes('flex flex-col gap-0.5', side === 'own' ? 'items-end' : 'items-start')}>
          <span className={isFirst ? 'px-1 pt-1 text-xs text-muted' : 'sr-only'}>{author}</span>
          <div
            className={classes(
              'max-w-[85%] rounded-2xl px-3.5 py-2 text-sm whitespace-pre-wrap wrap-anywhere',
              bubbles[side],
              side === 'note' && 'max-w-full w-full',
            )}
          >
            {text && (
              <bdi translate="no">
                <LinkedText text={text} />
              </bdi>
            )}
            {file && <div className={text ? 'mt-2' : undefined}>{file}</div>}
          </div>
          <span className="flex flex-wrap items-center gap-x-2 px-1 text-xs text-muted">
            <time dateTime={isoOf(at)} title={formatDateTime(at)}>
              {formatHour(at)}
            </time>
            {footer}
          </span>
        </div>
      )}
    </>
  )
}

const isoOf = (moment: string | number) => new Date(moment).toISOString()

function LinkedText({ text }: { text: string }) {
  return splitLinks(text).map((piece, index) =>
    piece.href ? (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a message do not change
        key={index}
        href={piece.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="underline underline-offset-2"
      >
        {piece.text}
      </a>
    ) : (
      piece.text
    ),
  )
}

/** While a message is on its way. */
export function Sending() {
  return (
    <span className="inline-flex items-center gap-1">
      <LoaderCircle aria-hidden className="size-3 animate-spin" />
      {t.sending}
    </span>
  )
}
