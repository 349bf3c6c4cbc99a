import type { ClusterName } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Cluster, capacityWithTimeout, probeWithTimeout } from '../clusters/clusters.ts'
import { ClusterError, type Size } from '../clusters/driver.ts'
import { fitsIn, GB } from '../clusters/sizes.ts'
import type { Context } from '../context.ts'
import { soldCapacity } from './repository.ts'

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

export type Capacity = Size & { gpus: number }

/** What a cluster can sell. GPUs are known from its tests, for which only orders of GPUs wait. @throws ClusterError */
export async function capacityOf(cluster: Cluster, orders: readonly Ordered[]): Promise<Capacity> {
  const capacity = await capacityWithTimeout(cluster)
  if (!orders.some(({ gpus }) => gpus)) return { ...capacity, gpus: 0 }
  const probe = await probeWithTimeout(cluster)
  if (probe?.state !== 'ready') throw new ClusterError('absent', 'The cluster is still being tested.')
  return { ...capacity, gpus: probe.gpus?.all ?? 0 }
}

export const hasRoom = async (
  context: Pick<Context, 'config'>,
  db: Db,
  { regions }: Cluster,
  capacity: Capacity,
  order: Ordered & { workspaceId?: string },
): Promise<boolean> => fits(context, await soldCapacity(db, regions, order.workspaceId), capacity, order)

export function fits({ config }: Pick<Context, 'config'>, sold: Ordered, capacity: Capacity, order: Ordered): boolean {
  const { overcommit } = config.clusters
  const { gpus = 0 } = order
  if (gpus > 0 && (sold.gpus ?? 0) + gpus > capacity.gpus) return false
  return fitsIn(
    { cpu: sold.cpu + order.cpu, memory: (sold.ram + order.ram) * GB, storage: (sold.storage + order.storage) * GB },
    { cpu: capacity.cpu * overcommit, memory: capacity.memory, storage: capacity.storage * overcommit },
  )
}
