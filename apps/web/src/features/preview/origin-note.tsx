import { ShieldCheck } from 'lucide-react'
import { formatSize } from '../../lib/format.ts'
import { t } from './texts.ts'
import type { Origin } from './viewer.tsx'

/** Says what of the file was verified. */
export function OriginNote({ origin, size }: { origin: Origin | undefined; size: number }) {
  if (!origin) return <p className="min-h-6 text-sm text-muted">{t.notCounted}</p>
  return (
    <p className="flex min-h-6 items-start gap-2 text-sm text-muted">
      <ShieldCheck aria-hidden className="mt-1 size-4 shrink-0 text-good" />
      <span>
        {origin.kind === 'checked'
          ? t.verified
          : origin.kind === 'streamed'
            ? t.streamed
            : t.partial(formatSize(origin.bytes), formatSize(size))}
      </span>
    </p>
  )
}
