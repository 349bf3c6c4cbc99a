import type { FolderUploadOptions, FolderUploadTask, Storage, UploadedFile } from '@tidenet/storage'
import type { Picked, PickedFile } from './picked.ts'
import { topFolder } from './unfinished.ts'

export type PickedFolder = Extract<Picked, { kind: 'folder' }>

/** The state of a folder that is uploaded file by file. */
export interface FolderProgress {
  /** Files that are stored, of `filesTotal`. */
  files: number
  filesTotal: number
  failed: number
  /** Paths of files without content, which cannot be stored. They count in no other number. */
  leftOut: readonly string[]
  /** Why files failed; at most `FAILURES_KEPT`. */
  failures: readonly UploadedFile[]
  /** The id of the folder in the account; 0 until it is known. */
  id: number
}

const FAILURES_KEPT = 1000

/** Files of an upload that are stored: a retry, or an upload that continues after a pause, does not read them again. */
interface Stored {
  paths: Set<string>
  bytes: number
}
const stored = new Map<number, Stored>()

export const countStored = (id: number): number => stored.get(id)?.paths.size ?? 0
export const forgetFolder = (id: number): boolean => stored.delete(id)

/** The path of a file below its folder, without spaces around names, as the SDK reports it. */
const pathBelow = (path: string): string =>
  path
    .slice(path.indexOf('/') + 1)
    .split('/')
    .map((name) => name.trim())
    .join('/')

/** The files of a folder that can be stored; the network stores no content of 0 bytes. */
export const storable = ({ files }: PickedFolder): PickedFile[] => files.filter(({ file }) => file.size > 0)
export const leftOut = ({ files }: PickedFolder): string[] =>
  files.filter(({ file }) => file.size === 0).map(({ path }) => pathBelow(path))

/** Sends the files of a folder that are not stored yet. @param id of the upload */
export function sendFolder(
  sdk: Storage,
  id: number,
  picked: PickedFolder,
  {
    onProgress,
    onStored,
    ...options
  }: Omit<FolderUploadOptions, 'onFile'> & {
    onProgress: (progress: FolderProgress & { loaded: number; speed: number }) => void
    onStored: (file: UploadedFile) => void
  },
): FolderUploadTask {
  const done = stored.get(id) ?? { paths: new Set(), bytes: 0 }
  stored.set(id, done)
  const before = { files: done.paths.size, bytes: done.bytes }
  const failures: UploadedFile[] = []
  const files = storable(picked)
  const without = leftOut(picked)
  const left = files.filter(({ path }) => !done.paths.has(pathBelow(path)))
  // Folders that contain only files without content are created all the same.
  const folders = picked.files.flatMap(({ path, file }) =>
    file.size === 0 ? [{ path: path.slice(0, path.lastIndexOf('/') + 1) }] : [],
  )
  return sdk.uploadFolder(
    // The folder itself comes first, so that the list is never empty.
    [{ path: `${topFolder(picked)}/` }, ...left, ...folders, ...picked.empty.map((path) => ({ path }))],
    {
      ...options,
      name: picked.name,
      onFile(file) {
        if (file.state === 'failed') {
          if (failures.length < FAILURES_KEPT) failures.push(file)
          return
        }
        done.paths.add(file.path)
        done.bytes += file.size
        onStored(file)
      },
    },
    ({ loaded, speed, files: finished, failed }) =>
      onProgress({
        loaded: before.bytes + loaded,
        speed,
        files: before.files + finished - failed,
        filesTotal: files.length,
        leftOut: without,
        failed,
        failures: [...failures],
        id: 0,
      }),
  )
}
