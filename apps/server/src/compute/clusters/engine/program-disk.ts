import Docker from 'dockerode'
import type { ProgramDisk } from '../files/sync-folder.ts'
import { execute } from './exec.ts'
import type { EngineAccess } from './transfer.ts'

/** Connects to the engine that runs the container. */
export function openDisk({ engine, container, byCommand }: EngineAccess): ProgramDisk {
  const handle = new Docker('socketPath' in engine ? engine : { ...engine, protocol: 'http' }).getContainer(container)
  return {
    async read(path) {
      if (!byCommand) return (await handle.getArchive({ path })) as unknown as AsyncIterable<Uint8Array>
      // `--` and the parts of the path are arguments, never a script.
      const at = path.lastIndexOf('/')
      const command = ['tar', '-c', '-f', '-', '-C', path.slice(0, at) || '/', '--', path.slice(at + 1)]
      const { stream, errors } = await execute(handle, { command, tty: false, apart: true })
      errors?.resume()
      return stream
    },
    async write(path, archive) {
      await handle.putArchive(archive, { path })
    },
  }
}
