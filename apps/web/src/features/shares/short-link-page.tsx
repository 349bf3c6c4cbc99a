import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { Page } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { ReportLink } from '../abuse/report-link.tsx'
import { SharedFile } from './shared-file.tsx'
import { SharedFolder } from './shared-folder.tsx'
import { ShortLinkGate } from './short-link-gate.tsx'

const UploadByLink = lazy(async () => ({ default: (await import('./upload-by-link.tsx')).UploadByLink }))

/** The page of a short link: a shared file or folder, without its content or account in the address. */
export function ShortLinkPage() {
  usePageTitle()
  const { token } = useParams({ from: '/site/s/$token' })
  return (
    <Page>
      <ShortLinkGate
        token={token}
        uploads={(target) => (
          <Suspense fallback={<Loading page />}>
            <UploadByLink token={token} target={target} />
          </Suspense>
        )}
      >
        {({ kind, ...access }) =>
          kind === 'group' ? <SharedFolder access={access} /> : <SharedFile access={access} areas={[]} />
        }
      </ShortLinkGate>
      <ReportLink />
    </Page>
  )
}
