import { useSearch } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { useSession } from '../../lib/session-store.ts'
import { Card } from '../../ui/states.tsx'
import { AccountBenefits } from './account-benefits.tsx'
import { LoginForms, loginTitle } from './login-forms.tsx'

/** The sign-in forms, with the benefits of an account beside them. */
export function LoginPage() {
  const { mode = 'password', redirect } = useSearch({ from: '/site/login' })
  const own = useSession((session) => session.address !== '' && session.emailAddress !== '') && mode === 'reset'
  const title = usePageTitle(loginTitle(mode, own))
  return (
    <div className="mx-auto grid max-w-6xl items-start gap-12 px-5 py-10 sm:px-8 sm:py-14 lg:grid-cols-[minmax(0,27rem)_1fr] lg:gap-14">
      <Card className="w-full max-w-md justify-self-center p-6 sm:p-8">
        <LoginForms place="/login" mode={mode} redirect={redirect} title={title} />
      </Card>
      {!own && <AccountBenefits />}
    </div>
  )
}
