import { useSearch } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { Logo } from '../../ui/logo.tsx'
import { Loading } from '../../ui/states.tsx'
import { ReportLink } from '../abuse/report-link.tsx'
import { ShareGate } from './share-gate.tsx'
import { folderNumber } from './shared-assets.ts'
import { SharedFile } from './shared-file.tsx'
import { SharedFileOf } from './shared-file-of.tsx'
import { ShortLinkGate } from './short-link-gate.tsx'
import { t } from './texts.ts'

const EmbeddedFolder = lazy(async () => ({ default: (await import('./embedded-folder.tsx')).EmbeddedFolder }))

/** A share for embedding: no header or footer, and one link to the full page. */
export function EmbeddedFilePage() {
  usePageTitle()
  const search = useSearch({ from: '/td-distributionstatus' })
  const [full, setFull] = useState<string>()
  const folder = search.group === undefined ? folderNumber(search.cid) : undefined
  const { link } = search
  useEffect(
    () => setFull(link ? `/s/${link}` : `${folder ? '/groupPreview' : '/distributionstatus'}${location.search}`),
    [folder, link],
  )
  return (
    <main id="content" className="mx-auto flex max-w-2xl flex-col gap-4 p-4">
      {link ? (
        <ShortLinkGate token={link}>
          {({ kind, ...access }) =>
            kind === 'group' ? (
              <Suspense fallback={<Loading />}>
                <EmbeddedFolder access={access} href={`/s/${link}`} />
              </Suspense>
            ) : (
              <SharedFile access={access} areas={[]} embedded />
            )
          }
        </ShortLinkGate>
      ) : folder ? (
        <ShareGate cid={folder} owner={search.address}>
          {(access) => (
            <Suspense fallback={<Loading />}>
              <EmbeddedFolder access={access} />
            </Suspense>
          )}
        </ShareGate>
      ) : (
        <SharedFileOf search={search} embedded />
      )}
      <footer className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-muted">
        <span className="flex items-center gap-3">
          <Logo />
          {!folder && t.embedded.verified}
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
        <ReportLink embedded />
      </footer>
    </main>
  )
}
