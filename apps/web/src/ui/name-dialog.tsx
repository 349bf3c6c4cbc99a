import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { messageOf } from '../lib/api.ts'
import { t as shell } from '../lib/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field, TextInput } from './field.tsx'
import { nameProblem } from './name-problem.ts'
import { t } from './name-texts.ts'

interface NameDialogProps {
  title: string
  description?: string | undefined
  label: string
  hint?: string
  action: string
  initial?: string
  /** The name if the field stays empty. */
  suggested?: string
  max: number
  /** Hides the dialog, with what was typed, while another one asks something. */
  hidden?: boolean
  onClose: () => void
  /** Closes the dialog afterwards, unless the answer is false. Errors are shown below the name. */
  onSubmit: (name: string) => Promise<unknown>
  /** More fields, below the name. */
  children?: ReactNode
}

/** Asks for a name, starting with `initial`. Mount it when it opens. */
export function NameDialog({
  title,
  description,
  label,
  hint,
  action,
  initial = '',
  suggested = '',
  max,
  hidden = false,
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
    const wanted = name.trim() || suggested
    const invalid = nameProblem(wanted, max)
    setProblem(invalid)
    if (invalid) return input.current?.focus()
    if (wanted === initial) return onClose()
    setBusy(true)
    try {
      if ((await onSubmit(wanted)) !== false) return onClose()
    } catch (error) {
      setProblem(messageOf(error))
    }
    setBusy(false)
    input.current?.focus()
  }
  return (
    <Dialog
      open={!hidden}
      onClose={onClose}
      title={title}
      description={description}
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
          error={problem ?? (used > max ? t.nameTooLong(max) : undefined)}
          hint={used > max * 0.8 ? t.nameLeft(used, max) : hint}
        >
          <TextInput
            ref={input}
            value={name}
            placeholder={suggested}
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
