import { useSearch } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { Page } from '../../ui/page.tsx'
import { ShareGate } from './share-gate.tsx'
import { folderNumber } from './shared-asset.ts'
import { SharedFolder } from './shared-folder.tsx'

/** What someone sees who was sent the link of a folder. */
export function SharedFolderPage() {
  usePageTitle()
  const { cid, address } = useSearch({ from: '/site/groupPreview' })
  return (
    <Page>
      <ShareGate cid={folderNumber(cid)} owner={address}>
        {(admitted) => <SharedFolder admitted={admitted} />}
      </ShareGate>
    </Page>
  )
}
