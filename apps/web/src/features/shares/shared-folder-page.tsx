import { useSearch } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { Page } from '../../ui/page.tsx'
import { ReportLink } from '../abuse/report-link.tsx'
import { ShareGate } from './share-gate.tsx'
import { folderNumber } from './shared-assets.ts'
import { SharedFolder } from './shared-folder.tsx'

/** The page of a folder's share link. */
export function SharedFolderPage() {
  usePageTitle()
  const { cid, address } = useSearch({ from: '/site/groupPreview' })
  return (
    <Page>
      <ShareGate cid={folderNumber(cid)} owner={address}>
        {(access) => <SharedFolder access={access} />}
      </ShareGate>
      <ReportLink />
    </Page>
  )
}
