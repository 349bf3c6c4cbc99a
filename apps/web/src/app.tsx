import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isConsolePath } from './addresses.ts'
import { queries } from './lib/queries.ts'
import { onSessionEnd } from './lib/session-store.ts'
import { t } from './lib/texts.ts'
import { createAppRouter } from './routes.tsx'
import { warn } from './ui/toast.tsx'

/** Draws the portal. The texts must have been loaded. */
export function mount(root: HTMLElement): void {
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

  createRoot(root).render(
    <StrictMode>
      {/* The policy of the portal refuses inline styles; what these would style is in styles.css. */}
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  )
}
