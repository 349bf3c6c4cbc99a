import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SupportButton } from '../feedback/support-button.tsx'
import { CookieNotice } from './cookie-notice.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

/** The frame of public pages. */
export function Site({ children = <Outlet /> }: { children?: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <Header />
      <main id="content" tabIndex={-1} className="flex-1 outline-none empty:min-h-dvh">
        {children}
      </main>
      <Footer />
      <SupportButton />
      <CookieNotice />
    </div>
  )
}
