import { type ClusterDriver, ClusterError } from '../driver.ts'
import { codeOf, ensure, ignoreNotFound } from './api.ts'
import * as manifests from './manifests.ts'
import { type Parts, waitUntil } from './parts.ts'

const { LABEL } = manifests
type Methods = Pick<ClusterDriver, 'createWorkspace' | 'suspendWorkspace' | 'removeWorkspace' | 'listWorkspaces'>

export function workspaceMethods({ installation, api, namespace, list, scale, waitUntilNoPod }: Parts): Methods {
  return {
    async createWorkspace(workspace) {
      const { core, rbac, network } = api()
      const name = namespace(workspace.id)
      const body = manifests.namespace(installation, workspace)
      await ensure(
        () => core.createNamespace({ body }),
        async () => {
          const present = await core.readNamespace({ name })
          if (present.metadata?.deletionTimestamp)
            throw new ClusterError('failed', 'The workspace is still being removed.')
        },
      )
      const target = { namespace: name }
      // The network policy first: nothing may run before it is isolated.
      await ensure(
        () => network.createNamespacedNetworkPolicy({ ...target, body: manifests.networkPolicy() }),
        () => network.replaceNamespacedNetworkPolicy({ ...target, name: 'apart', body: manifests.networkPolicy() }),
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
        .filter((id) => id !== '')
    },
  }
}
