import { CircleDashed } from 'lucide-react'
import { t } from '../products/texts.ts'

/** `available`: it runs here. `request`: people do it when asked. `planned`: it does not exist yet. */
export type State = keyof typeof t.states

/** In which state a service is. Apart from the pages of the services: those come with forms. */
export function StateWord({ state }: { state: State }) {
  const here = state === 'available'
  return (
    <span
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
