import type { ConsoleWorkload } from '@tidenet/contract'
import { formatDateTime } from '../../lib/format.ts'
import { classes } from '../../ui/classes.ts'
import { healthNote } from './health-note.ts'
import { t } from './texts.ts'

type Shown = Pick<ConsoleWorkload, 'state'>

const dots = {
  running: 'bg-good',
  starting: 'bg-signal animate-pulse',
  stopping: 'bg-signal animate-pulse',
  stopped: 'bg-control',
  failed: 'bg-danger',
} as const

/** The state as a word with a dot. */
export function StateWord({ workload }: { workload: Shown }) {
  return (
    <span className="inline-flex items-center gap-2 text-sm whitespace-nowrap">
      <span aria-hidden className={classes('size-2 rounded-full', dots[workload.state])} />
      {t.state[workload.state]}
    </span>
  )
}

/** Why a program failed and what to do; nothing if it did not fail. */
export function FailureText({ workload }: { workload: ConsoleWorkload }) {
  if (workload.failure === '') return null
  return (
    <div className="text-sm">
      <p className={workload.failure === 'absent' ? 'text-warn' : 'text-danger'}>
        {t.failure[workload.failure]}
        {workload.exit_code !== null && workload.exit_code !== 0 && ` ${t.one.exitCode(workload.exit_code)}`}
      </p>
      {workload.note && (
        <p className="mt-1 text-muted wrap-anywhere">
          {t.one.note} <span translate="no">{workload.note}</span>
        </p>
      )}
    </div>
  )
}

/** Health, restarts and the scheduled stop, as far as there is anything to say. */
export function SupervisionText({ workload }: { workload: ConsoleWorkload }) {
  const { health, health_state, health_note, restarts, restart_at, stop_at, state } = workload
  const parts = [
    restarts > 0 && t.supervise.count(restarts),
    restart_at && t.supervise.next(formatDateTime(restart_at)),
    stop_at && t.stop.short(formatDateTime(stop_at)),
  ].filter(Boolean)
  const hasHealth = health !== null && state === 'running'
  if (!hasHealth && parts.length === 0) return null
  return (
    <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-muted">
      {hasHealth && (
        <span className={health_state === 'unhealthy' ? 'text-danger' : undefined}>
          {t.supervise.state[health_state]}
          {health_note && ` · ${t.supervise.lastProblem(healthNote(health_note))}`}
        </span>
      )}
      {parts.map((part) => (
        <span key={String(part)}>{part}</span>
      ))}
    </p>
  )
}

/** What is about to go wrong, as long as nothing has. */
export function ProblemsText({ workload }: { workload: ConsoleWorkload }) {
  // The others are shown where a failed check and a stopped program are.
  const shown = workload.problems.filter((one) => one !== 'stopped' && one !== 'unhealthy')
  if (shown.length === 0 || workload.failure !== '') return null
  return (
    <ul className="mt-1.5 text-sm text-warn">
      {shown.map((one) => (
        <li key={one}>{t.problem[one]}</li>
      ))}
    </ul>
  )
}

/** An image as users read it. */
export const imageName = (image: string): string =>
  image.startsWith('archive:')
    ? t.archive.shown(image.slice('archive:'.length))
    : image.startsWith('layout:')
      ? t.archive.folderShown
      : image || t.one.ownImage

/** The template's name, or the image. */
export const programOf = ({ template, image }: Pick<ConsoleWorkload, 'template' | 'image'>): string => {
  const known = Object.entries(t.program).find(([name]) => name === template)
  return known?.[1].name ?? imageName(image)
}
