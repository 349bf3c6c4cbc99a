import { AppError } from '@tidenet/contract'
import { isThisMachine, nodeNetworkOf } from '@tidenet/daemon'
import { ago, DAY } from '../../platform/ago.ts'
import { secondsUntil } from '../../platform/attempts/attempts.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { edgesBeyond } from '../nodes/nodes.ts'

/**
 * Limits the new edges of the caller's network in 24 hours, so that nobody brings thousands of nodes at once. Call it in the transaction
 * that added the node: concurrent registrations of a network wait for each other, and a refused one is not counted.
 * @throws AppError tooManyEdges
 */
export async function limitNewEdges(context: Pick<Context, 'clock' | 'config'>, tx: Db, ip: string): Promise<void> {
  const { privateNodes, edgesPerNetwork: max } = context.config
  // On a machine where a network is tried out, all nodes have the same address.
  if (privateNodes && isThisMachine(ip)) return
  const at = now(context)
  const network = nodeNetworkOf(ip)
  await advisoryLock(tx, `new edge ${network}`)
  const [beyond] = await edgesBeyond(tx, network, ago(at, DAY), max)
  if (beyond)
    throw new AppError('tooManyEdges', { max, seconds: secondsUntil(new Date(beyond.created_at.getTime() + DAY), at) })
}
