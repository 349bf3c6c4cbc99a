import type { Db } from '../../platform/db/db.ts'
import { findNodeHours, type HourFilter, type NodeHourRow, type Period } from '../nodes/nodes.ts'
import { bytesHeld } from '../placement/placement.ts'

export interface NodeHourFacts extends NodeHourRow {
  /** Bytes of copies that count now, also of a node that went offline: the time online limits what it earns. */
  held: number
}

/** What nodes did in an hour, or in a part of it, in the order of ids. All of it is what the server observed. */
export async function nodeHours(db: Db, period: Period, filter: HourFilter): Promise<NodeHourFacts[]> {
  const rows = await findNodeHours(db, period, filter)
  const holding = rows.filter(({ counts, trusted, online }) => counts && trusted && online > 0)
  const held = await bytesHeld(
    db,
    holding.map(({ node_id }) => node_id),
  )
  return rows.map((row) => ({ ...row, held: held.get(row.node_id) ?? 0 }))
}
