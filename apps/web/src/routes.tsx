import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { Console } from './features/shell/console.tsx'
import { ErrorScreen } from './features/shell/error-screen.tsx'
import { NotFound } from './features/shell/not-found.tsx'
import { Root } from './features/shell/root.tsx'
import { Site } from './features/shell/site.tsx'
import { sessionReady } from './lib/session.ts'
import { useSession } from './lib/session-store.ts'
import { Loading } from './ui/states.tsx'

/** What an address carries after `?`. A key that a route leaves out stays as it came: what will not do has to become undefined. */
type Search = Record<string, unknown>

const text = (search: Search, key: string): string | undefined => {
  const value = search[key]
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
}
const count = (search: Search, key: string): number | undefined => {
  const value = Number(search[key])
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFound })

/** What everyone may see. */
const site = createRoute({ getParentRoute: () => rootRoute, id: 'site', component: Site })

/** What belongs to an account: the guard waits until it is known who is there, and comes back after signing in. */
const signedIn = createRoute({
  getParentRoute: () => rootRoute,
  id: 'console',
  component: Console,
  beforeLoad: async ({ location }) => {
    await sessionReady
    if (!useSession.getState().address) throw redirect({ to: '/login', search: { redirect: location.href } })
  },
})

const home = createRoute({
  getParentRoute: () => site,
  path: '/',
  component: lazyRouteComponent(() => import('./features/home/home-page.tsx'), 'HomePage'),
})

export type LoginMode = 'password' | 'code' | 'signup' | 'reset'
const modes: readonly string[] = ['password', 'code', 'signup', 'reset'] satisfies LoginMode[]

export interface LoginSearch {
  mode?: LoginMode | undefined
  /** Where to go afterwards: an address of this site. */
  redirect?: string | undefined
}

const login = createRoute({
  getParentRoute: () => site,
  path: '/login',
  validateSearch: (search: Search): LoginSearch => {
    const mode = text(search, 'mode')
    const target = text(search, 'redirect')
    return {
      mode: mode && modes.includes(mode) ? (mode as LoginMode) : undefined,
      // `//host` and `/\host` lead elsewhere.
      redirect: target && /^\/(?![/\\])/.test(target) ? target : undefined,
    }
  },
  component: lazyRouteComponent(() => import('./features/accounts/login-page.tsx'), 'LoginPage'),
})

const signup = createRoute({
  getParentRoute: () => site,
  path: '/signup',
  beforeLoad: () => {
    throw redirect({ to: '/login', search: { mode: 'signup' }, replace: true })
  },
})

/** What a share link carries; `cid` is the number of a folder in /groupPreview. */
export interface ShareSearch {
  cid?: string | undefined
  AssetType?: string | undefined
  address?: string | undefined
  area_id?: string | undefined
}

const shareSearch = (search: Search): ShareSearch =>
  Object.fromEntries(['cid', 'AssetType', 'address', 'area_id'].map((key) => [key, text(search, key)]))

const sharedFile = createRoute({
  getParentRoute: () => site,
  path: '/distributionstatus',
  validateSearch: shareSearch,
  component: lazyRouteComponent(() => import('./features/shares/shared-file-page.tsx'), 'SharedFilePage'),
})

const sharedFolder = createRoute({
  getParentRoute: () => site,
  path: '/groupPreview',
  validateSearch: shareSearch,
  component: lazyRouteComponent(() => import('./features/shares/shared-folder-page.tsx'), 'SharedFolderPage'),
})

const apiDocs = createRoute({
  getParentRoute: () => site,
  path: '/docs/api',
  component: lazyRouteComponent(() => import('./features/docs/api-page.tsx'), 'ApiPage'),
})

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: '/dashboard',
  component: lazyRouteComponent(() => import('./features/dashboard/dashboard-page.tsx'), 'DashboardPage'),
})

export interface FilesSearch {
  folder?: number | undefined
  page?: number | undefined
}

const files = createRoute({
  getParentRoute: () => signedIn,
  path: '/fileStorage',
  validateSearch: (search: Search): FilesSearch => {
    const folder = count(search, 'folder')
    const page = count(search, 'page')
    return { folder, page: page && page > 1 ? page : undefined }
  },
  component: lazyRouteComponent(() => import('./features/files/files-page.tsx'), 'FilesPage'),
})

const keys = createRoute({
  getParentRoute: () => signedIn,
  path: '/key',
  component: lazyRouteComponent(() => import('./features/keys/keys-page.tsx'), 'KeysPage'),
})

const tree = rootRoute.addChildren([
  site.addChildren([home, login, signup, sharedFile, sharedFolder, apiDocs]),
  signedIn.addChildren([dashboard, files, keys]),
])

const consolePaths = ['/dashboard', '/filestorage', '/key']

/** Whether an address needs somebody signed in. */
export const isConsolePath = (pathname: string): boolean => consolePaths.includes(pathname.toLowerCase())

export function createAppRouter() {
  return createRouter({
    routeTree: tree,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ErrorScreen,
    defaultPendingComponent: Loading as RouteComponent,
    defaultPendingMs: 300,
    defaultNotFoundComponent: NotFound,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
