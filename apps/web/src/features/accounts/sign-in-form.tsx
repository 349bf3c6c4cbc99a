import { type FormEvent, useRef, useState } from 'react'
import { ApiError, api, messageOf } from '../../lib/api.ts'
import { focusFirstError } from '../../lib/focus.ts'
import { openSession } from '../../lib/open-session.ts'
import { Button } from '../../ui/button.tsx'
import { useCountdown } from '../../ui/countdown.ts'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import { startSecondFactor } from '../security/pending-sign-in.ts'
import { codeProblem, emailProblem } from './checks.ts'
import { CodeField } from './code-field.tsx'
import { EmailField, type EmailProps } from './email-field.tsx'
import { t } from './texts.ts'

interface Problems {
  email?: string | undefined
  secret?: string | undefined
}

/** Signs in with a password or a verification code. */
export function SignInForm({ by, email, onEmail }: EmailProps & { by: 'password' | 'code' }) {
  const form = useRef<HTMLFormElement>(null)
  const [secret, setSecret] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [codeLocked, setCodeLocked] = useState<{ seconds: number }>()
  const [wait, startWait] = useCountdown()

  const show = (found: Problems) => {
    if (found.email || found.secret) focusFirstError(form.current, () => setProblems(found))
    else setProblems(found)
  }
  const checkEmail = () => {
    const problem = emailProblem(email)
    show({ email: problem })
    return problem === undefined
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setRefusal(undefined)
    const found: Problems = {
      email: emailProblem(email),
      secret: by === 'password' ? (secret ? undefined : t.form.incomplete) : codeProblem(secret),
    }
    show(found)
    if (found.email || found.secret) return
    setBusy(true)
    try {
      const credential = by === 'password' ? { password: secret } : { verify_code: secret }
      const { token } = await api('accounts.login', { username: email.trim(), ...credential }, { token: '' })
      await openSession(token)
    } catch (error) {
      if (startSecondFactor(error)) return
      // Rate limiting (kind `busy`) is shown as a message; only lockouts start a countdown.
      const seconds = error instanceof ApiError && error.kind === 'refused' ? error.seconds : 0
      if (seconds > 0 && by === 'code') setCodeLocked({ seconds })
      else if (seconds > 0) startWait(seconds)
      // For a password the server does not say whether it or the address was wrong, so the error is not shown at a field.
      else if (by === 'code' && error instanceof ApiError && error.kind === 'refused')
        show({ secret: messageOf(error) })
      else setRefusal(messageOf(error))
      setBusy(false)
      if (by === 'password') form.current?.querySelector<HTMLInputElement>('[name=password]')?.select()
    }
  }
  return (
    <form
      ref={form}
      // If it is submitted before the script has loaded, GET would put the password into the address.
      method="post"
      className="flex flex-col gap-4"
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      <EmailField
        passkeys
        email={email}
        onEmail={(next) => {
          onEmail(next)
          setProblems({ ...problems, email: undefined })
          // The lockout belongs to the previous address.
          setCodeLocked(undefined)
          startWait(0)
        }}
        error={problems.email}
      />
      {by === 'password' ? (
        <Field label={t.form.password} error={problems.secret}>
          <PasswordInput
            name="password"
            autoComplete="current-password"
            value={secret}
            onChange={(event) => {
              setSecret(event.target.value)
              setProblems({ ...problems, secret: undefined })
            }}
          />
        </Field>
      ) : (
        <CodeField
          email={email}
          checkEmail={checkEmail}
          purpose={2}
          value={secret}
          onChange={(next) => {
            setSecret(next)
            setProblems({ ...problems, secret: undefined })
          }}
          error={problems.secret}
          locked={codeLocked}
        />
      )}
      {by === 'password' && wait > 0 && (
        <Notice tone="bad" live>
          <span role="timer">{t.form.signInLocked(wait)}</span>
        </Notice>
      )}
      {refusal && (
        <Notice tone="bad" live>
          {refusal}
        </Notice>
      )}
      <Button
        look="primary"
        type="submit"
        busy={busy}
        disabled={by === 'password' && wait > 0}
        className="min-h-10 w-full"
      >
        {t.form.signIn}
      </Button>
    </form>
  )
}
