import { Link, useNavigate } from '@tanstack/react-router'
import type { ConsoleWorkload } from '@tidenet/contract'
import {
  ChartLine,
  EllipsisVertical,
  FolderInput,
  Play,
  ScrollText,
  Settings2,
  Square,
  SquareTerminal,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { Button, buttonClass, iconButtonClass } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { formatSizes } from './sizes.ts'
import { FailureText, ProblemsText, programOf, StateWord } from './state.tsx'
import { t } from './texts.ts'
import { useActions } from './use-actions.ts'

/** A program of a workspace, with its actions. */
export function WorkloadRow({ workload, usable }: { workload: ConsoleWorkload; usable: boolean }) {
  const { id, name } = workload
  const navigate = useNavigate()
  const [removing, setRemoving] = useState(false)
  const { busy, act } = useActions(workload)
  const show = (view?: 'usage' | 'files' | 'settings') => () =>
    void navigate({ to: '/console/workloads/$workload', params: { workload: id }, search: view ? { view } : {} })
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Link
            to="/console/workloads/$workload"
            params={{ workload: id }}
            className="inline-flex min-h-7 items-center rounded font-medium hover:underline"
          >
            {name}
          </Link>
          <StateWord workload={workload} />
        </div>
        <p className="text-sm text-muted">
          <span className="wrap-anywhere" translate="no">
            {programOf(workload)}
          </span>{' '}
          · <span className="font-mono text-xs tabular-nums">{formatSizes(workload)}</span>
        </p>
        <ProblemsText workload={workload} />
        {workload.failure && (
          <div className="mt-1.5">
            <FailureText workload={workload} />
          </div>
        )}
      </div>
      <div className="flex items-center gap-2">
        {workload.state === 'running' && workload.wanted && (
          <Link
            to="/console/workloads/$workload/terminal"
            params={{ workload: id }}
            className={buttonClass('secondary')}
            preload={false}
          >
            <SquareTerminal aria-hidden className="size-4" />
            {t.one.terminal}
          </Link>
        )}
        {usable && (workload.state === 'stopped' || workload.state === 'failed') && (
          <Button
            icon={<Play aria-hidden className="size-4" />}
            busy={busy === 'start'}
            onClick={() => void act('start')}
          >
            {t.one.start}
          </Button>
        )}
        <Menu
          label={t.one.actions(name)}
          trigger={<EllipsisVertical aria-hidden className="size-5" />}
          triggerClass={iconButtonClass()}
        >
          <MenuItem icon={<ScrollText aria-hidden className="size-4" />} onSelect={show()}>
            {t.one.log}
          </MenuItem>
          <MenuItem icon={<ChartLine aria-hidden className="size-4" />} onSelect={show('usage')}>
            {t.one.usage}
          </MenuItem>
          <MenuItem icon={<FolderInput aria-hidden className="size-4" />} onSelect={show('files')}>
            {t.one.files}
          </MenuItem>
          <MenuItem icon={<Settings2 aria-hidden className="size-4" />} onSelect={show('settings')}>
            {t.one.settings}
          </MenuItem>
          <MenuSeparator />
          {usable && workload.wanted && workload.state !== 'failed' && (
            <MenuItem icon={<Square aria-hidden className="size-4" />} onSelect={() => void act('stop')}>
              {t.one.stop}
            </MenuItem>
          )}
          <MenuItem icon={<Trash2 aria-hidden className="size-4" />} danger onSelect={() => setRemoving(true)}>
            {t.one.remove}
          </MenuItem>
        </Menu>
      </div>
      {removing && (
        <RemoveDialog workload={workload} onClose={() => setRemoving(false)} onRemoved={() => setRemoving(false)} />
      )}
    </li>
  )
}
