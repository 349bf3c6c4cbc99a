import type { AssetType } from '@tidenet/contract'
import type { Result } from '../result.ts'
import type { DownloadTarget } from './types.ts'

/** A file or a stored folder with the place it gets in the archive; without a CID an empty folder. */
export interface ArchiveEntry {
  path: string
  cid?: string
  assetType?: AssetType
  /** Bytes of a file; the portal is asked when it is absent. */
  size?: number
}

export interface ArchiveOptions {
  entries: readonly ArchiveEntry[]
  /** Name to save under, with its ending `.tar`. */
  name: string
  /** Where the bytes go. Default: a page saves the file, a program gets a Blob. */
  to?: DownloadTarget
  signal?: AbortSignal
}

export interface ArchiveProgress {
  /** Bytes of the archive so far, of all that are known of. */
  loaded: number
  total: number
  percent: number
  /** Bytes a second, of late. */
  speed: number
  /** What is written now; entries that are done, of all. */
  path: string
  done: number
  count: number
}

export interface DownloadedArchive {
  name: string
  size: number
  /** Files and folders that are in it. */
  count: number
  /** Those that could not be had and were left out. */
  failed: { path: string; code: number; msg: string }[]
  verified: true
  nodes: { node_id: string; bytes: number }[]
  path?: string
  blob?: Blob
}

/** A running download of an archive: a promise that can be cancelled. */
export interface ArchiveTask extends Promise<Result<DownloadedArchive>> {
  /** Stops at once and leaves no file behind; the task resolves with code 10028. */
  cancel(): Promise<void>
}
