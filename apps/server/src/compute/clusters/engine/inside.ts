import type Docker from 'dockerode'
import { type ClusterDriver, ClusterError, type WorkloadRef } from '../driver.ts'
import { LABEL, networkOf } from './container.ts'
import { execute } from './exec.ts'
import { failWith, withSourceErrors } from './failures.ts'
import { isMoved, upperOf } from './layers.ts'
import type { Parts } from './parts.ts'
import type { ReadyEngine } from './probe.ts'
import { readLog, readStats } from './stats.ts'

type Methods = Pick<ClusterDriver, 'addressOf' | 'exec' | 'logs' | 'usage' | 'copyIn'>

/** Operations inside of an existing workload. */
export function insideMethods(parts: Parts): Methods {
  const { container, existing } = parts
  return {
    async addressOf(ref, port) {
      const { info } = await existing(ref)
      if (!info.State.Running) throw new ClusterError('stopped', 'The workload is not running.')
      // Engines have networks only on this machine, as root, see `networks` of a ready engine.
      const host = info.NetworkSettings.Networks[networkOf(parts.installation, ref.workspace)]?.IPAddress
      if (!host) throw new ClusterError('unknown', 'The workload has no network.')
      return { host, port }
    },

    async exec(ref, options) {
      const { engine, info } = await existing(ref)
      if (!info.State.Running) throw new ClusterError('stopped', 'The workload is not running.')
      return execute(container(engine, ref), options)
    },

    async logs(ref, { lines }) {
      const { engine } = await existing(ref)
      return readLog(container(engine, ref), lines)
    },

    async usage(ref) {
      const { engine, info } = await existing(ref)
      const handle = container(engine, ref)
      const [sized] = await containersSized(parts, engine, ref)
      const changed = sized?.SizeRw ?? 0
      const storage = (isOnDisk(info) ? 0 : changed) + (await engine.disks.used(ref))
      if (!info.State.Running) return { cpuSeconds: 0, memory: 0, storage, received: 0, sent: 0 }
      // Reloading the machine's firewall removes our rules, so they are restored here, at every measurement.
      if (engine.networks) await parts.isolateWorkspaces(engine, [ref.workspace])
      return { ...(await readStats(handle)), storage }
    },

    async copyIn(ref, archive) {
      const { engine } = await existing(ref)
      const put = container(engine, ref).putArchive(archive, { path: '/' })
      await withSourceErrors(archive, put).catch(failWith('The files could not be copied'))
    },
  }
}

const containersSized = ({ installation }: Parts, { docker }: ReadyEngine, { workload }: WorkloadRef) =>
  docker.listContainers({
    all: true,
    size: true,
    filters: { label: [`${LABEL.installation}=${installation}`, `${LABEL.workload}=${workload}`] },
  } as Docker.ContainerListOptions) as Promise<(Docker.ContainerInfo & { SizeRw?: number })[]>

/** Whether the container's writable layer is on the workload's disk. */
function isOnDisk(info: Docker.ContainerInspectInfo): boolean {
  const upper = upperOf(info)
  return upper !== undefined && isMoved(upper)
}
