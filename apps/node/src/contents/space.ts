import { statfs } from 'node:fs/promises'
import { refuseFull } from '../refusal.ts'

/** Space reserved for incoming bytes, so that concurrent uploads together cannot exceed the capacity. */
export interface Reservation {
  readonly bytes: number
  /**
   * Reserves at least `least` bytes, and `wish` if available.
   * @throws Refusal 503 if there is not enough space; earlier reservations stay
   */
  grow(least: number, wish?: number): Promise<void>
  /** Reports bytes written: the free space of the disk already excludes them. */
  wrote(bytes: number): void
  /** Releases the reservation above `bytes`. */
  shrink(bytes: number): void
  /** Converts the reservation to a stored content of `bytes`. */
  become(bytes: number): void
  release(): void
}

export interface Space {
  /** Bytes of stored contents, all files included. */
  readonly used: number
  readonly reserved: number
  add(bytes: number): void
  subtract(bytes: number): void
  /** @param there bytes already on disk, counted even if there is no space */
  open(there?: number): Reservation
  /** Throws 503 if `bytes` more would not fit now. Reserves nothing. */
  check(bytes: number): Promise<void>
  /** Bytes available for an upload now. */
  free(): Promise<number>
}

/** Disk space left free for records and other programs. */
const MARGIN = 64 * 1024 * 1024
/** Many small contents arrive at once. */
const FREE_KNOWN_MS = 20

/** Tracks the capacity of a node, which may change; queries the free disk space again and again. */
export function createSpace(folder: string, capacity: () => number): Space {
  let used = 0
  let reserved = 0
  /** The part of `reserved` already on disk. */
  let written = 0

  let asked: { at: number; free: Promise<number> } | undefined
  /** What others write meanwhile is far below the margin. */
  const diskFree = (): Promise<number> => {
    const at = performance.now()
    if (!asked || at - asked.at > FREE_KNOWN_MS)
      asked = { at, free: statfs(folder).then((disk) => disk.bavail * disk.bsize - MARGIN) }
    return asked.free
  }
  /** Evaluate and reserve without an await in between: others may reserve during the disk query. */
  const left = (disk: number) => Math.min(capacity() - used - reserved, disk - (reserved - written))

  const open = (there: number): Reservation => {
    let held = there
    let onDisk = there
    let released = false
    reserved += held
    written += onDisk
    const set = (bytes: number, diskBytes: number) => {
      reserved += bytes - held
      written += diskBytes - onDisk
      held = bytes
      onDisk = diskBytes
    }
    return {
      get bytes() {
        return held
      },
      async grow(least, wish = least) {
        if (least <= held) return
        const available = left(await diskFree())
        if (released || least - held > available) throw refuseFull()
        const more = Math.min(wish - held, available)
        set(Math.max(least, held + more), onDisk)
      },
      wrote(bytes) {
        if (!released) set(held, Math.min(bytes, held))
      },
      shrink(bytes) {
        if (!released && bytes < held) set(bytes, Math.min(onDisk, bytes))
      },
      become(bytes) {
        if (!released) set(0, 0)
        released = true
        used += bytes
      },
      release() {
        if (!released) set(0, 0)
        released = true
      },
    }
  }

  return {
    get used() {
      return used
    },
    get reserved() {
      return reserved
    },
    add(bytes) {
      used += bytes
    },
    subtract(bytes) {
      used -= bytes
    },
    open: (there = 0) => open(there),
    async check(bytes) {
      if (bytes > left(await diskFree())) throw refuseFull()
    },
    free: async () => Math.max(0, left(await diskFree())),
  }
}
