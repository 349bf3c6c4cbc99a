import { ago } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { nodesOfRelay } from './choose.ts'
import { FORGET_MS, findClonedTimes, findNodesOfLabels, setCloned } from './cloned-keys-repository.ts'

export { markClonedNotified } from './cloned-keys-repository.ts'

/**
 * Records keys that two programs used by turns. A device may say so of its own key, because it has the key; a relay only of devices that it
 * is offered to. A relay could lie, so nothing follows but a notice to the owner, once a week at most.
 */
export async function noteClonedKeys(
  db: Db,
  labels: readonly string[],
  from: { nodeId: string; label: string },
  at: Date,
): Promise<void> {
  if (labels.includes(from.label)) await setCloned(db, from.nodeId, at)
  const ids = (await findNodesOfLabels(db, labels)).map(({ node_id }) => node_id)
  for (const nodeId of await nodesOfRelay(db, from.nodeId, ids)) await setCloned(db, nodeId, at)
}

/** When keys of these nodes were used by two programs, of those that were lately. */
export async function clonedTimesOf(db: Db, nodeIds: readonly string[], at: Date): Promise<Map<string, Date>> {
  const rows = await findClonedTimes(db, nodeIds, ago(at, FORGET_MS))
  return new Map(rows.map(({ node_id, seen_at }) => [node_id, seen_at]))
}
