import { Worker } from 'node:worker_threads'
import { type NotPlaced, placeNow, type Write } from './place.ts'

type Groups = readonly (readonly Write[])[]

/** Writes small files to their places, in a thread of its own. */
export interface Placer {
  /** In the order of the calls. Never rejects. */
  place(groups: Groups): Promise<NotPlaced[]>
  stop(): Promise<void>
}

/** If the thread cannot start or ends, such as without memory, the calling one writes. */
export function createPlacer(folder: string): Placer {
  const asked = new Map<number, { groups: Groups; done: (failed: NotPlaced[]) => void }>()
  let next = 0
  let worker: Worker | undefined
  const gone = () => {
    worker = undefined
    // Writing a file twice does no harm, and appended text may be there twice.
    for (const { groups, done } of asked.values()) done(placeNow(folder, groups))
    asked.clear()
  }
  try {
    worker = new Worker(new URL('./place-worker.js', import.meta.url), { workerData: { folder } })
    worker.unref()
    worker.on('message', ({ id, failed }: { id: number; failed: NotPlaced[] }) => {
      asked.get(id)?.done(failed)
      asked.delete(id)
      if (asked.size === 0) worker?.unref()
    })
    worker.on('error', gone)
    worker.on('exit', gone)
  } catch {
    // It writes here.
  }
  return {
    place(groups) {
      if (!worker) return Promise.resolve(placeNow(folder, groups))
      const thread = worker
      return new Promise((done) => {
        const id = next++
        if (asked.size === 0) thread.ref()
        asked.set(id, { groups, done })
        thread.postMessage({ id, groups })
      })
    },
    stop: async () => void (await worker?.terminate()),
  }
}
