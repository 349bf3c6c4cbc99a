import { ago } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { relaysFor } from './choose.ts'
import { FORGET_MS, findClonedTimes, findNodesOfLabels, setCloned } from './cloned-keys-repository.ts'

export { markClonedNotified } from './cloned-keys-repository.ts'

/**
 * Records keys that two programs used by turns. A device may say so of its own key, because it has the key; a relay only of devices that it
 * is offered to. A relay could lie, so nothing follows but a notice to the owner, once a week at most.
 * @param offered relays that work now
 */
export async function noteClonedKeys(
  db: Db,
  labels: readonly string[],
  from: { nodeId: string; label: string },
  offered: readonly { node_id: string }[],
  at: Date,
): Promise<void> {
  if (labels.includes(from.label)) await setCloned(db, from.nodeId, at)
  if (!offered.some((relay) => relay.node_id === from.nodeId)) return
  for (const { node_id } of await findNodesOfLabels(db, labels))
    if (relaysFor(node_id, offered).some((relay) => relay.node_id === from.nodeId)) await setCloned(db, node_id, at)
}

/** When keys of these nodes were used by two programs, of those that were lately. */
export async function clonedTimesOf(db: Db, nodeIds: readonly string[], at: Date): Promise<Map<string, Date>> {
  const rows = await findClonedTimes(db, nodeIds, ago(at, FORGET_MS))
  return new Map(rows.map(({ node_id, seen_at }) => [node_id, seen_at]))
}
