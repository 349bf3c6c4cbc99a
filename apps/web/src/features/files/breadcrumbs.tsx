import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { t } from '../../lib/texts.ts'

/** Where one is, from the root; each part leads there. */
export function Breadcrumbs({ path }: { path: readonly { ID: number; Name: string }[] }) {
  const parts = [{ ID: 0, Name: t.files.root }, ...path]
  return (
    <nav aria-label={t.files.path}>
      <ol className="flex flex-wrap items-center gap-x-1 text-sm">
        {parts.map(({ ID, Name }, index) => (
          <li key={ID} className="flex min-w-0 items-center gap-1">
            {index > 0 && <ChevronRight aria-hidden className="size-3.5 shrink-0 text-muted" />}
            {index === parts.length - 1 ? (
              <span aria-current="page" className="max-w-60 truncate py-1 font-medium">
                {Name}
              </span>
            ) : (
              <Link
                to="/fileStorage"
                search={ID === 0 ? {} : { folder: ID }}
                className="max-w-48 truncate rounded py-1 text-muted hover:text-text hover:underline"
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
