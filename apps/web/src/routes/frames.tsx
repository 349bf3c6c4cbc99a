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
    // The server sends whoever asks for it to where it is.
    window.location.assign(location.href)
    return new Promise<never>(() => {})
  },
})

/** What everyone may see, between header and footer. */
export const site = createRoute({ getParentRoute: () => root, id: 'site', component: Site })

/** Waits until it is known who is there. A visitor gets to the home page with the login open, and comes back after signing in (spec 2). */
async function guard({ location }: { location: { href: string } }): Promise<void> {
  await sessionReady
  if (!useSession.getState().address) throw redirect({ to: '/', search: { redirect: location.href } })
}

/** What belongs to an account. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'console',
  component: page(() => import('../features/shell/console.tsx')),
  beforeLoad: guard,
})

/** The operator area has a frame of its own. */
export const operators = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  component: page(() => import('../features/admin/admin-page.tsx')),
  beforeLoad: guard,
})
