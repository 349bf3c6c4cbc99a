import { useRef, useState } from 'react'
import { t } from './texts.ts'

/** A seekable video or audio player; the browser requests the ranges it plays. If a node fails, the next URL is used. */
export function MediaView({
  kind,
  urls,
  name,
  onSource,
}: {
  kind: 'video' | 'audio'
  urls: readonly string[]
  name: string
  /** Called with the index of the URL that plays. */
  onSource?: (index: number) => void
}) {
  const [at, setAt] = useState(0)
  const place = useRef({ time: 0, playing: false })
  const url = urls[at]
  if (url === undefined) return <p className="p-8 text-center text-muted">{t.media.broken}</p>
  const events = {
    onTimeUpdate: ({ currentTarget }: { currentTarget: HTMLMediaElement }) => {
      place.current = { time: currentTarget.currentTime, playing: !currentTarget.paused }
    },
    onLoadedMetadata: ({ currentTarget }: { currentTarget: HTMLMediaElement }) => {
      const { time, playing } = place.current
      if (time > 0) currentTarget.currentTime = time
      if (playing) void currentTarget.play().catch(() => {})
    },
    onError: () => {
      setAt(at + 1)
      if (at + 1 < urls.length) onSource?.(at + 1)
    },
  }
  return kind === 'video' ? (
    <video
      key={url}
      src={url}
      controls
      playsInline
      preload="metadata"
      aria-label={name}
      className="mx-auto block max-h-full max-w-full bg-sunken"
      {...events}
    />
  ) : (
    <div className="flex h-full items-center p-6">
      <audio key={url} src={url} controls preload="metadata" aria-label={name} className="w-full" {...events} />
    </div>
  )
}
