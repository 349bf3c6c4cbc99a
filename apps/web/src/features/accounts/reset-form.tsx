import { api } from '../../lib/api.ts'
import { openSession } from '../../lib/open-session.ts'
import { clearSession } from '../../lib/session-store.ts'
import { startSecondFactor } from '../security/pending-sign-in.ts'
import type { EmailProps } from './email-field.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { t } from './texts.ts'

interface ResetFormProps extends EmailProps {
  /** The signed-in user changes their own password and stays signed in. */
  own: boolean
  onDone: () => void
}

/** Sets a new password, which ends all sessions of the account. */
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
            // The old session has ended; the second-factor step starts the next one.
            if (startSecondFactor(error)) return clearSession('left')
            throw error
          }
        }
        onDone()
      }}
    />
  )
}
