import type { NodeKind, NodeStatus } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Context } from '../context.ts'

/** The columns that node choices depend on. */
export interface NodeFacts {
  id: string
  kind: NodeKind
  /** The second segment of the area id; the portal shows areas by country. */
  country: string
  capacity: number
  free: number
  /** 0..1 */
  load: number
  /** Bytes per second; 0 if unknown. */
  send_rate: number
  receive_rate: number
  status: NodeStatus
  reachable: boolean
  /** 0..1 */
  quality: number
  /** Out of service. */
  out?: boolean
}

export interface NodeRow extends NodeFacts {
  name: string
  area_id: string
  url: string
  ip: string
  latitude: number
  longitude: number
  offline_at: Date | null
}

const FRESH_MS = 1000

interface Snapshot {
  at: number
  rows: Promise<NodeRow[]>
}
const snapshots = new WeakMap<Db, Snapshot>()

/** All nodes, at most one second old: requests share one query. At the quick pace query results are not cached. */
export function nodeTable(context: Pick<Context, 'db'> & Partial<Pick<Context, 'config'>>): Promise<NodeRow[]> {
  const known = snapshots.get(context.db)
  const fresh = context.config?.pace === 'quick' ? 0 : FRESH_MS
  if (known && performance.now() - known.at < fresh) return known.rows
  const rows = context.db.rows<NodeRow>(sql`
    select id, kind, name, area_id, country, url, ip, latitude, longitude, capacity, free, load, send_rate, receive_rate, status, reachable,
      quality, offline_at, out_since is not null as out
    from nodes`)
  const snapshot = { at: performance.now(), rows }
  snapshots.set(context.db, snapshot)
  // Do not cache failures.
  rows.catch(() => snapshots.delete(context.db))
  return rows
}
