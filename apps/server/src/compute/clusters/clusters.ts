import { join } from 'node:path'
import { CLUSTERS, type ClusterName } from '@tidenet/contract'
import type { Context } from '../../storage/context.ts'
import type { ComputeConfig } from '../config.ts'
import { bounded, within } from './bounded.ts'
import { type ClusterDriver, ClusterError, type GpuNode, type Probe } from './driver.ts'

/** Runs the workspaces of regions. Regions with the same setting share one cluster and its capacity. */
export interface Cluster {
  driver: ClusterDriver
  regions: readonly ClusterName[]
  /** Clusters with the same name run on the same machine. */
  machine?: string
}

export interface Clusters {
  /** The cluster of a region; undefined if none is configured. */
  of(region: ClusterName): Cluster | undefined
  all(): readonly Cluster[]
  /** The other regions on the same machine. */
  sharedWith(region: ClusterName): ClusterName[]
  close(): Promise<void>
}

type Deps = Pick<Context, 'keys' | 'log'> & { config: Context['config'] & ComputeConfig }

/** Engines are not searched for before they are needed, so a server that sells no containers leaves them alone. */
export function openClusters({ config, keys, log }: Deps): Clusters {
  const { clusters } = config
  const settings = [...new Set(Object.values(clusters.regions))].filter((setting) => setting !== 'none')
  const opened = settings.map((setting): Cluster => {
    const regions = CLUSTERS.filter((name) => clusters.regions[name] === setting)
    return { regions, machine: machineOf(setting), driver: bounded(driverOf(setting, { config, keys, log })) }
  })
  return clustersOf(opened)
}

/** Clusters with existing drivers. */
export function clustersOf(opened: readonly Cluster[]): Clusters {
  return {
    of: (region) => opened.find(({ regions }) => regions.includes(region)),
    all: () => opened,
    sharedWith(region) {
      const own = opened.find(({ regions }) => regions.includes(region))
      const same = opened.filter((each) => each === own || (own?.machine !== undefined && each.machine === own.machine))
      return same.flatMap(({ regions }) => regions.filter((name) => name !== region))
    },
    async close() {
      await Promise.all(opened.map(({ driver }) => driver.close()))
    },
  }
}

/** Engines without an address of another host are on this machine. A Kubernetes is named by its setting, so two contexts of one are not recognized. */
export function machineOf(setting: string): string {
  if (!setting.startsWith('engine')) return setting
  const [, host = ''] = /^engine:tcp:\/\/(\[[^\]]*\]|[^:/]*)/.exec(setting) ?? []
  return /^(|localhost|127\..*|\[::1\])$/.test(host) ? 'this machine' : host
}

function driverOf(setting: string, { config, keys, log }: Deps): ClusterDriver {
  const { image, imageTar, publish, runtime, megabits, storageClass, overcommit, openNetwork, pods } = config.clusters
  const { installation } = keys
  const [kind = '', where = ''] = [setting.split(':', 1)[0], setting.split(':').slice(1).join(':')]
  if (kind === 'engine')
    return lazyDriver(kind, async () => {
      const { createEngineDriver } = await import('./engine/engine.ts')
      return createEngineDriver({
        setting: where,
        data: join(config.data, 'clusters'),
        installation,
        image,
        imageTar,
        publish,
        runtime,
        megabits,
        // The server that brings workloads to their state also stops them.
        stopsAtEnd: config.environment === 'development' && config.roles.includes('jobs'),
        log,
      })
    })
  const [file = '', context = ''] = where.split('#')
  return lazyDriver('kubernetes', async () => {
    const { createKubernetesDriver } = await import('./kubernetes/kubernetes.ts')
    return createKubernetesDriver({
      ...{ file, context, installation, image, storageClass, overcommit, openNetwork, log },
      ...pods,
    })
  })
}

/** Cluster clients are large modules, so each is loaded at its first use. */
function lazyDriver(kind: ClusterDriver['kind'], load: () => Promise<ClusterDriver>): ClusterDriver {
  let loaded: Promise<ClusterDriver> | undefined
  const driver = () => {
    loaded ??= load()
    return loaded
  }
  const all = {
    kind,
    checksHealth: kind === 'kubernetes',
    keepsLogins: kind === 'kubernetes',
    probe: async (again) => (await driver()).probe(again),
    capacity: async () => (await driver()).capacity(),
    gpuNodes: async () => (await (await driver()).gpuNodes?.()) ?? [],
    createWorkspace: async (workspace) => (await driver()).createWorkspace(workspace),
    suspendWorkspace: async (id) => (await driver()).suspendWorkspace(id),
    removeWorkspace: async (id) => (await driver()).removeWorkspace(id),
    listWorkspaces: async () => (await driver()).listWorkspaces(),
    deploy: async (workspace, workload) => (await driver()).deploy(workspace, workload),
    resize: async (workspace, workload) => (await driver()).resize(workspace, workload),
    stop: async (ref) => (await driver()).stop(ref),
    remove: async (ref) => (await driver()).remove(ref),
    list: async (workspace) => (await driver()).list(workspace),
    ended: async () => (await (await driver()).ended?.()) ?? [],
    addressOf: async (ref, port) => (await driver()).addressOf(ref, port),
    leadToIngress: async (domain) => (await driver()).leadToIngress?.(domain),
    exec: async (ref, options) => (await driver()).exec(ref, options),
    logs: async (ref, options) => (await driver()).logs(ref, options),
    usage: async (ref) => (await driver()).usage(ref),
    measure: async (workspaces) => (await driver()).measure(workspaces),
    copyIn: async (ref, archive) => (await driver()).copyIn(ref, archive),
    async transfer(ref, task, options) {
      const { transfer } = await driver()
      if (!transfer) throw new ClusterError('failed', 'The cluster cannot copy files.')
      return transfer(ref, task, options)
    },
    close: async () => (await loaded)?.close(),
    // Optional functions, too: what is forgotten here does not exist for the product.
  } satisfies Required<ClusterDriver>
  // What a kind does not have says so before its client is loaded. Kubernetes restarts programs by itself.
  const { ended, transfer, gpuNodes, ...shared } = all
  return kind === 'engine' ? { ...shared, ended, transfer } : { ...shared, gpuNodes }
}

/** The cluster of a region. @throws ClusterError absent */
export function requireCluster(clusters: Clusters, region: ClusterName): Cluster {
  const cluster = clusters.of(region)
  if (!cluster) throw new ClusterError('absent', 'This portal has no such cluster.')
  return cluster
}

/** Callers do not wait longer for a cluster that is being tested, or that hangs. */
const PROBE_TIMEOUT_MS = 3000

/** The capacity of a cluster. A cluster that hangs must not delay what others do. @throws ClusterError absent */
export const capacityWithTimeout = ({ driver }: Cluster): ReturnType<ClusterDriver['capacity']> =>
  within(PROBE_TIMEOUT_MS, driver.capacity())

/** The cluster's nodes with GPUs; none if it sells none. @throws ClusterError absent if it takes too long */
export const gpuNodesWithTimeout = async ({ driver }: Cluster): Promise<readonly GpuNode[]> =>
  driver.gpuNodes ? within(PROBE_TIMEOUT_MS, driver.gpuNodes()) : []

/** The result of the cluster's probe; undefined if it takes too long. */
export async function probeWithTimeout({ driver }: Cluster): Promise<Probe | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PROBE_TIMEOUT_MS)
  })
  return Promise.race([driver.probe(), timeout]).finally(() => clearTimeout(timer))
}
