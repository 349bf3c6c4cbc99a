import { createRoute } from '@tanstack/react-router'
import { signedIn } from './frames.tsx'
import { page } from './lazy.ts'
import { count, oneOf, type Search, text } from './search.ts'

const getParentRoute = () => signedIn

/** A yes or no of an address; anything else is neither. */
const decided = (search: Search, key: string): boolean | undefined =>
  search[key] === true || search[key] === 'true'
    ? true
    : search[key] === false || search[key] === 'false'
      ? false
      : undefined

export interface FilesSearch {
  folder?: number | undefined
  page?: number | undefined
  view?: 'trash' | undefined
  /** What is looked for in all folders. */
  q?: string | undefined
  sort?: 'name' | 'size' | 'date' | undefined
  direction?: 'asc' | 'desc' | undefined
  kind?: 'group' | 'file' | 'folder' | 'image' | 'video' | 'audio' | 'document' | undefined
  shared?: boolean | undefined
  encrypted?: boolean | undefined
  /** Where a page of a sorted list begins. */
  after?: string | undefined
  /** What to do on arrival, once. */
  do?: 'folder' | 'help' | undefined
}

function filesSearch(search: Search): FilesSearch {
  const page = count(search, 'page')
  return {
    folder: count(search, 'folder'),
    page: page && page > 1 ? page : undefined,
    view: oneOf(search, 'view', ['trash']),
    q: text(search, 'q')?.slice(0, 200),
    sort: oneOf(search, 'sort', ['name', 'size', 'date']),
    direction: oneOf(search, 'direction', ['asc', 'desc']),
    kind: oneOf(search, 'kind', ['group', 'file', 'folder', 'image', 'video', 'audio', 'document']),
    shared: decided(search, 'shared'),
    encrypted: decided(search, 'encrypted'),
    after: text(search, 'after')?.slice(0, 2000),
    do: oneOf(search, 'do', ['folder', 'help']),
  }
}

export interface CenterSearch {
  /** 1: what is used, 2: what can be bought. */
  tab?: number | undefined
  /** Which order is looked at. */
  order?: string | undefined
  /** Which one is to be replaced by a larger one. */
  upgrade?: string | undefined
  /** What was chosen on the page of prices: cores, GB, GB, hours. */
  machine?: string | undefined
}

const centerSearch = (search: Search): CenterSearch => ({
  tab: count(search, 'tab'),
  order: text(search, 'order')?.slice(0, 64),
  upgrade: text(search, 'upgrade')?.slice(0, 64),
  machine: text(search, 'machine')?.slice(0, 24),
})

/** What belongs to an account. */
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
    path: '/key',
    component: page(() => import('../features/keys/keys-page.tsx')),
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
    path: '/center',
    component: page(() => import('../features/account/plans-page.tsx')),
  }),
] as const
