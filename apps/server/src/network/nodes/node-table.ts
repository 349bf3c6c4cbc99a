import type { NodeKind, NodeStatus } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Context } from '../context.ts'

/** What choices of nodes depend on, named as in the table. */
export interface NodeFacts {
  id: string
  kind: NodeKind
  /** The second segment of the area id: how areas are named outside. */
  country: string
  capacity: number
  free: number
  /** 0..1 */
  load: number
  /** Bytes a second; 0 when unknown. */
  send_rate: number
  receive_rate: number
  status: NodeStatus
  reachable: boolean
  /** 0..1 */
  quality: number
  /** The operators have taken it out of service. */
  out?: boolean
}

/** A node as requests read it. */
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

/**
 * All nodes, at most a second old. Requests share one reading of the table; tests, which change it and ask at once, do not.
 */
export function nodeTable(context: Pick<Context, 'db'> & Partial<Pick<Context, 'config'>>): Promise<NodeRow[]> {
  const known = snapshots.get(context.db)
  const fresh = context.config?.environment === 'test' ? 0 : FRESH_MS
  if (known && performance.now() - known.at < fresh) return known.rows
  const rows = context.db.rows<NodeRow>(sql`
    select id, kind, name, area_id, country, url, ip, latitude, longitude, capacity, free, load, send_rate, receive_rate, status, reachable,
      quality, offline_at, out_since is not null as out
    from nodes`)
  const snapshot = { at: performance.now(), rows }
  snapshots.set(context.db, snapshot)
  // A failed reading is not remembered.
  rows.catch(() => snapshots.delete(context.db))
  return rows
}
