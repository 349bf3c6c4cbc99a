import { HEALTH_START_S } from '@tidenet/contract'
import type { ClusterDriver, WorkloadRef, WorkloadState } from '../clusters/driver.ts'
import { type Context, now } from '../context.ts'
import { askSaveAfter, withFolderAmong } from './folders-repository.ts'
import { probeHealth } from './health.ts'
import { reconcileWorkloadJob } from './jobs.ts'
import { updateWanted } from './repository.ts'
import {
  claimDueProbes,
  claimDueRestarts,
  claimDueStops,
  endedAmong,
  hasRunning,
  type ProbedRow,
  planRestart,
  recordHealth,
  type SupervisedRow,
} from './supervise-repository.ts'
import { endsBySignal } from './watch.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'clusters' | 'log'>

/** Delay before the first restart; doubled with each further one. */
const FIRST_DELAY_MS = 2000
const LONGEST_DELAY_MS = 5 * 60_000
/** A program that ran this long begins again with the first delay. */
const STABLE_MS = 10 * 60_000
const PROBES_AT_ONCE = 50

/** Delay of the restart after `streak` earlier ones without success. */
export const backoff = (streak: number): number =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(streak, 20))

/** Plans and starts restarts, checks health, and stops programs whose time has come. */
export async function supervise(context: Deps, signal?: AbortSignal): Promise<void> {
  await stopDue(context)
  // Without programs, the engine need not be started.
  for (const { driver, regions } of context.clusters.all())
    if (!signal?.aborted && (await hasRunning(context.db, regions)))
      await planEnded(context, driver).catch((err) => context.log.debug({ err }, 'not supervised'))
  await checkHealth(context)
  await restartDue(context)
}

/** Plans restarts of programs that have ended by themselves. */
async function planEnded(context: Deps, driver: ClusterDriver): Promise<void> {
  if (!driver.ended) return
  const refs = await driver.ended()
  if (refs.length === 0) return
  const rows = await endedAmong(
    context.db,
    refs.map(({ workload }) => workload),
  )
  const states = new Map<string, readonly WorkloadState[]>()
  for (const row of rows) {
    if (!states.has(row.workspace_id)) states.set(row.workspace_id, await driver.list(row.workspace_id))
    const state = states.get(row.workspace_id)?.find(({ workload }) => workload === row.id)
    if (state && shouldRestart(row, state)) await plan(context, row, state.startedAt)
  }
  await saveEnded(context, driver, refs, states)
}

/** The files of programs that ended are saved, once for each end. */
async function saveEnded(
  context: Deps,
  driver: ClusterDriver,
  refs: readonly WorkloadRef[],
  states: Map<string, readonly WorkloadState[]>,
): Promise<void> {
  const ids = refs.map(({ workload }) => workload)
  for (const row of await withFolderAmong(context.db, ids)) {
    const known = states.get(row.workspace_id) ?? (await driver.list(row.workspace_id))
    states.set(row.workspace_id, known)
    const state = known.find(({ workload }) => workload === row.workload_id)
    const isOver = state?.state === 'stopped' || state?.state === 'failed'
    if (isOver && state.startedAt && row.saved_run?.getTime() !== state.startedAt.getTime())
      await askSaveAfter(context.db, row.workload_id, state.startedAt, now(context))
  }
}

/** Programs that were stopped from outside are restarted without delay, see `sampleDue`. */
const shouldRestart = ({ restart }: Pick<SupervisedRow, 'restart'>, { state, exitCode = 0 }: WorkloadState): boolean =>
  (state === 'failed' || state === 'stopped') &&
  !endsBySignal(exitCode) &&
  (restart === 'always' || (restart === 'on-failure' && exitCode !== 0))

async function plan(context: Deps, row: SupervisedRow, startedAt: Date | undefined): Promise<void> {
  const at = context.clock.now()
  const streak = startedAt && at - startedAt.getTime() >= STABLE_MS ? 0 : row.restart_streak
  await planRestart(context.db, row, { at: new Date(at + backoff(streak)), streak: streak + 1 })
}

async function restartDue({ db, clock }: Deps): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { id } of await claimDueRestarts(tx, new Date(clock.now()))) await reconcileWorkloadJob.add(tx, { id })
  })
}

async function stopDue(context: Deps): Promise<void> {
  const at = now(context)
  await context.db.transaction(async (tx) => {
    for (const { id } of await claimDueStops(tx, at)) {
      await updateWanted(tx, id, { wanted: 'stopped' }, at)
      await reconcileWorkloadJob.add(tx, { id })
    }
  })
}

async function checkHealth(context: Deps): Promise<void> {
  const rows = await context.db.transaction((tx) => claimDueProbes(tx, now(context), PROBES_AT_ONCE))
  await Promise.all(
    rows.map((row) => checkOne(context, row).catch((err) => context.log.debug({ err }, 'no health check'))),
  )
}

async function checkOne(context: Deps, row: ProbedRow): Promise<void> {
  const driver = context.clusters.of(row.cluster)?.driver
  if (!driver) return
  if (driver.checksHealth) {
    const found = (await driver.list(row.workspace_id)).find(({ workload }) => workload === row.id)
    return void (await recordHealth(context.db, row, { state: found?.health ?? 'unknown', failures: 0, note: '' }))
  }
  const address = await driver
    .addressOf({ workspace: row.workspace_id, workload: row.id }, row.health.port)
    .catch(() => undefined)
  // It is not running, or cannot be reached from here: nothing is known about its health.
  if (!address) return void (await recordHealth(context.db, row, { state: 'unknown', failures: 0, note: '' }))
  const problem = await probeHealth(address, row.health)
  if (problem === undefined)
    return void (await recordHealth(context.db, row, { state: 'healthy', failures: 0, note: '' }))
  const { interval, threshold } = row.health
  const tolerated =
    row.health_state === 'unknown' ? Math.max(threshold, Math.ceil(HEALTH_START_S / interval)) : threshold
  const failures = row.health_failures + 1
  const state = failures >= tolerated ? 'unhealthy' : row.health_state
  const recorded = await recordHealth(context.db, row, { state, failures, note: problem })
  if (recorded === 0 || state !== 'unhealthy' || row.restart === 'never') return
  const found = (await driver.list(row.workspace_id)).find(({ workload }) => workload === row.id)
  await plan(context, row, found?.startedAt)
}
