import { Link } from '@tanstack/react-router'
import type { ConsoleWorkspace } from '@tidenet/contract'
import { ArrowRight, Boxes } from 'lucide-react'
import { formatDateTime } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Badge, Card, Empty, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { KeptLine } from './kept-card.tsx'
import { Quota } from './quota.tsx'
import { SpaceName, spaceName } from './space-name.tsx'
import { t } from './texts.ts'
import { useWorkspaces } from './use-workspaces.ts'

/** The workspaces of the account. */
export function WorkspacesPage() {
  usePageTitle()
  const spaces = useWorkspaces()
  const list = spaces.data?.list
  return (
    <>
      <PageTitle title={t.spaces.title} intro={t.spaces.intro} />
      <UnavailableClusters spaces={list ?? []} />
      {spaces.isPending ? (
        <Loading />
      ) : !list ? (
        <LoadFailed title={t.spaces.failed} error={spaces.error} onRetry={() => void spaces.refetch()} />
      ) : list.length === 0 ? (
        <Card>
          <Empty icon={<Boxes aria-hidden className="size-6" />} title={t.spaces.empty}>
            <p>{t.spaces.emptyText}</p>
            <a href="/mycenter?tab=2" className={buttonClass('primary', 'mt-4')}>
              {t.spaces.rent}
            </a>
          </Empty>
        </Card>
      ) : (
        <ul className="grid gap-5">
          {list.map((space) => (
            <li key={space.id}>
              <SpaceCard space={space} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function SpaceCard({ space }: { space: ConsoleWorkspace }) {
  const running = space.workloads.filter(({ state }) => state === 'running').length
  return (
    <Card className="p-5 sm:p-6">
      <div className="mb-5 flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1">
          <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-semibold">
            <SpaceName space={space} />
            <Badge tone={space.state === 'ready' ? 'accent' : 'warn'}>{t.spaces.state[space.state]}</Badge>
          </h2>
          <p className="text-sm text-muted">
            {t.spaces.since(formatDateTime(space.created_at))} · {t.spaces.programs(running, space.workloads.length)} ·{' '}
            <span className="font-mono text-xs break-all">{space.id}</span>
          </p>
        </div>
        <Link
          to="/console/workspaces/$workspace"
          params={{ workspace: space.id }}
          className={buttonClass('primary')}
          aria-label={`${t.spaces.open}: ${spaceName(space)}`}
        >
          {t.spaces.open}
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      </div>
      {space.kept ? <KeptLine until={space.kept.until} /> : <Quota space={space} />}
    </Card>
  )
}

/** Unavailable clusters, with the server's reason; for accounts with workspaces only their clusters. */
export function UnavailableClusters({ spaces }: { spaces: readonly Pick<ConsoleWorkspace, 'cluster'>[] }) {
  // Public data, also shown on the price page.
  const offers = useQuery({ ...query('orders.offers', {}), staleTime: 30_000 })
  const unavailable = offers.data?.clusters.filter(
    ({ name, ready }) => !ready && (spaces.length === 0 || spaces.some(({ cluster }) => cluster === name)),
  )
  if (!unavailable || unavailable.length === 0) return null
  return (
    <div className="mb-5 grid gap-3">
      {unavailable.map(({ name, reason }) => (
        <Notice key={name} tone={spaces.length > 0 ? 'warn' : 'info'}>
          <p className="font-medium">{t.spaces.regionAway(t.region[name])}</p>
          <p>
            {reason} {spaces.length > 0 ? t.spaces.regionAwayText : t.spaces.regionAwayNew}
          </p>
        </Notice>
      ))}
    </div>
  )
}
