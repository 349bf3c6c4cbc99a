import type { ClusterDriver, WorkloadRef } from '../driver.ts'
import { digestOf, LABEL, networkOf, snapshotOf } from './container.ts'
import { ignoreNotFound } from './failures.ts'
import { bridgeName, removeBridge } from './firewall.ts'
import { remove, snapshotAndRemove, stop } from './lifecycle.ts'
import type { Parts } from './parts.ts'
import type { ReadyEngine } from './probe.ts'

type Methods = Pick<ClusterDriver, 'createWorkspace' | 'suspendWorkspace' | 'removeWorkspace' | 'listWorkspaces'>

export function workspaceMethods(parts: Parts): Methods {
  const { installation, ready, list } = parts
  return {
    async createWorkspace({ id }) {
      await parts.ensureNetwork(await ready(), id)
    },

    async suspendWorkspace(id) {
      const engine = await ready()
      for (const { workload } of await list(id)) {
        await stop(parts, engine, workload)
        await snapshotAndRemove(parts, engine, workload)
        await engine.disks.unmount({ workspace: id, workload })
      }
      await removeBridge(bridgeName(digestOf(installation, id)))
    },

    async removeWorkspace(id) {
      const engine = await ready()
      const suspended = (await listSnapshots(parts, engine)).filter(({ workspace }) => workspace === id)
      for (const { workload } of [...(await list(id)), ...suspended])
        await remove(parts, engine, { workspace: id, workload })
      await engine.disks.removeAll(id)
      await engine.docker.getNetwork(networkOf(installation, id)).remove().catch(ignoreNotFound)
      await removeBridge(bridgeName(digestOf(installation, id)))
    },

    async listWorkspaces() {
      const engine = await ready()
      const filters = { label: [`${LABEL.installation}=${installation}`] }
      const [containers, networks, suspended] = await Promise.all([
        parts.containersOf(engine, []),
        engine.docker.listNetworks({ filters }),
        listSnapshots(parts, engine),
      ])
      const ids = [...containers, ...networks].map(({ Labels }) => Labels?.[LABEL.workspace] ?? '')
      return [
        ...new Set([...ids, ...suspended.map(({ workspace }) => workspace), ...engine.disks.workspaces()]),
      ].filter((id) => id !== '' && !id.startsWith('test-'))
    },
  }
}

/** Suspended workloads have no container, only a snapshot and a disk. */
async function listSnapshots({ installation }: Parts, { docker }: ReadyEngine): Promise<WorkloadRef[]> {
  const { repo } = snapshotOf(installation, '')
  const images = await docker.listImages()
  return images
    .filter(({ RepoTags }) => RepoTags?.some((tag) => tag.startsWith(`${repo}:`)))
    .map(({ Labels }) => ({ workspace: Labels?.[LABEL.workspace] ?? '', workload: Labels?.[LABEL.workload] ?? '' }))
}
