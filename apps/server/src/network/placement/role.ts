import type { NodeFacts } from '../nodes/node-table.ts'
import { type Holder, PULL_TRIES } from './choose.ts'

/**
 * The role of a node for a content. `counted`: has it or will have it, and may count. `idle`: the same, but does not count. `misplaced`:
 * has it and should not. `free`: could get it.
 */
export type Role = 'counted' | 'idle' | 'misplaced' | 'free' | 'none'

/**
 * The role of a node that has a replica in some state.
 * @param facts.suits whether it is in the areas of the content
 * @param facts.served whether a stored, reachable replica on a node that counts can serve the content now
 * @param facts.fits whether it has space
 */
export function roleOf(
  node: NodeFacts,
  holder: Holder,
  { suits, served, fits }: Record<'suits' | 'served' | 'fits', boolean>,
): Role {
  const { state } = holder
  const coming = state === 'wanted' || state === 'pulling'
  // Pending copies are cancelled. Stored ones do not count and are not removed: the node may come back.
  if (node.out) return coming ? 'misplaced' : 'none'
  if (state === 'stored' || state === 'unverified' || coming) {
    if (!suits || (coming && node.status === 'offline')) return 'misplaced'
    // The node was or became full before the pull began.
    if (state === 'wanted' && !fits) return 'misplaced'
    if (node.draining) return state === 'unverified' && !holder.pulled && !served ? 'idle' : 'misplaced'
    if (state === 'stored') return node.counts ? 'counted' : 'idle'
    if (coming || holder.pulled) return node.counts && node.status !== 'offline' ? 'counted' : 'idle'
    // It may be the only node with the bytes.
    return served && node.status === 'online' ? 'free' : 'idle'
  }
  if (!suits || node.status !== 'online' || node.draining) return 'none'
  const refused = state === 'removed' || holder.suspect || (holder.waits && holder.tries >= PULL_TRIES)
  return refused || !fits ? 'none' : 'free'
}
