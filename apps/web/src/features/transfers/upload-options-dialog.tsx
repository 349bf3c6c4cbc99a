import { useQuery } from '@tanstack/react-query'
import { areaName } from '@tidenet/contract/areas'
import { FileUp, FolderUp } from 'lucide-react'
import { useState } from 'react'
import { query } from '../../lib/queries.ts'
import { lang, t } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import type { UploadOptions } from './uploads.ts'

const PASSPHRASE_MIN = 8

interface Props {
  open: boolean
  onClose: () => void
  /** Opens the browser's own dialog for files or a folder. */
  onChoose: (kind: 'files' | 'folder', options: Omit<UploadOptions, 'folder'>) => void
}

/** Where to store, and whether to encrypt, before choosing what. */
export function UploadOptionsDialog({ open, onClose, onChoose }: Props) {
  const areas = useQuery({ ...query('uploads.areas', {}), enabled: open })
  const [chosen, setChosen] = useState<string[]>([])
  const [encrypt, setEncrypt] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const [repeat, setRepeat] = useState('')
  const [shown, setShown] = useState(false)

  const short = encrypt && [...passphrase].length < PASSPHRASE_MIN
  const differ = encrypt && passphrase !== repeat
  const choose = (kind: 'files' | 'folder') => {
    setShown(true)
    if (short || differ) return
    onChoose(kind, { areas: chosen, ...(encrypt && { passphrase }) })
    setPassphrase('')
    setRepeat('')
    setShown(false)
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t.transfers.optionsTitle}
      actions={
        <>
          <Button icon={<FolderUp aria-hidden className="size-4" />} onClick={() => choose('folder')}>
            {t.transfers.chooseFolder}
          </Button>
          <Button look="primary" icon={<FileUp aria-hidden className="size-4" />} onClick={() => choose('files')}>
            {t.transfers.chooseFiles}
          </Button>
        </>
      }
    >
      <fieldset>
        <legend className="text-sm font-medium">{t.transfers.area}</legend>
        <p className="mb-2 text-sm text-muted">{t.transfers.areaHint}</p>
        {areas.data?.list.length === 0 && <Notice>{t.transfers.noAreas}</Notice>}
        <div className="grid gap-2 sm:grid-cols-2">
          {areas.data?.list.map((area) => (
            <Checkbox
              key={area}
              checked={chosen.includes(area)}
              onChange={(on) => setChosen(on ? [...chosen, area] : chosen.filter((each) => each !== area))}
            >
              {areaName(area, lang)}
            </Checkbox>
          ))}
        </div>
      </fieldset>
      <div className="mt-6 flex flex-col gap-4">
        <Checkbox checked={encrypt} onChange={setEncrypt} hint={t.transfers.encryptionHint}>
          {t.transfers.encryption}
        </Checkbox>
        {encrypt && (
          <>
            <Field label={t.transfers.passphrase} error={shown && short ? t.transfers.passphraseShort : undefined}>
              <PasswordInput
                value={passphrase}
                onChange={(event) => setPassphrase(event.target.value)}
                autoComplete="new-password"
              />
            </Field>
            <Field
              label={t.transfers.passphraseRepeat}
              error={shown && !short && differ ? t.transfers.passphraseDiffer : undefined}
            >
              <PasswordInput
                value={repeat}
                onChange={(event) => setRepeat(event.target.value)}
                autoComplete="new-password"
              />
            </Field>
          </>
        )}
      </div>
    </Dialog>
  )
}
