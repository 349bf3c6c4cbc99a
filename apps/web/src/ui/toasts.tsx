import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { nowSaid, onSaid, type Said } from './toast.ts'

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

/** What was said last, over everything else. The regions are there before anything is said, so that it is read out. */
export function Toasts() {
  const list = useSyncExternalStore(onSaid, nowSaid, nowSaid)
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
