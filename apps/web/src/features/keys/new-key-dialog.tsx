import { formatDateTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/states.tsx'
import { t as form } from './form-texts.ts'
import type { NewKey } from './key.ts'
import { abilities } from './permissions.ts'
import { NewS3Access } from './s3-access.tsx'
import { t } from './texts.ts'
import { curlLine } from './usage-examples.tsx'

/** Shows a new key, which is never shown again. */
export function NewKeyDialog({ created, onClose }: { created: NewKey; onClose: () => void }) {
  const k = t.page
  const mayList = created.type === 'admin' || created.perms.includes('readFolder')
  return (
    <Dialog
      open
      persistent
      wide
      onClose={onClose}
      title={k.onceTitle}
      actions={
        <Button look="primary" onClick={onClose}>
          {k.kept}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <Notice tone="warn">
          <p>{k.onceText}</p>
          {created.previousUntil !== undefined && (
            <p>
              {created.previousUntil ? form.previousUntil(formatDateTime(created.previousUntil)) : form.previousEnded}
            </p>
          )}
        </Notice>
        <div>
          <p className="mb-1 text-sm font-medium">{k.key}</p>
          <CopyField text={created.key} label={k.copyKey} />
          <p className="mt-1.5 text-sm text-muted">{abilities(created).join(' ')}</p>
        </div>
        {created.secret && (
          <div>
            <p className="mb-1 text-sm font-medium">{k.secret}</p>
            <CopyField text={created.secret} label={k.copySecret} />
            <p className="mt-1.5 text-sm text-muted">{t.secretNote}</p>
          </div>
        )}
        <div>
          <p className="mb-1 text-sm font-medium">{k.example}</p>
          <CopyField text={curlLine(created.key, mayList)} label={t.copyCurl} />
          <p className="mt-1.5 text-sm text-muted">{t.answers}</p>
        </div>
        {created.accessKeyId && <NewS3Access {...created} />}
      </div>
    </Dialog>
  )
}
