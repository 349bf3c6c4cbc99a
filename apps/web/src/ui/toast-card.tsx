import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { t } from '../lib/texts.ts'
import { iconButtonClass } from './button.tsx'
import { classes } from './classes.ts'
import { dismissToast, type ToastItem } from './toast.ts'

/** A toast with a close button and an optional action. */
export function ToastCard({ id, text, tone, action }: ToastItem) {
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
            dismissToast(id)
            action.act()
          }}
        >
          {action.title}
        </button>
      )}
      <button type="button" className={iconButtonClass()} aria-label={t.words.close} onClick={() => dismissToast(id)}>
        <X aria-hidden className="size-4" />
      </button>
    </div>
  )
}
