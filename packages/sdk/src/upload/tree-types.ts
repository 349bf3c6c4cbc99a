import type { Encryption } from '../encryption.ts'
import type { ResumeStore } from '../platform/resume-store.ts'
import type { Failure, Result } from '../result.ts'

/** What happens to a file if its folder has another file of that name. Files with the same bytes are never sent again. */
export type FileConflict = 'skip' | 'replace' | 'keep_both'

export interface FolderUploadOptions {
  /** Folder in which the folder is created; 0 is the root. Default 0. */
  parent?: number
  /** Name of the new folder. Default: that of the source; files without a common folder go into `parent` itself. */
  name?: string
  /** Default `replace`: what the file contained before stays as a version. Folders that exist are merged. */
  onConflict?: FileConflict
  /** Files sent at the same time. Default 8. */
  concurrency?: number
  /** Areas to store in; if absent, the network chooses. */
  areaId?: string[]
  /** Stores files of 0 bytes, which are refused otherwise. */
  allowEmpty?: boolean
  /** Encrypts every file on its own; names and sizes stay readable. */
  encrypt?: Encryption
  /** Attempts per node. Default 3. */
  retryCount?: number
  /** Where the upload is remembered, to continue it; `false` for nowhere. Default: in memory. */
  resume?: ResumeStore | false
  /** Called once for each file, when its result is known. */
  onFile?: (file: UploadedFile) => void
  /** Cancels the upload, as `cancel()`. */
  signal?: AbortSignal
}

/** `same`: the folder had these bytes under this name; `skipped`: it has another file of this name. */
export type UploadedFileState = 'uploaded' | 'same' | 'skipped' | 'failed'

export interface UploadedFile {
  /** Below the uploaded folder: `day 1/beach.jpg`. */
  path: string
  size: number
  state: UploadedFileState
  /** Empty if it failed. */
  cid: string
  /** Why it failed. */
  failure?: Failure
}

export interface FolderUploadProgress {
  /** Bytes sent, and those of files that need no sending. */
  loaded: number
  /** Bytes of the files found so far; `counted`: all files were found. */
  total: number
  counted: boolean
  percent: number
  /** Recent speed, bytes per second. */
  speed: number
  /** Files that are done, and found so far. */
  files: number
  filesTotal: number
  failed: number
}

export interface UploadedFolder {
  /** The id of the folder, for `listDirectoryContents`. */
  id: number
  name: string
  /** Folders of the upload that did not exist. */
  folders: number
  uploaded: number
  same: number
  skipped: number
  failed: number
  /** Bytes of the uploaded files. */
  size: number
  /** The files that failed, at most 1,000. */
  failures: UploadedFile[]
  traceId: string
}

/** A running upload. */
export interface FolderUploadTask extends Promise<Result<UploadedFolder>> {
  /** Stops sending; files that were sent completely are kept. The task resolves with code -200. */
  cancel(): Promise<void>
  /** The same, and nodes keep their parts of large files: the same call with the same resume store continues. */
  pause(): Promise<void>
}
