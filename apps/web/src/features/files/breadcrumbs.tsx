import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { classes } from '../../ui/classes.ts'
import { t } from './texts.ts'

/** The path from the root; each part is a link and a drop target. */
export function Breadcrumbs({
  path,
  target,
}: {
  path: readonly { ID: number; Name: string }[]
  /** The folder under a drag. */
  target?: number | undefined
}) {
  const parts = [{ ID: 0, Name: t.files.root }, ...path]
  return (
    <nav aria-label={t.files.path} className="min-w-0">
      <ol className="flex flex-wrap items-center gap-x-1 text-sm">
        {parts.map(({ ID, Name }, index) => (
          <li key={ID} className="flex min-w-0 items-center gap-1">
            {index > 0 && <ChevronRight aria-hidden className="size-3.5 shrink-0 text-muted" />}
            {index === parts.length - 1 ? (
              <span aria-current="page" className="max-w-60 truncate py-1 font-medium" title={Name}>
                {Name}
              </span>
            ) : (
              <Link
                to="/fileStorage"
                search={ID === 0 ? {} : { folder: ID }}
                data-folder={ID}
                data-folder-name={Name}
                title={Name}
                className={classes(
                  'max-w-48 truncate rounded px-1 py-1 text-muted hover:text-text hover:underline',
                  target === ID && 'bg-accent-soft text-accent outline-2 outline-accent',
                )}
              >
                {Name}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
