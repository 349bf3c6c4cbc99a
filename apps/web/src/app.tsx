import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { isConsolePath } from './addresses.ts'
import { onSessionEnd } from './lib/session-store.ts'
import { t } from './lib/texts.ts'
import { type AppRouter, createAppRouter } from './routes.tsx'
import { warn } from './ui/toast.tsx'

/** The whole portal. The texts must have been loaded. */
export function App({ router }: { router: AppRouter }) {
  return (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  )
}

/** Shows the portal in place of what was drawn at build, once the page's code is there: nothing jumps. */
export async function mount(root: HTMLElement): Promise<void> {
  const router = createAppRouter()

  onSessionEnd((why) => {
    const { pathname, href } = router.state.location
    if (why === 'expired') warn(t.shell.sessionEnded)
    if (why === 'left' || !isConsolePath(pathname)) {
      if (why === 'left' || pathname === '/login') void router.navigate({ to: '/' })
      return
    }
    if (why === 'expired') void router.navigate({ to: '/login', search: { redirect: href } })
    else void router.navigate({ to: '/' })
  })

  // A page that does not come is shown as such by the router.
  if (root.childElementCount > 0) await router.load().catch(() => {})
  // What stands drawn can be read meanwhile: the page is made ready in steps, between which the browser can do other things.
  startTransition(() => createRoot(root).render(<App router={router} />))
}
