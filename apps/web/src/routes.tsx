import { createRouter, type NotFoundRouteComponent, type RouterHistory } from '@tanstack/react-router'
import { ErrorScreen } from './features/shell/error-screen.tsx'
import { bareRoutes } from './routes/bare.ts'
import { consoleRoutes } from './routes/console.ts'
import { NotFound, operators, root, signedIn, site } from './routes/frames.tsx'
import { fileRoutes, publicRoutes } from './routes/public.ts'
import { workspacesFrame, workspacesLogin, workspacesRoutes } from './routes/workspaces.ts'
import { Loading } from './ui/loading.tsx'

const tree = root.addChildren([
  site.addChildren([...publicRoutes, ...fileRoutes]),
  signedIn.addChildren([...consoleRoutes]),
  operators,
  workspacesFrame.addChildren([...workspacesRoutes]),
  workspacesLogin,
  ...bareRoutes,
])

const Pending = () => <Loading page />

/** @param notFound shown at unknown addresses */
export function createAppRouter(history?: RouterHistory, notFound: NotFoundRouteComponent = NotFound) {
  return createRouter({
    routeTree: tree,
    ...(history && { history }),
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ErrorScreen,
    defaultPendingComponent: Pending,
    defaultPendingMs: 300,
    defaultNotFoundComponent: notFound,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}

export type AppRouter = ReturnType<typeof createAppRouter>
