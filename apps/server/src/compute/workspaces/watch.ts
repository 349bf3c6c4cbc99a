import type { ClusterDriver, WorkloadState } from '../clusters/driver.ts'
import { type Context, now } from '../context.ts'
import { workloadToSettle } from './jobs.ts'
import {
  findWorkspace,
  hasRemoved,
  insertSample,
  lastSample,
  noteFailure,
  takeDueSamples,
  type WorkloadRow,
  wantOf,
  workloadsIn,
} from './repository.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'clusters' | 'log'>

const SAMPLED_EVERY = 30_000
/** How a program ends that was interrupted or told to end. */
const TOLD = new Set([130, 143])
/** What a program may change of its image beside its own disk, before it counts as too much. */
const LAYER = 2 * 1024 ** 3

/** Looks at what workloads use, writes it down, and stops what has filled more disk than was bought. */
export async function sampleDue(context: Needs, signal?: AbortSignal): Promise<void> {
  const at = now(context)
  for (const space of await takeDueSamples(context.db, new Date(at.getTime() - SAMPLED_EVERY), at)) {
    const driver = context.clusters.of(space.cluster)?.driver
    if (!driver || signal?.aborted) continue
    const states = await driver.list(space.id).catch(() => undefined)
    // A cluster that is away is left to come back.
    if (!states) continue
    const rows = await workloadsIn(context.db, [space.id])
    for (const row of rows) {
      const state = states.find(({ workload }) => workload === row.id)
      if (state)
        await sample(context, driver, row, state).catch((error) => context.log.debug({ err: error }, 'no sample'))
      if (row.wanted === 'running' && row.done === row.version && isLost(row, state)) await wake(context, row.id)
    }
  }
}

/** It is not there; or it was told to end, or is a machine, which never ends by itself: its host, or this server, was started anew. */
const isLost = (row: WorkloadRow, state: WorkloadState | undefined): boolean =>
  !state ||
  (state.state === 'stopped' && (TOLD.has(state.exitCode ?? 0) || (row.image === null && row.command.length === 0)))

async function sample(context: Needs, driver: ClusterDriver, row: WorkloadRow, state: WorkloadState): Promise<void> {
  const used = await driver.usage({ workspace: row.workspace_id, workload: row.id })
  const at = now(context)
  const before = await lastSample(context.db, row.id)
  const seconds = before ? (at.getTime() - before.at.getTime()) / 1000 : 0
  // A program that was started anew counts from nothing again.
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
  const allowed = row.storage + (state.storage === 'enforced' ? LAYER : 0)
  if (used.storage <= allowed || row.wanted !== 'running') return
  await context.db.transaction(async (tx) => {
    await wantOf(tx, row.id, { wanted: 'stopped' }, at)
    await noteFailure(tx, row.id, 'storage', '')
    await workloadToSettle.add(tx, { id: row.id })
  })
}

/** What was lost on the cluster, by a machine's end for example, is put there again. */
async function wake({ db }: Needs, id: string): Promise<void> {
  await workloadToSettle.add(db, { id })
}

/** Removes what clusters hold of workspaces that are gone: a removal that nobody lived to finish. */
export async function removeOrphans(context: Needs): Promise<void> {
  for (const { driver, regions } of context.clusters.all()) {
    // Where nothing was ever removed there is nothing to look for, nor an engine to be woken.
    if (!(await hasRemoved(context.db, regions)) || (await driver.probe()).state !== 'ready') continue
    for (const id of await driver.listWorkspaces()) {
      const row = await findWorkspace(context.db, id)
      if (row?.state !== 'removed') continue
      context.log.info({ workspace: id }, 'a workspace that is gone was still on its cluster')
      await driver.removeWorkspace(id).catch((error) => context.log.warn({ err: error }, 'it could not be removed'))
    }
  }
}
