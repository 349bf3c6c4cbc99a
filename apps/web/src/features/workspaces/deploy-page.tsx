import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { PageTitle } from '../../ui/page.tsx'
import { LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { BackToSpace } from './back.tsx'
import { DeployForm } from './deploy-form.tsx'
import { consoleQuery, useConsoleQuery } from './queries.ts'
import { hasFreeResources } from './sizes.ts'
import { spaceName } from './space-name.tsx'
import { t } from './texts.ts'
import { useWorkspaces } from './use-workspaces.ts'
import { NoSpace } from './workspace-page.tsx'

/** Deploys a program or image with a share of a workspace. */
export function DeployPage() {
  const title = usePageTitle()
  const { workspace } = useParams({ from: '/workspaces/console/workspaces/$workspace/deploy' })
  const { folder, name } = useSearch({ from: '/workspaces/console/workspaces/$workspace/deploy' })
  const spaces = useWorkspaces()
  const templates = useConsoleQuery({ ...consoleQuery('clusters.templates', {}), staleTime: Number.POSITIVE_INFINITY })
  const space = spaces.data?.list.find(({ id }) => id === workspace)
  const failed = spaces.data ? templates : spaces
  // The form stays when its program has taken the rest: it still shows a password that nobody sees again.
  const [isOffered, setOffered] = useState(false)
  const isFree = space !== undefined && hasFreeResources(space.free)
  if (isFree && !isOffered) setOffered(true)
  if (spaces.data && !space) return <NoSpace />
  return (
    <>
      {space && <BackToSpace space={space} />}
      <PageTitle title={title} intro={space && t.deploy.intro(spaceName(space))} />
      {!space || !templates.data ? (
        failed.isError ? (
          <LoadFailed title={t.spaces.failed} error={failed.error} onRetry={() => void failed.refetch()} />
        ) : (
          <Loading />
        )
      ) : space.state !== 'ready' ? (
        <Notice tone="warn">{space.state === 'making' ? t.space.making : t.space.suspended}</Notice>
      ) : !isFree && !isOffered ? (
        <Notice tone="warn">{t.space.full}</Notice>
      ) : (
        <DeployForm
          space={space}
          templates={templates.data.list}
          chosen={folder && name ? { id: folder, name } : undefined}
        />
      )}
    </>
  )
}
