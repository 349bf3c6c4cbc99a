import { Outlet } from '@tanstack/react-router'
import { SupportButton } from '../feedback/support-button.tsx'
import { CookieNotice } from './cookie-notice.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

/** The frame of public pages. */
export function Site() {
  return (
    <div className="flex min-h-dvh flex-col">
      <Header />
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        <Outlet />
      </main>
      <Footer />
      <SupportButton />
      <CookieNotice />
    </div>
  )
}
