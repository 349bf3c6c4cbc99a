import type Docker from 'dockerode'
import {
  type ClusterDriver,
  ClusterError,
  DISK_SHRINKS,
  type Size,
  specHashOf,
  WORKSPACE_FULL,
  type WorkloadSpec,
  type WorkspaceSpec,
} from '../driver.ts'
import { fitsBeside } from '../sizes.ts'
import { obtainImage, removeArchives } from './archive-images.ts'
import { containerOf, LABEL, stateOf } from './container.ts'
import { failToStart, ignoreNotFound } from './failures.ts'
import { remove, removeWithSnapshot, snapshotAndRemove, start, stop } from './lifecycle.ts'
import type { Parts } from './parts.ts'

type Methods = Pick<ClusterDriver, 'deploy' | 'resize' | 'stop' | 'remove'>

export function workloadMethods(parts: Parts): Methods {
  const { ready, list, container, inspect, existing } = parts

  async function deploy(workspace: WorkspaceSpec, spec: WorkloadSpec): Promise<void> {
    const engine = await ready()
    const ref = { workspace: workspace.id, workload: spec.id }
    if (!(await inspect(engine, ref))) {
      if (!fitsBeside(workspace.size, await list(workspace.id), spec)) throw new ClusterError('full', WORKSPACE_FULL)
      const options = containerOf(spec, await parts.prepareContainer(engine, workspace, spec))
      await engine.docker.createContainer(options).catch(failToStart('The container could not be created', 409))
      await removeArchives(engine.docker, parts.installation, spec.id, spec)
    }
    await start(parts, engine, spec.id, spec.beforeStart)
  }

  return {
    deploy,

    async resize(workspace, spec) {
      const ref = { workspace: workspace.id, workload: spec.id }
      const engine = await ready()
      const info = await inspect(engine, ref)
      if (info) {
        const others = (await list(workspace.id)).filter(({ workload }) => workload !== spec.id)
        if (!fitsBeside(workspace.size, others, spec)) throw new ClusterError('full', WORKSPACE_FULL)
        const { size, specHash } = stateOf(info)
        if (spec.size.storage < size.storage) throw new ClusterError('full', DISK_SHRINKS)
        const isSame = specHash === specHashOf(spec)
        if (isSame && spec.size.storage === size.storage && (await updated(container(engine, ref), spec.size))) return
        // Old containers have no image label. They are treated as containers of another image, unless the default image is requested.
        const before = info.Config.Labels[LABEL.image] ?? (spec.image === undefined ? '' : undefined)
        const isOther = before !== (spec.image ?? '')
        // Pulled first: if that fails, the old container keeps running.
        if (isOther && spec.image !== undefined) await obtainImage(engine.docker, parts.installation, spec)
        await stop(parts, engine, spec.id)
        if (!isOther) await snapshotAndRemove(parts, engine, spec.id)
        else await removeWithSnapshot(parts, engine, spec.id)
      }
      await deploy(workspace, spec)
    },

    async stop(ref) {
      const { engine } = await existing(ref)
      await stop(parts, engine, ref.workload)
    },

    async remove(ref) {
      const engine = await ready()
      const info = await container(engine, ref).inspect().catch(ignoreNotFound)
      if (info && info.Config.Labels[LABEL.workspace] !== ref.workspace) return
      await remove(parts, engine, ref)
    },
  }
}

/** Whether the engine could change the limits of the running container; not every engine can. */
async function updated(handle: Docker.Container, { cpu, memory }: Size): Promise<boolean> {
  try {
    await handle.update({ NanoCpus: Math.round(cpu * 1e9), Memory: memory, MemorySwap: memory })
    const { HostConfig } = await handle.inspect()
    return HostConfig.NanoCpus === Math.round(cpu * 1e9) && HostConfig.Memory === memory
  } catch {
    return false
  }
}
