import type { Feature } from '../platform/feature.ts'
import type { Context } from './context.ts'
import { serveReleases } from './releases/routes.ts'
import { servePortal } from './site/routes.ts'

/** Last of all: whatever nobody else serves is an address of the portal. */
export const portal: readonly Feature<Context>[] = [
  { name: 'releases', serve: (serving) => serveReleases(serving) },
  { name: 'site', serve: (serving, context) => servePortal(serving, context) },
]
