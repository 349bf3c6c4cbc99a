import type Docker from 'dockerode'
import {
  askedOf,
  type ClusterDriver,
  ClusterError,
  type Size,
  type WorkloadSpec,
  type WorkspaceSpec,
} from '../driver.ts'
import { fitsBeside } from '../sizes.ts'
import { containerOf, LABEL, stateOf } from './container.ts'
import { failed, unlessGone } from './failures.ts'
import { pulled } from './images.ts'
import { discard, keep, remove, start, stop } from './lifecycle.ts'
import type { Parts } from './parts.ts'

type Methods = Pick<ClusterDriver, 'deploy' | 'resize' | 'stop' | 'remove'>

export function workloadsOf(parts: Parts): Methods {
  const { ready, list, container, inspect, existing } = parts

  async function deploy(workspace: WorkspaceSpec, spec: WorkloadSpec): Promise<void> {
    const engine = await ready()
    const ref = { workspace: workspace.id, workload: spec.id }
    if (!(await inspect(engine, ref))) {
      if (!fitsBeside(workspace.size, await list(workspace.id), spec))
        throw new ClusterError('full', 'The workspace has no room for it.')
      const asked = containerOf(spec, await parts.place(engine, workspace, spec))
      await engine.docker.createContainer(asked).catch(failed('The workload was not made', 409))
    }
    await start(parts, engine, spec.id)
  }

  return {
    deploy,

    async resize(workspace, spec) {
      const ref = { workspace: workspace.id, workload: spec.id }
      const engine = await ready()
      const info = await inspect(engine, ref)
      if (info) {
        const others = (await list(workspace.id)).filter(({ workload }) => workload !== spec.id)
        if (!fitsBeside(workspace.size, others, spec))
          throw new ClusterError('full', 'The workspace has no room for it.')
        const { size, asked } = stateOf(info)
        if (spec.size.storage < size.storage) throw new ClusterError('full', 'A disk does not shrink.')
        const isSame = asked === askedOf(spec)
        if (isSame && spec.size.storage === size.storage && (await updated(container(engine, ref), spec.size))) return
        // One that was made before its image was written down has one of its own, unless it is the cluster's.
        const before = info.Config.Labels[LABEL.image] ?? (spec.image === undefined ? '' : undefined)
        const isOther = before !== (spec.image ?? '')
        // What cannot be had does not take the place of what runs.
        if (isOther && spec.image !== undefined) await pulled(engine.docker, spec.image)
        await stop(parts, engine, spec.id)
        if (!isOther) await keep(parts, engine, spec.id)
        else await discard(parts, engine, spec.id)
      }
      await deploy(workspace, spec)
    },

    async stop(ref) {
      const { engine } = await existing(ref)
      await stop(parts, engine, ref.workload)
    },

    async remove(ref) {
      const engine = await ready()
      const info = await container(engine, ref).inspect().catch(unlessGone)
      if (info && info.Config.Labels[LABEL.workspace] !== ref.workspace) return
      await remove(parts, engine, ref)
    },
  }
}

/** Whether the limits were changed while it runs; not every engine can. */
async function updated(handle: Docker.Container, { cpu, memory }: Size): Promise<boolean> {
  try {
    await handle.update({ NanoCpus: Math.round(cpu * 1e9), Memory: memory, MemorySwap: memory })
    const { HostConfig } = await handle.inspect()
    return HostConfig.NanoCpus === Math.round(cpu * 1e9) && HostConfig.Memory === memory
  } catch {
    return false
  }
}
