import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { V1Pod, V1StatefulSet } from '@kubernetes/client-node'
import type { Logger } from '@tidenet/daemon'
import {
  type ClusterDriver,
  ClusterError,
  type Probe,
  type Size,
  type WorkloadRef,
  type WorkloadSpec,
  type WorkloadState,
} from '../driver.ts'
import { fitsBeside, sum } from '../sizes.ts'
import { type Api, asFailure, codeOf, ensure, merging, messageOf, openApi, unlessGone } from './api.ts'
import { execute } from './exec.ts'
import * as manifests from './manifests.ts'
import { bytesOf, coresOf } from './quantities.ts'
import { stateOf } from './state.ts'
import { UNPACK, unpack } from './unpack.ts'
import { usedBy } from './usage.ts'

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
const { LABEL } = manifests

/** Runs workloads on Kubernetes: a namespace for each workspace, a stateful set for each workload. */
export function createKubernetesDriver(options: KubernetesOptions): ClusterDriver {
  const { installation } = options
  let opened: Api | undefined
  let probing: Promise<Probe> | undefined
  const api = (): Api => {
    opened ??= openApi(options.file, options.context)
    return opened
  }
  const space = (workspace: string) => manifests.namespaceOf(installation, workspace)

  async function look(): Promise<Probe> {
    const what = options.file || 'the usual kubeconfig'
    try {
      const { core, version } = api()
      const { gitVersion } = await version.getCode()
      const { items } = await core.listNode()
      const ready = items.filter(({ status }) =>
        status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
      )
      const facts = {
        engine: `Kubernetes ${gitVersion}`,
        nodes: String(ready.length),
        storage: `metered, by the storage class ${options.storageClass || 'that is usual there'}`,
        network: 'a network policy for each workspace',
      }
      if (ready.length === 0)
        return { state: 'absent', reason: 'no node is ready', facts, tried: [{ what, result: 'no node is ready' }] }
      return { state: 'ready', reason: '', facts, tried: [{ what, result: 'ready' }] }
    } catch (error) {
      const reason = messageOf(error)
      return { state: 'absent', reason, facts: {}, tried: [{ what, result: reason }] }
    }
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

  return {
    kind: 'kubernetes',
    list,

    async probe(again = false) {
      if (again) probing = undefined
      probing ??= look()
      const found = await probing
      // An absent one is looked for again; a present one shows itself when it is asked for something.
      if (found.state !== 'ready') probing = undefined
      return found
    },

    async capacity(): Promise<Size> {
      const { items } = await api()
        .core.listNode()
        .catch((error) => {
          throw asFailure(error)
        })
      return sum(
        items
          .filter(({ spec }) => !spec?.unschedulable)
          .map(({ status }) => ({
            cpu: coresOf(status?.allocatable?.cpu),
            memory: bytesOf(status?.allocatable?.memory),
            // What a storage class can hand out is not said anywhere: its own refusal is waited for.
            storage: Number.MAX_SAFE_INTEGER / 1000,
          })),
      )
    },

    async createWorkspace(workspace) {
      const { core, rbac, network } = api()
      const name = space(workspace.id)
      const body = manifests.namespace(installation, workspace)
      await ensure(
        () => core.createNamespace({ body }),
        async () => {
          const present = await core.readNamespace({ name })
          if (present.metadata?.deletionTimestamp) throw new ClusterError('failed', 'It is still being removed.')
        },
      )
      const put = { namespace: name }
      // The rules first: nothing runs before it is kept apart.
      await ensure(
        () => network.createNamespacedNetworkPolicy({ ...put, body: manifests.networkPolicy() }),
        () => network.replaceNamespacedNetworkPolicy({ ...put, name: 'apart', body: manifests.networkPolicy() }),
      )
      await ensure(
        () => core.createNamespacedResourceQuota({ ...put, body: manifests.quota(workspace) }),
        () => core.replaceNamespacedResourceQuota({ ...put, name: 'order', body: manifests.quota(workspace) }),
      )
      await ensure(
        () => core.createNamespacedLimitRange({ ...put, body: manifests.limitRange(workspace) }),
        () => core.replaceNamespacedLimitRange({ ...put, name: 'order', body: manifests.limitRange(workspace) }),
      )
      for (const account of [manifests.account(), manifests.tenant()])
        await ensure(
          () => core.createNamespacedServiceAccount({ ...put, body: account }),
          async () => {},
        )
      await ensure(
        () => rbac.createNamespacedRole({ ...put, body: manifests.role() }),
        () => rbac.replaceNamespacedRole({ ...put, name: 'workspace', body: manifests.role() }),
      )
      await ensure(
        () => rbac.createNamespacedRoleBinding({ ...put, body: manifests.roleBinding(name) }),
        async () => {},
      )
    },

    async suspendWorkspace(id) {
      for (const { workload } of await list(id)) {
        await scale({ workspace: id, workload }, 0)
        await untilNoPod({ workspace: id, workload })
      }
    },

    async removeWorkspace(id) {
      const { core } = api()
      const name = space(id)
      await core.deleteNamespace({ name }).catch((error: unknown) => {
        // A namespace that is being removed says that it conflicts.
        if (codeOf(error) !== 409) unlessGone(error)
      })
      await until(async () => (await core.readNamespace({ name }).catch(unlessGone)) === undefined)
    },

    async listWorkspaces() {
      const { items } = await api().core.listNamespace({ labelSelector: `${LABEL.installation}=${installation}` })
      return items
        .filter(({ metadata }) => !metadata?.deletionTimestamp)
        .map(({ metadata }) => metadata?.labels?.[LABEL.workspace] ?? '')
        .filter((id) => id !== '')
    },

    async deploy(workspace, spec) {
      const ref = { workspace: workspace.id, workload: spec.id }
      const { apps, core } = api()
      const put = { namespace: space(workspace.id) }
      if (await find(ref)) {
        await scale(ref, 1)
        return
      }
      // Pods that exceed a quota are refused later, where nobody waits: what does not fit is said here.
      if (!fitsBeside(workspace.size, await list(workspace.id), spec))
        throw new ClusterError('full', 'The workspace has no room for it.')
      await ensure(
        () => core.createNamespacedService({ ...put, body: manifests.service(spec) }),
        async () => {},
      )
      await ensure(
        () => apps.createNamespacedStatefulSet({ ...put, body: manifests.statefulSet(options, workspace.id, spec) }),
        async () => {},
      )
    },

    async resize(workspace, spec) {
      const ref = { workspace: workspace.id, workload: spec.id }
      const set = await find(ref)
      if (set) {
        const others = (await list(workspace.id)).filter(({ workload }) => workload !== spec.id)
        if (!fitsBeside(workspace.size, others, spec))
          throw new ClusterError('full', 'The workspace has no room for it.')
        const { storage } = manifests.sizeOf(set)
        if (spec.size.storage < storage) throw new ClusterError('full', 'A disk does not shrink.')
        await enlarge(ref, spec, storage)
        // Most of a stateful set cannot be changed: without its pods it is made anew around the same disk.
        await scale(ref, 0)
        await untilNoPod(ref)
        await api()
          .apps.deleteNamespacedStatefulSet({ namespace: space(ref.workspace), name: ref.workload })
          .catch(unlessGone)
        await until(async () => (await find(ref)) === undefined)
        // It names the ports, which may be others now.
        const service = { namespace: space(ref.workspace), name: set.spec?.serviceName ?? spec.name }
        await api().core.deleteNamespacedService(service).catch(unlessGone)
      }
      await this.deploy(workspace, spec)
    },

    async stop(ref) {
      await demand(ref)
      await scale(ref, 0)
    },

    async remove(ref) {
      const { apps, core } = api()
      const put = { namespace: space(ref.workspace) }
      const set = await find(ref)
      const { workload } = ref
      if (set?.spec?.serviceName)
        await core.deleteNamespacedService({ ...put, name: set.spec.serviceName }).catch(unlessGone)
      await apps.deleteNamespacedStatefulSet({ ...put, name: workload }).catch(unlessGone)
      if (set) await untilNoPod(ref)
      await core.deleteNamespacedPersistentVolumeClaim({ ...put, name: `disk-${workload}-0` }).catch(unlessGone)
    },

    async exec(ref, asked) {
      return execute(api(), await running(ref), asked)
    },

    async logs(ref, { lines }) {
      await demand(ref)
      const asked = {
        namespace: space(ref.workspace),
        name: `${ref.workload}-0`,
        container: manifests.CONTAINER,
        timestamps: true,
        tailLines: lines,
      }
      const read = (previous: boolean) =>
        api()
          .core.readNamespacedPodLog({ ...asked, previous })
          // There was none before, or it does not run yet.
          .catch((error: unknown) =>
            codeOf(error) === 400 || codeOf(error) === 404 ? '' : Promise.reject(asFailure(error)),
          )
      const text = `${await read(true)}${await read(false)}`
      return text
        .split('\n')
        .map((line) => /^(\d{4}-\S+)(?: (.*))?$/.exec(line))
        .filter((match) => match !== null)
        .map(([, at = '', said = '']) => ({ at: new Date(at), text: said }))
        .slice(-lines)
    },

    async usage(ref) {
      const set = await demand(ref)
      const pod = (await podsIn(ref.workspace)).find(
        ({ metadata }) => metadata?.labels?.[LABEL.workload] === ref.workload,
      )
      const none = { cpuSeconds: 0, memory: 0, storage: 0, received: 0, sent: 0 }
      if (!pod?.spec?.nodeName || stateOf(set, pod).state !== 'running') return none
      return usedBy(api(), { node: pod.spec.nodeName, uid: pod.metadata?.uid ?? '' })
    },

    async copyIn(ref, archive: Readable) {
      const run = await execute(api(), await running(ref), { command: UNPACK, tty: false })
      await unpack(run, archive)
    },

    async close() {
      opened = undefined
    },
  }

  async function enlarge(ref: WorkloadRef, { size }: WorkloadSpec, before: number): Promise<void> {
    if (size.storage === before) return
    const { storage } = manifests.quantities(size)
    await api()
      .core.patchNamespacedPersistentVolumeClaim(
        {
          namespace: space(ref.workspace),
          name: `disk-${ref.workload}-0`,
          body: { spec: { resources: { requests: { storage } } } },
        },
        merging(),
      )
      .catch((error) => {
        options.log.warn({ err: error }, 'the storage class does not enlarge disks')
        throw new ClusterError('failed', `The disk could not be enlarged: ${messageOf(error)}`, { cause: error })
      })
  }
}

async function until(is: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + GONE_WITHIN; !(await is()); await wait(LOOK_AGAIN))
    if (Date.now() > end) throw new ClusterError('failed', 'It was not done in time.')
}
