import { S3Error } from '@tidenet/s3-wire'

/** A body that is held in memory until all of it has come and is stored. */
export interface HeldBody {
  /** Its pieces, until the memory is needed by others because it stands still. @throws S3Error RequestTimeout */
  pieces<T extends Uint8Array>(source: AsyncGenerator<T, void>): AsyncGenerator<T, void>
  /** Its memory is free. */
  end(): void
}

export interface HeldBodies {
  /** @throws S3Error SlowDown if there is no room */
  add(accessKeyId: string, size: number): HeldBody
}

const MiB = 1024 * 1024
/** Bytes of all bodies, and of those of one access key. */
const BYTES_MAX = 256 * MiB
const BYTES_OF_KEY = 128 * MiB
/** A body of which less than this many bytes came for so long stands still: a byte now and then keeps no memory. */
const STILL_BYTES = 16 * 1024
const STILL_MS = 2000

interface Held {
  accessKeyId: string
  size: number
  /** When the last `STILL_BYTES` had come. */
  since: number
  isWhole: boolean
  giveUp(): void
}

/** Bounds the memory that clients can take without sending anything: those that stand still make room for those that send. */
export function createHeldBodies(now: () => number): HeldBodies {
  const all = new Set<Held>()
  const ofKeys = new Map<string, number>()
  let total = 0

  const release = (held: Held) => {
    if (!all.delete(held)) return
    total -= held.size
    const left = (ofKeys.get(held.accessKeyId) ?? 0) - held.size
    if (left > 0) ofKeys.set(held.accessKeyId, left)
    else ofKeys.delete(held.accessKeyId)
  }
  const makeRoom = (accessKeyId: string, size: number): boolean => {
    const isOfKey = () => (ofKeys.get(accessKeyId) ?? 0) + size <= BYTES_OF_KEY
    const isRoom = () => isOfKey() && total + size <= BYTES_MAX
    if (isRoom()) return true
    const still = [...all]
      .filter(({ isWhole, since }) => !isWhole && now() - since >= STILL_MS)
      .sort((one, other) => one.since - other.since)
    for (const held of still) {
      if (!isOfKey() && held.accessKeyId !== accessKeyId) continue
      release(held)
      held.giveUp()
      if (isRoom()) return true
    }
    return false
  }
  return {
    add(accessKeyId, size) {
      if (!makeRoom(accessKeyId, size)) throw new S3Error('SlowDown')
      let giveUp = () => {}
      const givenUp = new Promise<never>((_, reject) => {
        giveUp = () => reject(new S3Error('RequestTimeout'))
      })
      givenUp.catch(() => {})
      const held: Held = { accessKeyId, size, since: now(), isWhole: false, giveUp }
      all.add(held)
      total += size
      ofKeys.set(accessKeyId, (ofKeys.get(accessKeyId) ?? 0) + size)
      return {
        async *pieces(source) {
          let recent = 0
          for (;;) {
            const { done, value } = await Promise.race([source.next(), givenUp])
            if (done) break
            recent += value.length
            if (recent >= STILL_BYTES) {
              recent = 0
              held.since = now()
            }
            yield value
          }
          held.isWhole = true
        },
        end: () => release(held),
      }
    },
  }
}
