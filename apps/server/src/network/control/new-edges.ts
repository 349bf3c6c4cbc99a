import { AppError } from '@tidenet/contract'
import { isThisMachine, nodeNetworkOf, wideNetworkOf } from '@tidenet/daemon'
import { ago, DAY } from '../../platform/ago.ts'
import { secondsUntil } from '../../platform/attempts/attempts.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { edgesBeyond, ownerOf } from '../nodes/nodes.ts'

/** So many times more edges with an owner may join: others who use up the limit of a network do not keep those away. */
const OWNED = 5
/** So many times more edges may join from an IPv6 /32 than from one of its 65,536 /48s. */
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
  const from = [
    { network, most: edgesPerNetwork },
    ...(wide === undefined ? [] : [{ network: wide, most: WIDE * edgesPerNetwork }]),
  ]
  for (const { network, most } of from) {
    await advisoryLock(tx, `new edge ${network}`)
    // Those of the same owner, or without one; and all.
    for (const { of, max } of [
      { of: ownerId, max: most },
      { of: undefined, max: OWNED * most },
    ]) {
      const [beyond] = await edgesBeyond(tx, network, { since: ago(at, DAY), max, of })
      if (beyond)
        throw new AppError('tooManyEdges', {
          max,
          seconds: secondsUntil(new Date(beyond.created_at.getTime() + DAY), at),
        })
    }
  }
}
