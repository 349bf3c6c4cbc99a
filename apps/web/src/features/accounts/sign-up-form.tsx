import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { openSession } from '../../lib/session.ts'
import { t } from '../../lib/texts.ts'
import { Checkbox } from '../../ui/choices.tsx'
import { tell } from '../../ui/toast.tsx'
import type { EmailProps } from './email-field.tsx'
import { NewPasswordForm } from './new-password-form.tsx'

/** Opens an account and signs in to it. */
export function SignUpForm(props: EmailProps) {
  const [agreed, setAgreed] = useState(false)
  return (
    <NewPasswordForm
      {...props}
      purpose={1}
      action={t.accounts.signUp}
      refuse={() => (agreed ? undefined : t.accounts.agree)}
      onSubmit={async (username, password, verify_code) => {
        await api('accounts.register', { username, password, verify_code })
        const { token } = await api('accounts.login', { username, password }, { token: '' })
        await openSession(token)
        tell(t.accounts.welcome)
      }}
    >
      <Checkbox checked={agreed} onChange={setAgreed}>
        <span className="text-sm">{t.accounts.terms}</span>
      </Checkbox>
    </NewPasswordForm>
  )
}
