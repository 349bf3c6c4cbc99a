import { createRouter, type RouteComponent, type RouterHistory } from '@tanstack/react-router'
import { ErrorScreen } from './features/shell/error-screen.tsx'
import { bareRoutes } from './routes/bare.ts'
import { consoleRoutes } from './routes/console.ts'
import { NotFound, root, signedIn, site } from './routes/frames.tsx'
import { fileRoutes, publicRoutes } from './routes/public.ts'
import { Loading } from './ui/loading.tsx'

const tree = root.addChildren([
  site.addChildren([...publicRoutes, ...fileRoutes]),
  signedIn.addChildren([...consoleRoutes]),
  ...bareRoutes,
])

export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree: tree,
    ...(history && { history }),
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

export type AppRouter = ReturnType<typeof createAppRouter>
