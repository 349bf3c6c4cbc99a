import { ShieldCheck, TriangleAlert } from 'lucide-react'
import { formatSize } from '../../lib/format.ts'
import { t } from './texts.ts'
import type { Origin } from './viewer.tsx'

/** Says whether the shown bytes were verified. */
export function OriginNote({ origin, size }: { origin: Origin | undefined; size: number }) {
  if (!origin) return <p className="min-h-6 text-sm text-muted">{t.notCounted}</p>
  const checked = origin.kind === 'checked'
  const Icon = checked ? ShieldCheck : TriangleAlert
  return (
    <p className="flex min-h-6 items-start gap-2 text-sm text-muted">
      <Icon aria-hidden className={checked ? 'mt-1 size-4 shrink-0 text-good' : 'mt-1 size-4 shrink-0 text-warn'} />
      <span>
        {origin.kind === 'checked'
          ? t.verified
          : origin.kind === 'streamed'
            ? t.streamed(origin.node)
            : t.partial(formatSize(origin.bytes), formatSize(size))}
      </span>
    </p>
  )
}
