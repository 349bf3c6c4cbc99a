import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { addressAt, frameAt } from './addresses.ts'
import { onSessionEnd } from './lib/session-store.ts'
import { t } from './lib/texts.ts'
import { type AppRouter, createAppRouter } from './routes.tsx'
import { toast } from './ui/toast.ts'

/** The whole portal. Call `loadTexts` before rendering it. */
export function App({ router }: { router: AppRouter }) {
  return (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  )
}

const isLogin = (pathname: string) => addressAt(pathname) === 'login'

/** Replaces the prerendered page once the page's code has loaded, so that the layout does not shift. */
export async function mount(root: HTMLElement): Promise<void> {
  const router = createAppRouter()

  onSessionEnd((why) => {
    const { pathname, href } = router.state.location
    const frame = frameAt(pathname)
    if (why === 'expired') {
      toast.error(t.shell.sessionEnded)
      // Spec 8: go home with the login open, and come back after signing in.
      if (frame === 'bare' || pathname === '/') return
      void router.navigate({ to: '/', search: isLogin(pathname) ? {} : { redirect: href } })
    } else if (why === 'left' || frame === 'console' || isLogin(pathname)) void router.navigate({ to: '/' })
  })

  // The router shows load errors itself.
  if (root.childElementCount > 0) await router.load().catch(() => {})
  // A transition keeps the prerendered page responsive while React renders.
  startTransition(() => createRoot(root).render(<App router={router} />))
}
