import { Link, useParams } from '@tanstack/react-router'
import type { ConsoleWorkspace } from '@tidenet/contract'
import { ArrowLeft, Boxes, Plus } from 'lucide-react'
import { usePageTitle } from '../../lib/page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Badge, Card, Empty, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { KeptCard } from './kept-card.tsx'
import { t as k } from './kept-texts.ts'
import { NetworkLimits } from './network-limits.tsx'
import { Quota } from './quota.tsx'
import { RegistriesCard } from './registries-card.tsx'
import { hasFreeResources } from './sizes.ts'
import { spaceName } from './space-name.tsx'
import { t } from './texts.ts'
import { useWorkspaces } from './use-workspaces.ts'
import { WorkloadRow } from './workload-row.tsx'
import { UnavailableClusters } from './workspaces-page.tsx'

/** A workspace: resources and programs. */
export function WorkspacePage() {
  const { workspace } = useParams({ from: '/workspaces/console/workspaces/$workspace' })
  const spaces = useWorkspaces()
  const space = spaces.data?.list.find(({ id }) => id === workspace)
  usePageTitle(space && spaceName(space))
  return (
    <>
      <BackToSpaces />
      {spaces.isPending ? (
        <Loading />
      ) : !spaces.data ? (
        <LoadFailed title={t.spaces.failed} error={spaces.error} onRetry={() => void spaces.refetch()} />
      ) : space ? (
        <Space space={space} />
      ) : (
        <NoSpace />
      )}
    </>
  )
}

export const BackToSpaces = () => (
  <Link
    to="/console"
    className="mb-3 inline-flex min-h-8 items-center gap-1.5 self-start rounded text-sm text-muted hover:text-text"
  >
    <ArrowLeft aria-hidden className="size-4" />
    {t.spaces.back}
  </Link>
)

export const NoSpace = () => (
  <>
    <PageTitle title={t.space.gone} />
    <p className="max-w-2xl text-muted">{t.space.goneText}</p>
  </>
)

function Space({ space }: { space: ConsoleWorkspace }) {
  const isReady = space.state === 'ready'
  const canDeploy = hasFreeResources(space.free)
  return (
    <>
      <PageTitle
        title={spaceName(space)}
        intro={<span className="font-mono text-sm break-all">{space.id}</span>}
        actions={
          isReady &&
          canDeploy && (
            <Link
              to="/console/workspaces/$workspace/deploy"
              params={{ workspace: space.id }}
              className={buttonClass('primary')}
            >
              <Plus aria-hidden className="size-4" />
              {t.space.deploy}
            </Link>
          )
        }
      />
      <UnavailableClusters spaces={[space]} />
      {space.kept ? (
        <KeptCard space={space} kept={space.kept} />
      ) : (
        !isReady && (
          <div className="mb-5">
            <Notice tone="warn">
              {space.state === 'making' ? t.space.making : t.space.suspended}{' '}
              {space.state === 'suspended' && (
                <a href="/mycenter?tab=1" className="font-medium underline underline-offset-4">
                  {t.space.toOrders}
                </a>
              )}
            </Notice>
          </div>
        )
      )}
      <Card className="p-5 sm:p-6">
        <h2 className="mb-4 font-medium">{t.quota.title}</h2>
        <Quota space={space} />
        {isReady && !canDeploy && <p className="mt-5 border-t border-line pt-4 text-sm text-muted">{t.space.full}</p>}
      </Card>
      <div className="mt-8 mb-3 flex flex-wrap items-center gap-3">
        <h2 className="text-lg font-semibold">{t.space.programs}</h2>
        <DiskLimitBadge space={space} />
      </div>
      <Card>
        {space.workloads.length === 0 ? (
          <Empty icon={<Boxes aria-hidden className="size-6" />} title={t.space.none}>
            <p>{t.space.noneText}</p>
          </Empty>
        ) : (
          <ul className="divide-y divide-line">
            {space.workloads.map((workload) => (
              <WorkloadRow key={workload.id} workload={workload} usable={isReady} />
            ))}
          </ul>
        )}
      </Card>
      <div className="mt-4 grid gap-1 text-sm text-muted">
        <NetworkLimits {...space} />
        {space.workloads.length > 0 && <p>{hasOwnKernel(space) ? t.space.ownKernel : t.space.sharedKernel}</p>}
        {space.workloads.length > 0 && <p>{isEnforced(space) ? t.space.enforcedText : t.space.meteredText}</p>}
        {isReady && <p>{k.atEnd}</p>}
      </div>
      {space.archives && <RegistriesCard />}
    </>
  )
}

const isEnforced = ({ workloads }: ConsoleWorkspace): boolean =>
  workloads.every(({ storage_limit: limit }) => limit === 'enforced')

const hasOwnKernel = ({ workloads }: ConsoleWorkspace): boolean => workloads.every(({ kernel }) => kernel === 'own')

const DiskLimitBadge = ({ space }: { space: ConsoleWorkspace }) =>
  space.workloads.length > 0 && (
    <Badge tone={isEnforced(space) ? 'plain' : 'warn'}>{isEnforced(space) ? t.space.enforced : t.space.metered}</Badge>
  )
