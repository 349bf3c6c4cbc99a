import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { checkLeaves, type ExpectedLeaf, type LeafChecker } from './leaf-checker.ts'

/** Below this size a thread costs more than it saves. */
const INLINE = 16 << 20
/** One thread reads as fast as three can hash. */
const MOST = 3

interface Question {
  bytes: Uint8Array
  leaves: ExpectedLeaf[]
  resolve(good: number | Promise<number>): void
}

interface Thread {
  worker: Worker
  asked: Map<number, Question>
}

type LeafThreads = (size: number) => { make(size: number): ArrayBufferLike; checker: LeafChecker } | undefined

/**
 * Hashes leaves in worker threads with shared memory; undefined for files too small to benefit. If a thread cannot start or fails (memory,
 * permissions, bundled code), leaves are hashed on the calling thread from then on.
 * @param file script of the worker
 */
export function createLeafThreads(file: URL): LeafThreads {
  let threads: Thread[] | undefined
  let broken = false
  let question = 0

  const begin = (pool: Thread[]): void => {
    const worker = new Worker(file)
    const thread: Thread = { worker, asked: new Map() }
    pool.push(thread)
    worker.unref()
    worker.on('message', ({ id, good }: { id: number; good: number }) => {
      thread.asked.get(id)?.resolve(good)
      thread.asked.delete(id)
      if (thread.asked.size === 0) worker.unref()
    })
    const gone = () => {
      giveUp(pool)
      for (const { bytes, leaves, resolve } of thread.asked.values()) resolve(checkLeaves(bytes, leaves))
      thread.asked.clear()
    }
    worker.on('error', gone)
    worker.on('exit', gone)
  }
  const giveUp = (pool: Thread[]): void => {
    if (broken) return
    broken = true
    threads = undefined
    // On exit each thread hands its pending requests back.
    for (const { worker } of pool) void worker.terminate()
  }
  const started = (): Thread[] => {
    const pool: Thread[] = []
    try {
      for (let most = Math.min(MOST, Math.max(1, availableParallelism() - 1)); most > 0; most--) begin(pool)
    } catch {
      giveUp(pool)
    }
    return pool
  }

  const checker: LeafChecker = (bytes, leaves) => {
    if (!broken) threads ??= started()
    if (broken || !threads) return checkLeaves(bytes, leaves)
    const { worker, asked } = threads.reduce((least, one) => (one.asked.size < least.asked.size ? one : least))
    return new Promise((resolve) => {
      const id = question++
      // Only pending requests keep the process alive.
      if (asked.size === 0) worker.ref()
      asked.set(id, { bytes, leaves, resolve })
      worker.postMessage({ id, bytes, leaves })
    })
  }

  return (size) => (size < INLINE || broken ? undefined : { make: (bytes) => new SharedArrayBuffer(bytes), checker })
}

export const leafThreads: LeafThreads = createLeafThreads(new URL('./leaf-worker.node.js', import.meta.url))
