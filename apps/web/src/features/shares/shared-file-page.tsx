import { useSearch } from '@tanstack/react-router'
import { Page } from '../../ui/page.tsx'
import { usePageTitle } from '../shell/page-title.tsx'
import { SharedFileOf } from './shared-file-of.tsx'

/** What someone sees who was sent the link of a file. */
export function SharedFilePage() {
  usePageTitle()
  const search = useSearch({ from: '/site/distributionstatus' })
  return (
    <Page>
      <SharedFileOf search={search} />
    </Page>
  )
}
