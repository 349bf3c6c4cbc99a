import type { FileConflict } from '@tidenet/storage'
import type { Picked } from './picked.ts'

/**
 * An upload of a large file, or of a folder, that was interrupted by a reload or a closed tab. To resume, the user must choose the file or
 * folder again.
 */
export interface UnfinishedUpload {
  /** The account that started it. */
  account: string
  name: string
  size: number
  modified: number
  folder: number
  areas: string[]
  begun: number
  /** Of a folder. */
  tree?: {
    /** Its name on the user's device; `name` is the one that it has in the account. */
    source: string
    files: number
    /** Files that are stored. */
    stored: number
    onConflict: FileConflict
  }
}

const KEY = 'tidenet.unfinished'
/** Nodes delete incomplete uploads after a day. */
const EXPIRES_MS = 24 * 3600 * 1000
/** Uploads up to this size in bytes are sent in one piece and not resumed. */
const RESUMABLE_FROM = 8 << 20

const same = (a: UnfinishedUpload, b: UnfinishedUpload): boolean =>
  a.account === b.account &&
  a.name === b.name &&
  a.size === b.size &&
  a.modified === b.modified &&
  a.folder === b.folder &&
  a.tree?.source === b.tree?.source

function read(): UnfinishedUpload[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    if (!Array.isArray(stored)) return []
    return (stored as UnfinishedUpload[]).filter(
      ({ begun, size }) => begun > Date.now() - EXPIRES_MS && Number.isFinite(size),
    )
  } catch {
    return []
  }
}

function write(list: readonly UnfinishedUpload[]): void {
  try {
    if (list.length === 0) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, JSON.stringify(list))
  } catch {
    // Without storage, uploads start over.
  }
}

/** The unfinished uploads of an account. */
export const unfinishedOf = (account: string): UnfinishedUpload[] => read().filter((each) => each.account === account)

export function recordUnfinished(upload: UnfinishedUpload): void {
  if (!upload.tree && upload.size <= RESUMABLE_FROM) return
  write([...read().filter((each) => !same(each, upload)), upload])
}

/** Records all of them, also small ones, which start over: their page lists only what is chosen. */
export const recordAllUnfinished = (uploads: readonly UnfinishedUpload[]): void =>
  write([...read().filter((each) => !uploads.some((upload) => same(each, upload))), ...uploads])

export const removeUnfinished = (upload: UnfinishedUpload): void => write(read().filter((each) => !same(each, upload)))

export const removeAllUnfinished = (account: string): void => write(read().filter((each) => each.account !== account))

/** Whether a chosen file is the one of the unfinished upload. */
export const isSameFile = ({ name, size, modified, tree }: UnfinishedUpload, file: File): boolean =>
  !tree && file.name === name && file.size === size && file.lastModified === modified

/** Whether a chosen folder can be the one of the unfinished upload; its files may have changed. */
export const isSameFolder = ({ tree }: UnfinishedUpload, picked: Picked): boolean =>
  picked.kind === 'folder' && tree?.source === topFolder(picked)

/** The name of the folder on the user's device. */
export const topFolder = ({ files, empty }: Extract<Picked, { kind: 'folder' }>): string =>
  (files[0]?.path ?? empty[0] ?? '').split('/')[0] ?? ''
