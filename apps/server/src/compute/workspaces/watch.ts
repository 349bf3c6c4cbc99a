import type { ClusterDriver, WorkloadState } from '../clusters/driver.ts'
import { type Context, now } from '../context.ts'
import { reconcileWorkloadJob } from './jobs.ts'
import {
  claimDueSamples,
  findLastSample,
  findWorkspace,
  hasRemoved,
  insertSample,
  recordFailure,
  updateWanted,
  type WorkloadRow,
  workloadsIn,
} from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'clusters' | 'log'>

const SAMPLE_INTERVAL_MS = 30_000
/** Exit codes of SIGINT and SIGTERM. */
const SIGNAL_EXITS = new Set([130, 143])
/** Size limit of a writable layer that is not on the workload's disk. */
const LAYER_MAX_BYTES = 2 * 1024 ** 3

/** Measures the usage of workloads, restarts lost ones, and stops those that exceed their disk. */
export async function sampleDue(context: Deps, signal?: AbortSignal): Promise<void> {
  const at = now(context)
  for (const space of await claimDueSamples(context.db, new Date(at.getTime() - SAMPLE_INTERVAL_MS), at)) {
    const driver = context.clusters.of(space.cluster)?.driver
    if (!driver || signal?.aborted) continue
    const states = await driver.list(space.id).catch(() => undefined)
    // The cluster is unavailable. The next run tries again.
    if (!states) continue
    const rows = await workloadsIn(context.db, [space.id])
    for (const row of rows) {
      const state = states.find(({ workload }) => workload === row.id)
      if (state)
        await sample(context, driver, row, state).catch((error) => context.log.debug({ err: error }, 'no sample'))
      if (row.wanted === 'running' && row.done === row.version && isLost(row, state))
        await reconcileWorkloadJob.add(context.db, { id: row.id })
    }
  }
}

/**
 * Whether a workload disappeared or was stopped by someone other than its owner, for example by a restart of the host: it ended by a
 * signal, or it is a machine, which never ends by itself.
 */
const isLost = (row: WorkloadRow, state: WorkloadState | undefined): boolean =>
  !state ||
  (state.state === 'stopped' &&
    (SIGNAL_EXITS.has(state.exitCode ?? 0) || (row.image === null && row.command.length === 0)))

async function sample(context: Deps, driver: ClusterDriver, row: WorkloadRow, state: WorkloadState): Promise<void> {
  const used = await driver.usage({ workspace: row.workspace_id, workload: row.id })
  const at = now(context)
  const before = await findLastSample(context.db, row.id)
  const seconds = before ? (at.getTime() - before.at.getTime()) / 1000 : 0
  // The counter starts at 0 when a program restarts.
  const spent = before && used.cpuSeconds >= before.cpu_seconds ? used.cpuSeconds - before.cpu_seconds : used.cpuSeconds
  await insertSample(context.db, {
    workload_id: row.id,
    at,
    cpu: seconds > 0 ? Math.min(spent / seconds, state.size.cpu) : 0,
    memory: Math.round(used.memory),
    storage: Math.round(used.storage),
    received: Math.round(used.received),
    sent: Math.round(used.sent),
    cpu_seconds: used.cpuSeconds,
  })
  const allowed = row.storage + (state.storage === 'enforced' ? LAYER_MAX_BYTES : 0)
  if (used.storage <= allowed || row.wanted !== 'running') return
  await context.db.transaction(async (tx) => {
    await updateWanted(tx, row.id, { wanted: 'stopped' }, at)
    await recordFailure(tx, row.id, 'storage', '')
    await reconcileWorkloadJob.add(tx, { id: row.id })
  })
}

/** Finishes interrupted removals: deletes workspaces on clusters that are removed in the database. */
export async function removeOrphans(context: Deps): Promise<void> {
  for (const { driver, regions } of context.clusters.all()) {
    // Without removed workspaces there are no orphans, and the engine need not be started.
    if (!(await hasRemoved(context.db, regions)) || (await driver.probe()).state !== 'ready') continue
    for (const id of await driver.listWorkspaces()) {
      const row = await findWorkspace(context.db, id)
      if (row?.state !== 'removed') continue
      context.log.info({ workspace: id }, 'removing an orphaned workspace from its cluster')
      await driver
        .removeWorkspace(id)
        .catch((error) => context.log.warn({ err: error }, 'the orphaned workspace could not be removed'))
    }
  }
}
