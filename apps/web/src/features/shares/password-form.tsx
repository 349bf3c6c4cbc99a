import { Lock } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ApiError, messageOf } from '../../lib/api.ts'
import { formatDuration } from '../../lib/phrases.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { useCountdown } from '../../ui/countdown.ts'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Card } from '../../ui/states.tsx'
import { t } from './texts.ts'

/** Asks for the access password of a share. @param onSubmit throws if it is wrong */
export function PasswordForm({ onSubmit }: { onSubmit: (password: string) => Promise<void> }) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [left, begin] = useCountdown()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (password === '' || left > 0) return
    setBusy(true)
    try {
      await onSubmit(password)
    } catch (error) {
      const seconds = error instanceof ApiError ? error.seconds : 0
      begin(seconds)
      setProblem(seconds > 0 ? undefined : messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const locked = left > 0 ? t.password.locked(formatDuration(left * 1000)) : undefined
  return (
    <Card className="mx-auto max-w-xl p-6 sm:p-8">
      <Lock aria-hidden className="mb-3 size-7 text-accent" />
      <h1 className="text-xl font-semibold">{t.password.title}</h1>
      <p className="mt-1 mb-5 text-muted">{t.password.text}</p>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
        <Field label={t.password.label} error={locked ?? problem}>
          <PasswordInput
            autoFocus
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={6}
            value={password}
            onChange={(event) => {
              setPassword(event.target.value)
              setProblem(undefined)
            }}
          />
        </Field>
        <Button look="primary" type="submit" busy={busy} disabled={password === '' || left > 0} className="self-start">
          {t.password.open}
        </Button>
        <span className="sr-only" role="status">
          {locked ? shell.errors.tooMany : ''}
        </span>
      </form>
    </Card>
  )
}
