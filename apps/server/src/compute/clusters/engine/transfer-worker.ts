import { statfs } from 'node:fs/promises'
import { createStorage } from '@tidenet/storage'
import { syncFolder } from '../files/sync-folder.ts'
import { openDisk } from './program-disk.ts'
import type { FromWorker, ToWorker } from './transfer.ts'

/** The program that copies files, see `transfer.ts`. */

const send = (message: FromWorker) => process.send?.(message)

/** While bytes move, the server waits. */
const ALIVE_MS = 30_000

// The server ended: it starts the task again.
process.once('disconnect', () => process.exit(1))

process.once('message', ({ task, access, spool }: ToWorker) => {
  let told = Date.now()
  syncFolder(task, {
    storage: createStorage({ url: task.portal, token: task.key, lang: 'en' }),
    disk: openDisk(access),
    spool,
    async freeBytes() {
      const { bavail, bsize } = await statfs(spool)
      return bavail * bsize
    },
    onBytes() {
      if (Date.now() - told < ALIVE_MS) return
      told = Date.now()
      send({ alive: true })
    },
    plan: (copying) =>
      new Promise((resolve) => {
        process.once('message', () => resolve())
        send({ plan: copying })
      }),
  }).then(
    (result) => send({ result }),
    (error: unknown) => {
      process.stderr.write(String((error as Error).stack ?? error))
      process.exit(1)
    },
  )
})
