import { Link, useLocation, useSearch } from '@tanstack/react-router'
import { FolderOpen, LogIn } from 'lucide-react'
import { usePageTitle } from '../../lib/page-title.ts'
import { useStorageAccount } from '../../lib/team.ts'
import { t as shell } from '../../lib/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Card, Empty } from '../../ui/states.tsx'
import { ShareGate } from './share-gate.tsx'
import { folderNumber } from './shared-assets.ts'
import { SharedFolder } from './shared-folder.tsx'
import { t } from './texts.ts'

/** A folder by its number, as visitors see it: an own one, or that of the account `address`. */
export function GroupPage() {
  const title = usePageTitle()
  const { cid, address } = useSearch({ from: '/site/group' })
  const me = useStorageAccount()
  const { href } = useLocation()
  const folder = folderNumber(cid)
  const owner = address ?? me
  if (folder && owner)
    return (
      <Page>
        <ShareGate cid={folder} owner={owner}>
          {(access) => <SharedFolder access={access} />}
        </ShareGate>
      </Page>
    )
  return (
    <Page>
      <h1 className="sr-only">{title}</h1>
      <Card>
        {folder ? (
          <Empty icon={<LogIn aria-hidden className="size-6" />} title={t.folder.signIn}>
            <p>{t.folder.signInText}</p>
            <Link to="/login" search={{ redirect: href }} className={buttonClass('primary', 'mt-4')}>
              {shell.shell.signIn}
            </Link>
          </Empty>
        ) : (
          <Empty icon={<FolderOpen aria-hidden className="size-6" />} title={t.folder.choose}>
            <p>{t.folder.chooseText}</p>
            <Link to="/fileStorage" className={buttonClass('secondary', 'mt-4')}>
              {t.owner.toFiles}
            </Link>
          </Empty>
        )}
      </Card>
    </Page>
  )
}
