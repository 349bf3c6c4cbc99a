import { Field, TextInput } from '../../ui/field.tsx'
import { t } from './texts.ts'

/** The address, shared by the forms of the page. */
export interface EmailProps {
  email: string
  onEmail: (email: string) => void
}

interface EmailFieldProps extends EmailProps {
  error: string | undefined
  readOnly?: boolean
  /** Browser autofill offers passkeys too. */
  passkeys?: boolean
}

export function EmailField({ email, onEmail, error, readOnly = false, passkeys = false }: EmailFieldProps) {
  return (
    <Field label={t.form.email} error={error}>
      <TextInput
        type="email"
        name="username"
        inputMode="email"
        autoComplete={passkeys ? 'username webauthn' : 'username'}
        autoCapitalize="none"
        spellCheck={false}
        readOnly={readOnly}
        className="read-only:bg-sunken read-only:text-muted"
        value={email}
        onChange={(event) => onEmail(event.target.value)}
      />
    </Field>
  )
}
