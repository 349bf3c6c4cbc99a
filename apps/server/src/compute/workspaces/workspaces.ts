import { CLUSTERS, type ClusterName, type Lang } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Cluster, demandCluster, probed } from '../clusters/clusters.ts'
import { ClusterError, type Probe, type ProbeState, type Size } from '../clusters/driver.ts'
import { GB, machineSize, sum, within } from '../clusters/sizes.ts'
import { type Context, now } from '../context.ts'
import { sealEnv } from './env.ts'
import { workloadToSettle } from './jobs.ts'
import {
  changeWorkspace,
  findWorkspace,
  holdRoom,
  insertWorkload,
  insertWorkspace,
  isHeld,
  lockWorkspace,
  soldRoom,
  type WorkspaceRow,
  wantOf,
  workloadsIn,
} from './repository.ts'
import { keepLog, settleWorkload, specOfWorkspace, takesShare, untilRunning } from './settle.ts'

/** What orders ask of clusters. Everything may be asked again after it has failed, or succeeded. */

/** What the life of an order asks for; `ram` and `storage` in GB. */
export interface WorkspaceOrder {
  /** Of the workspace: the id of the order that made it; upgrades keep it. */
  workspaceId: string
  userId: number
  cluster: ClusterName
  cpu: number
  ram: number
  storage: number
}

type Needs = Pick<Context, 'config' | 'db' | 'clock' | 'keys' | 'clusters' | 'log'>
type Texts = Readonly<Record<Lang, string>>

const REASONS: Readonly<Record<Exclude<ProbeState, 'ready'> | 'none' | 'unknown', Texts>> = {
  none: { en: 'This portal has no such cluster.', cn: '本站未接入该集群。' },
  unknown: { en: 'The cluster is still being tried out.', cn: '正在检测该集群，请稍后再试。' },
  absent: {
    en: 'Containers cannot be bought right now: the server of this portal has no container runtime that works.',
    cn: '暂时无法购买容器：本站服务器上没有可用的容器运行环境。',
  },
  'limits-unenforced': {
    en: 'The container runtime here does not enforce limits, so nothing is sold.',
    cn: '当前容器运行环境无法限制资源用量，暂停销售。',
  },
  unsafe: {
    en: 'The container runtime here does not keep programs apart, so nothing is sold.',
    cn: '当前容器运行环境无法隔离应用，暂停销售。',
  },
}

/** Why nothing is sold, and what the operator does about it: many portals are their reader's own. */
function reasonOf({ state, command }: Pick<Probe, 'command'> & { state: keyof typeof REASONS }): Texts {
  const { en, cn } = REASONS[state]
  if (!command) return { en, cn }
  return {
    en: `${en} Its operator installs one with: ${command}`,
    cn: `${cn}运营者可在服务器上运行以下命令安装：${command}`,
  }
}

/** Which clusters sell, and why another does not. */
export async function offered({
  clusters,
}: Pick<Context, 'clusters'>): Promise<readonly { name: ClusterName; ready: boolean; reason?: Texts }[]> {
  return Promise.all(
    CLUSTERS.map(async (name) => {
      const cluster = clusters.of(name)
      const probe = cluster && (await probed(cluster).catch(() => undefined))
      const state = cluster ? (probe?.state ?? 'unknown') : 'none'
      if (state === 'ready') return { name, ready: true }
      return { name, ready: false, reason: reasonOf({ state, ...(probe?.command && { command: probe.command }) }) }
    }),
  )
}

/** Whether there is room for such an order now; asked before it is paid. */
export async function hasRoom(
  context: Needs,
  order: Omit<WorkspaceOrder, 'workspaceId' | 'userId'> & { workspaceId?: string },
): Promise<boolean> {
  const cluster = context.clusters.of(order.cluster)
  if (!cluster) return false
  const capacity = await cluster.driver.capacity().catch(() => undefined)
  return capacity !== undefined && fits(context, context.db, cluster, capacity, order)
}

async function fits(
  { config }: Pick<Context, 'config'>,
  db: Db,
  { regions }: Cluster,
  capacity: Size,
  order: Pick<WorkspaceOrder, 'cpu' | 'ram' | 'storage'> & { workspaceId?: string },
): Promise<boolean> {
  const sold = await soldRoom(db, regions, order.workspaceId)
  const { overcommit } = config.clusters
  return within(
    { cpu: sold.cpu + order.cpu, memory: (sold.ram + order.ram) * GB, storage: (sold.storage + order.storage) * GB },
    { cpu: capacity.cpu * overcommit, memory: capacity.memory, storage: capacity.storage * overcommit },
  )
}

/** The machine that every workspace begins with. */
const machineOf = (workspaceId: string): string => `m-${workspaceId}`

/** Makes the workspace with a machine, which leaves room for a second one, and waits until that runs. @throws ClusterError, `full` when there is no room */
export async function create(context: Needs, order: WorkspaceOrder): Promise<void> {
  const { db } = context
  const cluster = demandCluster(context.clusters, order.cluster)
  const capacity = await cluster.driver.capacity()
  const at = now(context)
  await db.transaction(async (tx) => {
    await holdRoom(tx)
    const { workspaceId: id, userId, cpu, ram, storage } = order
    if (!(await findWorkspace(tx, id)) && !(await fits(context, tx, cluster, capacity, order)))
      throw new ClusterError('full', 'The cluster has no room for it.')
    await insertWorkspace(tx, { id, cluster: order.cluster, cpu, ram, storage, userId, at })
    const machine = machineOf(id)
    const size = machineSize({ cpu, memory: ram * GB, storage: storage * GB })
    await insertWorkload(
      tx,
      {
        id: machine,
        workspace_id: id,
        name: 'machine',
        template: 'machine',
        image: null,
        command: [],
        env: sealEnv(context.keys, machine, {}),
        ports: [],
        cpu: Math.round(size.cpu * 1000),
        memory: size.memory,
        storage: size.storage,
      },
      at,
    )
  })
  const row = await demandWorkspace(db, order.workspaceId)
  if (row.state !== 'making') return
  await cluster.driver.createWorkspace(await specOfWorkspace(db, row))
  await settleWorkload(context, machineOf(row.id))
  await untilRunning(cluster.driver, row.id, machineOf(row.id))
  await changeWorkspace(db, row.id, { state: 'ready' }, now(context))
}

/** Gives the workspace the order's size; what is added goes to its machine. @throws ClusterError, `full` when there is no room */
export async function resize(context: Needs, order: WorkspaceOrder): Promise<void> {
  const { db } = context
  const cluster = demandCluster(context.clusters, order.cluster)
  const capacity = await cluster.driver.capacity()
  await db.transaction(async (tx) => {
    const row = await holdWorkspace(tx, order.workspaceId)
    await grow(context, tx, { cluster, capacity, row, order })
  })
  await settleWorkspace(context, cluster, order.workspaceId)
}

/** Locked, with the room of all clusters. @throws ClusterError unknown */
async function holdWorkspace(tx: Db, id: string): Promise<WorkspaceRow> {
  await holdRoom(tx)
  const row = await lockWorkspace(tx, id)
  if (!row || row.state === 'removed') throw new ClusterError('unknown', 'The workspace has been removed.')
  return row
}

/**
 * Brings the cluster to what is wanted of a workspace and of all that runs in it. What its owner has put there may fail by itself, whenever he
 * likes: that says nothing of the cluster, and is tried again later. @throws ClusterError
 */
async function settleWorkspace(context: Needs, { driver }: Cluster, id: string): Promise<void> {
  const { db } = context
  await driver.createWorkspace(await specOfWorkspace(db, await demandWorkspace(db, id)))
  for (const workload of await workloadsIn(context.db, [id])) {
    const isOurs = workload.image === null && workload.command.length === 0
    await settleWorkload(context, workload.id).catch(async (error: unknown) => {
      if (isOurs || !(error instanceof ClusterError) || error.failure === 'absent') throw error
      await workloadToSettle.add(context.db, { id: workload.id })
    })
  }
}

async function grow(
  context: Needs,
  tx: Db,
  { cluster, capacity, row, order }: { cluster: Cluster; capacity: Size; row: WorkspaceRow; order: WorkspaceOrder },
): Promise<void> {
  const { cpu, ram, storage } = order
  if (row.cpu === cpu && row.ram === ram && row.storage === storage) return
  if (!(await fits(context, tx, cluster, capacity, order)))
    throw new ClusterError('full', 'The cluster has no room for it.')
  const at = now(context)
  await changeWorkspace(tx, row.id, { cpu, ram, storage }, at)
  await shrink(tx, row.id, order, at)
  const machine = (await workloadsIn(tx, [row.id])).find(({ id }) => id === machineOf(row.id))
  if (!machine) return
  await wantOf(
    tx,
    machine.id,
    {
      cpu: machine.cpu + Math.max(0, cpu - row.cpu) * 1000,
      memory: machine.memory + Math.max(0, ram - row.ram) * GB,
      storage: machine.storage + Math.max(0, storage - row.storage) * GB,
    },
    at,
  )
}

/** Bought again smaller: what runs there shares what is left. @throws ClusterError `full`, for a disk does not shrink */
async function shrink(tx: Db, id: string, { cpu, ram, storage }: WorkspaceOrder, at: Date): Promise<void> {
  const rows = (await workloadsIn(tx, [id])).filter(takesShare)
  const used = sum(rows)
  if (used.storage > storage * GB) throw new ClusterError('full', 'A disk does not shrink.')
  const share = { cpu: (cpu * 1000) / used.cpu, memory: (ram * GB) / used.memory }
  if (share.cpu >= 1 && share.memory >= 1) return
  for (const row of rows)
    await wantOf(
      tx,
      row.id,
      {
        cpu: Math.max(1, Math.floor(row.cpu * Math.min(1, share.cpu))),
        memory: Math.floor(row.memory * Math.min(1, share.memory)),
      },
      at,
    )
}

/** The order has expired: everything stops, and is kept with a snapshot until `remove`. @throws ClusterError */
export async function suspend(context: Needs, workspaceId: string): Promise<void> {
  const { db } = context
  const row = await findWorkspace(db, workspaceId)
  if (!row || row.state === 'removed') return
  const { driver } = demandCluster(context.clusters, row.cluster)
  // Said first, so that nobody starts anything; then whoever is at it comes to an end.
  await changeWorkspace(db, row.id, { state: 'suspended' }, now(context))
  await untilLeft(context, row.id)
  for (const { id } of await workloadsIn(db, [row.id]))
    await keepLog(context, driver, { workspace: row.id, workload: id })
  await driver.suspendWorkspace(row.id)
}

/** What was suspended runs again, at the order's size. @throws ClusterError, `unknown` when it has been removed meanwhile */
export async function restore(context: Needs, order: WorkspaceOrder): Promise<void> {
  const { db } = context
  const cluster = demandCluster(context.clusters, order.cluster)
  const capacity = await cluster.driver.capacity()
  await db.transaction(async (tx) => {
    const row = await holdWorkspace(tx, order.workspaceId)
    if (row.state === 'ready') return
    if (!(await fits(context, tx, cluster, capacity, order)))
      throw new ClusterError('full', 'The cluster has no room for it.')
    await grow(context, tx, { cluster, capacity, row, order })
    // Its owner has it when all of it is there.
    await changeWorkspace(tx, row.id, { state: 'making' }, now(context))
  })
  await settleWorkspace(context, cluster, order.workspaceId)
  await db.transaction(async (tx) => {
    const row = await lockWorkspace(tx, order.workspaceId)
    if (row?.state === 'making') await changeWorkspace(tx, row.id, { state: 'ready' }, now(context))
  })
}

/** Ends the workspace with all it holds; its last lines stay for a while. @throws ClusterError */
export async function remove(context: Needs, workspaceId: string): Promise<void> {
  const { db } = context
  const row = await findWorkspace(db, workspaceId)
  if (!row) return
  const { driver } = demandCluster(context.clusters, row.cluster)
  await changeWorkspace(db, row.id, { state: 'removed' }, now(context))
  await untilLeft(context, row.id)
  for (const { id } of await workloadsIn(db, [row.id])) {
    await keepLog(context, driver, { workspace: row.id, workload: id })
    await wantOf(db, id, { wanted: 'removed' }, now(context))
  }
  await driver.removeWorkspace(row.id)
}

/** @throws ClusterError when somebody is still at a workload: to be asked again */
async function untilLeft(context: Pick<Context, 'db' | 'clock'>, workspaceId: string): Promise<void> {
  if (await isHeld(context.db, workspaceId, now(context)))
    throw new ClusterError('failed', 'Something is still being carried out there.')
}

async function demandWorkspace(db: Db, id: string): Promise<WorkspaceRow> {
  const row = await findWorkspace(db, id)
  if (!row) throw new ClusterError('unknown', 'There is no such workspace.')
  return row
}
