import type { ClusterDriver, WorkloadRef } from '../driver.ts'
import { digestOf, LABEL, networkOf, snapshotOf } from './container.ts'
import { unlessGone } from './failures.ts'
import { bridgeName, forgetBridge } from './firewall.ts'
import { keep, remove, stop } from './lifecycle.ts'
import type { Parts } from './parts.ts'
import type { ReadyEngine } from './probe.ts'

type Methods = Pick<ClusterDriver, 'createWorkspace' | 'suspendWorkspace' | 'removeWorkspace' | 'listWorkspaces'>

export function workspacesOf(parts: Parts): Methods {
  const { installation, ready, list } = parts
  return {
    async createWorkspace({ id }) {
      await parts.network(await ready(), id)
    },

    async suspendWorkspace(id) {
      const engine = await ready()
      for (const { workload } of await list(id)) {
        await stop(parts, engine, workload)
        await keep(parts, engine, workload)
        await engine.disks.release({ workspace: id, workload })
      }
      await forgetBridge(bridgeName(digestOf(installation, id)))
    },

    async removeWorkspace(id) {
      const engine = await ready()
      const kept = (await snapshots(parts, engine)).filter(({ workspace }) => workspace === id)
      for (const { workload } of [...(await list(id)), ...kept])
        await remove(parts, engine, { workspace: id, workload })
      await engine.disks.removeAll(id)
      await engine.docker.getNetwork(networkOf(installation, id)).remove().catch(unlessGone)
      await forgetBridge(bridgeName(digestOf(installation, id)))
    },

    async listWorkspaces() {
      const engine = await ready()
      const filters = { label: [`${LABEL.installation}=${installation}`] }
      const [containers, networks, kept] = await Promise.all([
        parts.containersOf(engine, []),
        engine.docker.listNetworks({ filters }),
        snapshots(parts, engine),
      ])
      const ids = [...containers, ...networks].map(({ Labels }) => Labels?.[LABEL.workspace] ?? '')
      return [...new Set([...ids, ...kept.map(({ workspace }) => workspace), ...engine.disks.workspaces()])].filter(
        (id) => id !== '' && !id.startsWith('test-'),
      )
    },
  }
}

/** Of what is suspended nothing is left but its snapshots and disks. */
async function snapshots({ installation }: Parts, { docker }: ReadyEngine): Promise<WorkloadRef[]> {
  const { repo } = snapshotOf(installation, '')
  const images = await docker.listImages()
  return images
    .filter(({ RepoTags }) => RepoTags?.some((tag) => tag.startsWith(`${repo}:`)))
    .map(({ Labels }) => ({ workspace: Labels?.[LABEL.workspace] ?? '', workload: Labels?.[LABEL.workload] ?? '' }))
}
