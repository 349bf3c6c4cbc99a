import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { messageOf } from '../lib/api.ts'

export interface Said {
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

export const drop = (id: number) => set(said.filter((one) => one.id !== id))

/** Says briefly that something went well, and offers one thing to do about it, such as taking it back. */
export function tell(text: string, action?: { title: string; act: () => void }): void {
  add(text, 'good', action ? 10_000 : 4000, action)
}

/** Says what went wrong; stays longer and is read out at once. */
export function warn(failure: unknown): void {
  add(typeof failure === 'string' ? failure : messageOf(failure), 'bad', 8000)
}

const Plain = ({ text }: Said): ReactNode => (
  <p className="rounded-xl border border-line bg-surface px-3.5 py-3.5 text-sm wrap-anywhere shadow-raised">{text}</p>
)

// Most visits say nothing. Where its looks do not come, which may be just what is to be said, the words stand alone.
const Toast = lazy<(one: Said) => ReactNode>(() =>
  import('./toast-card.tsx').then(
    ({ ToastCard }) => ({ default: ToastCard }),
    () => ({ default: Plain }),
  ),
)

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
              <Suspense key={one.id} fallback={<Plain {...one} />}>
                <Toast {...one} />
              </Suspense>
            ))}
        </div>
      ))}
    </div>
  )
}
