import type { Context } from '../context.ts'
import { findSilentNodes } from '../nodes/silence.ts'
import { endBackoffs, expireLeases, loseOfflineReplicas } from '../placement/placement.ts'
import { auditWaiting, closeLate } from './service.ts'

/** Detects offline nodes, expired leases and late audits. The order matters: each step uses the results of the ones before. */
export async function watch(context: Pick<Context, 'db' | 'clock' | 'config' | 'log'>): Promise<void> {
  const silent = await findSilentNodes(context)
  if (silent.length > 0) context.log.info({ nodes: silent.map((node) => node.id) }, 'nodes went offline')
  await loseOfflineReplicas(context)
  await expireLeases(context)
  await endBackoffs(context)
  await auditWaiting(context)
  await closeLate(context)
}
