import { useState } from 'react'
import { t } from '../lib/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { toast } from './toast.ts'

interface ConfirmProps {
  title: string
  text: string
  action: string
  onClose: () => void
  /** Also closes it, unless it fails. */
  onConfirm: () => Promise<void>
  /** `primary`: what it does can be undone. */
  look?: 'danger' | 'primary'
}

/** Confirms an action, usually one that cannot be undone; the dialog stays open with its problem as a message. */
export function Confirm({ title, text, action, onClose, onConfirm, look = 'danger' }: ConfirmProps) {
  const [busy, setBusy] = useState(false)
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={text}
      actions={
        <>
          <Button onClick={onClose}>{t.words.cancel}</Button>
          <Button
            look={look}
            busy={busy}
            onClick={() => {
              setBusy(true)
              onConfirm().catch((failure: unknown) => {
                toast.error(failure)
                setBusy(false)
              })
            }}
          >
            {action}
          </Button>
        </>
      }
    />
  )
}
