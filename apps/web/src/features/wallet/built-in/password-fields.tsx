import { Field, PasswordInput } from '../../../ui/field.tsx'
import { t } from '../texts.ts'

/** Short ones are found by trying: whoever has the disk can try as long as they like. */
const LEAST = 10

export interface NewPassword {
  password: string
  repeat: string
}

export type PasswordProblems = Partial<Record<keyof NewPassword, string>>

/** What is wrong with a password that is to be set; empty when nothing is. */
export function passwordProblems({ password, repeat }: NewPassword): PasswordProblems {
  if ([...password].length < LEAST) return { password: t.own.passwordShort }
  return password === repeat ? {} : { repeat: t.own.passwordDiffers }
}

interface PasswordFieldsProps {
  value: NewPassword
  onChange: (value: NewPassword) => void
  problems: PasswordProblems
}

/** The password of a wallet, typed twice. */
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
