import { type Context, now } from '../context.ts'
import { timesOf } from '../nodes/times.ts'
import * as repository from './figures-repository.ts'

/** Refreshing takes at most this share of the time; in a large network figures are refreshed less often. */
const SHARE = 1 / 20
/** Another server takes over if a refresh takes longer than this. */
const LEASE_MS = 10 * 60 * 1000

/** Refreshes the public figures if they are due. One server does it at a time. */
export async function refreshFigures(context: Pick<Context, 'db' | 'clock' | 'config'>): Promise<void> {
  const { db } = context
  const at = now(context)
  if (!(await repository.claimRefresh(db, at, new Date(at.getTime() + LEASE_MS)))) return
  const startedAt = performance.now()
  try {
    await countFigures(context)
  } finally {
    const took = performance.now() - startedAt
    await repository.setDue(db, new Date(at.getTime() + Math.max(timesOf(context.config).figures, took / SHARE)))
  }
}

/** Counts replicas, contents, transfers and audits, and stores the figures. */
export async function countFigures(context: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const at = now(context)
  await repository.refreshNodeFigures(context.db, at)
  await repository.refreshNetworkFigures(context.db, at)
}

export const deleteFigures = repository.deleteFigures
