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
  onConfirm: () => Promise<void>
}

/** Confirms an action that cannot be undone. */
export function Confirm({ title, text, action, onClose, onConfirm }: ConfirmProps) {
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
            look="danger"
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
