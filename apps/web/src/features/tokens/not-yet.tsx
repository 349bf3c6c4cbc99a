import { CircleDashed } from 'lucide-react'
import { t } from './texts.ts'

/** Says what of a page does not work yet, and why. */
export function NotYet() {
  return (
    <div className="mb-6 flex gap-3 rounded-xl border border-warn/40 bg-warn-soft px-4 py-3.5">
      <CircleDashed aria-hidden className="mt-1 size-5 shrink-0 text-warn" />
      <div className="max-w-3xl">
        <p className="font-medium text-warn">{t.notYet}</p>
        <p className="text-sm">{t.notYetText}</p>
      </div>
    </div>
  )
}
