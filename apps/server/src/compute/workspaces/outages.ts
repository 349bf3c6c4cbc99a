import { type Context, type Db, now } from '../context.ts'
import {
  closeOutages,
  closeStaleOutages,
  continueOutages,
  type Outage,
  openOutages,
  takeOverOutages,
} from './outages-repository.ts'
import type { WorkloadRow } from './repository.ts'

/**
 * Outages of running workspaces, as our own probes measure them. Only what tenants cannot cause counts: the cluster did not answer, or it no
 * longer has a workload that it had started. A program that stopped or failed does not count.
 */

/** Failed probes further apart do not belong to one outage, because nothing was measured between them. */
const MAX_GAP_MS = 3 * 60_000

/** Records that probes of these workspaces failed. @param at when the cluster was asked */
export async function recordDown(
  { db }: Pick<Context, 'db'>,
  workspaces: readonly string[],
  cause: Outage['cause'],
  at: Date,
): Promise<void> {
  if (workspaces.length === 0) return
  const since = new Date(at.getTime() - MAX_GAP_MS)
  await db.transaction(async (tx) => {
    await closeStaleOutages(tx, since, workspaces)
    await continueOutages(tx, workspaces, at)
    await openOutages(tx, workspaces, cause, at)
  })
}

/** Records that these workspaces are available. */
export async function recordUp({ db }: Pick<Context, 'db'>, workspaces: readonly string[], at: Date): Promise<void> {
  if (workspaces.length > 0) await closeOutages(db, workspaces, at, new Date(at.getTime() - MAX_GAP_MS))
}

/** Whether the cluster lost a workload that it had started, although its owner changed nothing since. */
export const isMissing = (row: WorkloadRow, states: ReadonlyMap<string, unknown>): boolean =>
  row.wanted === 'running' && row.done === row.version && row.made && row.failure === '' && !states.has(row.id)

/** Outages that are over, for the caller's transaction, once. Those of less than a minute, and of a single probe, do not count. */
export async function takeOutages(context: Pick<Context, 'clock'>, tx: Db, limit: number): Promise<Outage[]> {
  // No probe follows if the workspace was stopped or removed meanwhile.
  await closeStaleOutages(tx, new Date(now(context).getTime() - MAX_GAP_MS))
  return takeOverOutages(tx, limit)
}
