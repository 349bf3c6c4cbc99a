import { type Context, now } from '../context.ts'
import { beginLeaving, noteRemaining, stayAfterAll } from '../nodes/nodes.ts'
import { checkReplicasOf, countNeeded } from '../placement/placement.ts'

/**
 * Nodes that their owners want to switch off. Their copies are replaced like those of draining nodes: each stays until enough others are
 * confirmed. Nothing else changes: audits go on, and what fails counts, so that leaving excuses nothing.
 * @param asks whether the node says that it leaves
 * @param leaves whether it does so far
 * @returns how many contents still need it; null if it does not leave, or began to less than a day ago
 */
export async function trackLeaving(
  context: Pick<Context, 'db' | 'clock'>,
  nodeId: string,
  { asks, leaves }: { asks: boolean; leaves: boolean },
): Promise<{ remaining: number } | null> {
  if (!asks && !leaves) return null
  const { db } = context
  const at = now(context)
  if (asks && leaves) {
    const remaining = await countNeeded(db, nodeId)
    await noteRemaining(db, nodeId, remaining)
    return { remaining }
  }
  return db.transaction(async (tx) => {
    // Contents before nodes: the order in which audits lock them.
    await checkReplicasOf(tx, nodeId, at)
    const remaining = await countNeeded(tx, nodeId)
    if (asks) return (await beginLeaving(tx, nodeId, remaining, at)) ? { remaining } : null
    await stayAfterAll(tx, nodeId, at)
    return null
  })
}
