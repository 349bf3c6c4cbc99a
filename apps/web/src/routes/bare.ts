import { createRoute } from '@tanstack/react-router'
import { type Search, shareSearch, text } from '../searches.ts'
import { root } from './frames.tsx'
import { page } from './lazy.ts'

const getParentRoute = () => root

/** Pages without a frame. */
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
