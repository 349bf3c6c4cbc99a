import { formatDateTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/states.tsx'
import { t } from './texts.ts'

export interface NewSecret {
  secret: string
  /** Until then the old one signs too; undefined: there is none. */
  until?: string
}

/** Shows a secret, which is never shown again. Only the button closes the dialog. */
export function SecretDialog({ secret, until, onClose }: NewSecret & { onClose: () => void }) {
  return (
    <Dialog
      open
      persistent
      wide
      onClose={onClose}
      title={t.secretTitle}
      actions={
        <Button look="primary" onClick={onClose}>
          {t.kept}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <Notice tone="warn">{until ? t.rotatedText(formatDateTime(until)) : t.secretText}</Notice>
        <CopyField text={secret} label={t.copySecret} />
      </div>
    </Dialog>
  )
}
