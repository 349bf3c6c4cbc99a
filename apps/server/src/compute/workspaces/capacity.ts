import type { ClusterName } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Cluster, capacityWithTimeout, gpuNodesWithTimeout } from '../clusters/clusters.ts'
import type { GpuNode, GpuPower, Power, Size } from '../clusters/driver.ts'
import { fitsIn, GB, machineSize } from '../clusters/sizes.ts'
import type { Context } from '../context.ts'
import { freeAfter, takeNode } from './gpu-placement.ts'
import { soldCapacity } from './repository.ts'
import { soldGpus } from './reserve-repository.ts'

/** What clusters can sell, and whether an order fits. */

/** Cores; `ram` and `storage` in GB. */
export interface Ordered {
  cpu: number
  ram: number
  storage: number
  /** Default: none. */
  gpus?: number
}

/** Whether the cluster has capacity for an order. Checked before payment. */
export async function hasCapacity(
  context: Pick<Context, 'config' | 'db' | 'clusters'>,
  order: Ordered & { cluster: ClusterName; workspaceId?: string },
): Promise<boolean> {
  const cluster = context.clusters.of(order.cluster)
  if (!cluster) return false
  const capacity = await capacityOf(cluster, [order]).catch(() => undefined)
  return capacity !== undefined && hasRoom(context, context.db, cluster, capacity, order)
}

export interface Capacity extends Size {
  /** What only workspaces with GPUs can use, beside it. */
  apart: Power
  gpuNodes: readonly GpuNode[]
}

/** What a cluster can sell. Nodes with GPUs are asked for only by orders of GPUs. @throws ClusterError */
export async function capacityOf(cluster: Cluster, orders: readonly Ordered[]): Promise<Capacity> {
  const [{ apart = { cpu: 0, memory: 0 }, ...capacity }, gpuNodes] = await Promise.all([
    capacityWithTimeout(cluster),
    orders.some(({ gpus }) => gpus) ? gpuNodesWithTimeout(cluster) : [],
  ])
  return { ...capacity, apart, gpuNodes }
}

export const hasRoom = async (
  context: Pick<Context, 'config'>,
  db: Db,
  { regions }: Cluster,
  capacity: Capacity,
  order: Ordered & { workspaceId?: string },
): Promise<boolean> => (await sellerOf(context, db, regions, capacity, order.workspaceId))(order)

/**
 * Sells capacity to one order after another.
 * @param changed the workspace of the order, if there is one: what it has now is free
 * @returns a function that returns whether an order fits beside those before it
 */
export async function sellerOf(
  { config }: Pick<Context, 'config'>,
  db: Db,
  regions: readonly ClusterName[],
  capacity: Capacity,
  changed = '',
): Promise<(order: Ordered) => boolean> {
  const { overcommit } = config.clusters
  const sold = await soldCapacity(db, regions, changed)
  const others = capacity.gpuNodes.length > 0 ? await soldGpus(db, regions, changed) : []
  const sellable = <T extends Power>(power: T): T => ({ ...power, cpu: power.cpu * overcommit })
  const nodes = capacity.gpuNodes.map((node) => ({
    ...sellable(node),
    taken: Object.fromEntries(Object.entries(node.taken).map(([id, power]) => [id, sellable(power)])),
  }))
  const free = freeAfter(
    nodes,
    others.map((row) => ({ workspace: row.id, ...needsOf(row) })),
    changed,
  )
  return (order) => {
    const { cpu, ram, gpus = 0 } = order
    const all = { cpu: sold.cpu + cpu, memory: (sold.ram + ram) * GB, storage: (sold.storage + order.storage) * GB }
    const { apart, storage } = capacity
    const isInAll = fitsIn(all, {
      cpu: (capacity.cpu + apart.cpu) * overcommit,
      memory: capacity.memory + apart.memory,
      storage: storage * overcommit,
    })
    // Without GPUs, only a part of the nodes is for it, but it shares that with fewer others.
    const isInRest =
      gpus > 0 ||
      fitsIn(
        { cpu: all.cpu - sold.cpu_with_gpus, memory: all.memory - sold.ram_with_gpus * GB, storage: 0 },
        { cpu: capacity.cpu * overcommit, memory: capacity.memory, storage: 0 },
      )
    if (!isInAll || !isInRest || (gpus > 0 && !takeNode(free, needsOf({ ...order, gpus })))) return false
    sold.cpu += cpu
    sold.ram += ram
    sold.storage += order.storage
    if (gpus > 0) {
      sold.cpu_with_gpus += cpu
      sold.ram_with_gpus += ram
    }
    return true
  }
}

/** What the machine of an order needs of one node. */
function needsOf({ cpu, ram, storage, gpus }: Required<Ordered>): GpuPower {
  const machine = machineSize({ cpu, memory: ram * GB, storage: storage * GB })
  return { cpu: machine.cpu, memory: machine.memory, gpus }
}
