import type { Feature } from '../platform/feature.ts'
import { handle } from '../platform/jobs/job.ts'
import { endSharesOf } from '../storage/index.ts'
import { serveActivity } from './activity/routes.ts'
import { serveClosing } from './closing/routes.ts'
import { sharesToEnd } from './closing/service.ts'
import type { Context } from './context.ts'
import { serveDashboard } from './dashboard/routes.ts'
import { serveExport } from './export/routes.ts'
import { serveMcp } from './mcp/routes.ts'
import { serveReleases } from './releases/routes.ts'
import { servePortal } from './site/routes.ts'

/** Registered last: every address that no other feature serves is a page of the portal. */
/** @param all the features of the server, whose parts the export of an account contains */
export const portal = (all: () => readonly Feature<Context>[]): readonly Feature<Context>[] => [
  {
    name: 'closing',
    serve: serveClosing,
    jobs: [handle(sharesToEnd, (context: Context, { user }) => endSharesOf(context.db, user))],
  },
  { name: 'dashboard', serve: serveDashboard },
  { name: 'activity', serve: serveActivity },
  { name: 'export', serve: (serving, context) => serveExport(serving, context, all()) },
  { name: 'mcp', serve: serveMcp },
  {
    name: 'releases',
    serve: (serving, { config }) =>
      serveReleases(serving, config.executables === '' ? {} : { executables: config.executables }),
  },
  { name: 'site', serve: (serving, context) => servePortal(serving, context) },
]
