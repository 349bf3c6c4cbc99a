import { VAULT_PASSPHRASE_MIN } from '@tidenet/contract/vault'
import { type FormEvent, type ReactNode, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { t } from './texts.ts'

interface Props {
  action: string
  onPassphrase: (passphrase: string) => Promise<void>
  children?: ReactNode
}

/** A new passphrase, typed twice. */
export function PassphraseForm({ action, onPassphrase, children }: Props) {
  const s = t.setup
  const [passphrase, setPassphrase] = useState('')
  const [repeat, setRepeat] = useState('')
  const [tried, setTried] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const short = [...passphrase].length < VAULT_PASSPHRASE_MIN
  const differs = passphrase !== repeat
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (short || differs) return
    setBusy(true)
    try {
      await onPassphrase(passphrase)
    } catch (error) {
      setProblem(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <form method="post" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      {children}
      <Field
        label={s.passphrase}
        hint={s.passphraseHint(VAULT_PASSPHRASE_MIN)}
        error={problem ?? (tried && short ? s.short(VAULT_PASSPHRASE_MIN) : undefined)}
      >
        <PasswordInput
          name="new-vault-passphrase"
          autoComplete="new-password"
          value={passphrase}
          onChange={(event) => {
            setPassphrase(event.target.value)
            setProblem(undefined)
          }}
        />
      </Field>
      <Field label={s.repeat} error={tried && !short && differs ? s.differ : undefined}>
        <PasswordInput
          name="new-vault-passphrase-again"
          autoComplete="new-password"
          value={repeat}
          onChange={(event) => setRepeat(event.target.value)}
        />
      </Field>
      <Button look="primary" type="submit" busy={busy} className="min-h-10">
        {action}
      </Button>
    </form>
  )
}
