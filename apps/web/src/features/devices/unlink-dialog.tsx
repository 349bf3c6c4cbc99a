import type { OwnedDevice } from '@tidenet/contract'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { deviceName } from './format.ts'
import { t } from './texts.ts'

const u = t.unlinking

/** Explains what unlinking a device means, and unlinks it. */
export function UnlinkDialog({
  device,
  onClose,
  onDone,
}: {
  device: OwnedDevice
  onClose: () => void
  /** The device was unlinked, which also revokes the account's owner code. */
  onDone: () => void
}) {
  const [busy, setBusy] = useState(false)
  const name = deviceName(device)
  const unlink = async () => {
    setBusy(true)
    try {
      await api('devices.unlink', { node_id: device.node_id })
      toast.success(u.done(name))
      onDone()
      onClose()
    } catch (error) {
      toast.error(error)
      setBusy(false)
    }
    refresh('devices.list')
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={u.title(name)}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button look="danger" busy={busy} onClick={() => void unlink()}>
            {u.confirm}
          </Button>
        </>
      }
    >
      <ul className="flex list-disc flex-col gap-2 pl-5 marker:text-muted">
        {u.what.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </Dialog>
  )
}
