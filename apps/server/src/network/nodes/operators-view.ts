import type { AreaSource, NodeKind, NodeStanding, NodeStatus } from '@tidenet/contract'
import { escapeLike } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { areaSource, declaredArea } from './node-areas.ts'
import { standing } from './node-table.ts'

/** A node as operators see it. */
export interface NodeDetails {
  node_id: string
  name: string
  kind: NodeKind
  area_id: string
  declared_area: string | null
  region_by: AreaSource
  located_country: string | null
  url: string
  ip: string
  version: string
  status: NodeStatus
  reachable: boolean
  seen_at: Date | null
  registered_at: Date
  capacity: number
  used: number
  quality: number
  rate: number
  standing: NodeStanding
  draining_since: Date | null
  leaving_since: Date | null
  leaving_remaining: number | null
  network: string
  out_since: Date | null
  note: string
}

const columns: Sql = sql`n.id as node_id, n.name, n.kind, n.area_id, ${declaredArea} as declared_area, ${areaSource} as region_by,
  n.located_country, n.url, n.ip, n.version, n.status, n.reachable, n.seen_at,
  n.created_at as registered_at, n.capacity, n.used, n.quality, n.rate, ${standing} as standing,
  n.draining_since, n.leaving_since, n.leaving_remaining, n.network, n.out_since, n.note`

export interface NodeFilter {
  q?: string | undefined
  status?: NodeStatus | undefined
  kind?: NodeKind | undefined
  /** Out of service. */
  out?: boolean | undefined
}

/** Nodes by name and id, after this name and id. */
export function pageOfNodes(
  db: Db,
  { q, status, kind, out }: NodeFilter,
  from: { name: string; id: string } | undefined,
  limit: number,
): Promise<NodeDetails[]> {
  const word = `%${escapeLike(q ?? '')}%`
  return db.rows<NodeDetails>(sql`
    with page as (
      select * from nodes n where true
        ${q ? sql`and (n.name ilike ${word} or n.id ilike ${word} or n.area_id ilike ${word} or n.declared_area ilike ${word} or n.url ilike ${word} or n.ip ilike ${word})` : none}
        ${status === undefined ? none : sql`and n.status = ${status}`}
        ${kind === undefined ? none : sql`and n.kind = ${kind}`}
        ${out === undefined ? none : out ? sql`and n.out_since is not null` : sql`and n.out_since is null`}
        ${from === undefined ? none : sql`and (n.name, n.id) > (${from.name}, ${from.id})`}
      order by n.name, n.id limit ${limit}
    )
    select ${columns} from page n order by n.name, n.id`)
}

export const findNode = (db: Db, id: string) =>
  db.one<NodeDetails>(sql`select ${columns} from nodes n where n.id = ${id}`)

export const lockNodeForNoKeyUpdate = (tx: Db, id: string) =>
  tx.maybe<NodeDetails>(sql`select ${columns} from nodes n where n.id = ${id} for no key update`)
