import { useSearch } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Logo } from '../shell/logo.tsx'
import { usePageTitle } from '../shell/page-title.tsx'
import { SharedFileOf } from './shared-file-of.tsx'
import { t } from './texts.ts'

/** A shared file for the frames of other sites: nothing around it, and one way out. */
export function EmbeddedFilePage() {
  usePageTitle()
  const search = useSearch({ from: '/td-distributionstatus' })
  const [full, setFull] = useState<string>()
  useEffect(() => setFull(`/distributionstatus${location.search}`), [])
  return (
    <main id="content" className="mx-auto flex max-w-2xl flex-col gap-4 p-4">
      <SharedFileOf search={search} slim />
      <footer className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-muted">
        <span className="flex items-center gap-3">
          <Logo />
          {t.embedded.verified}
        </span>
        {full && (
          <a
            href={full}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1.5 text-accent hover:underline"
          >
            {t.embedded.openFull}
            <ExternalLink aria-hidden className="size-3.5" />
          </a>
        )}
      </footer>
    </main>
  )
}
