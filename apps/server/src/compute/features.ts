import type { Feature } from '../platform/feature.ts'
import { handle } from '../platform/jobs/job.ts'
import { alertOfPrograms } from './alerts/alerts.ts'
import * as alerts from './alerts/repository.ts'
import * as connections from './connections/tickets.ts'
import * as consoleAccounts from './console/console-account.ts'
import * as consoleSessions from './console/console-sessions.ts'
import { serveClusters } from './console/routes.ts'
import type { Context } from './context.ts'
import { collectDue } from './logs/collect.ts'
import * as speech from './speech/repository.ts'
import { serveSpeech } from './speech/routes.ts'
import { transcribeQueued } from './speech/run.ts'
import { saveDue } from './workspaces/folder-transfers.ts'
import { reconcileWorkloadJob } from './workspaces/jobs.ts'
import * as outages from './workspaces/outages-repository.ts'
import { reconcileWorkload } from './workspaces/reconcile.ts'
import * as registries from './workspaces/registries-repository.ts'
import * as workspaces from './workspaces/repository.ts'
import { supervise } from './workspaces/supervise.ts'
import { removeOrphans, sampleDue } from './workspaces/watch.ts'

export const compute: readonly Feature<Context>[] = [
  {
    name: 'console',
    serve: serveClusters,
    expired: (at) => [...consoleSessions.expired(at), ...connections.expired(at)],
    erase: ({ id }) => consoleAccounts.erased(id),
  },
  {
    name: 'workspaces',
    jobs: [handle(reconcileWorkloadJob, (context: Context, { id }) => reconcileWorkload(context, id), { slow: true })],
    tasks: [
      { name: 'workspaces', every: { usual: 10_000, quick: 1000 }, run: sampleDue },
      { name: 'supervise', every: { usual: 2000, quick: 200 }, run: supervise },
      { name: 'folders', role: 'jobs', every: { usual: 2000, quick: 200 }, run: saveDue },
      { name: 'orphans', every: { usual: 10 * 60_000, quick: 10_000 }, run: removeOrphans },
    ],
    expired: (at) => [...workspaces.expired(at), ...outages.expired(at)],
    erase: ({ id }) => [...workspaces.erased(id), ...registries.erased(id)],
    exported: ({ id }) => [{ name: 'workspaces', rows: workspaces.exported(id) }],
  },
  {
    name: 'program-alerts',
    tasks: [{ name: 'program-alerts', role: 'jobs', every: { usual: 60_000, quick: 1000 }, run: alertOfPrograms }],
    expired: alerts.expired,
  },
  { name: 'logs', tasks: [{ name: 'logs', every: { usual: 10_000, quick: 1000 }, run: collectDue }] },
  {
    name: 'speech',
    serve: serveSpeech,
    tasks: [{ name: 'transcribe', role: 'jobs', every: { usual: 1000, quick: 200 }, run: transcribeQueued }],
    expired: speech.expired,
    erase: ({ id }) => speech.erased(id),
    exported: ({ id }) => [{ name: 'transcripts', personal: true, rows: speech.exported(id) }],
  },
]
