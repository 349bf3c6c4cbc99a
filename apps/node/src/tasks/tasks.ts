import type { NodeStats, NodeWork } from '@tidenet/contract'
import { type Clock, every, type Logger } from '@tidenet/daemon'
import type { BlockedContents } from '../blocked-contents.ts'
import type { ContentStore } from '../contents/content-store.ts'
import type { EndedShares } from '../ended-shares.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { ServerLink } from '../server-link.ts'
import type { Arriving } from '../uploads/arriving.ts'
import { type AuditResult, createAudits } from './audits.ts'
import { startHeartbeat } from './heartbeat.ts'
import { compareInventory } from './inventory.ts'
import type { Removals } from './removals.ts'
import { createReplicas, type ReplicaResult } from './replicas.ts'
import { createReporter } from './reporter.ts'
import { createScrubber } from './scrub.ts'
import type { Reach } from './source.ts'

const INVENTORY_MS = 3600_000
const SCRUB_MS = 60_000

/** Starts the background tasks of a node and dispatches the server's work to them. */
export function startTasks(parts: {
  link: ServerLink
  store: ContentStore
  removals: Removals
  ended: EndedShares
  blocked: BlockedContents
  arriving: Arriving
  reach: Reach
  stats: () => Promise<NodeStats>
  limiter: Pick<Limiter, 'untilBack' | 'limits'>
  onLeaving: Parameters<typeof startHeartbeat>[0]['onLeaving']
  clock: Clock
  log: Logger
}): { readonly pulling: number; stop(): Promise<void> } {
  const { link, store, removals, ended, blocked, arriving, reach, stats, limiter, onLeaving, clock, log } = parts
  const replicaReporter = createReporter<ReplicaResult>({
    name: 'replicas',
    most: 500,
    send: (results, signal) => link.call('replicas', { results }, { signal }),
    log,
  })
  const auditReporter = createReporter<AuditResult>({
    name: 'audits',
    most: 200,
    send: (results, signal) => link.call('audits', { results }, { signal }),
    log,
  })
  let waiting: (() => void)[] = []
  const onCapacity = () => {
    for (const wake of [...waiting]) wake()
  }
  const replicas = createReplicas({ store, removals, reporter: replicaReporter, reach, log, onCapacity })
  const audits = createAudits({ reporter: auditReporter, reach, onCapacity })

  const take = (work: NodeWork) => {
    if (work.type === 'pull') replicas.pull(work)
    else if (work.type === 'remove') replicas.remove(work.cid, work.decided)
    else audits.take(work)
  }
  const workers = {
    capacity: () => Math.min(replicas.capacity(), audits.capacity()),
    pulling: replicas.pulling,
    take,
    untilCapacity: (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const wake = () => {
          waiting = waiting.filter((other) => other !== wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        waiting.push(wake)
        signal.addEventListener('abort', wake, { once: true })
      }),
  }
  const heartbeat = startHeartbeat({ link, workers, ended, blocked, arriving, stats, limiter, onLeaving, clock, log })
  const inventory = every(INVENTORY_MS, (signal) => compareInventory({ link, store, removals, clock, log }, signal), {
    name: 'inventory',
    log,
  })
  const scrubber = createScrubber({ store, reporter: replicaReporter, clock, log })
  const scrub = every(SCRUB_MS, (signal) => scrubber.step(signal), { name: 'scrub', log })

  return {
    get pulling() {
      return replicas.pulling().length
    },
    async stop() {
      await Promise.all([heartbeat.stop(), inventory.stop(), scrub.stop(), replicas.stop(), audits.stop()])
      waiting = []
      await Promise.all([replicaReporter.stop(), auditReporter.stop()])
    },
  }
}
