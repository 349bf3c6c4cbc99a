import { MessageCircle } from 'lucide-react'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { lang, t } from '../../lib/texts.ts'
import { classes } from '../../ui/classes.ts'
import { badgeOf, openSupport, useSupport } from './support.ts'
import './follow-scrolling.ts'

/** A shorter press opens the panel; a longer one only moves the button. */
const CLICK_MS = 300
/** Movement from which a press is a drag. */
const DRAG_PX = 4
const SIZE = 48
const EDGE = 16

interface Position {
  right: number
  bottom: number
}

const START: Position = { right: EDGE, bottom: 88 }

/**
 * The floating support button. It can be dragged and stays inside the window. On small screens it gives way (styles.css): until it is
 * dragged, it rests half behind the edge, beside the menus of lists.
 */
export function SupportButton() {
  const unread = useSupport((support) => support.unread)
  const [position, setPosition] = useState(START)
  const [pressed, setPressed] = useState(false)
  const width = pressed ? (lang === 'cn' ? 100 : 138) : SIZE
  const drag = useRef<{ x: number; y: number; from: Position; at: number; moved: boolean } | undefined>(undefined)

  // Keep it visible when the window shrinks.
  useEffect(() => {
    const resized = () => setPosition((last) => clampToWindow(last, SIZE))
    window.addEventListener('resize', resized)
    return () => window.removeEventListener('resize', resized)
  }, [])

  const down = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    // Where it is seen, which is not `position` at the edge.
    const { right } = event.currentTarget.getBoundingClientRect()
    const from = { ...position, right: document.documentElement.clientWidth - right }
    drag.current = { x: event.clientX, y: event.clientY, from, at: event.timeStamp, moved: false }
    setPressed(true)
  }
  const move = (event: PointerEvent) => {
    const current = drag.current
    if (!current) return
    const [x, y] = [event.clientX - current.x, event.clientY - current.y]
    if (Math.hypot(x, y) > DRAG_PX) current.moved = true
    if (current.moved)
      setPosition(clampToWindow({ right: current.from.right - x, bottom: current.from.bottom - y }, SIZE))
  }
  const up = (event: PointerEvent) => {
    const current = drag.current
    drag.current = undefined
    setPressed(false)
    if (current && !current.moved && event.timeStamp - current.at < CLICK_MS) openSupport('support')
  }

  return (
    <button
      type="button"
      ref={(element) => {
        // The content security policy blocks style attributes in markup, but allows setting styles from scripts.
        if (!element) return
        element.style.right = `${clampToWindow(position, width).right}px`
        // Above the upload panel and the cookie banner.
        element.style.bottom = `clamp(${position.bottom}px, var(--upload-panel-height, 0px) + var(--cookie-banner-height, 0px) + ${EDGE}px, 100dvh - ${SIZE}px)`
        element.style.width = `${width}px`
        element.style.height = `${SIZE}px`
      }}
      data-docked={(position.right === START.right && position.bottom === START.bottom) || undefined}
      aria-label={unread > 0 ? `${t.support.open}, ${t.support.unread(badgeOf(unread))}` : t.support.open}
      className={classes(
        'flex items-center justify-center gap-2 rounded-full border border-line bg-surface text-accent shadow-raised',
        'support-button hover:bg-sunken',
        pressed && 'cursor-grabbing',
      )}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onMouseDown={(event) => {
        // Otherwise the browser would drag the link below, once the button has moved away.
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

/** Moves a position so that the whole button is inside the window. */
function clampToWindow({ right, bottom }: Position, width: number): Position {
  return {
    right: Math.min(Math.max(0, right), Math.max(0, window.innerWidth - width)),
    bottom: Math.min(Math.max(0, bottom), Math.max(0, window.innerHeight - SIZE)),
  }
}
