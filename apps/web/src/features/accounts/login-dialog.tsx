import { useRouter } from '@tanstack/react-router'
import { isConsolePath } from '../../addresses.ts'
import type { LoginSearch } from '../../routes/public.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LoginForms, loginTitle } from './login-forms.tsx'

/** The login over the home page, for visitors whose page needs an account and for people whose session has ended. */
export function LoginDialog({ mode = 'password', redirect }: LoginSearch) {
  const router = useRouter()
  // Anyone may see a public page: a person who does not sign in again returns to it as a visitor.
  const open = redirect && !isConsolePath(redirect.split(/[?#]/, 1)[0] ?? '') ? redirect : '/'
  return (
    <Dialog open firm onClose={() => router.history.replace(open)} title={loginTitle(mode, false)}>
      <LoginForms place="/" mode={mode} redirect={redirect} />
    </Dialog>
  )
}
