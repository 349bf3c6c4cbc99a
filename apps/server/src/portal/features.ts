import type { Feature } from '../platform/feature.ts'
import type { Context } from './context.ts'
import { serveReleases } from './releases/routes.ts'
import { servePortal } from './site/routes.ts'

/** Registered last: every address that no other feature serves is a page of the portal. */
export const portal: readonly Feature<Context>[] = [
  { name: 'releases', serve: (serving) => serveReleases(serving) },
  { name: 'site', serve: (serving, context) => servePortal(serving, context) },
]
