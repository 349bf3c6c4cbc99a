import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { createServer } from 'node:net'
import { StartError } from '@tidenet/daemon'

/**
 * Ensures that only one node uses a folder: a second one would delete what the first is receiving. The lock is an abstract socket name, so
 * it ends with the process. Only Linux has them; elsewhere nothing is locked.
 * @returns a function that releases the lock
 * @throws StartError if another node holds it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  if (process.platform !== 'linux') return async () => {}
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
  const lock = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    lock.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new StartError(`Another node works in ${folder}.`) : error),
    )
    lock.listen(`\0tidenet-node-${name}`, resolve)
  })
  lock.unref()
  return () => new Promise((resolve) => lock.close(() => resolve()))
}
