import { type ClusterDriver, ClusterError, withoutUnfinished } from '../driver.ts'
import { UNPACK, unpack } from '../unpack.ts'
import { networkOf, stateOf } from './container.ts'
import { execute } from './exec.ts'
import { failWith, withSourceErrors } from './failures.ts'
import { measure, measureOne } from './measure.ts'
import type { Parts } from './parts.ts'
import { readLog } from './stats.ts'
import { runTransfer, transfersIn } from './transfer.ts'

type Methods = Pick<ClusterDriver, 'addressOf' | 'exec' | 'logs' | 'usage' | 'measure' | 'copyIn' | 'transfer'>

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

    async logs(ref, options) {
      const { engine } = await existing(ref)
      const lines = await readLog(container(engine, ref), options)
      return options.settled ? withoutUnfinished(lines, Date.now()) : lines
    },

    async usage(ref) {
      const { engine } = await existing(ref)
      const found = await measureOne(parts, engine, ref)
      if (!found) throw new ClusterError('unknown', 'There is no such workload.')
      return found
    },

    measure: async (workspaces) => measure(parts, await parts.ready(), { workspaces }),

    async copyIn(ref, archive) {
      const { engine, info } = await existing(ref)
      // Podman looks for the files in the mounts of the first process, and that of a sandbox does not have them.
      if (engine.podman && info.State.Running && stateOf(info).kernel === 'own')
        return unpack(await execute(container(engine, ref), { command: UNPACK, tty: false }), archive)
      const put = container(engine, ref).putArchive(archive, { path: '/' })
      await withSourceErrors(archive, put).catch(failWith('The files could not be copied'))
    },

    async transfer(ref, task, options) {
      const { engine, info } = await existing(ref)
      const { socketPath, host, port } = engine.docker.modem as { socketPath?: string; host?: string; port?: number }
      const access = {
        engine: socketPath ? { socketPath } : { host: host ?? '', port: Number(port) },
        container: info.Id,
        // As above: the files of a sandbox that runs are seen within it only.
        byCommand: engine.podman && info.State.Running && stateOf(info).kernel === 'own',
      }
      return runTransfer(access, task, options, transfersIn(parts.options))
    },
  }
}
