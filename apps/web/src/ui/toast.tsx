import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { messageOf } from '../lib/api.ts'
import { t } from '../lib/texts.ts'
import { iconButtonClass } from './button.tsx'
import { classes } from './classes.ts'

interface Said {
  id: number
  text: string
  tone: 'good' | 'bad'
  action?: { title: string; act: () => void } | undefined
}

const MOST = 4
let said: readonly Said[] = []
let last = 0
const listeners = new Set<() => void>()

function set(next: readonly Said[]): void {
  said = next
  for (const listener of listeners) listener()
}

function add(text: string, tone: Said['tone'], ms: number, action?: Said['action']): void {
  last += 1
  const id = last
  // The same text shows once, and begins its time again.
  set([...said.filter((one) => one.text !== text), { id, text, tone, action }].slice(-MOST))
  setTimeout(() => drop(id), ms)
}

const drop = (id: number) => set(said.filter((one) => one.id !== id))

/** Says briefly that something went well, and offers one thing to do about it, such as taking it back. */
export function tell(text: string, action?: { title: string; act: () => void }): void {
  add(text, 'good', action ? 10_000 : 4000, action)
}

/** Says what went wrong; stays longer and is read out at once. */
export function warn(failure: unknown): void {
  add(typeof failure === 'string' ? failure : messageOf(failure), 'bad', 8000)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What was said last, over everything else. The regions are there before anything is said, so that it is read out. */
export function Toasts() {
  const list = useSyncExternalStore(
    subscribe,
    () => said,
    () => said,
  )
  return (
    <div className="pointer-events-none fixed top-16 right-3 left-3 z-60 ml-auto flex flex-col gap-2 sm:left-auto sm:w-90">
      {(['bad', 'good'] as const).map((tone) => (
        <div key={tone} role={tone === 'bad' ? 'alert' : 'status'} className="flex flex-col gap-2">
          {list
            .filter((one) => one.tone === tone)
            .map((one) => (
              <Toast key={one.id} {...one} />
            ))}
        </div>
      ))}
    </div>
  )
}

function Toast({ id, text, tone, action }: Said) {
  return (
    <div className="pointer-events-auto flex animate-rise items-start gap-2.5 rounded-xl border border-line bg-surface py-2 pr-1.5 pl-3.5 shadow-raised">
      {tone === 'bad' ? (
        <CircleAlert aria-hidden className="mt-2 size-5 shrink-0 text-danger" />
      ) : (
        <CircleCheck aria-hidden className="mt-2 size-5 shrink-0 text-good" />
      )}
      <p className="min-w-0 flex-1 py-1.5 text-sm wrap-anywhere">{text}</p>
      {action && (
        <button
          type="button"
          className={classes('min-h-9 rounded-lg px-2 text-sm font-medium text-accent hover:bg-sunken')}
          onClick={() => {
            drop(id)
            action.act()
          }}
        >
          {action.title}
        </button>
      )}
      <button type="button" className={iconButtonClass()} aria-label={t.words.close} onClick={() => drop(id)}>
        <X aria-hidden className="size-4" />
      </button>
    </div>
  )
}
