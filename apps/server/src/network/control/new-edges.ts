import { AppError } from '@tidenet/contract'
import { isThisMachine, nodeNetworkOf, wideNetworkOf } from '@tidenet/daemon'
import { ago, DAY } from '../../platform/ago.ts'
import { secondsUntil } from '../../platform/attempts/attempts.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { edgesBeyond, ownerOf } from '../nodes/nodes.ts'

/** All edges together may be this many times the limit, so that edges without an owner cannot keep those with an owner away. */
const OWNED = 5
/** From an IPv6 /32, this many times as many edges may join as from one of its 65,536 /48s. */
const WIDE = 8

/**
 * Limits the new edges of the caller's network in 24 hours, so that nobody brings thousands of nodes at once. Call it in the transaction
 * that added the node: concurrent registrations of a network wait for each other, and a refused one is not counted.
 * @throws AppError tooManyEdges
 */
export async function limitNewEdges(
  context: Pick<Context, 'clock' | 'config'>,
  tx: Db,
  { ip, nodeId }: { ip: string; nodeId: string },
): Promise<void> {
  const { privateNodes, edgesPerNetwork } = context.config
  // On a machine where a network is tried out, all nodes have the same address.
  if (privateNodes && isThisMachine(ip)) return
  const at = now(context)
  const ownerId = await ownerOf(tx, nodeId)
  const network = nodeNetworkOf(ip)
  const wide = wideNetworkOf(network)
  const limits = [
    { from: { network, wide: false }, most: edgesPerNetwork },
    ...(wide === undefined ? [] : [{ from: { network: wide, wide: true }, most: WIDE * edgesPerNetwork }]),
  ]
  for (const { from, most } of limits) {
    await advisoryLock(tx, `new edge ${from.network}`)
    // The edges of the same owner, or those without one; then all edges.
    for (const { of, max } of [
      { of: ownerId, max: most },
      { of: undefined, max: OWNED * most },
    ]) {
      const [beyond] = await edgesBeyond(tx, from, { since: ago(at, DAY), max, of })
      if (beyond)
        throw new AppError('tooManyEdges', {
          max,
          seconds: secondsUntil(new Date(beyond.created_at.getTime() + DAY), at),
        })
    }
  }
}
