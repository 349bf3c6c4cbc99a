import { api } from '../../lib/api.ts'
import { t } from '../../lib/texts.ts'
import type { EmailProps } from './email-field.tsx'
import { NewPasswordForm } from './new-password-form.tsx'

/** Sets a new password; every session of the account ends with the old one. */
export function ResetForm({ onDone, ...props }: EmailProps & { onDone: () => void }) {
  return (
    <NewPasswordForm
      {...props}
      purpose={3}
      action={t.accounts.reset}
      onSubmit={async (username, password, verify_code) => {
        await api('accounts.resetPassword', { username, password, verify_code })
        onDone()
      }}
    />
  )
}
