import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { messageOf } from '../lib/api.ts'
import { t } from '../lib/texts.ts'
import { iconButtonClass } from './button.tsx'

const manager = Toast.createToastManager()

/** Says briefly that something went well. */
export function tell(text: string): void {
  manager.add({ title: text, type: 'good', timeout: 4000 })
}

/** Says what went wrong; stays longer and is read out at once. The same text shows once. */
export function warn(failure: unknown): void {
  const text = typeof failure === 'string' ? failure : messageOf(failure)
  manager.add({ id: `warn:${text}`, title: text, type: 'bad', timeout: 8000, priority: 'high' })
}

function List() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection="right"
      className="rounded-xl border border-line bg-surface shadow-raised transition-opacity duration-200 data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-2.5 py-2 pr-1.5 pl-3.5">
        {toast.type === 'bad' ? (
          <CircleAlert aria-hidden className="mt-2 size-5 shrink-0 text-danger" />
        ) : (
          <CircleCheck aria-hidden className="mt-2 size-5 shrink-0 text-good" />
        )}
        <Toast.Title render={<p />} className="min-w-0 flex-1 py-1.5 text-sm wrap-anywhere" />
        <Toast.Close className={iconButtonClass()} aria-label={t.words.close}>
          <X aria-hidden className="size-4" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      <Toast.Portal>
        <Toast.Viewport className="fixed top-16 right-3 left-3 z-60 ml-auto flex flex-col gap-2 outline-none sm:left-auto sm:w-90">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
