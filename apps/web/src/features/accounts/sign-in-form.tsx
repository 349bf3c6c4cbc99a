import { type FormEvent, useState } from 'react'
import { api, messageOf } from '../../lib/api.ts'
import { openSession } from '../../lib/session.ts'
import { t } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import { emailProblem } from './checks.ts'
import { CodeField } from './code-field.tsx'
import { EmailField, type EmailProps } from './email-field.tsx'

interface Problems {
  email?: string | undefined
  secret?: string | undefined
}

/** Signs in by password or by a code from an e-mail. */
export function SignInForm({ by, email, onEmail }: EmailProps & { by: 'password' | 'code' }) {
  const [secret, setSecret] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)

  const checkEmail = () => {
    const problem = emailProblem(email)
    setProblems({ email: problem })
    return problem === undefined
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found: Problems = {
      email: emailProblem(email),
      secret: by === 'password' ? (secret ? undefined : t.accounts.incomplete) : codeProblem(secret),
    }
    setProblems(found)
    setRefusal(undefined)
    if (found.email || found.secret) return
    setBusy(true)
    try {
      const given = by === 'password' ? { password: secret } : { verify_code: secret }
      const { token } = await api('accounts.login', { username: email.trim(), ...given }, { token: '' })
      await openSession(token)
    } catch (error) {
      setRefusal(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      <EmailField email={email} onEmail={onEmail} error={problems.email} />
      {by === 'password' ? (
        <Field label={t.accounts.password} error={problems.secret}>
          <PasswordInput
            autoComplete="current-password"
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        </Field>
      ) : (
        <CodeField
          email={email}
          checkEmail={checkEmail}
          purpose={2}
          value={secret}
          onChange={setSecret}
          error={problems.secret}
        />
      )}
      {refusal && (
        <Notice tone="bad" live>
          {refusal}
        </Notice>
      )}
      <Button look="primary" type="submit" busy={busy} className="min-h-10 w-full">
        {t.accounts.signIn}
      </Button>
    </form>
  )
}

/** A code has six digits. */
export const codeProblem = (code: string): string | undefined =>
  /^\d{6}$/.test(code) ? undefined : t.accounts.incomplete
