import { type FormEvent, lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useSession } from '../../lib/session-store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Loading } from '../../ui/states.tsx'
import { useVault } from '../vault/store.ts'
import { useSealedBy } from '../vault/use-sealed-by.ts'
import type { DownloadRequest } from './download-request.ts'
import { addDownload } from './downloads.ts'
import { t } from './texts.ts'

const UnlockHere = lazy(async () => ({ default: (await import('../vault/unlock-here.tsx')).UnlockHere }))

interface DecryptDialogProps {
  request: DownloadRequest
  onClose: () => void
  /** Shows the download; without it the downloads dialog opens. */
  onStarted?: (id: number) => void
}

/** What the SDK needs to read the beginning of a file that is to be downloaded. */
function sealedOf({ cid, path, shared, temporary, assetType }: DownloadRequest) {
  // Files of an uploaded folder may differ.
  if (assetType === 'folder') return undefined
  return {
    cid,
    ...(temporary && { temporary }),
    options: {
      ...(path && { path }),
      ...(temporary && { source: 'temp' as const }),
      ...(shared && {
        source: 'open' as const,
        userId: shared.userId,
        ...(shared.shareToken && { ticket: shared.shareToken }),
        ...(shared.groupId !== undefined && { groupId: shared.groupId }),
        ...(shared.areas?.length && { areaId: shared.areas }),
      }),
    },
  }
}

/** Asks for what opens an encrypted file before it is downloaded: its passphrase, or the key of the account's encrypted folders. */
export function DecryptDialog({ request, onClose, onStarted }: DecryptDialogProps) {
  const [passphrase, setPassphrase] = useState('')
  const [byKey, setByKey] = useState(false)
  const isFolder = request.assetType === 'folder'
  const read = useSealedBy(sealedOf(request))
  const sealedBy = isFolder ? (byKey ? 'key' : 'passphrase') : read
  const mine = useSession(({ address }) => address !== '' && (!request.shared || request.shared.userId === address))
  const identity = useVault(({ key }) => key?.identity)
  const start = (download: DownloadRequest) => {
    const id = addDownload(download, onStarted === undefined)
    onStarted?.(id)
    onClose()
  }
  const ready = sealedBy === 'key' && mine ? identity : undefined
  const begin = useEffectEvent((secret: string) => start({ ...request, passphrase: secret }))
  useEffect(() => {
    if (ready) begin(ready)
  }, [ready])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (passphrase !== '') start({ ...request, passphrase })
  }
  const asks = sealedBy === 'passphrase' || sealedBy === 'other'
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.decryptTitle(request.name)}
      description={asks ? t.decryptText : undefined}
      actions={
        <>
          <Button onClick={() => start(request)}>{t.downloadEncrypted}</Button>
          {asks && (
            <Button look="primary" type="submit" form="decrypt-form" disabled={passphrase === ''}>
              {t.decrypt}
            </Button>
          )}
        </>
      }
    >
      {asks ? (
        <>
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
          {isFolder && mine && (
            <Button className="mt-3" onClick={() => setByKey(true)}>
              {t.decryptByKey}
            </Button>
          )}
        </>
      ) : sealedBy === undefined ? (
        <Loading />
      ) : (
        <Suspense fallback={<Loading />}>
          <UnlockHere mine={mine} />
        </Suspense>
      )}
    </Dialog>
  )
}
