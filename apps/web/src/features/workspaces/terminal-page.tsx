import { Link, useParams } from '@tanstack/react-router'
import type { ConsoleWorkload } from '@tidenet/contract'
import { ArrowLeft } from 'lucide-react'
import { useId, useRef } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { copyText } from '../../ui/copy.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { TerminalState } from './terminal-state.tsx'
import { TerminalKeys, TerminalNotice, TerminalTools } from './terminal-tools.tsx'
import { t } from './texts.ts'
import { useTerminal } from './use-terminal.ts'
import { findWorkload, useWorkspaces } from './use-workspaces.ts'
import { BackToSpaces } from './workspace-page.tsx'

export function TerminalPage() {
  const { workload: id } = useParams({ from: '/workspaces/console/workloads/$workload/terminal' })
  const spaces = useWorkspaces()
  const found = findWorkload(spaces.data?.list, id)
  usePageTitle(found ? t.terminal.title(found.workload.name) : undefined)
  if (spaces.isPending) return <Loading />
  if (found === undefined)
    return <LoadFailed title={t.spaces.failed} error={spaces.error} onRetry={() => void spaces.refetch()} />
  if (found === null)
    return (
      <>
        <BackToSpaces />
        <h1 className="text-2xl font-semibold">{t.terminal.closed.unknown}</h1>
      </>
    )
  return <TerminalOf key={id} workload={found.workload} />
}

function TerminalOf({ workload }: { workload: ConsoleWorkload }) {
  const { id, name } = workload
  const host = useRef<HTMLDivElement>(null)
  const backLink = useRef<HTMLAnchorElement>(null)
  const hint = useId()
  const { state, size, reconnect, type, selected } = useTerminal({ workload: id, host, focusOnLeave: backLink })
  const copy = () => {
    const text = selected()
    if (text === '') toast.error(t.terminal.nothing)
    else void copyText(text)
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Link
        ref={backLink}
        to="/console/workloads/$workload"
        params={{ workload: id }}
        className="mb-1 inline-flex min-h-8 items-center gap-1.5 self-start rounded text-sm text-muted hover:text-text"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {t.terminal.back}
      </Link>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="min-w-0 flex-1 basis-60 text-xl font-semibold tracking-tight wrap-anywhere">
          {t.terminal.title(name)}
        </h1>
        <TerminalState state={state} />
        <TerminalTools onCopy={copy} />
      </div>
      <TerminalNotice workload={workload} state={state} reconnect={reconnect} />
      <section
        aria-label={t.terminal.title(name)}
        aria-describedby={hint}
        className="flex h-[calc(100dvh-19rem)] min-h-72 flex-col overflow-hidden rounded-xl border border-line bg-surface p-2 focus-within:border-accent"
        translate="no"
      >
        <div ref={host} className="min-h-0 flex-1" />
      </section>
      <TerminalKeys onKey={type} />
      <p className="mt-2 flex flex-wrap justify-between gap-x-4 text-xs text-muted">
        <span id={hint}>{t.terminal.leaveHint}</span>
        {size && <span className="font-mono tabular-nums">{t.terminal.size(size.columns, size.rows)}</span>}
      </p>
    </div>
  )
}
