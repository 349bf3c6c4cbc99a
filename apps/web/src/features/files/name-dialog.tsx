import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { nameProblem } from './entries.ts'
import { t as names } from './name-texts.ts'
import { t } from './texts.ts'

interface NameDialogProps {
  title: string
  label: string
  hint?: string
  action: string
  initial?: string
  max: number
  onClose: () => void
  onSubmit: (name: string) => Promise<void>
  /** More fields, below the name. */
  children?: ReactNode
}

/** Asks for a name, starting with `initial`. Mount it when it opens. */
export function NameDialog({
  title,
  label,
  hint,
  action,
  initial = '',
  max,
  onClose,
  onSubmit,
  children,
}: NameDialogProps) {
  const [name, setName] = useState(initial)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const touched = useRef(false)
  const input = useRef<HTMLInputElement>(null)
  const used = [...name.trim()].length

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const invalid = nameProblem(name, max)
    setProblem(invalid)
    if (invalid) return input.current?.focus()
    if (name.trim() === initial) return onClose()
    setBusy(true)
    try {
      await onSubmit(name.trim())
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
      input.current?.focus()
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{shell.words.cancel}</Button>
          <Button look="primary" type="submit" form="name-form" busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <form id="name-form" onSubmit={(event) => void submit(event)} noValidate>
        <Field
          label={label}
          error={problem ?? (used > max ? names.nameTooLong(max) : undefined)}
          hint={used > max * 0.8 ? t.files.nameLeft(used, max) : hint}
        >
          <TextInput
            ref={input}
            value={name}
            autoFocus
            autoComplete="off"
            onFocus={(event) => {
              if (!touched.current) selectStem(event.currentTarget as HTMLInputElement)
              touched.current = true
            }}
            onChange={(event) => {
              setName(event.target.value)
              setProblem(undefined)
            }}
          />
        </Field>
        {children}
      </form>
    </Dialog>
  )
}

/** Selects the name without its extension. */
function selectStem(input: HTMLInputElement): void {
  const dot = input.value.lastIndexOf('.')
  input.setSelectionRange(0, dot > 0 ? dot : input.value.length)
}
