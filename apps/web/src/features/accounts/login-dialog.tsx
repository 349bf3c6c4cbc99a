import { useRouter } from '@tanstack/react-router'
import { isConsolePath } from '../../addresses.ts'
import type { LoginSearch } from '../../searches.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LoginForms, loginTitle } from './login-forms.tsx'

/** The sign-in dialog over the home page, for visitors of pages that need an account and after a session has ended. */
export function LoginDialog({ mode = 'password', redirect }: LoginSearch) {
  const router = useRouter()
  // Without signing in, a person returns to a public page as a visitor.
  const open = redirect && !isConsolePath(redirect.split(/[?#]/, 1)[0] ?? '') ? redirect : '/'
  return (
    <Dialog open persistent form onClose={() => router.history.replace(open)} title={loginTitle(mode, false)}>
      <LoginForms place="/" mode={mode} redirect={redirect} />
    </Dialog>
  )
}
