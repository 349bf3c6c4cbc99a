import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { ConsoleWorkload, ConsoleWorkspace } from '@tidenet/contract'
import { ExternalLink, Play, Square, SquareTerminal } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { openAddress } from './addresses.tsx'
import { BackToSpace } from './back.tsx'
import { LogView } from './log-view.tsx'
import { FailureText, ProblemsText, programOf, StateWord, SupervisionText } from './state.tsx'
import { t } from './texts.ts'
import { useActions } from './use-actions.ts'
import { findWorkload, useWorkspaces } from './use-workspaces.ts'
import { BackToSpaces } from './workspace-page.tsx'

// Loaded when shown.
const UsageView = lazy(async () => ({ default: (await import('./usage-view.tsx')).UsageView }))
const FilesView = lazy(async () => ({ default: (await import('./files-view.tsx')).FilesView }))
const FolderCard = lazy(async () => ({ default: (await import('./folder-card.tsx')).FolderCard }))
const ProgramFilesCard = lazy(async () => ({
  default: (await import('./program-files-card.tsx')).ProgramFilesCard,
}))
const SettingsView = lazy(async () => ({ default: (await import('./settings-view.tsx')).SettingsView }))

/** A program: log, usage, files and settings. */
export function WorkloadPage() {
  const { workload: id } = useParams({ from: '/workspaces/console/workloads/$workload' })
  const spaces = useWorkspaces()
  const found = findWorkload(spaces.data?.list, id)
  usePageTitle(found ? found.workload.name : undefined)
  if (spaces.isPending) return <Loading />
  if (found === undefined)
    return <LoadFailed title={t.spaces.failed} error={spaces.error} onRetry={() => void spaces.refetch()} />
  return found ? <Workload {...found} /> : <NotFound id={id} />
}

function NotFound({ id }: { id: string }) {
  return (
    <>
      <BackToSpaces />
      <PageTitle title={t.one.gone} intro={t.one.goneText} />
      <LogView workload={{ id, name: id }} />
    </>
  )
}

function Workload({ workload, space }: { workload: ConsoleWorkload; space: ConsoleWorkspace }) {
  const { view, folder, name: folderName } = useSearch({ from: '/workspaces/console/workloads/$workload' })
  const chosen = folder && folderName ? { id: folder, name: folderName } : undefined
  const { busy, act } = useActions(workload)
  const { id, name, state, wanted } = workload
  const usable = space.state === 'ready'
  const address = workload.ports.find(({ url, access }) => url !== '' && access !== 'tcp')?.url
  return (
    <>
      <BackToSpace space={space} />
      <PageTitle
        title={name}
        intro={
          <>
            <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <StateWord workload={workload} />
              <span className="text-sm wrap-anywhere" translate="no">
                {programOf(workload)}
              </span>
              <span className="text-sm">
                {state === 'running' && workload.started_at
                  ? t.one.runningSince(formatDateTime(workload.started_at))
                  : t.one.made(formatDateTime(workload.created_at))}
              </span>
            </span>
            <span className="mt-2 block empty:hidden">
              <FailureText workload={workload} />
              <ProblemsText workload={workload} />
              <SupervisionText workload={workload} />
            </span>
          </>
        }
        actions={
          <>
            {state === 'running' && wanted && (
              <Link
                to="/console/workloads/$workload/terminal"
                params={{ workload: id }}
                preload={false}
                className={buttonClass('primary')}
              >
                <SquareTerminal aria-hidden className="size-4" />
                {t.one.terminal}
              </Link>
            )}
            {state === 'running' && wanted && address && (
              <Button icon={<ExternalLink aria-hidden className="size-4" />} onClick={() => void openAddress(address)}>
                {t.addresses.open}
              </Button>
            )}
            {usable && (state === 'stopped' || state === 'failed') && (
              <Button
                look="primary"
                icon={<Play aria-hidden className="size-4" />}
                busy={busy === 'start'}
                onClick={() => void act('start')}
              >
                {t.one.start}
              </Button>
            )}
            {usable && wanted && state !== 'failed' && (
              <Button
                icon={<Square aria-hidden className="size-4" />}
                busy={busy === 'stop'}
                onClick={() => void act('stop')}
              >
                {t.one.stop}
              </Button>
            )}
          </>
        }
      />
      <nav
        aria-label={name}
        className="-mx-4 mb-5 flex gap-1 overflow-x-auto overflow-y-hidden border-b border-line px-4 sm:mx-0 sm:px-0"
      >
        {([undefined, 'usage', 'files', 'settings'] as const).map((each) => (
          <Link
            key={each ?? 'log'}
            to="/console/workloads/$workload"
            params={{ workload: id }}
            search={each ? { view: each } : {}}
            replace
            aria-current={each === view ? 'page' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
            className="-mb-px inline-flex min-h-10 items-center border-b-2 border-transparent px-3 text-sm whitespace-nowrap text-muted hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text"
          >
            {t.one[each ?? 'log']}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<Loading />}>
        {view === 'usage' ? (
          <UsageView workload={workload} network={space.network} />
        ) : view === 'files' ? (
          <div className="grid gap-6">
            {chosen && <FolderCard workload={workload} offered={space.folders} chosen={chosen} />}
            {state === 'running' && wanted ? (
              <ProgramFilesCard workload={workload} />
            ) : (
              <Notice tone="info">{t.browser.notRunning(name)}</Notice>
            )}
            <FilesView workload={workload} />
            {!chosen && <FolderCard workload={workload} offered={space.folders} />}
          </div>
        ) : view === 'settings' ? (
          <SettingsView workload={workload} space={space} />
        ) : (
          <LogView workload={workload} />
        )}
      </Suspense>
    </>
  )
}
