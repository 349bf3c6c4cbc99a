import { S3Error } from '@tidenet/s3-wire'

export interface Active {
  /** @returns what to call when the request has ended. @throws S3Error SlowDown */
  enter(accessKeyId: string): () => void
}

/** Requests that are answered at the same time, of all clients and of one access key: each has memory of its own. */
const ACTIVE_MAX = 2000
const ACTIVE_OF_KEY = 500

export function createActive(): Active {
  const ofKeys = new Map<string, number>()
  let running = 0
  return {
    enter(accessKeyId) {
      const own = ofKeys.get(accessKeyId) ?? 0
      if (running >= ACTIVE_MAX || own >= ACTIVE_OF_KEY) throw new S3Error('SlowDown')
      running += 1
      ofKeys.set(accessKeyId, own + 1)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        running -= 1
        const left = (ofKeys.get(accessKeyId) ?? 1) - 1
        if (left > 0) ofKeys.set(accessKeyId, left)
        else ofKeys.delete(accessKeyId)
      }
    },
  }
}
