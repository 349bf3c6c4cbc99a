import { type Context, now } from '../context.ts'
import { timesOf } from '../nodes/times.ts'
import * as repository from './figures-repository.ts'

/** Counting takes at most this share of the time: the larger the network, the older its figures. */
const SHARE = 1 / 20
/** When a server that counts is taken to have died. */
const GIVEN_UP_MS = 10 * 60 * 1000

/** Counts what everybody may ask for, when it is due. Of several servers one does it. */
export async function refreshFigures(context: Pick<Context, 'db' | 'clock' | 'config'>): Promise<void> {
  const { db } = context
  const at = now(context)
  if (!(await repository.claim(db, at, new Date(at.getTime() + GIVEN_UP_MS)))) return
  const began = performance.now()
  try {
    await countFigures(context)
  } finally {
    const took = performance.now() - began
    await repository.setDue(db, new Date(at.getTime() + Math.max(timesOf(context.config).figures, took / SHARE)))
  }
}

/** Counts the replicas of each node, contents, transfers and audits, and keeps the figures. */
export async function countFigures(context: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const at = now(context)
  await repository.refreshNodeFigures(context.db, at)
  await repository.refreshNetworkFigures(context.db, at)
}

/** Figures of nodes that are gone. */
export const deleteFigures = repository.deleteFigures
