import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { t } from '../lib/texts.ts'
import { iconButtonClass } from './button.tsx'
import { classes } from './classes.ts'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  /** Buttons; the primary one comes last. */
  actions?: ReactNode
  wide?: boolean
  /** A click outside does not close it, nor does Enter when it has just opened, so that input and secrets shown once are not lost. */
  persistent?: boolean
  /** Focuses the first input, except on touch screens, where that would open the on-screen keyboard. */
  form?: boolean
}

const backdrop =
  'fixed inset-0 bg-shade transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0'

/** A press on a toast, which lies above the dialog, does not close the dialog. */
const closer =
  (onClose: () => void) =>
  (open: boolean, { event }: { event: Event }) => {
    if (!open && !(event.target instanceof Element && event.target.closest('[data-toasts]'))) onClose()
  }

/** A centred dialog; at the bottom on small screens. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  actions,
  wide,
  persistent = false,
  form = false,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open={open} onOpenChange={closer(onClose)} disablePointerDismissal={persistent}>
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <Base.Popup
          ref={popup}
          initialFocus={
            form
              ? () => (matchMedia('(pointer: coarse)').matches ? null : popup.current?.querySelector('input'))
              : persistent
                ? popup
                : undefined
          }
          className={classes(
            'fixed inset-x-0 bottom-0 mx-auto flex max-h-[92dvh] w-full flex-col rounded-t-2xl border border-line bg-surface',
            'shadow-raised outline-none transition-[opacity,transform] duration-150',
            'sm:top-1/2 sm:bottom-auto sm:w-[calc(100%-2rem)] sm:-translate-y-1/2 sm:rounded-2xl',
            'data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0',
            'sm:data-starting-style:-translate-y-[48%]',
            wide ? 'sm:max-w-2xl' : 'sm:max-w-md',
          )}
        >
          <div className="flex items-start gap-3 px-5 pt-4 pb-2">
            <Base.Title className="min-w-0 flex-1 pt-1 text-lg leading-7 font-semibold wrap-anywhere">
              {title}
            </Base.Title>
            <Base.Close className={iconButtonClass('-mr-2')} aria-label={t.words.close}>
              <X aria-hidden className="size-5" />
            </Base.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5">
            {description && (
              <Base.Description render={<div />} className="mb-4 text-muted">
                {description}
              </Base.Description>
            )}
            {children}
          </div>
          {actions && (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
              {actions}
            </div>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** A side panel on the right, for details of a list item. */
export function Panel({
  open,
  onClose,
  title,
  children,
  wide,
}: Pick<DialogProps, 'open' | 'onClose' | 'title' | 'children' | 'wide'>) {
  return (
    <Base.Root open={open} onOpenChange={closer(onClose)}>
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <Base.Popup
          className={classes(
            'fixed inset-y-0 right-0 flex w-full flex-col border-l border-line bg-surface shadow-raised outline-none',
            'transition-transform duration-200 data-ending-style:translate-x-full data-starting-style:translate-x-full',
            wide ? 'max-w-2xl' : 'max-w-md',
          )}
        >
          <div className="flex items-start gap-3 border-b border-line px-5 py-3">
            <Base.Title className="min-w-0 flex-1 pt-1 text-lg leading-7 font-semibold wrap-anywhere">
              {title}
            </Base.Title>
            <Base.Close className={iconButtonClass('-mr-2')} aria-label={t.words.close}>
              <X aria-hidden className="size-5" />
            </Base.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-5">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
