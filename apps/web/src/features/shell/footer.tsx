import { Link } from '@tanstack/react-router'
import { t } from '../../lib/texts.ts'

export function Footer() {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-2 px-4 py-6 text-sm text-muted sm:px-6">
        <p className="mr-auto">
          {t.product} · {t.shell.footer} {t.shell.privacyNote}
        </p>
        <Link to="/docs/api" className="inline-flex min-h-6 items-center hover:text-text hover:underline">
          {t.shell.api}
        </Link>
      </div>
    </footer>
  )
}
