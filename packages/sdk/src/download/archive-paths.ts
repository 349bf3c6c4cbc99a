import { safeName } from '@tidenet/content'
import { asDisksSeeIt, withMark, withSuffix } from '@tidenet/content/names'
import type { ArchiveEntry } from './archive-types.ts'

/** The entries with paths that are unique and safe to unpack. */
export const archivePaths = (entries: readonly ArchiveEntry[]): ArchiveEntry[] =>
  uniquePaths(entries.map((entry) => ({ ...entry, path: safePath(entry.path) })))

/** A path that stays below the target folder when unpacked, on any system. */
function safePath(path: string): string {
  const names = path.split('/').filter((name) => name !== '')
  return names.map((name) => safeName(name, '_')).join('/') || '_'
}

/** The path of an entry that stays encrypted. */
export const encryptedPath = (path: string): string => renamed(path, (name) => withSuffix(name, '.age'))

function renamed(path: string, rename: (name: string) => string): string {
  const slash = path.lastIndexOf('/') + 1
  return path.slice(0, slash) + rename(path.slice(slash))
}

/**
 * Two entries with the same path would overwrite each other on some disk, so the later one gets a number. So does a file named like a folder
 * of other entries. An encrypted file takes two paths: whether the key fits, and so which of them it gets, is known only when it arrives.
 */
function uniquePaths(entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const taken = new Set<string>()
  const folders = new Set<string>()
  for (const { path } of entries)
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = asDisksSeeIt(path.slice(0, slash))
      if (folders.has(folder)) break
      folders.add(folder)
    }
  return entries.map((entry) => {
    let { path } = entry
    const mark = (number: number) => (name: string) =>
      entry.assetType === 'folder' ? withSuffix(name, ` (${number})`) : withMark(name, String(number))
    // A folder may be listed together with its contents.
    const isFree = (at: string) => !taken.has(at) && (entry.cid === undefined || !folders.has(at))
    const takes = () => (entry.encrypted ? [path, encryptedPath(path)] : [path]).map(asDisksSeeIt)
    for (let number = 2; !takes().every(isFree); number++) path = renamed(entry.path, mark(number))
    for (const at of takes()) taken.add(at)
    return { ...entry, path }
  })
}
