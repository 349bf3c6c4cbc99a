import { ago, DAY } from '../../platform/ago.ts'
import { type Context, now } from '../context.ts'
import { deleteFigures } from '../explorer/figures.ts'
import { deleteNodes } from '../nodes/nodes.ts'
import { lockGoneEdges } from '../placement/placement.ts'

const GONE_AFTER = 30 * DAY
const BATCH = 200

/** Deletes edges that did not come back, except those with an owner and those that may have the last copy of a content. */
export async function deleteGoneEdges(context: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const before = ago(now(context), GONE_AFTER)
  await context.db.transaction(async (tx) => {
    const ids = await lockGoneEdges(tx, before, BATCH)
    if (ids.length === 0) return
    await deleteNodes(tx, ids)
    await deleteFigures(tx, ids)
  })
}
