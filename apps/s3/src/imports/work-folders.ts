import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names the machine too, because containers can share a temporary folder, and their process ids repeat. */
const PREFIX = `tidenet-import-${hostname().replace(/[^\w.-]/g, '_')}-`

/** A new folder for an import of this process. */
export const makeWorkFolder = (parent = tmpdir()): Promise<string> => mkdtemp(join(parent, `${PREFIX}${process.pid}-`))

/** Deletes what processes of this machine left that were killed. To be called before the first import. */
export async function removeLeftFolders(parent = tmpdir()): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(PREFIX) ? Number(/^(\d+)-/.exec(name.slice(PREFIX.length))?.[1]) : 0
    if (pid > 0 && (pid === process.pid || !isAlive(pid)))
      await rm(join(parent, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
