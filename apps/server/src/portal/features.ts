import type { Feature } from '../platform/feature.ts'
import { handle } from '../platform/jobs/job.ts'
import { endSharesOf } from '../storage/index.ts'
import { serveClosing } from './closing/routes.ts'
import { sharesToEnd } from './closing/service.ts'
import type { Context } from './context.ts'
import { serveDashboard } from './dashboard/routes.ts'
import { serveReleases } from './releases/routes.ts'
import { servePortal } from './site/routes.ts'

/** Registered last: every address that no other feature serves is a page of the portal. */
export const portal: readonly Feature<Context>[] = [
  {
    name: 'closing',
    serve: serveClosing,
    jobs: [handle(sharesToEnd, (context: Context, { user }) => endSharesOf(context.db, user))],
  },
  { name: 'dashboard', serve: serveDashboard },
  { name: 'releases', serve: (serving) => serveReleases(serving) },
  { name: 'site', serve: (serving, context) => servePortal(serving, context) },
]
