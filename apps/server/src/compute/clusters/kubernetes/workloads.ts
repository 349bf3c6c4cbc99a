import { type ClusterDriver, ClusterError, type WorkloadRef, type WorkloadSpec, type WorkspaceSpec } from '../driver.ts'
import { fitsBeside } from '../sizes.ts'
import { ensure, merging, messageOf, unlessGone } from './api.ts'
import * as manifests from './manifests.ts'
import { type Parts, until } from './parts.ts'

type Methods = Pick<ClusterDriver, 'deploy' | 'resize' | 'stop' | 'remove'>

export function workloadsOf(parts: Parts): Methods {
  const { options, api, space, list, find, demand, scale, untilNoPod } = parts

  async function deploy(workspace: WorkspaceSpec, spec: WorkloadSpec): Promise<void> {
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
  }

  return {
    deploy,

    async resize(workspace, spec) {
      const ref = { workspace: workspace.id, workload: spec.id }
      const set = await find(ref)
      if (set) {
        const others = (await list(workspace.id)).filter(({ workload }) => workload !== spec.id)
        if (!fitsBeside(workspace.size, others, spec))
          throw new ClusterError('full', 'The workspace has no room for it.')
        const { storage } = manifests.sizeOf(set)
        if (spec.size.storage < storage) throw new ClusterError('full', 'A disk does not shrink.')
        await enlarge(parts, ref, spec, storage)
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
      await deploy(workspace, spec)
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
  }
}

async function enlarge(
  { api, space, options }: Parts,
  ref: WorkloadRef,
  { size }: WorkloadSpec,
  before: number,
): Promise<void> {
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
