import { createRoute } from '@tanstack/react-router'
import {
  centerSearch,
  count,
  devicesSearch,
  filesSearch,
  linksSearch,
  pageSearch,
  type Search,
  text,
} from '../searches.ts'
import { signedIn } from './frames.tsx'
import { page } from './lazy.ts'

const getParentRoute = () => signedIn

/** Pages of an account. */
export const consoleRoutes = [
  createRoute({
    getParentRoute,
    path: '/dashboard',
    validateSearch: (search: Search): { trace?: string | undefined } => ({ trace: text(search, 'trace') }),
    component: page(() => import('../features/dashboard/dashboard-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/fileStorage',
    validateSearch: filesSearch,
    component: page(() => import('../features/files/files-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/upload',
    caseSensitive: true,
    validateSearch: (search: Search): { folder?: number | undefined } => ({ folder: count(search, 'folder') }),
    component: page(() => import('../features/files/upload-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/links',
    validateSearch: linksSearch,
    component: page(() => import('../features/shares/links-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/key',
    component: page(() => import('../features/keys/keys-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks',
    component: page(() => import('../features/webhooks/webhooks-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/teams',
    validateSearch: (search: Search): { team?: string | undefined } => ({ team: text(search, 'team') }),
    component: page(() => import('../features/teams/teams-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/testCoin',
    component: page(() => import('../features/tokens/test-coin-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/mycenter',
    validateSearch: centerSearch,
    component: page(() => import('../features/orders/my-center-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/myPCDN',
    component: page(() => import('../features/account/my-pcdn-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/devices',
    validateSearch: devicesSearch,
    component: page(() => import('../features/devices/devices-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/myAccount',
    component: page(() => import('../features/account/account-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/security',
    component: page(() => import('../features/security/security-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/activity',
    component: page(() => import('../features/account/activity-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/notifications',
    component: page(() => import('../features/account/notifications-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/endingFiles',
    component: page(() => import('../features/account/ending-files-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/blockedFiles',
    validateSearch: pageSearch,
    component: page(() => import('../features/abuse/blocked-files-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/closeAccount',
    component: page(() => import('../features/account/close-account-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/center',
    component: page(() => import('../features/account/plans-page.tsx')),
  }),
] as const
