import { setTimeout as wait } from 'node:timers/promises'
import { accountsOf } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { requireCluster } from '../clusters/clusters.ts'
import {
  type ClusterDriver,
  ClusterError,
  type ClusterFailure,
  PULL_FAILURES,
  type Size,
  specHashOf,
  type WorkloadSpec,
  type WorkspaceSpec,
} from '../clusters/driver.ts'
import { GB } from '../clusters/sizes.ts'
import { now } from '../context.ts'
import { collectLog } from '../logs/collect.ts'
import { fetchImage, isStored } from './archives.ts'
import { openEnv } from './env.ts'
import { withPath } from './folder-state.ts'
import { fillFolder, hasFiles, type TransferDeps } from './folder-transfers.ts'
import { askSave, type FolderRow, foldersOf } from './folders-repository.ts'
import { reconcileWorkloadJob } from './jobs.ts'
import { loginFor } from './logins.ts'
import {
  findWorkspace,
  isLeased,
  leaseWorkload,
  recordOutcome,
  releaseLease,
  type WorkloadRow,
  type WorkspaceRow,
} from './repository.ts'
import { finishRestart } from './supervise-repository.ts'

type Deps = TransferDeps

/** The id of the machine that a workspace starts with. */
export const machineId = (workspaceId: string): string => `m-${workspaceId}`

/** Lease duration; long enough to pull an image. */
const LEASE_MS = 10 * 60_000
/** Until a program that waits for others is tried again. */
const RETRY_S = 5
const START_TIMEOUT_MS = 60_000
const POLL_INTERVAL_MS = 50

export const sizeOfWorkspace = ({ cpu, ram, storage }: WorkspaceRow): Size => ({
  cpu,
  memory: ram * GB,
  storage: storage * GB,
})

/** @throws Error if its account does not exist */
export async function specOfWorkspace(db: Db, row: WorkspaceRow): Promise<WorkspaceSpec> {
  const owner = (await accountsOf(db, [row.user_id])).get(row.user_id)
  if (!owner) throw new Error(`the account of workspace ${row.id} does not exist`)
  return { id: row.id, owner: owner.uid, size: sizeOfWorkspace(row), offline: row.offline, gpus: row.gpus }
}

export const sizeOfWorkload = ({ cpu, memory, storage }: Pick<WorkloadRow, 'cpu' | 'memory' | 'storage'>) => ({
  cpu: cpu / 1000,
  memory,
  storage,
})

/** Failures of workloads that have no disk and no container. */
const NEVER_RAN: ReadonlySet<string> = new Set([...PULL_FAILURES, 'archive', 'full'])

/** Whether a workload counts against its workspace. One that never ran and was refused does not, until it is tried again. */
export const usesResources = ({ made, failure }: Pick<WorkloadRow, 'made' | 'failure'>): boolean =>
  made || !NEVER_RAN.has(failure)

function specOfWorkload(
  context: Deps,
  row: WorkloadRow,
  { id, user_id: userId, gpus }: WorkspaceRow,
  { folder, fills }: { folder: FolderRow | undefined; fills: boolean },
): WorkloadSpec {
  return {
    id: row.id,
    name: row.name,
    image: row.image ?? undefined,
    ...(isStored(row.image) && {
      archive: () => fetchImage(context, { userId, image: row.image, diskBytes: row.storage }),
    }),
    command: row.command,
    env: openEnv(context.keys, row.id, row.env),
    ports: row.ports,
    ...(gpus > 0 && row.id === machineId(id) && { gpus }),
    options: folder ? withPath(row.options, folder.path) : row.options,
    ...(folder && { beforeStart: () => fillOrWait(context, row.id, fills) }),
    size: sizeOfWorkload(row),
  }
}

/** The program starts later, because others copy files. */
class Waits extends ClusterError {
  constructor() {
    super('failed', 'The files of other programs are being copied. It starts after that.')
  }
}

/** @throws Waits, and ClusterError as `fillFolder` */
async function fillOrWait(context: Deps, id: string, fills: boolean): Promise<void> {
  if (!(await (fills ? fillFolder(context, id) : hasFiles(context, id)))) throw new Waits()
}

/** Failures that a retry does not fix. */
const FINAL_FAILURES = new Set<ClusterFailure>([...PULL_FAILURES, 'full', 'command', 'archive', 'folder', 'unknown'])

/**
 * Brings the cluster to the desired state of a workload. Idempotent, and safe to run concurrently.
 * @param fills false: files of folders are copied later, by a job, because the caller must not wait for them
 * @throws ClusterError if a retry may help
 */
export async function reconcileWorkload(context: Deps, id: string, { fills = true } = {}): Promise<void> {
  for (;;) {
    const at = now(context)
    const row = await leaseWorkload(context.db, id, at, new Date(at.getTime() + LEASE_MS))
    const later = () => reconcileWorkloadJob.add(context.db, { id }, 0, RETRY_S)
    // The holder of the lease checks for changes at the end.
    if (!row) return (await isLeased(context.db, id, at)) ? undefined : later()
    const failure = await applyWanted(context, row, fills).then(
      () => undefined,
      (error: unknown) => asClusterError(error),
    )
    if (failure instanceof Waits) {
      await releaseLease(context.db, id)
      return later()
    }
    const final = failure === undefined || FINAL_FAILURES.has(failure.failure)
    const recorded = await recordOutcome(context.db, id, row.version, {
      done: final,
      made: failure === undefined && row.wanted === 'running',
      ...(failure && { failure: failure.failure === 'unknown' ? 'failed' : failure.failure, note: failure.message }),
    })
    if (recorded === 0) {
      // The desired state changed meanwhile.
      await releaseLease(context.db, id)
      continue
    }
    if (failure === undefined && row.restart_asked) await finishRestart(context.db, row)
    if (failure && !final) throw failure
    return
  }
}

const asClusterError = (error: unknown): ClusterError =>
  error instanceof ClusterError
    ? error
    : new ClusterError('failed', (error as Error).message ?? 'failed', { cause: error })

async function applyWanted(context: Deps, row: WorkloadRow, fills: boolean): Promise<void> {
  const workspace = await findWorkspace(context.db, row.workspace_id)
  if (!workspace) return
  const { driver } = requireCluster(context.clusters, workspace.cluster)
  const ref = { workspace: workspace.id, workload: row.id }
  if (row.wanted === 'removed') {
    await collectLog(context, driver, ref, { ends: true })
    return driver.remove(ref)
  }
  // Suspending and removing a workspace handles its workloads.
  if (workspace.state === 'suspended' || workspace.state === 'removed') return
  if (row.wanted === 'stopped') {
    await driver.stop(ref).catch((error: unknown) => {
      if (!(error instanceof ClusterError) || error.failure !== 'unknown') throw error
    })
    await askSave(context.db, row.id, now(context))
    return
  }
  const login = row.image ? await loginFor(context, workspace.user_id, row.image) : undefined
  const [folder] = await foldersOf(context.db, [row.id])
  const spec = {
    ...specOfWorkload(context, row, workspace, { folder, fills }),
    ...(login && { login }),
    ...(driver.checksHealth && row.health && { health: row.health }),
  }
  const space = await specOfWorkspace(context.db, workspace)
  const present = (await driver.list(workspace.id)).find(({ workload }) => workload === row.id)
  const isCurrent =
    present &&
    Math.round(present.size.cpu * 1000) === row.cpu &&
    present.size.memory === row.memory &&
    present.size.storage === row.storage &&
    // Workloads from before the hash was stored: `edited` tells whether they changed since.
    (present.specHash === undefined ? row.edited === 0 : present.specHash === specHashOf(spec))
  if (present && !isCurrent) {
    await collectLog(context, driver, ref, { ends: true })
    await driver.resize(space, spec)
  }
  // Unhealthy programs still run.
  else if (present && row.restart_asked) await driver.stop(ref)
  await driver.deploy(space, spec)
}

/** Waits until a workload is running. @throws ClusterError if it fails or does not start in time */
export async function waitUntilRunning(driver: ClusterDriver, workspace: string, id: string): Promise<void> {
  for (const end = Date.now() + START_TIMEOUT_MS; ; await wait(POLL_INTERVAL_MS)) {
    const state = (await driver.list(workspace)).find(({ workload }) => workload === id)
    if (state?.state === 'running') return
    if (state?.state === 'failed') throw new ClusterError('failed', state.reason ?? `it exited with ${state.exitCode}`)
    if (Date.now() > end) throw new ClusterError('failed', 'The workload did not start in time.')
  }
}
