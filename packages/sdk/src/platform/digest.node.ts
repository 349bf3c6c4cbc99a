import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { createFileHasher } from '@tidenet/content'
import type { ByteSource } from '../bytes.ts'
import type { ContentDigest, DigestOptions } from './platform.ts'

/** Below this size a thread costs more than it saves. */
const INLINE_MD5 = 8 << 20

/** Computes the CID of a source as it is sent, and its MD5, in a thread if the file is large. */
export function digest(source: ByteSource, options: DigestOptions): ContentDigest {
  const hasher = createFileHasher()
  const inThread = options.md5 && source.path !== undefined && source.size > INLINE_MD5
  const md5 = options.md5 && !inThread ? createHash('md5') : undefined
  const thread = inThread ? md5Thread(source.path!, source.size) : undefined
  let hashed = 0
  let stopped = false
  let finished: Promise<{ cid: string; md5: string }> | undefined

  const observe = (offset: number, chunk: Uint8Array) => {
    if (offset > hashed || offset + chunk.length <= hashed || finished) return
    add(chunk.subarray(hashed - offset))
  }
  const add = (chunk: Uint8Array) => {
    void hasher.update(chunk)
    md5?.update(chunk)
    hashed += chunk.length
    options.onHashed?.(hashed)
  }
  const finish = async () => {
    for await (const chunk of source.read(hashed, source.size)) {
      if (stopped || options.signal.aborted) throw new Error('hashing was stopped')
      add(chunk)
      // Yield to other work after each megabyte.
      await new Promise(setImmediate)
    }
    const { cid } = await hasher.finish()
    return { cid: cid.toString(), md5: md5?.digest('hex') ?? (await thread?.result) ?? '' }
  }

  return {
    observe,
    finish() {
      finished ??= finish()
      return finished
    },
    stop() {
      stopped = true
      thread?.stop()
    },
  }
}

/** MD5 is optional: if the thread fails or cannot start, the result is empty. */
function md5Thread(path: string, size: number): { result: Promise<string>; stop(): void } {
  let worker: Worker
  try {
    worker = new Worker(new URL('./md5-worker.node.js', import.meta.url), { workerData: { path, size } })
  } catch {
    return { result: Promise.resolve(''), stop: () => {} }
  }
  const result = new Promise<string>((resolve) => {
    worker.on('message', (message: { md5?: string }) => {
      if (message.md5 !== undefined) resolve(message.md5)
    })
    worker.on('error', () => resolve(''))
    worker.on('exit', () => resolve(''))
  })
  return { result, stop: () => void worker.terminate() }
}
