import type { Context } from '../context.ts'
import { findSilentNodes } from '../nodes/silence.ts'
import { endBackoffs, expireLeases, loseOfflineReplicas } from '../placement/placement.ts'
import { auditWaiting, closeLate } from './service.ts'

/** Looks for what has been silent or slow for too long: what was noticed first decides what comes of the rest. */
export async function watch(context: Pick<Context, 'db' | 'clock' | 'config' | 'log'>): Promise<void> {
  const silent = await findSilentNodes(context)
  if (silent.length > 0) context.log.info({ nodes: silent.map((node) => node.id) }, 'nodes are silent')
  await loseOfflineReplicas(context)
  await expireLeases(context)
  await endBackoffs(context)
  await auditWaiting(context)
  await closeLate(context)
}
