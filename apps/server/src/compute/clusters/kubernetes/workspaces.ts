import { type ClusterDriver, ClusterError } from '../driver.ts'
import { codeOf, ensure, unlessGone } from './api.ts'
import * as manifests from './manifests.ts'
import { type Parts, until } from './parts.ts'

const { LABEL } = manifests
type Methods = Pick<ClusterDriver, 'createWorkspace' | 'suspendWorkspace' | 'removeWorkspace' | 'listWorkspaces'>

export function workspacesOf({ installation, api, space, list, scale, untilNoPod }: Parts): Methods {
  return {
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
  }
}
