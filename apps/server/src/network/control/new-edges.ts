import { AppError } from '@tidenet/contract'
import { isThisMachine, nodeNetworkOf } from '@tidenet/daemon'
import { DAY } from '../../platform/ago.ts'
import { countFailure } from '../../platform/attempts/attempts.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Context } from '../context.ts'

/**
 * Counts a new edge of the caller's network, so that nobody brings thousands of nodes at once. Call it in the transaction that adds the
 * node: concurrent registrations of a network wait for each other, and a refused one is not counted.
 * @throws AppError tooManyEdges
 */
export async function countNewEdge(context: Pick<Context, 'clock' | 'config'> & { db: Db }, ip: string): Promise<void> {
  const { privateNodes, edgesPerNetwork: max } = context.config
  // On a machine where a network is tried out, all nodes have the same address.
  if (privateNodes && isThisMachine(ip)) return
  const seconds = await countFailure(context, { kind: 'new-edge', max, within: DAY }, nodeNetworkOf(ip))
  if (seconds > 0) throw new AppError('tooManyEdges', { max, seconds })
}
