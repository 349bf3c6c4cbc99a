import { CircleDashed } from 'lucide-react'
import type { State } from '../products/states.ts'
import { t } from '../products/texts.ts'

/** The state of a service. Separate from the service pages, which include forms. */
export function ServiceState({ state }: { state: State }) {
  const here = state === 'available'
  return (
    <span
      data-state={state}
      className={`inline-flex items-center gap-2 text-sm font-medium whitespace-nowrap ${here ? 'text-good' : 'text-muted'}`}
    >
      {here ? (
        <span aria-hidden className="mx-0.75 size-2.5 rounded-full bg-good" />
      ) : (
        <CircleDashed aria-hidden className="size-4" />
      )}
      {t.states[state]}
    </span>
  )
}
