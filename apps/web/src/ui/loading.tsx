import { LoaderCircle } from 'lucide-react'
import { t } from '../lib/texts.ts'
import { classes } from './classes.ts'

/** Shown while something loads; appears late, so that quick answers do not flicker. */
export function Loading({
  label,
  page = false,
}: {
  label?: string
  /** In place of a whole page: what stands below it stays out of sight until it is known how far down it belongs. */
  page?: boolean
}) {
  return (
    <div
      role="status"
      className={classes(
        'flex justify-center gap-2 px-4 py-12 text-muted',
        page ? 'min-h-dvh items-start' : 'items-center',
      )}
    >
      <LoaderCircle aria-hidden className="size-5 animate-spin" />
      <span>{label ?? t.words.loading}</span>
    </div>
  )
}
