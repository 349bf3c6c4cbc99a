import { createCache } from '../../platform/cache.ts'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import type { Context } from '../context.ts'
import { listDisputes, openDispute } from './disputes.ts'
import { publicFigures } from './public.ts'
import { days, deviceCount, downloads, statement, summary } from './service.ts'
import { setWeeklyMail } from './weekly.ts'

/** The public figures change once a day. */
const PUBLIC_TTL_MS = 10 * 60_000

export function serveEarnings(serving: ServerServing, context: Context): void {
  const cache = createCache(context, { minTtlMs: PUBLIC_TTL_MS })
  serveModule(serving, 'earnings', {
    summary: (input, { caller }) => summary(context, caller, input),
    mail: (input, { caller }) => setWeeklyMail(context, caller, input),
    days: (input, { caller }) => days(context, caller, input),
    statement: (input, { caller }) => statement(context, caller, input),
    downloads: (input, { caller }) => downloads(context, caller, input),
    dispute: (input, { caller, lang }) => openDispute(context, caller, input, lang),
    disputes: (input, { caller }) => listDisputes(context, caller, input),
    deviceCount: (input, { caller }) => deviceCount(context, caller, input),
    public: () => cache(['earnings'], () => publicFigures(context)),
  })
}
