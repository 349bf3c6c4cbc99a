import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './form-texts.ts'
import { type Key, type NewKey, secretsOf } from './key.ts'

type Hours = '0' | '1' | '24' | '72' | '168'

/** Replaces a key; the current one works on for an overlap. */
export function RotateDialog({
  apiKey: { name, type, perms },
  onClose,
  onRotated,
}: {
  apiKey: Key
  onClose: () => void
  onRotated: (key: NewKey) => void
}) {
  const [hours, setHours] = useState<Hours>('24')
  const [busy, setBusy] = useState(false)
  const rotate = async () => {
    setBusy(true)
    try {
      const input = { key_name: name, overlap_hours: Number(hours) }
      const rotated = await api('apiKeys.rotate', input)
      refresh('apiKeys.list')
      onClose()
      onRotated({ name, type, perms, ...secretsOf(rotated), previousUntil: rotated.previous_until })
    } catch (error) {
      toast.error(error)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.rotateTitle(name)}
      description={t.rotateText}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button look={hours === '0' ? 'danger' : 'primary'} busy={busy} onClick={() => void rotate()}>
            {t.rotate}
          </Button>
        </>
      }
    >
      <RadioCards
        label={t.overlap}
        value={hours}
        onChange={setHours}
        columns="grid-cols-1"
        options={[
          { value: '0', title: t.notAtAll, hint: t.notAtAllHint },
          { value: '1', title: t.oneHour },
          { value: '24', title: t.oneDay },
          { value: '72', title: t.forDays(3) },
          { value: '168', title: t.forDays(7) },
        ]}
      />
    </Dialog>
  )
}
