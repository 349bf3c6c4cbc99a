import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { t } from './texts.ts'

/** Confirms cancelling a transcription. */
export function CancelDialog({
  open,
  onClose,
  onCancel,
}: {
  open: boolean
  onClose: () => void
  onCancel: () => void
}) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t.cancelTitle}
      description={t.cancelText}
      actions={
        <>
          <Button onClick={onClose}>{t.goOn}</Button>
          <Button look="danger" onClick={onCancel}>
            {t.cancel}
          </Button>
        </>
      }
    />
  )
}
