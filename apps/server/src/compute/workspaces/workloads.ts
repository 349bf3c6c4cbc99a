import {
  AppError,
  type contract,
  type HealthCheck,
  type Lang,
  type Parsed,
  type RestartPolicy,
  STOP_HOURS_MAX,
} from '@tidenet/contract'
import { findWallets } from '../../identity/index.ts'
import { audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { ConsoleCaller } from '../../platform/http/callers.ts'
import { problemsOf } from '../alerts/alerts.ts'
import { fullImage } from '../clusters/images.ts'
import { fitsBeside } from '../clusters/sizes.ts'
import { type Context, now } from '../context.ts'
import { addressesOf } from './addresses-repository.ts'
import { domainsOf } from './domains-repository.ts'
import { askFill, foldersOf, lockFolderOf } from './folders-repository.ts'
import { reconcileWorkloadJob } from './jobs.ts'
import { sizeOfWorkload, sizeOfWorkspace, usesResources } from './reconcile.ts'
import {
  findLastSamples,
  findOwnWorkload,
  listSamples,
  lockWorkspace,
  updateWanted,
  type WorkloadRow,
  type WorkspaceRow,
  workloadsIn,
  workspacesOf,
} from './repository.ts'
import { recordSettings } from './settings.ts'
import { scheduleStop } from './supervise-repository.ts'
import { tcpPortsOf } from './tcp-ports-repository.ts'
import { fromWireSize, isSupervised, offersHealth, type SizeIn, toWireWorkspace } from './wire.ts'

/** Workspaces and workloads of the account that is signed in to the console. */

export type Deps = Pick<Context, 'config' | 'db' | 'clock' | 'keys' | 'clusters' | 'log' | 'policy'>

const HOUR_MS = 3_600_000

export const toColumns = ({ cpu, memory, storage }: SizeIn): SizeIn => ({
  cpu: Math.round(cpu * 1000),
  memory,
  storage,
})

/** The workspaces of the account, with their workloads. */
export async function listWorkspaces(context: Deps, caller: ConsoleCaller, lang: Lang) {
  const { db } = context
  const spaces = await workspacesOf(db, caller.userId)
  const rows = await workloadsIn(
    db,
    spaces.map(({ id }) => id),
  )
  const ids = rows.map(({ id }) => id)
  const stopped = new Set(spaces.filter(({ state }) => state === 'suspended').map(({ id }) => id))
  const kept = rows.filter(({ workspace_id }) => stopped.has(workspace_id)).map(({ id }) => id)
  const more = {
    addresses: await addressesOf(db, ids),
    domains: await domainsOf(db, ids),
    folders: await foldersOf(db, ids),
    at: now(context),
    problems: await problemsOf(db, ids, now(context)),
    tcpPorts: await tcpPortsOf(db, ids),
    lang,
    measures: kept.length > 0 ? await findLastSamples(db, kept) : [],
  }
  const list = await Promise.all(
    spaces.map((space) =>
      toWireWorkspace(
        context,
        space,
        rows.filter((row) => row.workspace_id === space.id),
        more,
      ),
    ),
  )
  const wallet = (await findWallets(db, caller.userId)).find(({ kind }) => kind === 'cosmos')
  return { account: wallet?.address ?? '', expires_at: caller.expiresAt.toISOString(), list }
}

/** The full name of an image. @throws AppError imageName, registryRefused */
export function resolveImage({ config }: Pick<Context, 'config'>, text: string): string {
  const { registries } = config.clusters
  const image = fullImage(text, registries)
  if (image) return image
  throw fullImage(text, [...registries, text.split('/')[0]?.toLowerCase() ?? ''])
    ? new AppError('registryRefused', { hosts: registries.join(', ') })
    : new AppError('imageName')
}

export const actorOf = ({ userId, uid }: ConsoleCaller) => ({ userId, uid, via: 'proof' }) as const

/** Locks a workspace of the caller, which must be ready. @throws AppError workspaceNotReady */
export async function lockReadyWorkspace(
  tx: Db,
  { userId }: ConsoleCaller,
  id: string,
): Promise<{ space: WorkspaceRow; rows: WorkloadRow[] }> {
  const space = await lockWorkspace(tx, id)
  // The same error for other accounts' workspaces, so that ids cannot be probed.
  if (!space || space.user_id !== userId || space.state !== 'ready') throw new AppError('workspaceNotReady')
  return { space, rows: await workloadsIn(tx, [id]) }
}

/** @throws AppError workspaceFull */
export function requireFreeResources(
  space: WorkspaceRow,
  rows: readonly WorkloadRow[],
  added: { id: string; size: SizeIn },
): void {
  const present = rows.filter(usesResources).map((row) => ({ workload: row.id, size: sizeOfWorkload(row) }))
  if (!fitsBeside(sizeOfWorkspace(space), present, added)) throw new AppError('workspaceFull')
}

/** Kubernetes restarts programs by itself, always. @throws AppError notOffered */
export function requireSupervision(
  { clusters }: Pick<Context, 'clusters'>,
  { cluster }: Pick<WorkspaceRow, 'cluster'>,
  { restart, health }: { restart?: RestartPolicy | undefined; health?: HealthCheck | null | undefined },
): void {
  const driver = clusters.of(cluster)?.driver
  if (restart === 'never' && !isSupervised(driver)) throw new AppError('notOffered')
  if (health && !offersHealth(driver)) throw new AppError('notOffered')
}

/** @throws AppError archiveNotOffered */
export function requireArchives(
  { clusters }: Pick<Context, 'clusters'>,
  { cluster }: Pick<WorkspaceRow, 'cluster'>,
): void {
  if (clusters.of(cluster)?.driver.kind !== 'engine') throw new AppError('archiveNotOffered')
}

/** The check must use a port that the program is said to have. @throws AppError portUnknown */
export function requireHealthPort({
  health,
  ports,
}: Pick<WorkloadRow, 'ports'> & { health: HealthCheck | null }): void {
  if (health && !ports.includes(health.port)) throw new AppError('portUnknown')
}

/** @throws AppError workloadUnknown */
export async function requireWorkload(db: Db, { userId }: ConsoleCaller, id: string) {
  const row = await findOwnWorkload(db, userId, id)
  if (!row) throw new AppError('workloadUnknown')
  return row
}

/**
 * Locks a workload of the caller with its workspace, and reads it again: another change may have come first.
 * @throws AppError workloadUnknown, workspaceNotReady
 */
export async function lockWorkload(tx: Db, caller: ConsoleCaller, id: string) {
  const { workspace_id } = await requireWorkload(tx, caller, id)
  const { space, rows } = await lockReadyWorkspace(tx, caller, workspace_id)
  const row = rows.find((one) => one.id === id)
  if (!row) throw new AppError('workloadUnknown')
  return { space, rows, row }
}

/** Starts or stops a workload. @throws AppError workloadUnknown, workspaceNotReady, workspaceFull */
export async function setWorkloadState(
  context: Deps,
  caller: ConsoleCaller,
  id: string,
  wanted: 'running' | 'stopped',
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const row = await requireWorkload(tx, caller, id)
    if (row.wanted === 'removed') throw new AppError('workloadUnknown')
    const { space, rows } = await lockReadyWorkspace(tx, caller, row.workspace_id)
    // Other workloads may use its resources meanwhile.
    if (wanted === 'running' && !usesResources(row))
      requireFreeResources(space, rows, { id, size: sizeOfWorkload(row) })
    await updateWanted(tx, id, { wanted }, now(context))
    if (wanted === 'running') await askFill(tx, id)
    await reconcileWorkloadJob.add(tx, { id })
  })
}

/** @throws AppError as the contract declares */
export async function scheduleWorkloadStop(
  context: Deps,
  caller: ConsoleCaller,
  { id, stop_at, hours }: Parsed<typeof contract.clusters.schedule>,
): Promise<{ stop_at: string }> {
  const at = context.clock.now()
  const time = hours !== undefined ? at + hours * HOUR_MS : stop_at !== undefined ? Date.parse(stop_at) : undefined
  if (time !== undefined && !(time > at && time <= at + STOP_HOURS_MAX * HOUR_MS)) throw new AppError('stopTime')
  await context.db.transaction(async (tx) => {
    const { row } = await lockWorkload(tx, caller, id)
    if (row.wanted !== 'running') throw new AppError('workloadStopped')
    await scheduleStop(tx, id, time === undefined ? null : new Date(time))
  })
  return { stop_at: time === undefined ? '' : new Date(time).toISOString() }
}

/** @throws AppError workloadUnknown, workspaceNotReady, workspaceFull, diskShrinks */
export async function resizeWorkload(
  context: Deps,
  caller: ConsoleCaller,
  { id, ...input }: SizeIn & { id: string },
): Promise<void> {
  const size = fromWireSize(input)
  await context.db.transaction(async (tx) => {
    const row = await requireWorkload(tx, caller, id)
    if (row.wanted === 'removed') throw new AppError('workloadUnknown')
    const { space, rows } = await lockReadyWorkspace(tx, caller, row.workspace_id)
    if (size.storage < row.storage) throw new AppError('diskShrinks')
    requireFreeResources(space, rows, { id, size })
    const at = now(context)
    await updateWanted(tx, id, toColumns(size), at)
    await recordSettings(tx, id, at)
    await reconcileWorkloadJob.add(tx, { id })
  })
}

/** @throws AppError workloadUnknown, folderAttached */
export async function removeWorkload(
  context: Deps,
  caller: ConsoleCaller,
  id: string,
  from: { ip: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const row = await requireWorkload(tx, caller, id)
    if (row.wanted === 'removed') return
    if (await lockFolderOf(tx, id)) throw new AppError('folderAttached')
    await updateWanted(tx, id, { wanted: 'removed' }, now(context))
    await reconcileWorkloadJob.add(tx, { id })
    await audit(tx, context, actorOf(caller), from, { action: 'workload.remove', subject: `workload:${id}` })
  })
}

/** @throws AppError workloadUnknown */
export async function readUsage(context: Deps, caller: ConsoleCaller, { id, hours }: { id: string; hours: number }) {
  await requireWorkload(context.db, caller, id)
  const since = new Date(context.clock.now() - hours * 3_600_000)
  // About 120 points for any period; usage is measured every 30 s.
  const rows = await listSamples(context.db, id, since, Math.max(30, hours * 30))
  return { points: rows.map((row) => ({ ...row, at: row.at.toISOString() })) }
}

/** A workload of the caller, with the driver of its cluster. @throws AppError workloadUnknown */
export async function requireTarget(context: Deps, caller: ConsoleCaller, id: string) {
  const row = await requireWorkload(context.db, caller, id)
  const cluster = context.clusters.of(row.cluster)
  if (row.wanted === 'removed' || !cluster) throw new AppError('workloadUnknown')
  return { row, driver: cluster.driver, ref: { workspace: row.workspace_id, workload: id } }
}
