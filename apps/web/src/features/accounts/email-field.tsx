import { t } from '../../lib/texts.ts'
import { Field, TextInput } from '../../ui/field.tsx'

/** The address, kept while one changes between the forms of the page. */
export interface EmailProps {
  email: string
  onEmail: (email: string) => void
}

export function EmailField({ email, onEmail, error }: EmailProps & { error: string | undefined }) {
  return (
    <Field label={t.accounts.email} error={error}>
      <TextInput
        type="email"
        inputMode="email"
        autoComplete="username"
        spellCheck={false}
        value={email}
        onChange={(event) => onEmail(event.target.value)}
      />
    </Field>
  )
}
