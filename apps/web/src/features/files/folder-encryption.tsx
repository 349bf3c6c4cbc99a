import { Checkbox } from '../../ui/choices.tsx'
import { t } from '../vault/texts.ts'

interface Props {
  /** The parent is encrypted, and so is every folder in it. */
  inherited: boolean
  encrypted: boolean
  onChange: (encrypted: boolean) => void
}

/** Whether a new folder is encrypted. */
export function FolderEncryption({ inherited, encrypted, onChange }: Props) {
  if (inherited) return <p className="text-sm text-muted">{t.folder.inherited}</p>
  return (
    <Checkbox checked={encrypted} hint={t.folder.optionHint} onChange={onChange}>
      {t.folder.option}
    </Checkbox>
  )
}
