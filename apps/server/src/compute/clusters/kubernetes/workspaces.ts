import { type ClusterDriver, ClusterError, type WorkloadRef } from '../driver.ts'
import { asFailure, codeOf, ensure, ignoreNotFound, mergePatch } from './api.ts'
import { dropLogin } from './logins.ts'
import * as manifests from './manifests.ts'
import { type Parts, waitUntil } from './parts.ts'
import * as pods from './pods.ts'

const { LABEL } = manifests
type Methods = Pick<ClusterDriver, 'createWorkspace' | 'suspendWorkspace' | 'removeWorkspace' | 'listWorkspaces'>

export function workspaceMethods(parts: Parts): Methods {
  const { installation, options, api, namespace, list, scale, waitUntilNoPod } = parts
  return {
    async createWorkspace(workspace) {
      const { core, rbac, network } = api()
      const name = namespace(workspace.id)
      const body = manifests.namespace(installation, workspace, options.podSecurity)
      const policy = manifests.networkPolicy(options.ingressNamespace, workspace)
      await ensure(
        () => core.createNamespace({ body }),
        async () => {
          const present = await core.readNamespace({ name })
          if (present.metadata?.deletionTimestamp)
            throw new ClusterError('failed', 'The workspace is still being removed.')
          // Its labels may be from before a change of the settings.
          await core.patchNamespace({ name, body: { metadata: { labels: body.metadata?.labels ?? {} } } }, mergePatch())
        },
      )
      const target = { namespace: name }
      // The network policy first: nothing may run before it is isolated.
      await ensure(
        () => network.createNamespacedNetworkPolicy({ ...target, body: policy }),
        () => network.replaceNamespacedNetworkPolicy({ ...target, name: 'apart', body: policy }),
      )
      await ensure(
        () => core.createNamespacedResourceQuota({ ...target, body: manifests.quota(workspace) }),
        () => core.replaceNamespacedResourceQuota({ ...target, name: 'order', body: manifests.quota(workspace) }),
      )
      await ensure(
        () => core.createNamespacedLimitRange({ ...target, body: manifests.limitRange(workspace) }),
        () => core.replaceNamespacedLimitRange({ ...target, name: 'order', body: manifests.limitRange(workspace) }),
      )
      for (const account of [manifests.account(), manifests.tenant()])
        await ensure(
          () => core.createNamespacedServiceAccount({ ...target, body: account }),
          async () => {},
        )
      await ensure(
        () => rbac.createNamespacedRole({ ...target, body: manifests.role() }),
        () => rbac.replaceNamespacedRole({ ...target, name: 'workspace', body: manifests.role() }),
      )
      await ensure(
        () => rbac.createNamespacedRoleBinding({ ...target, body: manifests.roleBinding(name) }),
        async () => {},
      )
    },

    async suspendWorkspace(id) {
      for (const { workload } of await list(id)) {
        await scale({ workspace: id, workload }, 0)
        await waitUntilNoPod({ workspace: id, workload })
        await dropLogin(parts, { workspace: id, workload })
        await snapshot(parts, { workspace: id, workload })
      }
    },

    async removeWorkspace(id) {
      const { core } = api()
      const name = namespace(id)
      await core.deleteNamespace({ name }).catch((error: unknown) => {
        // 409: the namespace is already being removed.
        if (codeOf(error) !== 409) ignoreNotFound(error)
      })
      await waitUntil(async () => (await core.readNamespace({ name }).catch(ignoreNotFound)) === undefined)
    },

    async listWorkspaces() {
      const { items } = await api().core.listNamespace({ labelSelector: `${LABEL.installation}=${installation}` })
      return items
        .filter(({ metadata }) => !metadata?.deletionTimestamp)
        .map(({ metadata }) => metadata?.labels?.[LABEL.workspace] ?? '')
        .filter((id) => id !== '' && !id.startsWith('probe-'))
    },
  }
}

/** Takes a snapshot of the disk of a stopped workload, unless there is one since it last ran. */
async function snapshot({ api, namespace, find, options }: Parts, ref: WorkloadRef): Promise<void> {
  if (options.snapshotClass === '') return
  const set = await find(ref)
  const name = set?.metadata?.annotations?.[SNAPSHOT]
  if (!set || name === String(set.metadata?.generation)) return
  await api()
    .custom.createNamespacedCustomObject({
      ...SNAPSHOTS,
      namespace: namespace(ref.workspace),
      body: pods.snapshot(ref.workload, options.snapshotClass, new Date()),
    })
    .catch((error: unknown) => {
      if (codeOf(error) !== 409) throw asFailure(error)
    })
  // Generations count changes of the spec, and every start is one.
  await api()
    .apps.patchNamespacedStatefulSet(
      {
        namespace: namespace(ref.workspace),
        name: ref.workload,
        body: { metadata: { annotations: { [SNAPSHOT]: String(set.metadata?.generation) } } },
      },
      mergePatch(),
    )
    .catch(ignoreNotFound)
}

/** Annotation with the generation of the stateful set that was stopped at its last snapshot. */
const SNAPSHOT = 'tidenet.io/snapshot'
const SNAPSHOTS = { group: 'snapshot.storage.k8s.io', version: 'v1', plural: 'volumesnapshots' }
