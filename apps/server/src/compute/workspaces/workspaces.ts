import { CLUSTERS, type ClusterName, GPUS_MAX, type Lang } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Cluster, probeWithTimeout, requireCluster } from '../clusters/clusters.ts'
import { ClusterError, DISK_SHRINKS, type Probe, type ProbeState } from '../clusters/driver.ts'
import { GB, machineSize, sum } from '../clusters/sizes.ts'
import { type Context, now } from '../context.ts'
import { collectLog } from '../logs/collect.ts'
import { type Capacity, capacityOf, hasRoom, sellerOf } from './capacity.ts'
import { sealEnv } from './env.ts'
import { dropFoldersOf } from './folder-state.ts'
import { requireSavedFolders } from './folder-transfers.ts'
import { keepFolders } from './folders-repository.ts'
import { reconcileWorkloadJob } from './jobs.ts'
import { machineId, reconcileWorkload, specOfWorkspace, usesResources, waitUntilRunning } from './reconcile.ts'
import {
  changeWorkspace,
  findWorkspace,
  hasLease,
  lockCapacity,
  lockWorkspace,
  updateWanted,
  type WorkspaceRow,
  workloadsIn,
} from './repository.ts'
import {
  insertFirstSettings,
  insertMachines,
  insertWorkspaces,
  knownWorkspaces,
  type NewMachine,
} from './reserve-repository.ts'
import { recordSettings } from './settings.ts'

/** Workspaces for orders. All functions are idempotent. */

/** The order of a workspace; `ram` and `storage` in GB. */
export interface WorkspaceOrder {
  /** The id of the order that created the workspace. Upgrades and renewals keep it. */
  workspaceId: string
  userId: number
  cluster: ClusterName
  cpu: number
  ram: number
  storage: number
  /** The machine of the workspace has them. Default: none. */
  gpus?: number
  /** Without access to the internet, until an order restores it. */
  offline?: boolean
}

type Deps = Pick<Context, 'config' | 'db' | 'clock' | 'keys' | 'clusters' | 'log' | 'policy' | 'portalUrl'>
const CLUSTER_FULL = 'The cluster does not have enough free capacity.'
type Texts = Readonly<Record<Lang, string>>

const REASONS: Readonly<Record<Exclude<ProbeState, 'ready'> | 'none' | 'unknown', Texts>> = {
  none: { en: 'This portal has no cluster in this region.', cn: '本站未在该区域接入集群。' },
  unknown: {
    en: 'The cluster is being tested: usually one to five minutes after the server starts.',
    cn: '正在检测该集群，服务器启动后通常需要一到五分钟。',
  },
  absent: {
    en: 'Containers cannot be bought right now: the server of this portal has no working container runtime.',
    cn: '暂时无法购买容器：本站服务器上没有可用的容器运行环境。',
  },
  'limits-unenforced': {
    en: 'Containers cannot be bought right now: the container runtime does not enforce limits.',
    cn: '暂时无法购买容器：容器运行环境无法限制资源用量。',
  },
  unsafe: {
    en: 'Containers cannot be bought right now: the container runtime does not isolate workspaces.',
    cn: '暂时无法购买容器：容器运行环境无法隔离工作区。',
  },
}

/** Why the cluster does not sell. Includes the command that fixes it, because many readers operate their own portal. */
function reasonOf({ state, command }: Pick<Probe, 'command'> & { state: keyof typeof REASONS }): Texts {
  const { en, cn } = REASONS[state]
  if (!command) return { en, cn }
  return {
    en: `${en} The operator can install one with: ${command}`,
    cn: `${cn}运营者可在服务器上运行以下命令安装：${command}`,
  }
}

export interface Offer {
  name: ClusterName
  ready: boolean
  configured: boolean
  shared_with: ClusterName[]
  /** How many an order can have. */
  gpus: number
  reason?: Texts
}

/** The clusters, each with whether it sells or the reason why not. */
export async function offered({ clusters }: Pick<Context, 'clusters'>): Promise<readonly Offer[]> {
  return Promise.all(
    CLUSTERS.map(async (name) => {
      const cluster = clusters.of(name)
      const probe = cluster && (await probeWithTimeout(cluster).catch(() => undefined))
      const state = cluster ? (probe?.state ?? 'unknown') : 'none'
      const offer = { name, configured: cluster !== undefined, shared_with: clusters.sharedWith(name) }
      if (state === 'ready') return { ...offer, ready: true, gpus: Math.min(GPUS_MAX, probe?.gpus?.most ?? 0) }
      return {
        ...offer,
        ready: false,
        gpus: 0,
        reason: reasonOf({ state, ...(probe?.command && { command: probe.command }) }),
      }
    }),
  )
}

/** Creates the workspace with its machine and waits until that is running. @throws ClusterError, `full` without capacity */
export async function create(context: Deps, order: WorkspaceOrder): Promise<void> {
  const { db } = context
  const { driver } = requireCluster(context.clusters, order.cluster)
  const known = await findWorkspace(db, order.workspaceId)
  if (!known) await reserve(context, [order])
  const row = known ?? (await findWorkspace(db, order.workspaceId))
  if (!row) throw new ClusterError('full', CLUSTER_FULL)
  if (row.state !== 'making') return
  await driver.createWorkspace(await specOfWorkspace(db, row))
  await reconcileWorkload(context, machineId(row.id))
  await waitUntilRunning(driver, row.id, machineId(row.id))
  await changeWorkspace(db, row.id, { state: 'ready' }, now(context))
}

/**
 * Sells capacity for new workspaces and their machines, in one transaction for each cluster: to the first ones, as many as fit. `create`
 * makes them, and sells capacity itself to an order that has none. A cluster that does not answer delays no orders of the others.
 * @throws ClusterError of the first cluster that failed, after all others
 */
export async function reserve(context: Deps, orders: readonly WorkspaceOrder[]): Promise<void> {
  const at = now(context)
  const regions = [...new Set(orders.map(({ cluster }) => cluster))]
  const results = await Promise.allSettled(
    regions.map(async (region) =>
      reserveOn(
        context,
        requireCluster(context.clusters, region),
        orders.filter((order) => order.cluster === region),
        at,
      ),
    ),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

async function reserveOn(context: Deps, cluster: Cluster, orders: readonly WorkspaceOrder[], at: Date): Promise<void> {
  const capacity = await capacityOf(cluster, orders)
  await context.db.transaction(async (tx) => {
    await lockCapacity(tx)
    const ids = orders.map(({ workspaceId }) => workspaceId)
    const known = new Set(await knownWorkspaces(tx, ids))
    const sell = await sellerOf(context, tx, cluster.regions, capacity)
    const fitting = orders.filter((order) => !known.has(order.workspaceId) && sell(order))
    if (fitting.length === 0) return
    await insertWorkspaces(tx, fitting, at)
    await insertMachines(
      tx,
      fitting.map((order) => machineOf(context, order)),
      at,
    )
    await insertFirstSettings(
      tx,
      fitting.map(({ workspaceId }) => machineId(workspaceId)),
      at,
    )
  })
}

function machineOf({ keys }: Pick<Deps, 'keys'>, { workspaceId, cpu, ram, storage }: WorkspaceOrder): NewMachine {
  const id = machineId(workspaceId)
  const size = machineSize({ cpu, memory: ram * GB, storage: storage * GB })
  return { id, workspace_id: workspaceId, env: sealEnv(keys, id, {}), ...size, cpu: Math.round(size.cpu * 1000) }
}

/** Changes the workspace to the order's size; its machine gets what is added. @throws ClusterError, `full` without capacity */
export async function resize(context: Deps, order: WorkspaceOrder): Promise<void> {
  const { db } = context
  const cluster = requireCluster(context.clusters, order.cluster)
  const capacity = await capacityOf(cluster, [order])
  await db.transaction(async (tx) => {
    const row = await lockExistingWorkspace(tx, order.workspaceId)
    await changeSize(context, tx, { cluster, capacity, row, order })
  })
  await reconcileWorkspace(context, cluster, order.workspaceId)
}

/** Locks the capacity of all clusters and the workspace. @throws ClusterError unknown */
async function lockExistingWorkspace(tx: Db, id: string): Promise<WorkspaceRow> {
  await lockCapacity(tx)
  const row = await lockWorkspace(tx, id)
  if (!row || row.state === 'removed') throw new ClusterError('unknown', 'The workspace has been removed.')
  return row
}

/**
 * Brings the cluster to the desired state of a workspace and its workloads. A customer's workload may fail for reasons of its own, so it is
 * retried later by a job and does not fail the workspace. @throws ClusterError
 */
async function reconcileWorkspace(context: Deps, { driver }: Cluster, id: string): Promise<void> {
  const { db } = context
  await driver.createWorkspace(await specOfWorkspace(db, await requireWorkspace(db, id)))
  for (const workload of await workloadsIn(context.db, [id])) {
    const isOurs = workload.image === null && workload.command.length === 0
    // Other orders wait meanwhile, so files are copied by a job.
    await reconcileWorkload(context, workload.id, { fills: false }).catch(async (error: unknown) => {
      if (isOurs || !(error instanceof ClusterError) || error.failure === 'absent') throw error
      await reconcileWorkloadJob.add(context.db, { id: workload.id })
    })
  }
}

async function changeSize(
  context: Deps,
  tx: Db,
  { cluster, capacity, row, order }: { cluster: Cluster; capacity: Capacity; row: WorkspaceRow; order: WorkspaceOrder },
): Promise<void> {
  const { cpu, ram, storage, gpus = 0 } = order
  if (row.cpu === cpu && row.ram === ram && row.storage === storage && row.gpus === gpus) return
  if (!(await hasRoom(context, tx, cluster, capacity, order))) throw new ClusterError('full', CLUSTER_FULL)
  const at = now(context)
  await changeWorkspace(tx, row.id, { cpu, ram, storage, gpus }, at)
  await shrinkWorkloads(tx, row.id, order, at)
  const machine = (await workloadsIn(tx, [row.id])).find(({ id }) => id === machineId(row.id))
  if (!machine) return
  await updateWanted(
    tx,
    machine.id,
    {
      cpu: machine.cpu + Math.max(0, cpu - row.cpu) * 1000,
      memory: machine.memory + Math.max(0, ram - row.ram) * GB,
      storage: machine.storage + Math.max(0, storage - row.storage) * GB,
    },
    at,
  )
  await recordSettings(tx, machine.id, at)
}

/** Scales workloads down to a smaller order. @throws ClusterError `full` if the disks need more than the order has */
async function shrinkWorkloads(tx: Db, id: string, { cpu, ram, storage }: WorkspaceOrder, at: Date): Promise<void> {
  const rows = (await workloadsIn(tx, [id])).filter(usesResources)
  const used = sum(rows)
  if (used.storage > storage * GB) throw new ClusterError('full', DISK_SHRINKS)
  const share = { cpu: (cpu * 1000) / used.cpu, memory: (ram * GB) / used.memory }
  if (share.cpu >= 1 && share.memory >= 1) return
  for (const row of rows)
    await updateWanted(
      tx,
      row.id,
      {
        cpu: Math.max(1, Math.floor(row.cpu * Math.min(1, share.cpu))),
        memory: Math.floor(row.memory * Math.min(1, share.memory)),
      },
      at,
    )
}

/** How long a suspended workspace stays, and the order that restores it. */
export interface Keeping {
  until: Date
  order: string
}

/**
 * Stops all workloads of an expired order. Disks and snapshots stay until `remove`.
 * @param keeping shown to the owner
 * @throws ClusterError
 */
export async function suspend(context: Deps, workspaceId: string, keeping?: Keeping): Promise<void> {
  const { db } = context
  const row = await findWorkspace(db, workspaceId)
  if (!row || row.state === 'removed') return
  const { driver } = requireCluster(context.clusters, row.cluster)
  // First, so that nothing new starts while running changes finish.
  const kept = keeping && { kept_until: keeping.until, kept_order: keeping.order }
  // A second attempt does not move the time at which it was stopped.
  const from = row.state !== 'suspended' && { kept_from: now(context) }
  await changeWorkspace(db, row.id, { state: 'suspended', ...kept, ...from }, now(context))
  await requireNoLease(context, row.id)
  await requireSavedFolders(context, row)
  for (const { id } of await workloadsIn(db, [row.id]))
    await collectLog(context, driver, { workspace: row.id, workload: id }, { ends: true })
  await driver.suspendWorkspace(row.id)
}

/** Starts a suspended workspace again, with the order's size. @throws ClusterError, `unknown` if it was removed meanwhile */
export async function restore(context: Deps, order: WorkspaceOrder): Promise<void> {
  const { db } = context
  const cluster = requireCluster(context.clusters, order.cluster)
  const capacity = await capacityOf(cluster, [order])
  await db.transaction(async (tx) => {
    const row = await lockExistingWorkspace(tx, order.workspaceId)
    if (row.state === 'ready') return
    if (!(await hasRoom(context, tx, cluster, capacity, order))) throw new ClusterError('full', CLUSTER_FULL)
    await changeSize(context, tx, { cluster, capacity, row, order })
    // Available to its owner only when all workloads are restored.
    await changeWorkspace(tx, row.id, { state: 'making', offline: false }, now(context))
    await keepFolders(tx, row.id)
  })
  await reconcileWorkspace(context, cluster, order.workspaceId)
  await db.transaction(async (tx) => {
    const row = await lockWorkspace(tx, order.workspaceId)
    if (row?.state === 'making') await changeWorkspace(tx, row.id, { state: 'ready' }, now(context))
  })
}

/** Removes the workspace with its disks. Logs stay for a week. @throws ClusterError */
export async function remove(context: Deps, workspaceId: string): Promise<void> {
  const { db } = context
  const row = await findWorkspace(db, workspaceId)
  if (!row) return
  const { driver } = requireCluster(context.clusters, row.cluster)
  if (row.state !== 'removed') {
    // An order that its owner ends was not suspended before, so its programs still have files to save.
    await changeWorkspace(db, row.id, { state: 'suspended' }, now(context))
    await requireNoLease(context, row.id)
    await requireSavedFolders(context, row)
  }
  await changeWorkspace(db, row.id, { state: 'removed' }, now(context))
  await requireNoLease(context, row.id)
  await dropFoldersOf(db, row)
  for (const { id } of await workloadsIn(db, [row.id])) {
    await collectLog(context, driver, { workspace: row.id, workload: id }, { ends: true })
    await updateWanted(db, id, { wanted: 'removed' }, now(context))
  }
  await driver.removeWorkspace(row.id)
}

/** @throws ClusterError `failed` if a workload is being changed; the caller retries */
async function requireNoLease(context: Pick<Context, 'db' | 'clock'>, workspaceId: string): Promise<void> {
  if (await hasLease(context.db, workspaceId, now(context)))
    throw new ClusterError('failed', 'A workload of the workspace is being changed.')
}

async function requireWorkspace(db: Db, id: string): Promise<WorkspaceRow> {
  const row = await findWorkspace(db, id)
  if (!row) throw new ClusterError('unknown', 'There is no such workspace.')
  return row
}
