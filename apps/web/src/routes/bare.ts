import { createRoute } from '@tanstack/react-router'
import { root } from './frames.tsx'
import { page } from './lazy.ts'
import { shareSearch } from './public.ts'
import { type Search, text } from './search.ts'

const getParentRoute = () => root

/** Pages with nothing around them. */
export const bareRoutes = [
  createRoute({
    getParentRoute,
    path: '/td-distributionstatus',
    validateSearch: shareSearch,
    component: page(() => import('../features/shares/embedded-file-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/ext_download',
    validateSearch: (search: Search) => ({ source: text(search, 'source'), medium: text(search, 'medium') }),
    component: page(() => import('../features/download/extension-page.tsx')),
  }),
] as const
