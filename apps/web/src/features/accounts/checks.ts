import { PASSWORD_MAX, PASSWORD_MIN } from '@tidenet/contract/constants'
import { hasEmailForm } from '../../lib/email.ts'
import { t } from './texts.ts'

/** An error message for an invalid e-mail address; `undefined` if it is valid. */
export function emailProblem(email: string): string | undefined {
  if (email.trim() === '') return t.form.enterEmail
  return hasEmailForm(email.trim()) ? undefined : t.form.wrongEmail
}

/** An error message for a new password: 8 to 12 printable ASCII characters without spaces. */
export function newPasswordProblem(password: string): string | undefined {
  if (password === '') return t.form.incomplete
  if (!/^[\x21-\x7e]*$/.test(password)) return t.form.badCharacters
  return password.length < PASSWORD_MIN || password.length > PASSWORD_MAX ? t.form.badPassword : undefined
}

/** An error message for a verification code: it has six digits. */
export const codeProblem = (code: string): string | undefined => (/^\d{6}$/.test(code) ? undefined : t.form.incomplete)
