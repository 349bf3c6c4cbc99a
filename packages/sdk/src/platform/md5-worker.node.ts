import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

/** Computes the MD5 of a file in its own thread. */
const { path, size } = workerData as { path: string; size: number }
const hash = createHash('md5')
const buffer = Buffer.allocUnsafeSlow(1 << 20)
const file = openSync(path, 'r')
let at = 0
for (;;) {
  const read = readSync(file, buffer, 0, Math.min(buffer.length, size - at), at)
  if (read === 0) break
  hash.update(buffer.subarray(0, read))
  at += read
  parentPort?.postMessage({ hashed: at })
}
closeSync(file)
parentPort?.postMessage({ md5: at === size ? hash.digest('hex') : '' })
