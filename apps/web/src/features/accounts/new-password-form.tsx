import { type FormEvent, type ReactNode, useState } from 'react'
import { messageOf } from '../../lib/api.ts'
import { t } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import { emailProblem, newPasswordProblem } from './checks.ts'
import { CodeField, type CodePurpose } from './code-field.tsx'
import { EmailField, type EmailProps } from './email-field.tsx'
import { codeProblem } from './sign-in-form.tsx'

interface NewPasswordFormProps extends EmailProps {
  purpose: CodePurpose
  action: string
  /** What else has to be done first, in words. */
  refuse?: () => string | undefined
  onSubmit: (email: string, password: string, code: string) => Promise<void>
  children?: ReactNode
}

type Problems = Partial<Record<'email' | 'code' | 'password' | 'repeat', string | undefined>>

/** Address, code and a password typed twice: what opening an account and resetting a password have in common. */
export function NewPasswordForm({ email, onEmail, purpose, action, refuse, onSubmit, children }: NewPasswordFormProps) {
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [repeat, setRepeat] = useState('')
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
      code: codeProblem(code),
      password: newPasswordProblem(password),
      repeat: password === repeat ? undefined : t.accounts.differ,
    }
    setProblems(found)
    const anyProblem = Object.values(found).some(Boolean)
    const other = anyProblem ? undefined : refuse?.()
    setRefusal(other)
    if (anyProblem || other) return
    setBusy(true)
    try {
      await onSubmit(email.trim(), password, code)
    } catch (error) {
      setRefusal(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      <EmailField email={email} onEmail={onEmail} error={problems.email} />
      <CodeField
        email={email}
        checkEmail={checkEmail}
        purpose={purpose}
        value={code}
        onChange={setCode}
        error={problems.code}
      />
      <Field
        label={purpose === 3 ? t.accounts.newPassword : t.accounts.password}
        hint={t.accounts.passwordHint}
        error={problems.password}
      >
        <PasswordInput
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Field label={t.accounts.confirm} error={problems.repeat}>
        <PasswordInput autoComplete="new-password" value={repeat} onChange={(event) => setRepeat(event.target.value)} />
      </Field>
      {children}
      {refusal && (
        <Notice tone="bad" live>
          {refusal}
        </Notice>
      )}
      <Button look="primary" type="submit" busy={busy} className="min-h-10 w-full">
        {action}
      </Button>
    </form>
  )
}
