import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { currentToasts, onToasts, type ToastItem } from './toast.ts'

const PlainToast = ({ text }: ToastItem): ReactNode => (
  <p className="rounded-xl border border-line bg-surface px-3.5 py-3.5 text-sm wrap-anywhere shadow-raised">{text}</p>
)

// Lazy-load the styled toast; fall back to plain text if the chunk fails, because the toast may report just that failure.
const Toast = lazy<(item: ToastItem) => ReactNode>(() =>
  import('./toast-card.tsx').then(
    ({ ToastCard }) => ({ default: ToastCard }),
    () => ({ default: PlainToast }),
  ),
)

/**
 * The current toasts, above everything else. Dialogs are children of the body and hide everything beside them from screen readers, except
 * elements with `aria-live`; so the toasts are a child of the body as well. The live regions exist before the first toast, so that it is
 * announced. They lie over the middle of the header: what follows an action, such as the buttons of the page, stays in reach.
 */
export function Toasts() {
  const list = useSyncExternalStore(onToasts, currentToasts, currentToasts)
  const [body, setBody] = useState<HTMLElement>()
  useEffect(() => setBody(document.body), [])
  if (!body) return null
  return createPortal(
    <div data-toasts className="pointer-events-none fixed top-1 right-3 left-3 z-60 mx-auto flex flex-col sm:w-90">
      {(['bad', 'good'] as const).map((tone) => (
        <div
          key={tone}
          role={tone === 'bad' ? 'alert' : 'status'}
          aria-live={tone === 'bad' ? 'assertive' : 'polite'}
          className="flex flex-col gap-2 not-empty:pb-2"
        >
          {list
            .filter((item) => item.tone === tone)
            .map((item) => (
              <Suspense key={item.id} fallback={<PlainToast {...item} />}>
                <Toast {...item} />
              </Suspense>
            ))}
        </div>
      ))}
    </div>,
    body,
  )
}
