import type { NodeStats } from '@tidenet/contract'
import type { Clock, Logger } from '@tidenet/daemon'
import type { ContentStore } from '../contents/content-store.ts'
import type { ServerLink } from '../server-link.ts'
import { startHeartbeat } from './heartbeat.ts'

/** Starts what a node does unasked, and hands the server's work to those who do it. */
export function startDuties(parts: {
  link: ServerLink
  store: ContentStore
  stats: () => Promise<NodeStats>
  clock: Clock
  log: Logger
}): { stop(): Promise<void> } {
  const { link, stats, clock, log } = parts
  const workers = {
    room: () => 8,
    pulling: () => [],
    take: () => {},
    roomAgain: () => new Promise<void>(() => {}),
  }
  const heartbeat = startHeartbeat({ link, workers, stats, clock, log })
  return { stop: () => heartbeat.stop() }
}
