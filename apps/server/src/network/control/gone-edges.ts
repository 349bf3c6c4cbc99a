import { ago, DAY } from '../../platform/ago.ts'
import { type Context, now } from '../context.ts'
import { deleteFigures } from '../explorer/figures.ts'
import { deleteNodes } from '../nodes/nodes.ts'
import { lockGoneEdges } from '../placement/placement.ts'

/** An edge that has been silent for so long is gone. */
const GONE_LIFE = 30 * DAY
const AT_ONCE = 200

/**
 * Edges that never came back, and what hangs on them. Those stay that belong to somebody, and those that may have the last copy of
 * a content.
 */
export async function deleteGoneEdges(context: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const before = ago(now(context), GONE_LIFE)
  await context.db.transaction(async (tx) => {
    const ids = await lockGoneEdges(tx, before, AT_ONCE)
    if (ids.length === 0) return
    await deleteNodes(tx, ids)
    await deleteFigures(tx, ids)
  })
}
