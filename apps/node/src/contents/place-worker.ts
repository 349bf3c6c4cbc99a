import { parentPort, workerData } from 'node:worker_threads'
import { placeNow, type Write } from './place.ts'

// A disk that is busy holds up this thread, and not the one that answers requests.
const { folder } = workerData as { folder: string }
parentPort?.on('message', ({ id, groups }: { id: number; groups: Write[][] }) => {
  parentPort?.postMessage({ id, failed: placeNow(folder, groups) })
})
