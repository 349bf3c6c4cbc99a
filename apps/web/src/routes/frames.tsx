import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { Root } from '../features/shell/root.tsx'
import { Site } from '../features/shell/site.tsx'
import { sessionReady } from '../lib/session.ts'
import { useSession } from '../lib/session-store.ts'
import { isOnOtherHost } from '../lib/variant.ts'
import { page } from './lazy.ts'

export const NotFound = page(() => import('../features/shell/not-found.tsx'))

export const root = createRootRoute({
  component: Root,
  beforeLoad: ({ location, preload }) => {
    if (preload || !isOnOtherHost(location.pathname)) return
    // The server redirects to the host that has the page.
    window.location.assign(location.href)
    return new Promise<never>(() => {})
  },
})

/** Public pages, with header and footer. */
export const site = createRoute({ getParentRoute: () => root, id: 'site', component: Site })

/** Requires a session. Visitors are sent to the home page with the login open, and come back after signing in (spec 2). */
async function guard({ location }: { location: { href: string } }): Promise<void> {
  await sessionReady
  if (!useSession.getState().address) throw redirect({ to: '/', search: { redirect: location.href } })
}

/** Pages of an account. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'console',
  component: page(() => import('../features/shell/console.tsx')),
  beforeLoad: guard,
})

/** The operator area, with its own frame. */
export const operators = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  component: page(() => import('../features/admin/admin-page.tsx')),
  beforeLoad: guard,
})
