import { setTimeout as wait } from 'node:timers/promises'
import type { V1Pod, V1StatefulSet } from '@kubernetes/client-node'
import type { Logger } from '@tidenet/daemon'
import { ClusterError, type WorkloadRef, type WorkloadState } from '../driver.ts'
import { type Api, asFailure, merging, openApi, unlessGone } from './api.ts'
import { LABEL, namespaceOf } from './manifests.ts'
import { stateOf } from './state.ts'

export interface KubernetesOptions {
  /** A kubeconfig; empty: the cluster that this program runs in, or the user's usual file. */
  file: string
  /** A context in it; empty: the current one. */
  context: string
  installation: string
  image: string
  /** Empty: the cluster's usual one. */
  storageClass: string
  /** How many times cores are promised: a program asks the scheduler for that part of what it may use. 1 or more. */
  overcommit: number
  log: Logger
}

const GONE_WITHIN = 180_000
const LOOK_AGAIN = 500

export type Parts = ReturnType<typeof openParts>

/** What all methods of the driver go by: the API, and how stateful sets and pods are named and looked up. */
export function openParts(options: KubernetesOptions) {
  const { installation } = options
  let opened: Api | undefined
  const api = (): Api => {
    opened ??= openApi(options.file, options.context)
    return opened
  }
  const space = (workspace: string) => namespaceOf(installation, workspace)

  /** The next call opens it anew. */
  const closeApi = () => {
    opened = undefined
  }

  async function setsIn(workspace?: string): Promise<V1StatefulSet[]> {
    const labelSelector = `${LABEL.installation}=${installation}`
    const { apps } = api()
    const listed =
      workspace === undefined
        ? apps.listStatefulSetForAllNamespaces({ labelSelector })
        : apps.listNamespacedStatefulSet({ namespace: space(workspace), labelSelector })
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
        : core.listNamespacedPod({ namespace: space(workspace), labelSelector })
    return (
      await listed.catch((error) => {
        throw asFailure(error)
      })
    ).items
  }

  async function list(workspace?: string): Promise<WorkloadState[]> {
    const [sets, pods] = [await setsIn(workspace), await podsIn(workspace)]
    return sets.map((set) =>
      stateOf(
        set,
        pods.find((pod) => pod.metadata?.labels?.[LABEL.workload] === set.metadata?.name),
      ),
    )
  }

  const find = async ({ workspace, workload }: WorkloadRef): Promise<V1StatefulSet | undefined> =>
    api()
      .apps.readNamespacedStatefulSet({ namespace: space(workspace), name: workload })
      .catch(unlessGone)

  async function demand(ref: WorkloadRef): Promise<V1StatefulSet> {
    const set = await find(ref)
    if (!set) throw new ClusterError('unknown', 'There is no such workload.')
    return set
  }

  /** The pod that runs a workload. @throws ClusterError unknown, stopped */
  async function running(ref: WorkloadRef): Promise<{ namespace: string; pod: string }> {
    const set = await demand(ref)
    const pod = (await podsIn(ref.workspace)).find(
      ({ metadata }) => metadata?.labels?.[LABEL.workload] === ref.workload,
    )
    if (stateOf(set, pod).state !== 'running') throw new ClusterError('stopped', 'It does not run.')
    return { namespace: space(ref.workspace), pod: `${ref.workload}-0` }
  }

  const scale = (ref: WorkloadRef, replicas: number) =>
    api()
      .apps.patchNamespacedStatefulSetScale(
        { namespace: space(ref.workspace), name: ref.workload, body: { spec: { replicas } } },
        merging(),
      )
      .catch((error) => {
        throw asFailure(error)
      })

  async function untilNoPod(ref: WorkloadRef): Promise<void> {
    await until(async () => {
      const pods = await podsIn(ref.workspace)
      return !pods.some(({ metadata }) => metadata?.labels?.[LABEL.workload] === ref.workload)
    })
  }

  return { options, installation, api, closeApi, space, setsIn, podsIn, list, find, demand, running, scale, untilNoPod }
}

export async function until(is: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + GONE_WITHIN; !(await is()); await wait(LOOK_AGAIN))
    if (Date.now() > end) throw new ClusterError('failed', 'It was not done in time.')
}
