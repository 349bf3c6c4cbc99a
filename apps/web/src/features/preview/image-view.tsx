import { Maximize, Minus, Plus } from 'lucide-react'
import { type PointerEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { formatPercent } from '../../lib/format.ts'
import { IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { t } from './texts.ts'

const STEPS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8]
const [SMALLEST, LARGEST] = [0.02, 16]
/** Wheel movement that doubles the size, px. */
const WHEEL_DOUBLES = 400

interface Point {
  x: number
  y: number
}

/**
 * An image with zoom, by buttons, keys, wheel and two fingers. The browser turns it as its EXIF orientation says. `url` is only used as an
 * image source, never opened as a page.
 */
export function ImageView({
  url,
  name,
  compact = false,
  note,
}: {
  url: string
  name: string
  compact?: boolean
  note?: string
}) {
  const [zoom, setZoom] = useState<number>()
  const [shown, setShown] = useState(1)
  const [broken, setBroken] = useState(false)
  const image = useRef<HTMLImageElement>(null)
  const frame = useRef<HTMLElement>(null)
  /** The place of the image that must stay under the pointer: 0 … 1 of its size, and px in the frame. */
  const anchor = useRef<{ part: Point; at: Point }>(undefined)
  const measure = () => {
    const { naturalWidth, clientWidth } = image.current ?? { naturalWidth: 0, clientWidth: 0 }
    if (naturalWidth > 0) setShown(clientWidth / naturalWidth)
  }
  useLayoutEffect(() => {
    const element = image.current
    if (!element) return
    // Set by script: the content security policy forbids style attributes.
    element.style.width =
      zoom === undefined ? '' : `${Math.round((element.naturalWidth || element.clientWidth) * zoom)}px`
    if (zoom !== undefined) setShown(zoom)
    const box = frame.current
    if (!anchor.current || !box) return
    const { part, at } = anchor.current
    anchor.current = undefined
    box.scrollLeft += element.getBoundingClientRect().left + part.x * element.clientWidth - at.x
    box.scrollTop += element.getBoundingClientRect().top + part.y * element.clientHeight - at.y
  }, [zoom])
  /** @param at where to zoom, in px of the window; default: the middle */
  const zoomTo = (next: number, at?: Point) => {
    const box = frame.current?.getBoundingClientRect()
    const place = image.current?.getBoundingClientRect()
    if (box && place && place.width > 0) {
      const centre = at ?? { x: box.left + box.width / 2, y: box.top + box.height / 2 }
      anchor.current = {
        at: centre,
        part: { x: (centre.x - place.left) / place.width, y: (centre.y - place.top) / place.height },
      }
    }
    setZoom(Math.min(LARGEST, Math.max(SMALLEST, next)))
  }
  const step = (direction: 1 | -1) => {
    const next =
      direction > 0 ? STEPS.find((each) => each > shown + 0.01) : STEPS.findLast((each) => each < shown - 0.01)
    if (next !== undefined) zoomTo(next)
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (event.target instanceof Element && event.target.closest('input, textarea, select')) return
    if (event.key === '+' || event.key === '=') step(1)
    else if (event.key === '-') step(-1)
    else if (event.key === '0') setZoom(undefined)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    if (compact) return
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [compact])
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    // A trackpad reports two fingers as a wheel with Ctrl, in smaller steps.
    const amount = event.deltaY * (event.ctrlKey ? 4 : event.deltaMode === 1 ? 30 : 1)
    zoomTo(shown * 2 ** (-amount / WHEEL_DOUBLES), { x: event.clientX, y: event.clientY })
  })
  useEffect(() => {
    const box = frame.current
    if (!box) return
    // React listens passively, and the page would scroll.
    box.addEventListener('wheel', onWheel, { passive: false })
    return () => box.removeEventListener('wheel', onWheel)
  }, [])
  const fits = zoom === undefined
  const drag = useDrag(fits, frame, (factor, at) => zoomTo(shown * factor, at))
  if (broken) return <p className="p-8 text-center text-muted">{t.image.broken}</p>
  const picture = (
    <img
      ref={image}
      src={url}
      alt={name}
      draggable={false}
      onLoad={measure}
      onError={() => setBroken(true)}
      className={fits ? 'mx-auto max-h-full max-w-full object-contain' : 'mx-auto max-w-none'}
    />
  )
  if (compact)
    return <div className="flex max-h-[28rem] justify-center overflow-hidden p-4 *:max-h-[26rem]">{picture}</div>
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-wrap items-center gap-1 border-b border-line px-2 py-1">
        <IconButton label={t.image.out} onClick={() => step(-1)}>
          <Minus aria-hidden className="size-4" />
        </IconButton>
        <span className="w-16 text-center text-sm tabular-nums" role="status">
          {shown > 1 ? `${Math.round(shown * 100)} %` : formatPercent(shown, 1)}
        </span>
        <IconButton label={t.image.in} onClick={() => step(1)}>
          <Plus aria-hidden className="size-4" />
        </IconButton>
        <IconButton label={t.image.fit} aria-pressed={fits} onClick={() => setZoom(undefined)}>
          <Maximize aria-hidden className="size-4" />
        </IconButton>
        <IconButton label={t.image.actual} aria-pressed={zoom === 1} onClick={() => zoomTo(1)}>
          <span aria-hidden className="text-xs font-medium">
            1:1
          </span>
        </IconButton>
        {note && <span className="ml-2 text-xs text-muted">{note}</span>}
      </div>
      <section
        ref={frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
        tabIndex={0}
        aria-label={t.image.label(name)}
        {...drag}
        {...(!fits && { 'data-keeps-arrows': true })}
        className={classes(
          'min-h-0 flex-1 touch-none overflow-auto bg-sunken p-4',
          fits ? 'flex items-center justify-center' : 'cursor-grab active:cursor-grabbing',
        )}
      >
        {picture}
      </section>
    </div>
  )
}

/** Moves an enlarged image with one pointer, and zooms with two fingers. */
function useDrag(
  fits: boolean,
  frame: React.RefObject<HTMLElement | null>,
  onPinch: (factor: number, at: Point) => void,
) {
  const pointers = useRef(new Map<number, Point>())
  const end = ({ pointerId }: PointerEvent) => void pointers.current.delete(pointerId)
  return {
    onPointerDown({ pointerId, clientX, clientY, button, currentTarget }: PointerEvent) {
      if (button !== 0) return
      pointers.current.set(pointerId, { x: clientX, y: clientY })
      if (!fits || pointers.current.size > 1) currentTarget.setPointerCapture(pointerId)
    },
    onPointerMove({ pointerId, clientX, clientY }: PointerEvent) {
      const before = pointers.current.get(pointerId)
      if (!before) return
      const now = { x: clientX, y: clientY }
      const other = [...pointers.current].find(([id]) => id !== pointerId)?.[1]
      pointers.current.set(pointerId, now)
      if (other) {
        const distance = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y)
        const centre = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
        if (distance(before) > 10) onPinch(distance(now) / distance(before), centre)
      } else if (!fits) frame.current?.scrollBy(before.x - now.x, before.y - now.y)
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
