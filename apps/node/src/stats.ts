import { availableParallelism, loadavg } from 'node:os'
import type { NodeStats } from '@tidenet/contract'
import type { ContentStore } from './contents/content-store.ts'

/** Counters of running transfers. */
export interface Activity {
  uploads: number
  downloads: number
  receiveRate: number
  sendRate: number
}

/** Uploads at which a node counts as fully loaded. */
const UPLOADS_FULL = 5
const DOWNLOADS_FULL = 100

export async function readStats(store: ContentStore, capacity: number, activity: Activity): Promise<NodeStats> {
  const cpu = (loadavg()[0] ?? 0) / availableParallelism()
  const transfers = Math.max(activity.uploads / UPLOADS_FULL, activity.downloads / DOWNLOADS_FULL)
  return {
    capacity,
    used: store.space.used,
    free: Math.floor(await store.space.free()),
    load: Math.max(0, Math.min(1, Math.max(cpu, transfers))),
    uploads: activity.uploads,
    downloads: activity.downloads,
    receive_rate: Math.round(activity.receiveRate),
    send_rate: Math.round(activity.sendRate),
    contents: store.count,
  }
}
