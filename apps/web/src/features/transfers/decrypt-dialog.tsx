import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import type { DownloadRequest } from './download-request.ts'
import { addDownload } from './downloads.ts'
import { t } from './texts.ts'

interface DecryptDialogProps {
  request: DownloadRequest
  onClose: () => void
  /** Shows the download; without it the downloads dialog opens. */
  onStarted?: (id: number) => void
}

/** Asks for the passphrase of an encrypted file before it is downloaded. */
export function DecryptDialog({ request, onClose, onStarted }: DecryptDialogProps) {
  const [passphrase, setPassphrase] = useState('')
  const start = (download: DownloadRequest) => {
    const id = addDownload(download, onStarted === undefined)
    onStarted?.(id)
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (passphrase !== '') start({ ...request, passphrase })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.decryptTitle(request.name)}
      description={t.decryptText}
      actions={
        <>
          <Button onClick={() => start(request)}>{t.downloadEncrypted}</Button>
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
