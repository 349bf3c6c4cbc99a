import { type FormEvent, useRef, useState } from 'react'
import { ApiError, messageOf } from '../../lib/api.ts'
import { focusFirstError } from '../../lib/focus.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { Field, PasswordInput } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import { codeProblem, emailProblem, newPasswordProblem } from './checks.ts'
import { CodeField, type CodePurpose } from './code-field.tsx'
import { EmailField, type EmailProps } from './email-field.tsx'
import { t } from './texts.ts'

const a = () => t.form

interface NewPasswordFormProps extends EmailProps {
  purpose: CodePurpose
  action: string
  /** Terms that the user must accept. */
  terms?: string
  /** The address is that of the signed-in account and cannot be changed. */
  fixedEmail?: boolean
  onSubmit: (email: string, password: string, code: string) => Promise<void>
}

type FieldName = 'email' | 'code' | 'password' | 'repeat' | 'terms'
type Problems = Partial<Record<FieldName, string | undefined>>

/** The field that an error code is about. The form checks all other causes of 1001 itself. */
const errorFields: Readonly<Record<number, FieldName>> = {
  1001: 'password',
  1011: 'email',
  1012: 'email',
  1013: 'code',
  1014: 'code',
}

/** E-mail address, verification code and a new password with confirmation: for sign-up and password reset. */
export function NewPasswordForm(props: NewPasswordFormProps) {
  const { email, onEmail, purpose, action, terms, fixedEmail = false, onSubmit } = props
  const form = useRef<HTMLFormElement>(null)
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [repeat, setRepeat] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [codeLocked, setCodeLocked] = useState<{ seconds: number }>()

  const show = (found: Problems) => {
    if (Object.values(found).some(Boolean)) focusFirstError(form.current, () => setProblems(found))
    else setProblems(found)
  }
  const clearProblem = (field: FieldName) => setProblems((known) => ({ ...known, [field]: undefined }))
  const checkEmail = () => {
    const problem = emailProblem(email)
    show({ ...problems, email: problem })
    return problem === undefined
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setRefusal(undefined)
    const found: Problems = {
      email: emailProblem(email),
      code: codeProblem(code),
      password: newPasswordProblem(password),
      repeat: password === repeat ? undefined : a().differ,
      terms: terms && !agreed ? a().agree : undefined,
    }
    show(found)
    if (Object.values(found).some(Boolean)) return
    setBusy(true)
    try {
      await onSubmit(email.trim(), password, code)
    } catch (error) {
      const field = error instanceof ApiError && error.err !== undefined ? errorFields[error.err] : undefined
      const seconds = error instanceof ApiError ? error.seconds : 0
      if (field === 'code' && seconds > 0) setCodeLocked({ seconds })
      else if (field) show({ [field]: messageOf(error) })
      else setRefusal(messageOf(error))
      setBusy(false)
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
        email={email}
        readOnly={fixedEmail}
        onEmail={(next) => {
          onEmail(next)
          clearProblem('email')
          setCodeLocked(undefined)
        }}
        error={problems.email}
      />
      <CodeField
        email={email}
        checkEmail={checkEmail}
        purpose={purpose}
        value={code}
        onChange={(next) => {
          setCode(next)
          clearProblem('code')
        }}
        error={problems.code}
        locked={codeLocked}
      />
      <Field label={purpose === 3 ? a().newPassword : a().password} hint={a().passwordHint} error={problems.password}>
        <PasswordInput
          name="new-password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => {
            setPassword(event.target.value)
            clearProblem('password')
          }}
        />
      </Field>
      <Field label={a().confirm} error={problems.repeat}>
        <PasswordInput
          name="repeat-password"
          autoComplete="new-password"
          value={repeat}
          onChange={(event) => {
            setRepeat(event.target.value)
            clearProblem('repeat')
          }}
        />
      </Field>
      {terms && (
        <Checkbox
          checked={agreed}
          error={problems.terms}
          onChange={(next) => {
            setAgreed(next)
            clearProblem('terms')
          }}
        >
          <span className="text-sm">{terms}</span>
        </Checkbox>
      )}
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
