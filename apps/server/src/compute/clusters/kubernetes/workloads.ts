import {
  type ClusterDriver,
  ClusterError,
  DISK_SHRINKS,
  WORKSPACE_FULL,
  type WorkloadRef,
  type WorkloadSpec,
  type WorkspaceSpec,
} from '../driver.ts'
import { fitsBeside } from '../sizes.ts'
import { ensure, ignoreNotFound, mergePatch, messageOf } from './api.ts'
import { dropLogin, keepLogin, usesLogin } from './logins.ts'
import * as manifests from './manifests.ts'
import { type Parts, waitUntil } from './parts.ts'
import * as pods from './pods.ts'
import { besideGpus } from './settings.ts'

type Methods = Pick<ClusterDriver, 'deploy' | 'resize' | 'stop' | 'remove'>

export function workloadMethods(parts: Parts): Methods {
  const { options, api, namespace, list, find, requireSet, scale, waitUntilNoPod } = parts

  async function deploy(workspace: WorkspaceSpec, spec: WorkloadSpec): Promise<void> {
    if (spec.archive) throw new ClusterError('archive', 'This cluster cannot load image archives.')
    const ref = { workspace: workspace.id, workload: spec.id }
    const { apps, core } = api()
    const target = { namespace: namespace(workspace.id) }
    const present = await find(ref)
    if (present) {
      await keepLogin(parts, ref, spec)
      const state = (await list(workspace.id)).find(({ workload }) => workload === spec.id)
      if (!spec.login || usesLogin(present) || state?.state === 'running') {
        await scale(ref, 1)
        // Otherwise its image would be pulled again only minutes later.
        if (state?.failure) await core.deleteNamespacedPod({ ...target, name: `${spec.id}-0` }).catch(ignoreNotFound)
        return
      }
      // Its image could not be pulled before there was a login.
      await removeSet(ref)
    }
    // Checked here, because quotas reject pods only later, when no caller waits.
    if (!fitsBeside(workspace.size, await list(workspace.id), spec)) throw new ClusterError('full', WORKSPACE_FULL)
    await ensure(
      () => core.createNamespacedService({ ...target, body: pods.service(spec) }),
      async () => {},
    )
    const { kernel, runtimeClass } = await parts.runtime()
    await keepLogin(parts, ref, spec)
    const settings = workspace.gpus ? besideGpus(options) : options
    await ensure(
      () =>
        apps.createNamespacedStatefulSet({
          ...target,
          body: pods.statefulSet({ ...settings, runtimeClass }, workspace.id, spec, kernel),
        }),
      async () => {},
    )
  }

  /** Most fields of a stateful set are immutable, so it is replaced. The next one uses the same disk. */
  async function removeSet(ref: WorkloadRef): Promise<void> {
    await scale(ref, 0)
    await waitUntilNoPod(ref)
    await api()
      .apps.deleteNamespacedStatefulSet({ namespace: namespace(ref.workspace), name: ref.workload })
      .catch(ignoreNotFound)
    await waitUntil(async () => (await find(ref)) === undefined)
  }

  return {
    deploy,

    async resize(workspace, spec) {
      const ref = { workspace: workspace.id, workload: spec.id }
      const set = await find(ref)
      if (set) {
        const others = (await list(workspace.id)).filter(({ workload }) => workload !== spec.id)
        if (!fitsBeside(workspace.size, others, spec)) throw new ClusterError('full', WORKSPACE_FULL)
        const { storage } = pods.sizeOf(set)
        if (spec.size.storage < storage) throw new ClusterError('full', DISK_SHRINKS)
        await enlargeDisk(parts, ref, spec, storage)
        await removeSet(ref)
        // Deleted, because its ports may have changed.
        const service = { namespace: namespace(ref.workspace), name: set.spec?.serviceName ?? spec.name }
        await api().core.deleteNamespacedService(service).catch(ignoreNotFound)
      }
      await deploy(workspace, spec)
    },

    async stop(ref) {
      await requireSet(ref)
      await scale(ref, 0)
      await dropLogin(parts, ref)
    },

    async remove(ref) {
      const { apps, core } = api()
      const target = { namespace: namespace(ref.workspace) }
      const set = await find(ref)
      const { workload } = ref
      if (set?.spec?.serviceName)
        await core.deleteNamespacedService({ ...target, name: set.spec.serviceName }).catch(ignoreNotFound)
      await apps.deleteNamespacedStatefulSet({ ...target, name: workload }).catch(ignoreNotFound)
      if (set) await waitUntilNoPod(ref)
      await dropLogin(parts, ref)
      await core.deleteNamespacedPersistentVolumeClaim({ ...target, name: `disk-${workload}-0` }).catch(ignoreNotFound)
    },
  }
}

async function enlargeDisk(
  { api, namespace, options }: Parts,
  ref: WorkloadRef,
  { size }: WorkloadSpec,
  before: number,
): Promise<void> {
  if (size.storage === before) return
  const { storage } = manifests.quantities(size)
  await api()
    .core.patchNamespacedPersistentVolumeClaim(
      {
        namespace: namespace(ref.workspace),
        name: `disk-${ref.workload}-0`,
        body: { spec: { resources: { requests: { storage } } } },
      },
      mergePatch(),
    )
    .catch((error) => {
      options.log.warn({ err: error }, 'the storage class does not support larger disks')
      throw new ClusterError('failed', `The disk could not be enlarged: ${messageOf(error)}`, { cause: error })
    })
}
