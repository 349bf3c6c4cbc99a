import { Upload } from 'lucide-react'
import { t } from '../../lib/texts.ts'

/** Shown over everything while files are held over the window. */
export function DropOverlay({ folder }: { folder: string }) {
  return (
    <div className="pointer-events-none fixed inset-0 z-40 flex items-center justify-center bg-shade p-6">
      <div className="flex max-w-lg flex-col items-center gap-3 rounded-2xl border-2 border-dashed border-accent bg-surface px-10 py-12 text-center">
        <Upload aria-hidden className="size-8 text-accent" />
        <p className="text-lg font-semibold wrap-anywhere">{t.files.dropHere(folder)}</p>
      </div>
    </div>
  )
}
