import { Link } from '@tanstack/react-router'
import { Flag } from 'lucide-react'
import { useEffect, useState } from 'react'
import { classes } from '../../ui/classes.ts'
import { t } from './texts.ts'

/**
 * Leads to the report of what the page shows. The part of the address after # stays here: it can be the key of an encrypted share, which the
 * visitor may add.
 */
export function ReportLink({ embedded = false }: { embedded?: boolean }) {
  const [target, setTarget] = useState<string>()
  useEffect(() => setTarget(`${location.origin}${location.pathname}${location.search}`), [])
  return (
    <Link
      to="/report"
      search={{ target }}
      rel="nofollow"
      {...(embedded && { target: '_blank' })}
      className={classes(
        'inline-flex min-h-6 items-center gap-1.5 text-sm text-muted hover:text-text hover:underline',
        !embedded && 'mt-8',
      )}
    >
      <Flag aria-hidden className="size-3.5" />
      {t.link}
    </Link>
  )
}
