import { Upload } from 'lucide-react'
import { t } from './texts.ts'

/** Shows the target folder while files are dragged over the window. */
export function DropOverlay({ folder }: { folder: string }) {
  return (
    <div className="pointer-events-none fixed inset-3 z-40 flex items-end justify-center rounded-2xl border-2 border-dashed border-accent bg-accent-soft/40 pb-12">
      <p className="flex items-center gap-3 rounded-xl border border-accent bg-surface px-5 py-3 text-lg font-medium shadow-raised">
        <Upload aria-hidden className="size-5 text-accent" />
        {t.files.dropHere(folder)}
      </p>
    </div>
  )
}
