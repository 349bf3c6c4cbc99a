import { createRoute } from '@tanstack/react-router'
import { signedIn } from './frames.tsx'
import { page } from './lazy.ts'
import { count, type Search, text } from './search.ts'

const getParentRoute = () => signedIn

export interface FilesSearch {
  folder?: number | undefined
  page?: number | undefined
}

/** What belongs to an account. */
export const consoleRoutes = [
  createRoute({
    getParentRoute,
    path: '/dashboard',
    validateSearch: (search: Search): { trace?: string | undefined } => ({ trace: text(search, 'trace') }),
    component: page(() => import('../features/dashboard/dashboard-page.tsx'), 'DashboardPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/fileStorage',
    validateSearch: (search: Search): FilesSearch => {
      const folder = count(search, 'folder')
      const page = count(search, 'page')
      return { folder, page: page && page > 1 ? page : undefined }
    },
    component: page(() => import('../features/files/files-page.tsx'), 'FilesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/upload',
    caseSensitive: true,
    component: page(() => import('../features/files/upload-page.tsx'), 'UploadPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/key',
    component: page(() => import('../features/keys/keys-page.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/testCoin',
    component: page(() => import('../features/tokens/test-coin-page.tsx'), 'TestCoinPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/mycenter',
    validateSearch: (search: Search): { tab?: number | undefined; order?: string | undefined } => ({
      tab: count(search, 'tab'),
      order: text(search, 'order'),
    }),
    component: page(() => import('../features/tokens/my-center-page.tsx'), 'MyCenterPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/myPCDN',
    component: page(() => import('../features/account/my-pcdn-page.tsx'), 'MyPcdnPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/myAccount',
    component: page(() => import('../features/account/account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/center',
    component: page(() => import('../features/account/plans-page.tsx'), 'PlansPage'),
  }),
] as const
