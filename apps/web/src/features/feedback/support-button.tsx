import { MessageCircle } from 'lucide-react'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { lang, t } from '../../lib/texts.ts'
import { classes } from '../../ui/classes.ts'
import { badgeOf, openSupport, useSupport } from './support.ts'

/** A press that is shorter opens the panel; a longer one only moves the button. */
const CLICK_MS = 300
/** Pixels that a hand may tremble. */
const STILL = 4
const SIZE = 48
const EDGE = 16

interface Place {
  right: number
  bottom: number
}

/** The button at the edge by which one reaches people. It can be dragged out of the way, and stays inside the window. */
export function SupportButton() {
  const unread = useSupport((support) => support.unread)
  const [place, setPlace] = useState<Place>({ right: EDGE, bottom: 88 })
  const [pressed, setPressed] = useState(false)
  const width = pressed ? (lang === 'cn' ? 100 : 138) : SIZE
  const drag = useRef<{ x: number; y: number; from: Place; at: number; moved: boolean } | undefined>(undefined)

  // A window that became smaller must not leave it outside.
  useEffect(() => {
    const resized = () => setPlace((last) => inside(last, SIZE))
    window.addEventListener('resize', resized)
    return () => window.removeEventListener('resize', resized)
  }, [])

  const down = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, y: event.clientY, from: place, at: event.timeStamp, moved: false }
    setPressed(true)
  }
  const move = (event: PointerEvent) => {
    const one = drag.current
    if (!one) return
    const [x, y] = [event.clientX - one.x, event.clientY - one.y]
    if (Math.hypot(x, y) > STILL) one.moved = true
    if (one.moved) setPlace(inside({ right: one.from.right - x, bottom: one.from.bottom - y }, SIZE))
  }
  const up = (event: PointerEvent) => {
    const one = drag.current
    drag.current = undefined
    setPressed(false)
    if (one && !one.moved && event.timeStamp - one.at < CLICK_MS) openSupport('support')
  }

  return (
    <button
      type="button"
      ref={(element) => {
        // The policy of the portal refuses style attributes in the page; setting them from here is allowed.
        if (!element) return
        element.style.right = `${inside(place, width).right}px`
        // Above the queue of uploads and the question about cookies, which have words and buttons at their edge.
        element.style.bottom = `clamp(${place.bottom}px, var(--taken, 0px) + var(--asked, 0px) + ${EDGE}px, 100dvh - ${SIZE}px)`
        element.style.width = `${width}px`
        element.style.height = `${SIZE}px`
      }}
      aria-label={unread > 0 ? `${t.support.open}, ${t.support.unread(badgeOf(unread))}` : t.support.open}
      className={classes(
        'fixed z-35 flex touch-none items-center justify-center gap-2 rounded-full border border-line bg-surface text-accent shadow-raised select-none',
        'transition-[width] duration-150 hover:bg-sunken',
        pressed && 'cursor-grabbing',
      )}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onMouseDown={(event) => {
        // As soon as the button has moved away, the browser would drag the link that lies beneath where it was.
        event.preventDefault()
        event.currentTarget.focus({ preventScroll: true })
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        openSupport('support')
      }}
    >
      <MessageCircle aria-hidden className="size-5 shrink-0" />
      {pressed && <span className="text-sm font-medium whitespace-nowrap">{t.support.open}</span>}
      {unread > 0 && (
        <span className="absolute -top-1 -right-1 rounded-full bg-danger px-1.5 text-xs leading-5 font-medium text-on-accent tabular-nums">
          {badgeOf(unread)}
        </span>
      )}
    </button>
  )
}

/** Kept whole within the window, however wide it is at the moment. */
function inside({ right, bottom }: Place, width: number): Place {
  return {
    right: Math.min(Math.max(0, right), Math.max(0, window.innerWidth - width)),
    bottom: Math.min(Math.max(0, bottom), Math.max(0, window.innerHeight - SIZE)),
  }
}
