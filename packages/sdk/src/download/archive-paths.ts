import { safeName } from '@tidenet/content'
import type { ArchiveEntry } from './download-archive.ts'

/** The entries with the paths that they get in the archive: safe for whoever unpacks it, and each its own. */
export const archivePaths = (entries: readonly ArchiveEntry[]): ArchiveEntry[] =>
  uniquePaths(entries.map((entry) => ({ ...entry, path: safePath(entry.path) })))

/** Who unpacks the archive gets every entry below the place that was chosen for it, on any system, whatever an account calls it. */
function safePath(path: string): string {
  const names = path.split('/').filter((name) => name !== '')
  return names.map((name) => safeName(name, '_')).join('/') || '_'
}

/**
 * Two things of one name in one folder would be one in the archive: the later one gets a number, and so does what is called like a folder
 * that others lie in.
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
    // The folder itself may be named beside what lies in it.
    const isFree = () => !taken.has(path) && (entry.cid === undefined || !folders.has(path))
    for (let number = 2; !isFree(); number++) path = `${entry.path.slice(0, end)} (${number})${entry.path.slice(end)}`
    taken.add(path)
    return { ...entry, path }
  })
}
