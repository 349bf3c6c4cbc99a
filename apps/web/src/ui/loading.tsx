import { LoaderCircle } from 'lucide-react'
import { t } from '../lib/texts.ts'

/** Shown while something loads; appears late, so that quick answers do not flicker. */
export function Loading({ label }: { label?: string }) {
  return (
    <div role="status" className="flex items-center justify-center gap-2 px-4 py-12 text-muted">
      <LoaderCircle aria-hidden className="size-5 animate-spin" />
      <span>{label ?? t.words.loading}</span>
    </div>
  )
}
