import { api } from '../../lib/api.ts'
import { openSession } from '../../lib/open-session.ts'
import { toast } from '../../ui/toast.ts'
import type { EmailProps } from './email-field.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { t } from './texts.ts'

/** Creates an account and signs in. */
export function SignUpForm(props: EmailProps) {
  return (
    <NewPasswordForm
      {...props}
      purpose={1}
      action={t.form.signUp}
      terms={t.form.terms}
      onSubmit={async (username, password, verify_code) => {
        await api('accounts.register', { username, password, verify_code })
        const { token } = await api('accounts.login', { username, password }, { token: '' })
        await openSession(token)
        toast.success(t.form.welcome)
      }}
    />
  )
}
