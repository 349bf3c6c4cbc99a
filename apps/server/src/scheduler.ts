import { every } from '@tidenet/daemon'
import { endAssets, endReservations, endTempFiles, forgetGoneEdges, forgetRecords } from './clean.ts'
import { forgetConsole } from './compute/workspaces/repository.ts'
import { removeOrphans, sampleDue } from './compute/workspaces/watch.ts'
import type { Context } from './context.ts'
import { forgetSignInRecords } from './identity/entry/forget.ts'
import { renewSessionKeys } from './identity/sessions/session-keys.ts'
import { auditOurselves } from './network/audits/own-audits.ts'
import { auditDue, auditWaiting, closeLate } from './network/audits/service.ts'
import { tellOwners } from './network/devices/tell.ts'
import { keepFigures } from './network/explorer/figures.ts'
import { probeDue } from './network/nodes/reachability.ts'
import { timesOf } from './network/nodes/times.ts'
import { placeDue } from './network/placement/place.ts'
import { checkAfterArrivals } from './network/placement/place-repository.ts'
import { endGrudges, expireLeases, findSilentNodes, giveUpAway } from './network/placement/watch.ts'
import { forgetClaimCounts } from './payments/faucet/pay.ts'
import { advanceDue } from './payments/orders/advance.ts'
import { forgetPayouts } from './payments/payouts/pay.ts'
import { purgeDue } from './storage/trash/purge.ts'

const MINUTE = 60_000
const ARRIVAL_BATCH = 2000
/** How long use, and the last lines of what is gone, can be looked at. */
const KEPT_CONSOLE = 7 * 24 * 60 * MINUTE
/** Batches of contents looked at in a row before other duties get a word in. */
const PLACE_BATCHES = 20

/** Starts the duties of the scheduler; returns how to stop them. Several servers may run them: rows are taken by one at a time. */
export function startScheduler(context: Context): () => Promise<void> {
  const { log } = context
  const times = timesOf(context.config)
  const quick = context.config.environment === 'test'
  const duties = [
    every(times.place, (signal) => place(context, signal), { name: 'place', log }),
    every(times.watch, () => watch(context), { name: 'watch', log }),
    every(times.watch, () => probeDue(context), { name: 'probe', log }),
    every(times.watch, () => tellOwners(context), { name: 'devices', log }),
    every(times.audit, () => auditDue(context), { name: 'audit', log }),
    every(times.watch, (signal) => auditOurselves(context, signal), { name: 'own-audits', log }),
    every(times.figures, () => keepFigures(context), { name: 'figures', log }),
    every(quick ? 500 : 2000, (signal) => orders(context, signal), { name: 'orders', log }),
    every(quick ? 1000 : 10_000, (signal) => workspaces(context, signal), { name: 'workspaces', log }),
    every(quick ? 1000 : MINUTE, (signal) => clean(context, signal), { name: 'clean', log }),
    every(quick ? 10_000 : 10 * MINUTE, () => forget(context), { name: 'forget', log }),
  ]
  return async () => {
    await Promise.all(duties.map((duty) => duty.stop()))
  }
}

/** Looks at contents until none is due. */
export async function place(context: Context, signal?: AbortSignal): Promise<void> {
  await checkAfterArrivals(context.db, ARRIVAL_BATCH, new Date(context.clock.now()))
  for (let batch = 0; batch < PLACE_BATCHES && !signal?.aborted; batch++) if ((await placeDue(context)) === 0) return
}

/** What has been silent or slow for too long. */
export async function watch(context: Context): Promise<void> {
  const silent = await findSilentNodes(context)
  if (silent.length > 0) context.log.info({ nodes: silent.map((node) => node.id) }, 'nodes are silent')
  await giveUpAway(context)
  await expireLeases(context)
  await endGrudges(context)
  await auditWaiting(context)
  await closeLate(context)
}

/** What has come to its end. */
export async function clean(context: Context, signal?: AbortSignal): Promise<void> {
  await endAssets(context)
  await purgeDue(context, signal)
  await endTempFiles(context)
  await endReservations(context)
  await forgetGoneEdges(context)
}

async function orders(context: Context, signal: AbortSignal): Promise<void> {
  await advanceDue(context, signal)
}

/** Only with clusters that sell: others are left alone. */
async function workspaces(context: Context, signal: AbortSignal): Promise<void> {
  await sampleDue(context, signal)
}

async function forget(context: Context): Promise<void> {
  await renewSessionKeys(context)
  await forgetRecords(context)
  await forgetSignInRecords(context)
  await forgetClaimCounts(context)
  await forgetPayouts(context)
  await forgetConsole(context.db, new Date(context.clock.now()), new Date(context.clock.now() - KEPT_CONSOLE))
  await removeOrphans(context)
}
