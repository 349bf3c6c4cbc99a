import { useNavigate } from '@tanstack/react-router'
import type { ConsoleWorkload, ConsoleWorkspace } from '@tidenet/contract'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { Addresses, hasAddresses } from './addresses.tsx'
import { Domains } from './domains.tsx'
import { HistoryCard } from './history-card.tsx'
import { joinCommand } from './parse.ts'
import { ProgramForm, settingsKey } from './program-form.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { call } from './session.ts'
import { isShare, ShareFields, shareText, sizeOf } from './share-fields.tsx'
import { formatSizes, LEAST } from './sizes.ts'
import { StopCard } from './stop-card.tsx'
import { SuperviseCard } from './supervise-card.tsx'
import { t } from './texts.ts'
import { useSubmit } from './use-submit.ts'

/** Settings of a program: resources, image, variables and ports, and removal. */
export function SettingsView({ workload, space }: { workload: ConsoleWorkload; space: ConsoleWorkspace }) {
  const navigate = useNavigate()
  const [removing, setRemoving] = useState(false)
  return (
    <div className="grid max-w-3xl gap-5">
      {space.state === 'ready' && hasAddresses(workload) && <Addresses workload={workload} tcp={space.tcp} />}
      {space.state === 'ready' && space.domains && workload.ports.length > 0 && <Domains workload={workload} />}
      {space.state === 'ready' && <Share key={formatSizes(workload)} workload={workload} space={space} />}
      {space.state === 'ready' && (
        <ProgramForm
          key={settingsKey(workload)}
          workload={workload}
          network={space.network}
          archives={space.archives}
        />
      )}
      {space.state === 'ready' && (space.supervised || space.health_checks) && (
        <SuperviseCard
          key={JSON.stringify([workload.restart, workload.health, workload.ports])}
          workload={workload}
          restarts={space.supervised}
        />
      )}
      {space.state === 'ready' && workload.wanted && <StopCard workload={workload} />}
      <Facts workload={workload} />
      <HistoryCard workload={workload} usable={space.state === 'ready'} />
      <Card className="p-5 sm:p-6">
        <h2 className="font-medium">{t.settings.remove}</h2>
        <p className="mt-1 mb-4 text-sm text-muted">{t.one.removeText}</p>
        <Button look="danger" onClick={() => setRemoving(true)}>
          {t.one.remove}
        </Button>
      </Card>
      {removing && (
        <RemoveDialog
          workload={workload}
          onClose={() => setRemoving(false)}
          onRemoved={() => void navigate({ to: '/console/workspaces/$workspace', params: { workspace: space.id } })}
        />
      )}
    </div>
  )
}

function Share({ workload, space }: { workload: ConsoleWorkload; space: ConsoleWorkspace }) {
  const [share, setShare] = useState(() => shareText(workload))
  const [checked, setChecked] = useState(false)
  const { problem, setProblem, busy, submit } = useSubmit()
  // Its current share counts as available.
  const left = {
    cpu: space.free.cpu + workload.cpu,
    memory: space.free.memory + workload.memory,
    storage: space.free.storage + workload.storage,
  }
  const least = { ...LEAST, storage: Math.ceil(workload.storage) }
  const save = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    setProblem(undefined)
    if (!isShare(share, left, least)) return
    void submit(() => call('clusters.resize', { id: workload.id, ...sizeOf(share) }), t.settings.saved)
  }
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="font-medium">{t.settings.resize}</h2>
      <p className="mt-1 mb-4 text-sm text-muted">{t.settings.resizeText}</p>
      <form className="grid gap-4" onSubmit={save} noValidate>
        <ShareFields value={share} onChange={setShare} left={left} least={least} checked={checked} />
        {problem && (
          <Notice tone="bad" live>
            {problem}
          </Notice>
        )}
        <div>
          <Button type="submit" look="primary" busy={busy}>
            {t.settings.save}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Facts({ workload }: { workload: ConsoleWorkload }) {
  const { image, command, env, ports, storage_limit: limit } = workload
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="mb-3 font-medium">{t.settings.facts}</h2>
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[12rem_1fr]">
        <Fact name={t.one.image}>
          {image ? <code className="font-mono text-xs wrap-anywhere">{image}</code> : t.one.ownImage}
        </Fact>
        {command.length > 0 && (
          <Fact name={t.one.command}>
            <code className="font-mono text-xs wrap-anywhere">{joinCommand(command)}</code>
          </Fact>
        )}
        <Fact name={t.one.size}>
          <span className="font-mono text-xs tabular-nums">{formatSizes(workload)}</span>
        </Fact>
        <Fact name={limit === 'enforced' ? t.space.enforced : t.space.metered}>
          {limit === 'enforced' ? t.space.enforcedText : t.space.meteredText}
        </Fact>
        <Fact name={t.one.ports}>
          {ports.length === 0
            ? t.one.noPorts
            : ports.map(({ port, address, url }) => (
                <span key={port} className="block">
                  <span className="font-mono text-xs tabular-nums">
                    {port}
                    {address && ` → ${address}`}
                  </span>
                  {!address && !url && <span className="text-muted"> {t.one.within}</span>}
                </span>
              ))}
        </Fact>
        {env.length > 0 && (
          <Fact name={t.one.env}>
            <span className="font-mono text-xs wrap-anywhere">{t.list(env)}</span>
            <span className="block text-muted">{t.one.secret}</span>
          </Fact>
        )}
      </dl>
    </Card>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted max-sm:-mb-2.5">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
)
