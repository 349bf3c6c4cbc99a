import { statfs } from 'node:fs/promises'
import { refuseFull } from '../refusal.ts'

/** Room set aside for bytes that come, so that uploads at the same time cannot exceed the capacity together. */
export interface Room {
  readonly bytes: number
  /**
   * Makes it at least `least` bytes, and `wish` when there is room for that.
   * @throws Refusal 503 when there is no room; what was set aside before stays
   */
  grow(least: number, wish?: number): Promise<void>
  /** So many bytes lie on the disk by now: what the disk has left knows of them already. */
  wrote(bytes: number): void
  /** Gives back what is above `bytes`. */
  shrink(bytes: number): void
  /** It has become a content of so many bytes. */
  become(bytes: number): void
  release(): void
}

export interface Space {
  /** Bytes of contents held, all their files counted. */
  readonly used: number
  readonly reserved: number
  take(bytes: number): void
  giveBack(bytes: number): void
  /** @param there bytes that lie on the disk already: they are counted whether there is room or not */
  open(there?: number): Room
  /** Throws a 503 when so many bytes more would not fit now. Sets nothing aside. */
  check(bytes: number): Promise<void>
  /** Bytes that an upload may have now. */
  free(): Promise<number>
}

/** Left alone on the disk, for records and the rest of the machine. */
const MARGIN = 64 * 1024 * 1024

/** Accounts for the capacity of a node; what the disk still has is asked each time. */
export function createSpace(folder: string, capacity: number): Space {
  let used = 0
  let reserved = 0
  /** The part of `reserved` that lies on the disk. */
  let written = 0

  const diskFree = async () => {
    const disk = await statfs(folder)
    return disk.bavail * disk.bsize - MARGIN
  }
  /** To be asked and acted on in one step: others take room while the disk is asked. */
  const left = (disk: number) => Math.min(capacity - used - reserved, disk - (reserved - written))

  const open = (there: number): Room => {
    let held = there
    let onDisk = there
    let released = false
    reserved += held
    written += onDisk
    const set = (bytes: number, lying: number) => {
      reserved += bytes - held
      written += lying - onDisk
      held = bytes
      onDisk = lying
    }
    return {
      get bytes() {
        return held
      },
      async grow(least, wish = least) {
        if (least <= held) return
        const room = left(await diskFree())
        if (released || least - held > room) throw refuseFull()
        const more = Math.min(wish - held, room)
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
    take(bytes) {
      used += bytes
    },
    giveBack(bytes) {
      used -= bytes
    },
    open: (there = 0) => open(there),
    async check(bytes) {
      if (bytes > left(await diskFree())) throw refuseFull()
    },
    free: async () => Math.max(0, left(await diskFree())),
  }
}
