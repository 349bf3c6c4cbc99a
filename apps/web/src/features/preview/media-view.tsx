import { useState } from 'react'
import { t } from './texts.ts'

/** A video or audio player. */
export function MediaView({ kind, url, name }: { kind: 'video' | 'audio'; url: string; name: string }) {
  const [broken, setBroken] = useState(false)
  if (broken) return <p className="p-8 text-center text-muted">{t.media.broken}</p>
  const common = { src: url, controls: true, 'aria-label': name, onError: () => setBroken(true) }
  return kind === 'video' ? (
    <video {...common} playsInline preload="metadata" className="mx-auto block max-h-full max-w-full bg-sunken" />
  ) : (
    <div className="flex h-full items-center p-6">
      <audio {...common} preload="metadata" className="w-full" />
    </div>
  )
}
