import type { OwnedDevice } from '@tidenet/contract'
import { Check, Pencil, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api } from '../../lib/api.ts'
import { refresh } from '../../lib/queries.ts'
import { t as shell } from '../../lib/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { inputClass } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './earnings-texts.ts'
import { deviceName } from './format.ts'

const NAME_MAX = 60

/** The name of a device, which its owner can change in place. */
export function DeviceName({ device }: { device: OwnedDevice }) {
  const [isEditing, setEditing] = useState(false)
  const name = deviceName(device)
  if (isEditing) return <NameForm device={device} onDone={() => setEditing(false)} />
  return (
    <div className="flex items-start gap-1">
      <h3 className="font-medium wrap-anywhere" translate="no">
        {name}
      </h3>
      <button
        type="button"
        aria-label={t.rename(name)}
        title={t.rename(name)}
        onClick={() => setEditing(true)}
        className="-my-0.5 inline-flex size-7 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-text"
      >
        <Pencil aria-hidden className="size-3.5" />
      </button>
    </div>
  )
}

function NameForm({ device: { node_id, name }, onDone }: { device: OwnedDevice; onDone: () => void }) {
  const [text, setText] = useState(name)
  const [busy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await api('devices.rename', { node_id, name: text.trim() })
      onDone()
    } catch (error) {
      toast.error(error)
      setBusy(false)
    }
    refresh('devices.list', 'earnings.summary', 'earnings.statement')
  }
  return (
    <form
      onSubmit={(event) => void save(event)}
      onKeyDown={({ key }) => key === 'Escape' && onDone()}
      className="min-w-0 pb-1"
    >
      <div className="flex items-center gap-1">
        <input
          // biome-ignore lint/a11y/noAutofocus: the person has just asked to change the name
          autoFocus
          aria-label={t.name}
          aria-describedby={`${node_id}-hint`}
          maxLength={NAME_MAX}
          className={inputClass}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <IconButton type="submit" label={t.saveName} disabled={busy}>
          <Check aria-hidden className="size-4" />
        </IconButton>
        <IconButton label={shell.words.cancel} onClick={onDone}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      <p id={`${node_id}-hint`} className="mt-1 text-xs text-muted">
        {t.nameHint}
      </p>
    </form>
  )
}
