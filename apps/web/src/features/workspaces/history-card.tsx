import type { ConsoleWorkload, Output, RouteOf } from '@tidenet/contract'
import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Card, LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { joinCommand } from './parse.ts'
import { consoleQuery, refreshConsole, useConsoleQuery } from './queries.ts'
import { call } from './session.ts'
import { formatSizes } from './sizes.ts'
import { imageName } from './state.tsx'
import { t } from './texts.ts'

type Version = Output<RouteOf<'clusters.history'>>['list'][number]

/** The versions of a program's settings; an earlier one can be restored. */
export function HistoryCard({ workload: { id, image }, usable }: { workload: ConsoleWorkload; usable: boolean }) {
  const history = useConsoleQuery(consoleQuery('clusters.history', { id }))
  const [chosen, setChosen] = useState<Version>()
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="font-medium">{t.history.title}</h2>
      <p className="mt-1 mb-4 text-sm text-muted">{t.history.text}</p>
      {history.isPending ? (
        <Loading />
      ) : history.data ? (
        <ol className="grid gap-4">
          {history.data.list.map((version, index) => (
            <li key={version.revision} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 text-sm">
              <div className="min-w-0 flex-1">
                <p className="font-medium">
                  {t.history.version(version.revision)}
                  <span className="ml-2 font-normal text-muted">{formatDateTime(version.at)}</span>
                </p>
                <p className="text-muted">{summaryOf(version)}</p>
                <Settings version={version} />
              </div>
              {index === 0 ? (
                <span className="text-muted">{t.history.current}</span>
              ) : (
                usable && (
                  <Button aria-label={t.history.restoreVersion(version.revision)} onClick={() => setChosen(version)}>
                    {t.history.restore}
                  </Button>
                )
              )}
            </li>
          ))}
        </ol>
      ) : (
        <LoadFailed title={t.history.failed} error={history.error} onRetry={() => void history.refetch()} />
      )}
      {chosen && (
        <RestoreDialog id={id} version={chosen} isOther={chosen.image !== image} onClose={() => setChosen(undefined)} />
      )}
    </Card>
  )
}

function summaryOf({ changed, restored }: Version): string {
  if (restored !== null) return t.history.restored(restored)
  return changed.length > 0 ? t.history.changed(changed.map((part) => t.history.part[part])) : t.history.first
}

/** What the version would set. Values of variables are secrets. */
const Settings = ({ version: { image, command, env, ports, ...size } }: { version: Version }) => (
  <p className="mt-1 font-mono text-xs wrap-anywhere text-muted" translate="no">
    {[
      imageName(image),
      joinCommand(command),
      t.list(env),
      ports.length > 0 ? `${t.one.ports} ${t.list(ports)}` : '',
      formatSizes(size),
    ]
      .filter((part) => part !== '')
      .join(' · ')}
  </p>
)

function RestoreDialog({
  id,
  version: { revision },
  isOther,
  onClose,
}: {
  id: string
  version: Version
  isOther: boolean
  onClose: () => void
}) {
  const restore = async () => {
    await call('clusters.rollback', { id, revision })
    await refreshConsole('clusters.workspaces', 'clusters.history')
    toast.success(t.history.done(revision))
    onClose()
  }
  return (
    <Confirm
      look="primary"
      title={t.history.restoreVersion(revision)}
      text={isOther ? `${t.history.ask} ${t.history.askImage}` : t.history.ask}
      action={t.history.restore}
      onClose={onClose}
      onConfirm={restore}
    />
  )
}
