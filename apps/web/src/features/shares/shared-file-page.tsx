import { useSearch } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { Page } from '../../ui/page.tsx'
import { ReportLink } from '../abuse/report-link.tsx'
import { SharedFileOf } from './shared-file-of.tsx'

/** The page of a file's share link. */
export function SharedFilePage() {
  usePageTitle()
  const search = useSearch({ from: '/site/distributionstatus' })
  return (
    <Page>
      <SharedFileOf search={search} />
      <ReportLink />
    </Page>
  )
}
