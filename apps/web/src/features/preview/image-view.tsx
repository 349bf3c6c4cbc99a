import { Maximize, Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatPercent } from '../../lib/format.ts'
import { IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { t } from './texts.ts'

const STEPS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8]

/** An image with zoom. `url` is only used as an image source, never opened as a page. */
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
  const measure = () => {
    const { naturalWidth, clientWidth } = image.current ?? { naturalWidth: 0, clientWidth: 0 }
    if (naturalWidth > 0) setShown(clientWidth / naturalWidth)
  }
  useEffect(() => {
    const element = image.current
    if (!element) return
    // Set by script: the content security policy forbids style attributes.
    element.style.width =
      zoom === undefined ? '' : `${Math.round((element.naturalWidth || element.clientWidth) * zoom)}px`
    if (zoom !== undefined) setShown(zoom)
  }, [zoom])
  const step = (direction: 1 | -1) => {
    const next =
      direction > 0 ? STEPS.find((each) => each > shown + 0.01) : STEPS.findLast((each) => each < shown - 0.01)
    if (next !== undefined) setZoom(next)
  }
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '+' || event.key === '=') step(1)
    else if (event.key === '-') step(-1)
    else if (event.key === '0') setZoom(undefined)
    else return
    event.preventDefault()
  }
  if (broken) return <p className="p-8 text-center text-muted">{t.image.broken}</p>
  const fits = zoom === undefined
  const picture = (
    <img
      ref={image}
      src={url}
      alt={name}
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
        <IconButton label={t.image.actual} aria-pressed={zoom === 1} onClick={() => setZoom(1)}>
          <span aria-hidden className="text-xs font-medium">
            1:1
          </span>
        </IconButton>
        {note && <span className="ml-2 text-xs text-muted">{note}</span>}
      </div>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
        tabIndex={0}
        aria-label={t.image.label(name)}
        onKeyDown={keys}
        className={classes('min-h-0 flex-1 overflow-auto bg-sunken p-4', fits && 'flex items-center justify-center')}
      >
        {picture}
      </section>
    </div>
  )
}
