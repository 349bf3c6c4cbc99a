import type { Measured } from '../clusters/driver.ts'
import { type Context, now } from '../context.ts'
import { reconcileWorkloadJob } from './jobs.ts'
import { isMissing, recordDown, recordUp } from './outages.ts'
import { sizeOfWorkload } from './reconcile.ts'
import {
  claimDueSamples,
  findLastSamples,
  findWorkspace,
  hasRemoved,
  insertSamples,
  recordFailure,
  updateWanted,
  type WorkloadRow,
  workloadsIn,
} from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'clusters' | 'log'>

const SAMPLE_INTERVAL_MS = 30_000
/** Exit codes of SIGINT and SIGTERM. */
const SIGNAL_EXITS = new Set([130, 143])
/** Whether a program was stopped from outside. */
export const endsBySignal = (exitCode: number): boolean => SIGNAL_EXITS.has(exitCode)
/** Size limit of a writable layer that is not on the workload's disk. */
const LAYER_MAX_BYTES = 2 * 1024 ** 3

/** Measures the usage of workloads, restarts lost ones, and stops those that exceed their disk. */
export async function sampleDue(context: Deps, signal?: AbortSignal): Promise<void> {
  const at = now(context)
  const due = await claimDueSamples(context.db, new Date(at.getTime() - SAMPLE_INTERVAL_MS), at)
  for (const { driver, regions } of context.clusters.all()) {
    const spaces = due.filter(({ cluster }) => regions.includes(cluster)).map(({ id }) => id)
    if (spaces.length === 0 || signal?.aborted) continue
    const measured = await driver.measure(spaces).catch(() => undefined)
    if (!measured) {
      // The next run tries again. Whether the cluster answers at all, a simpler question tells.
      const answers = await driver.list(spaces[0]).then(
        () => true,
        () => false,
      )
      if (!answers) await recordDown(context, spaces, 'cluster', at)
      continue
    }
    const rows = await workloadsIn(context.db, spaces)
    await sample(context, rows, measured)
    const states = new Map(measured.map((one) => [one.workload, one]))
    const incomplete = new Set(rows.filter((row) => isMissing(row, states)).map(({ workspace_id }) => workspace_id))
    await recordDown(context, [...incomplete], 'lost', at)
    await recordUp(
      context,
      spaces.filter((id) => !incomplete.has(id)),
      at,
    )
    for (const row of rows)
      if (
        row.wanted === 'running' &&
        row.done === row.version &&
        row.restart_at === null &&
        isLost(row, states.get(row.id))
      )
        await reconcileWorkloadJob.add(context.db, { id: row.id })
  }
}

/**
 * Whether a workload disappeared or was stopped by someone other than its owner, for example by a restart of the host: it ended by a
 * signal, or it is a machine, which never ends by itself.
 */
const isLost = (row: WorkloadRow, state: Measured | undefined): boolean =>
  !state ||
  (state.state === 'stopped' &&
    row.restart !== 'never' &&
    (endsBySignal(state.exitCode ?? 0) || (row.image === null && row.command.length === 0)))

async function sample(context: Deps, rows: readonly WorkloadRow[], measured: readonly Measured[]): Promise<void> {
  const at = now(context)
  const known = new Map(rows.map((row) => [row.id, row]))
  const found = measured.filter(({ workload }) => known.has(workload))
  const last = await findLastSamples(
    context.db,
    found.map(({ workload }) => workload),
  )
  const before = new Map(last.map((one) => [one.workload_id, one]))
  await insertSamples(
    context.db,
    found.map((used) => ({
      workload_id: used.workload,
      at,
      cpu: Math.min(coresOf(used.cpuSeconds, at, before.get(used.workload)), coresSold(known.get(used.workload))),
      memory: Math.round(used.memory),
      storage: Math.round(used.storage),
      received: Math.round(used.received),
      sent: Math.round(used.sent),
      cpu_seconds: used.cpuSeconds,
    })),
  )
  for (const used of found) {
    const row = known.get(used.workload)
    if (row && exceedsDisk(row, used)) await stopForStorage(context, row, at)
  }
}

const coresSold = (row: WorkloadRow | undefined): number => (row ? sizeOfWorkload(row).cpu : 0)

/** Cores in use since the sample before. */
function coresOf(cpuSeconds: number, at: Date, before: { at: Date; cpu_seconds: number } | undefined): number {
  const seconds = before ? (at.getTime() - before.at.getTime()) / 1000 : 0
  if (!before || seconds <= 0) return 0
  // The counter starts at 0 when a program restarts.
  return (cpuSeconds >= before.cpu_seconds ? cpuSeconds - before.cpu_seconds : cpuSeconds) / seconds
}

const exceedsDisk = (row: WorkloadRow, { storage, limit }: Measured): boolean =>
  row.wanted === 'running' && storage > row.storage + (limit === 'enforced' ? LAYER_MAX_BYTES : 0)

const stopForStorage = (context: Deps, { id }: WorkloadRow, at: Date): Promise<void> =>
  context.db.transaction(async (tx) => {
    await updateWanted(tx, id, { wanted: 'stopped' }, at)
    await recordFailure(tx, id, 'storage', '')
    await reconcileWorkloadJob.add(tx, { id })
  })

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
