import type { AssetType } from '@tidenet/contract'
import type { Decryption } from '../encryption.ts'
import type { Result } from '../result.ts'
import type { DownloadTarget } from './types.ts'

/** A file or an uploaded folder and its path in the archive; without a CID an empty folder. */
export interface ArchiveEntry {
  path: string
  cid?: string
  assetType?: AssetType
  /** Bytes of a file; requested from the portal if absent. */
  size?: number
  /** The file is encrypted. With `decrypt` it is decrypted if the key fits; otherwise it is added as it is, with `.age` after its name. */
  encrypted?: boolean
}

/** `zip`: entries are stored without compression. */
export type ArchiveFormat = 'tar' | 'zip'

/** Files of the account by CID or entry, and folders with everything in them. */
export interface ArchiveItems {
  assets?: string[]
  assetIds?: number[]
  folders?: number[]
}

/** Folders of a share with everything in them, and files of it. Each file counts as a download of the share. */
export interface SharedItems {
  /** The owner, or the name that a short link stands for. */
  userId: string
  /** The shared folder. */
  groupId: number
  /** The share token; needed for short links and for links with a password. */
  ticket?: string
  /**
   * Returns a new share token: share tokens are valid for an hour, which an archive may exceed. Called when the portal refuses `ticket`.
   * Without it, or if it fails, the archive ends then.
   */
  renewTicket?: () => Promise<Result<{ ticket: string }>>
  /** The shared folder or folders in it. */
  folders?: readonly number[]
  entries?: readonly ArchiveEntry[]
}

export interface ArchiveOptions {
  entries?: readonly ArchiveEntry[]
  /** Instead of `entries`. If they contain nothing, the result has code 10027. */
  items?: ArchiveItems
  /**
   * Instead of `entries`. Files that the share refuses, for example because its downloads are used up, are left out. If the share does not
   * open any more, the archive ends with the reason.
   */
  shared?: SharedItems
  /** File name, including `.tar` or `.zip`. */
  name: string
  /** Default `tar`. */
  format?: ArchiveFormat
  /** Target. Default: browsers save the file, Node.js returns a Blob. */
  to?: DownloadTarget
  /** Decrypts the encrypted files that this key fits. */
  decrypt?: Decryption
  signal?: AbortSignal
}

export interface ArchiveProgress {
  /** `loaded`: archive bytes written. `total`: known total. */
  loaded: number
  total: number
  percent: number
  /** Recent speed, bytes per second. */
  speed: number
  /** `path`: current entry. `done`, `count`: entries completed, and in total. */
  path: string
  done: number
  count: number
}

export interface DownloadedArchive {
  name: string
  size: number
  /** Files and folders in the archive. */
  count: number
  /** Entries of which nothing could be downloaded; they were left out. */
  failed: { path: string; code: number; msg: string }[]
  verified: true
  nodes: { node_id: string; bytes: number }[]
  path?: string
  blob?: Blob
}

/** A running archive download: a promise that can be cancelled. */
export interface ArchiveTask extends Promise<Result<DownloadedArchive>> {
  /** Stops at once and deletes partial output; the task resolves with code 10028. */
  cancel(): Promise<void>
}
