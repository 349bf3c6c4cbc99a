import { Outlet, useMatch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { SupportButton } from '../feedback/support-button.tsx'
import { CookieNotice } from './cookie-notice.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

const LoginDialog = lazy(async () => ({ default: (await import('../accounts/login-dialog.tsx')).LoginDialog }))

/** Layout of public pages. */
export function Site({ children = <Outlet /> }: { children?: ReactNode }) {
  const login = useMatch({ from: '/site/', shouldThrow: false })?.search
  return (
    <div className="flex min-h-dvh flex-col">
      <Header />
      <main id="content" tabIndex={-1} className="flex-1 outline-none empty:min-h-dvh">
        {children}
      </main>
      <Footer />
      <SupportButton />
      <CookieNotice />
      {(login?.mode || login?.redirect) && (
        <Suspense>
          <LoginDialog {...login} />
        </Suspense>
      )}
    </div>
  )
}
