import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { addressAt, frameAt } from './addresses.ts'
import { onSessionEnd } from './lib/session-store.ts'
import { t } from './lib/texts.ts'
import { type AppRouter, createAppRouter } from './routes.tsx'
import { toast } from './ui/toast.ts'

/** The whole portal. The texts must have been loaded. */
export function App({ router }: { router: AppRouter }) {
  return (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  )
}

const isLogin = (pathname: string) => addressAt(pathname) === 'login'

/** Shows the portal in place of what was drawn at build, once the page's code is there: nothing jumps. */
export async function mount(root: HTMLElement): Promise<void> {
  const router = createAppRouter()

  onSessionEnd((why) => {
    const { pathname, href } = router.state.location
    const place = frameAt(pathname)
    if (why === 'expired') {
      toast.error(t.shell.sessionEnded)
      // Spec 8: home. The login is open there and leads back, except where no page was wanted.
      if (place === 'bare' || pathname === '/') return
      void router.navigate({ to: '/', search: isLogin(pathname) ? {} : { redirect: href } })
    } else if (why === 'left' || place === 'console' || isLogin(pathname)) void router.navigate({ to: '/' })
  })

  // A page that does not come is shown as such by the router.
  if (root.childElementCount > 0) await router.load().catch(() => {})
  // What stands drawn can be read meanwhile: the page is made ready in steps, between which the browser can do other things.
  startTransition(() => createRoot(root).render(<App router={router} />))
}
