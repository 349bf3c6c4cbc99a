import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { LeafChecker } from '../download/leaf-checker.ts'

/** Below this a thread costs more than it saves. */
const INLINE = 16 << 20
/** One thread reads as much as three can hash. */
const MOST = 3

interface Thread {
  worker: Worker
  asked: Map<number, { resolve(good: number): void; reject(error: Error): void }>
}

let threads: Thread[] | undefined
let question = 0

/** Hashes in threads of their own, from memory that is shared with them; undefined for what is too small to be worth one. */
export function leafThreads(size: number): { make(size: number): ArrayBufferLike; checker: LeafChecker } | undefined {
  if (size < INLINE) return undefined
  return { make: (bytes) => new SharedArrayBuffer(bytes), checker }
}

const checker: LeafChecker = (bytes, leaves) => {
  threads ??= Array.from({ length: Math.min(MOST, Math.max(1, availableParallelism() - 1)) }, start)
  const { worker, asked } = threads.reduce((least, one) => (one.asked.size < least.asked.size ? one : least))
  return new Promise((resolve, reject) => {
    const id = question++
    // Only who waits for an answer keeps the program alive.
    if (asked.size === 0) worker.ref()
    asked.set(id, { resolve, reject })
    worker.postMessage({ id, bytes, leaves })
  })
}

function start(): Thread {
  const worker = new Worker(new URL('./leaf-worker.node.js', import.meta.url))
  const thread: Thread = { worker, asked: new Map() }
  worker.unref()
  worker.on('message', ({ id, good }: { id: number; good: number }) => {
    thread.asked.get(id)?.resolve(good)
    thread.asked.delete(id)
    if (thread.asked.size === 0) worker.unref()
  })
  const gone = (error: Error) => {
    // The next download starts new ones.
    threads = undefined
    for (const { reject } of thread.asked.values()) reject(error)
    thread.asked.clear()
  }
  worker.on('error', gone)
  worker.on('exit', (code) => gone(new Error(`a hashing thread ended with ${code}`)))
  return thread
}
