import { createRoute } from '@tanstack/react-router'
import {
  type FolderSearch,
  folderSearch,
  oneOf,
  type Search,
  text,
  WORKLOAD_VIEWS,
  type WorkloadView,
} from '../searches.ts'
import { root } from './frames.tsx'
import { page } from './lazy.ts'

/** Pages of the container console, which has its own session; a portal session is not enough. */
export const workspacesFrame = createRoute({
  getParentRoute: () => root,
  id: 'workspaces',
  component: page(() => import('../features/workspaces/frame.tsx')),
  beforeLoad: async ({ location }) => (await import('../features/workspaces/guards.ts')).requireConsole(location.href),
})

export const workspacesLogin = createRoute({
  getParentRoute: () => root,
  path: '/console/login',
  validateSearch: (search: Search): { next?: string | undefined } => ({ next: text(search, 'next') }),
  // Removes the console token from the address before rendering, so that it does not stay in the history.
  beforeLoad: async ({ location, preload, search }) =>
    preload || (await import('../features/workspaces/guards.ts')).takeUrlCredentials(location.searchStr, search.next),
  component: page(() => import('../features/workspaces/login-page.tsx')),
})

const getParentRoute = () => workspacesFrame

export const workspacesRoutes = [
  createRoute({
    getParentRoute,
    path: '/console',
    component: page(() => import('../features/workspaces/workspaces-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/console/open',
    validateSearch: (search: Search): { host?: string | undefined; path?: string | undefined } => ({
      host: text(search, 'host'),
      path: text(search, 'path'),
    }),
    component: page(() => import('../features/workspaces/open-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/console/workspaces/$workspace',
    component: page(() => import('../features/workspaces/workspace-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/console/folder',
    validateSearch: folderSearch,
    component: page(() => import('../features/workspaces/folder-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/console/workspaces/$workspace/deploy',
    validateSearch: folderSearch,
    component: page(() => import('../features/workspaces/deploy-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/console/workloads/$workload',
    // Without a view: the logs.
    validateSearch: (search: Search): FolderSearch & { view?: WorkloadView | undefined } => ({
      ...folderSearch(search),
      view: oneOf(search, 'view', WORKLOAD_VIEWS),
    }),
    component: page(() => import('../features/workspaces/workload-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/console/workloads/$workload/terminal',
    component: page(() => import('../features/workspaces/terminal-page.tsx')),
  }),
] as const
