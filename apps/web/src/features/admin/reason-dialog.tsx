import { type FormEvent, type ReactNode, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { t } from './texts.ts'

/**
 * Asks for the reason of a change and applies it. Errors are shown in the dialog, which stays open.
 * @param act throws on refusal; returns the success message
 */
export function ReasonDialog({
  title,
  text,
  confirm,
  danger = false,
  children,
  initial = '',
  validate,
  act,
  onClose,
}: {
  title: string
  text: string
  confirm: string
  danger?: boolean
  /** Further controls above the reason. */
  children?: ReactNode
  /** A reason to begin with. */
  initial?: string
  /** Returns an error message if those are invalid. */
  validate?: () => string | undefined
  act: (reason: string) => Promise<string | undefined>
  onClose: () => void
}) {
  const [reason, setReason] = useState(initial)
  const [missing, setMissing] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setMissing(reason.trim() === '')
    const invalid = validate?.()
    setProblem(invalid)
    if (reason.trim() === '' || invalid) return
    setBusy(true)
    try {
      toast.success((await act(reason.trim())) ?? t.saved)
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      persistent
      form
      title={title}
      description={text}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button type="submit" form="reason" look={danger ? 'danger' : 'primary'} busy={busy}>
            {confirm}
          </Button>
        </>
      }
    >
      <form id="reason" onSubmit={(event) => void send(event)} noValidate className="flex flex-col gap-4">
        {children}
        <Field label={t.reason} hint={t.reasonHint} error={missing ? t.needReason : undefined}>
          <TextInput value={reason} maxLength={1000} required onChange={(event) => setReason(event.target.value)} />
        </Field>
        {problem && (
          <Notice tone="bad" live>
            {problem}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}
