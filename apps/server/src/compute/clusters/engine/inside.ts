import type Docker from 'dockerode'
import { type ClusterDriver, ClusterError, type WorkloadRef } from '../driver.ts'
import { LABEL } from './container.ts'
import { execute } from './exec.ts'
import { failed, sent } from './failures.ts'
import { isMoved, upperOf } from './layers.ts'
import { lastLines, measured } from './measured.ts'
import type { Parts } from './parts.ts'
import type { ReadyEngine } from './probe.ts'

type Methods = Pick<ClusterDriver, 'exec' | 'logs' | 'usage' | 'copyIn'>

/** What is done within a workload that is there, and seen of it. */
export function insideOf(parts: Parts): Methods {
  const { container, existing } = parts
  return {
    async exec(ref, asked) {
      const { engine, info } = await existing(ref)
      if (!info.State.Running) throw new ClusterError('stopped', 'It does not run.')
      return execute(container(engine, ref), asked)
    },

    async logs(ref, { lines }) {
      const { engine } = await existing(ref)
      return lastLines(container(engine, ref), lines)
    },

    async usage(ref) {
      const { engine, info } = await existing(ref)
      const handle = container(engine, ref)
      const [sized] = await containersSized(parts, engine, ref)
      const changed = sized?.SizeRw ?? 0
      const storage = (isOnDisk(info) ? 0 : changed) + (await engine.disks.used(ref))
      if (!info.State.Running) return { cpuSeconds: 0, memory: 0, storage, received: 0, sent: 0 }
      // Whoever loads the machine's own rules anew throws out ours; this is asked for every now and then.
      if (engine.networks) await parts.closeOff(ref.workspace)
      return { ...(await measured(handle)), storage }
    },

    async copyIn(ref, archive) {
      const { engine } = await existing(ref)
      const put = container(engine, ref).putArchive(archive, { path: '/' })
      await sent(archive, put).catch(failed('The files were not taken'))
    },
  }
}

const containersSized = ({ installation }: Parts, { docker }: ReadyEngine, { workload }: WorkloadRef) =>
  docker.listContainers({
    all: true,
    size: true,
    filters: { label: [`${LABEL.installation}=${installation}`, `${LABEL.workload}=${workload}`] },
  } as Docker.ContainerListOptions) as Promise<(Docker.ContainerInfo & { SizeRw?: number })[]>

/** Whether what it changed in its image is part of what its disk holds. */
function isOnDisk(info: Docker.ContainerInspectInfo): boolean {
  const upper = upperOf(info)
  return upper !== undefined && isMoved(upper)
}
