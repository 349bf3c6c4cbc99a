import { useState } from 'react'
import { t } from './texts.ts'

/** A video or audio player. */
export function MediaView({ kind, url, name }: { kind: 'video' | 'audio'; url: string; name: string }) {
  const [broken, setBroken] = useState(false)
  if (broken) return <p className="p-8 text-center text-muted">{t.media.broken}</p>
  const common = { src: url, controls: true, 'aria-label': name, onError: () => setBroken(true) }
  return kind === 'video' ? (
    <div className="flex h-full items-center justify-center bg-sunken">
      <video {...common} playsInline preload="metadata" className="block max-h-full max-w-full" />
    </div>
  ) : (
    <div className="flex h-full items-center p-6">
      <audio {...common} preload="metadata" className="w-full" />
    </div>
  )
}
