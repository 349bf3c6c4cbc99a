import { api } from '../../lib/api.ts'
import { openSession } from '../../lib/open-session.ts'
import { clearSession } from '../../lib/session-store.ts'
import { noteOwed } from '../security/owed.ts'
import type { EmailProps } from './email-field.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { t } from './texts.ts'

interface ResetFormProps extends EmailProps {
  /** Somebody who is signed in changes the own password, and stays. */
  own: boolean
  onDone: () => void
}

/** Sets a new password; every session of the account ends with the old one. */
export function ResetForm({ own, onDone, ...props }: ResetFormProps) {
  return (
    <NewPasswordForm
      {...props}
      fixedEmail={own}
      purpose={3}
      action={t.form.reset}
      onSubmit={async (username, password, verify_code) => {
        await api('accounts.resetPassword', { username, password, verify_code }, { token: '' })
        if (own) {
          try {
            const { token } = await api('accounts.login', { username, password }, { token: '' })
            await openSession(token)
          } catch (error) {
            // The session ended with the old password; the second factor opens the next one.
            if (noteOwed(error)) return clearSession('left')
            throw error
          }
        }
        onDone()
      }}
    />
  )
}
