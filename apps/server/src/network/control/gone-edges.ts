import { DAY } from '../../platform/ago.ts'
import { type Context, now } from '../context.ts'
import { deleteFigures } from '../explorer/figures.ts'
import { deleteNodes } from '../nodes/nodes.ts'
import { deleteReplicasOf, lockGoneEdges } from '../placement/placement.ts'

/** Time without a heartbeat after which an edge is gone. */
const GONE_AFTER = {
  /** It never had a copy, and was not seen on a second day: many may register and not come back. */
  unused: 3 * DAY,
  gone: 30 * DAY,
  /** Edges with an owner, taken out of service, or with the last copy of a content are kept for longer. */
  forgotten: 365 * DAY,
}
/** Nodes, and replicas, deleted in one transaction. */
const NODES = 200
const REPLICAS = 10_000

/** Deletes edges that did not come back, with all their data. The next run continues. */
export async function deleteGoneEdges(context: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await context.db.transaction(async (tx) => {
    const ids = await lockGoneEdges(tx, now(context), GONE_AFTER, NODES)
    if (ids.length === 0 || (await deleteReplicasOf(tx, ids, REPLICAS)) === REPLICAS) return
    await deleteNodes(tx, ids)
    await deleteFigures(tx, ids)
  })
}
