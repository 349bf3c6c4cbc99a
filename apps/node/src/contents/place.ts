import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A small file, or text at the end of one. */
export interface Write {
  /** Relative to the data folder. */
  path: string
  bytes: Uint8Array
  /** The text is appended; after a crash possibly twice. */
  append?: true
  /** Default: 0644. */
  mode?: number
  /** The file stays in the log alone until the log is deleted: most such files are not needed any more by then. */
  late?: Late
}

export interface Late {
  isNeeded(): boolean
  /** Called when the file is in its place. */
  onPlaced(): void
}

/** Why a group of writes was not done completely. */
export interface NotPlaced {
  /** Of the group. */
  index: number
  code: string | undefined
  syscall: string | undefined
  message: string
}

/**
 * Writes groups of files one after the other without leaving the thread: for small files, a call that waits for another thread costs more
 * than the write. After a failure the rest of its group is not written. What is appended to one file is appended at once, at the end.
 */
export function placeNow(folder: string, groups: readonly (readonly Write[])[]): NotPlaced[] {
  const failed = new Map<number, NotPlaced>()
  const place = (indexes: readonly number[], write: Write): void => {
    try {
      writeNow(folder, write)
    } catch (error) {
      const { code, syscall, message } = error as NodeJS.ErrnoException
      for (const index of indexes) failed.set(index, { index, code, syscall, message })
    }
  }
  const appended = new Map<string, { index: number; write: Write }[]>()
  for (const [index, writes] of groups.entries())
    for (const write of writes) {
      if (failed.has(index)) break
      const others = appended.get(write.path)
      if (!write.append) place([index], write)
      else if (others) others.push({ index, write })
      else appended.set(write.path, [{ index, write }])
    }
  for (const all of appended.values()) {
    const rest = all.filter(({ index }) => !failed.has(index))
    const [first] = rest
    if (!first) continue
    const bytes = Buffer.concat(rest.map(({ write }) => write.bytes))
    place(
      rest.map(({ index }) => index),
      { ...first.write, bytes },
    )
  }
  return [...failed.values()]
}

/** Writes one file, in a folder that may not exist yet. */
export function writeNow(folder: string, { path, bytes, append, mode }: Write): void {
  const target = join(folder, path)
  const write = () => writeFileSync(target, bytes, { flag: append ? 'a' : 'w', ...(mode !== undefined && { mode }) })
  try {
    write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(dirname(target), { recursive: true })
    write()
  }
}
