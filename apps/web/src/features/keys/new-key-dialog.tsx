import { t } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyLine } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/states.tsx'

export interface NewKey {
  name: string
  key: string
  secret: string
}

/** Shows a new key, this once. Only its button puts it away. */
export function NewKeyDialog({ made, onClose }: { made: NewKey; onClose: () => void }) {
  const example = `curl -H "JwtAuthorization: Bearer ${made.key}" ${location.origin}/api/v1/storage/get_vip_info`
  return (
    <Dialog
      open
      firm
      onClose={onClose}
      title={t.keys.onceTitle}
      actions={
        <Button look="primary" onClick={onClose}>
          {t.keys.kept}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Notice tone="warn">{t.keys.onceText}</Notice>
        <div>
          <p className="mb-1 text-sm font-medium">{t.keys.key}</p>
          <CopyLine text={made.key} label={t.keys.copyKey} />
        </div>
        {made.secret && (
          <div>
            <p className="mb-1 text-sm font-medium">{t.keys.secret}</p>
            <CopyLine text={made.secret} label={t.keys.copySecret} />
          </div>
        )}
        <div>
          <p className="mb-1 text-sm font-medium">{t.keys.example}</p>
          <CopyLine text={example} label={t.words.copy} />
        </div>
      </div>
    </Dialog>
  )
}
