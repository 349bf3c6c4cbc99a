import { safeName } from '@tidenet/content'
import type { ArchiveEntry } from './archive-types.ts'

/** The entries with paths that are unique and safe to unpack. */
export const archivePaths = (entries: readonly ArchiveEntry[]): ArchiveEntry[] =>
  uniquePaths(entries.map((entry) => ({ ...entry, path: safePath(entry.path) })))

/** A path that stays below the target folder when unpacked, on any system. */
function safePath(path: string): string {
  const names = path.split('/').filter((name) => name !== '')
  return names.map((name) => safeName(name, '_')).join('/') || '_'
}

/**
 * Two entries with the same path would overwrite each other, so the later one gets a number. So does a file named like a folder of other
 * entries.
 */
function uniquePaths(entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const taken = new Set<string>()
  const folders = new Set<string>()
  for (const { path } of entries)
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  return entries.map((entry) => {
    let { path } = entry
    const slash = path.lastIndexOf('/') + 1
    const dot = path.lastIndexOf('.')
    const end = entry.assetType !== 'folder' && dot > slash ? dot : path.length
    // A folder may be listed together with its contents.
    const isFree = () => !taken.has(path) && (entry.cid === undefined || !folders.has(path))
    for (let number = 2; !isFree(); number++) path = `${entry.path.slice(0, end)} (${number})${entry.path.slice(end)}`
    taken.add(path)
    return { ...entry, path }
  })
}
