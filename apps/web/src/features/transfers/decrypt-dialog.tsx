import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { addDownload } from './downloads.ts'
import { t } from './texts.ts'
import type { DownloadWish } from './wish.ts'

interface DecryptDialogProps {
  wish: DownloadWish
  onClose: () => void
  /** Shows the download itself; without it the dialog of all downloads does. */
  onStarted?: (id: number) => void
}

/** Asks for the passphrase of an encrypted file before it is downloaded. */
export function DecryptDialog({ wish, onClose, onStarted }: DecryptDialogProps) {
  const [passphrase, setPassphrase] = useState('')
  const start = (what: DownloadWish) => {
    const id = addDownload(what, onStarted === undefined)
    onStarted?.(id)
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (passphrase !== '') start({ ...wish, passphrase })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.decryptTitle(wish.name)}
      description={t.decryptText}
      actions={
        <>
          <Button onClick={() => start(wish)}>{t.downloadEncrypted}</Button>
          <Button look="primary" type="submit" form="decrypt-form" disabled={passphrase === ''}>
            {t.decrypt}
          </Button>
        </>
      }
    >
      <form id="decrypt-form" onSubmit={submit}>
        <Field label={t.passphrase}>
          <PasswordInput
            autoFocus
            autoComplete="off"
            value={passphrase}
            onChange={(event) => setPassphrase(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
