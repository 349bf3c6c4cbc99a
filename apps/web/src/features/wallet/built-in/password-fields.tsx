import { Field, PasswordInput } from '../../../ui/field.tsx'
import { t } from '../texts.ts'

/** Minimum length: someone with a copy of the disk can brute-force the password offline. */
const MIN_LENGTH = 10

export interface NewPassword {
  password: string
  repeat: string
}

export type PasswordProblems = Partial<Record<keyof NewPassword, string>>

/** Problems of a new password; empty if there are none. */
export function passwordProblems({ password, repeat }: NewPassword): PasswordProblems {
  if ([...password].length < MIN_LENGTH) return { password: t.own.passwordShort }
  return password === repeat ? {} : { repeat: t.own.passwordDiffers }
}

interface PasswordFieldsProps {
  value: NewPassword
  onChange: (value: NewPassword) => void
  problems: PasswordProblems
}

/** A new wallet password, entered twice. */
export function PasswordFields({ value, onChange, problems }: PasswordFieldsProps) {
  return (
    <>
      <Field label={t.own.password} hint={t.own.passwordHint} error={problems.password}>
        <PasswordInput
          name="wallet-password"
          autoComplete="new-password"
          value={value.password}
          onChange={(event) => onChange({ ...value, password: event.target.value })}
        />
      </Field>
      <Field label={t.own.repeat} error={problems.repeat}>
        <PasswordInput
          name="wallet-password-repeat"
          autoComplete="new-password"
          value={value.repeat}
          onChange={(event) => onChange({ ...value, repeat: event.target.value })}
        />
      </Field>
    </>
  )
}
