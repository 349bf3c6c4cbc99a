import { Link, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { usePageTitle } from '../../lib/page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Card, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { t } from './folder-texts.ts'
import { hasFreeResources } from './sizes.ts'
import { SpaceName } from './space-name.tsx'
import { programOf } from './state.tsx'
import { t as console } from './texts.ts'
import { useWorkspaces } from './use-workspaces.ts'

/** The programs that a folder of the storage can be opened in. */
export function FolderPage() {
  const { folder, name = '' } = useSearch({ from: '/workspaces/console/folder' })
  const title = t.openTitle(name)
  usePageTitle(title)
  const spaces = useWorkspaces()
  const ready = spaces.data?.list.filter(({ state }) => state === 'ready') ?? []
  const list = ready.filter(({ folders }) => folders)
  if (spaces.isPending) return <Loading />
  if (!spaces.data)
    return <LoadFailed title={console.spaces.failed} error={spaces.error} onRetry={() => void spaces.refetch()} />
  if (!folder || name === '')
    return (
      <Notice tone="warn">
        {t.openMissing}{' '}
        <Link to="/fileStorage" className="font-medium underline underline-offset-4">
          {t.toStorage}
        </Link>
      </Notice>
    )
  const chosen = { folder, name }
  return (
    <>
      <PageTitle title={title} intro={t.openIntro} />
      {list.length === 0 && (
        <Notice tone="warn">
          {ready.length > 0 ? (
            t.notOffered
          ) : (
            <>
              {t.openNone}{' '}
              <a href="/mycenter?tab=1" className="font-medium underline underline-offset-4">
                {console.space.toOrders}
              </a>
            </>
          )}
        </Notice>
      )}
      <ul className="grid gap-5">
        {list.map((space) => (
          <li key={space.id}>
            <Card className="p-5 sm:p-6">
              <h2 className="text-lg font-semibold">
                <SpaceName space={space} />
              </h2>
              <ul className="my-3 divide-y divide-line">
                {space.workloads.map((workload) => (
                  <li key={workload.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
                    <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
                      <span className="font-medium">{workload.name}</span>{' '}
                      <span className="text-sm text-muted">{programOf(workload)}</span>
                    </span>
                    {workload.folder ? (
                      <span className="text-sm text-muted">{t.openHas(workload.folder.name)}</span>
                    ) : (
                      <Link
                        to="/console/workloads/$workload"
                        params={{ workload: workload.id }}
                        search={{ view: 'files', ...chosen }}
                        className={buttonClass('secondary')}
                      >
                        {t.openHere(workload.name)}
                      </Link>
                    )}
                  </li>
                ))}
              </ul>
              {hasFreeResources(space.free) ? (
                <Link
                  to="/console/workspaces/$workspace/deploy"
                  params={{ workspace: space.id }}
                  search={chosen}
                  className={buttonClass('primary')}
                >
                  <Plus aria-hidden className="size-4" />
                  {t.openNew}
                </Link>
              ) : (
                <p className="text-sm text-muted">{console.space.full}</p>
              )}
            </Card>
          </li>
        ))}
      </ul>
    </>
  )
}
