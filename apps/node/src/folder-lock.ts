import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { createServer } from 'node:net'
import { StartError } from '@tidenet/daemon'

/**
 * Makes sure that one node alone works in a folder: a second one would clean away what the first is receiving.
 * The lock is a name in the kernel, so it ends with the process however that ends. Only Linux has such names; elsewhere nothing is locked.
 * @returns how to let go
 * @throws StartError when another node holds it
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
