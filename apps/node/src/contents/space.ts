import { statfs } from 'node:fs/promises'
import { refuseFull } from '../refusal.ts'

/** Room set aside before bytes come, so that uploads at the same time cannot exceed the capacity together. */
export interface Reservation {
  readonly bytes: number
  /** Makes it at least this large. Throws a 503 when there is no room. */
  grow(bytes: number): Promise<void>
  release(): void
}

export interface Space {
  /** Bytes of contents held, all their files counted. */
  readonly used: number
  readonly reserved: number
  take(bytes: number): void
  giveBack(bytes: number): void
  reserve(bytes: number): Promise<Reservation>
  /** Bytes that an upload may have now. */
  free(): Promise<number>
}

/** Left alone on the disk, for indexes, records and the rest of the machine. */
const MARGIN = 64 * 1024 * 1024

/** Accounts for the capacity of a node; what the disk still has is asked each time. */
export function createSpace(folder: string, capacity: number): Space {
  let used = 0
  let reserved = 0

  const diskFree = async () => {
    const disk = await statfs(folder)
    return disk.bavail * disk.bsize - MARGIN
  }
  const free = async () => {
    const onDisk = await diskFree()
    return Math.max(0, Math.min(capacity - used, onDisk) - reserved)
  }

  return {
    get used() {
      return used
    },
    get reserved() {
      return reserved
    },
    take(bytes) {
      used += bytes
    },
    giveBack(bytes) {
      used -= bytes
    },
    free,
    async reserve(bytes) {
      let held = 0
      let released = false
      const grow = async (to: number) => {
        const more = to - held
        if (more <= 0) return
        const onDisk = await diskFree()
        if (released || more > Math.min(capacity - used, onDisk) - reserved) throw refuseFull()
        reserved += more
        held = to
      }
      await grow(bytes)
      return {
        get bytes() {
          return held
        },
        grow,
        release() {
          if (released) return
          released = true
          reserved -= held
          held = 0
        },
      }
    },
  }
}
