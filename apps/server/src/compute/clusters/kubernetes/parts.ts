import { setTimeout as wait } from 'node:timers/promises'
import type { V1Pod, V1StatefulSet } from '@kubernetes/client-node'
import type { Logger } from '@tidenet/daemon'
import { ClusterError, type WorkloadRef, type WorkloadState } from '../driver.ts'
import { type Api, asFailure, ignoreNotFound, mergePatch, openApi } from './api.ts'
import { LABEL, namespaceOf } from './manifests.ts'
import type { Runtime } from './runtimes.ts'
import type { PodSettings } from './settings.ts'
import { stateOf } from './state.ts'

export interface KubernetesOptions extends PodSettings {
  /** A kubeconfig; empty: the cluster that the server runs in, or the user's default kubeconfig. */
  file: string
  /** A context in it; empty: the current one. */
  context: string
  installation: string
  image: string
  /** Empty: the cluster's default. */
  storageClass: string
  /** How many times cores are sold: the CPU request of a pod is its limit divided by this. 1 or more. */
  overcommit: number
  /** Whether programs are sold although tenants reach each other, because the cluster does not enforce network policies. */
  openNetwork: boolean
  log: Logger
}

const WAIT_TIMEOUT_MS = 180_000
const POLL_INTERVAL_MS = 500

export type Parts = ReturnType<typeof openParts>

/** Shared by all methods of the driver: the API, and access to stateful sets and pods. */
export function openParts(options: KubernetesOptions) {
  const { installation } = options
  let opened: Api | undefined
  let runtime = async (): Promise<Runtime> => ({ runtimeClass: options.runtimeClass, kernel: 'shared' })
  const api = (): Api => {
    opened ??= openApi(options.file, options.context)
    return opened
  }
  const namespace = (workspace: string) => namespaceOf(installation, workspace)

  /** The next call opens it again. */
  const closeApi = () => {
    opened = undefined
  }

  async function setsIn(workspace?: string): Promise<V1StatefulSet[]> {
    const labelSelector = `${LABEL.installation}=${installation}`
    const { apps } = api()
    const listed =
      workspace === undefined
        ? apps.listStatefulSetForAllNamespaces({ labelSelector })
        : apps.listNamespacedStatefulSet({ namespace: namespace(workspace), labelSelector })
    return (
      await listed.catch((error) => {
        throw asFailure(error)
      })
    ).items
  }

  async function podsIn(workspace?: string): Promise<V1Pod[]> {
    const labelSelector = `${LABEL.installation}=${installation}`
    const { core } = api()
    const listed =
      workspace === undefined
        ? core.listPodForAllNamespaces({ labelSelector })
        : core.listNamespacedPod({ namespace: namespace(workspace), labelSelector })
    return (
      await listed.catch((error) => {
        throw asFailure(error)
      })
    ).items
  }

  async function listWithPods(workspace?: string): Promise<{ state: WorkloadState; pod: V1Pod | undefined }[]> {
    const [sets, pods] = [await setsIn(workspace), await podsIn(workspace)]
    const byWorkload = new Map(pods.map((pod) => [pod.metadata?.labels?.[LABEL.workload], pod]))
    return sets.map((set) => {
      const pod = byWorkload.get(set.metadata?.name)
      return { state: stateOf(set, pod), pod }
    })
  }

  const list = async (workspace?: string): Promise<WorkloadState[]> =>
    (await listWithPods(workspace)).map(({ state }) => state)

  const find = async ({ workspace, workload }: WorkloadRef): Promise<V1StatefulSet | undefined> =>
    api()
      .apps.readNamespacedStatefulSet({ namespace: namespace(workspace), name: workload })
      .catch(ignoreNotFound)

  /** @throws ClusterError unknown */
  async function requireSet(ref: WorkloadRef): Promise<V1StatefulSet> {
    const set = await find(ref)
    if (!set) throw new ClusterError('unknown', 'There is no such workload.')
    return set
  }

  /** The pod that runs a workload. @throws ClusterError unknown, stopped */
  async function requireRunningPod(ref: WorkloadRef): Promise<{ namespace: string; pod: string; ip?: string }> {
    const set = await requireSet(ref)
    const pod = (await podsIn(ref.workspace)).find(
      ({ metadata }) => metadata?.labels?.[LABEL.workload] === ref.workload,
    )
    if (stateOf(set, pod).state !== 'running') throw new ClusterError('stopped', 'The workload is not running.')
    const ip = pod?.status?.podIP
    return { namespace: namespace(ref.workspace), pod: `${ref.workload}-0`, ...(ip && { ip }) }
  }

  const scale = (ref: WorkloadRef, replicas: number) =>
    api()
      .apps.patchNamespacedStatefulSetScale(
        { namespace: namespace(ref.workspace), name: ref.workload, body: { spec: { replicas } } },
        mergePatch(),
      )
      .catch((error) => {
        throw asFailure(error)
      })

  async function waitUntilNoPod(ref: WorkloadRef): Promise<void> {
    await waitUntil(async () => {
      const pods = await podsIn(ref.workspace)
      return !pods.some(({ metadata }) => metadata?.labels?.[LABEL.workload] === ref.workload)
    })
  }

  return {
    ...{ options, installation, api, closeApi, namespace, podsIn, list, listWithPods },
    /** The runtime class of programs, and whether they have a kernel of their own, as the probe found. @throws ClusterError */
    runtime: () => runtime(),
    setRuntime: (of: typeof runtime) => {
      runtime = of
    },
    ...{ find, requireSet, requireRunningPod, scale, waitUntilNoPod },
  }
}

export async function waitUntil(is: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WAIT_TIMEOUT_MS; !(await is()); await wait(POLL_INTERVAL_MS))
    if (Date.now() > end) throw new ClusterError('failed', 'The cluster did not finish in time.')
}
