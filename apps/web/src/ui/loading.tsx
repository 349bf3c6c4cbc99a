import { LoaderCircle } from 'lucide-react'
import { t } from '../lib/texts.ts'
import { classes } from './classes.ts'

/** A loading indicator. */
export function Loading({
  label,
  page = false,
}: {
  label?: string
  /** Takes the height of the window, so that the footer does not move when the page has loaded. */
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
