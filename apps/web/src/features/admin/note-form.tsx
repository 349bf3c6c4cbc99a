import { type FormEvent, useEffect, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { inputClass } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './texts.ts'

/** A note. @param hint who sees it; default: only operators */
export function NoteForm({
  note,
  hint = t.noteHint,
  onSave,
}: {
  note: string
  hint?: string
  onSave: (note: string) => Promise<unknown>
}) {
  const id = useId()
  const [text, setText] = useState(note)
  const [busy, setBusy] = useState(false)
  useEffect(() => setText(note), [note])
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    await onSave(text.trim()).then(() => toast.success(t.saved), toast.error)
    setBusy(false)
  }
  return (
    <form onSubmit={(event) => void save(event)} className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {t.note}
      </label>
      <textarea
        id={id}
        rows={3}
        maxLength={1000}
        value={text}
        aria-describedby={`${id}-hint`}
        onChange={(event) => setText(event.target.value)}
        className={`${inputClass} resize-y`}
      />
      <div className="flex items-center justify-between gap-3">
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
        <Button type="submit" busy={busy} disabled={text.trim() === note}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
