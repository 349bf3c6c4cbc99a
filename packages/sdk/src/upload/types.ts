import type { AssetType, OnConflict } from '@tidenet/contract'
import type { Encryption } from '../encryption.ts'
import type { ResumeStore } from '../platform/resume-store.ts'
import type { Result } from '../result.ts'

/** Accepted inputs. A string is a path on disk (Node.js only). Several files form a folder. */
export type UploadInput =
  | string
  | Blob
  | Uint8Array
  | ArrayBuffer
  | ArrayLike<Blob>
  | readonly PathedFile[]
  | AsyncIterable<PathedFile>

/**
 * A file and its path: `holiday/day 1/beach.jpg`; the first segment is the folder's own name. An empty folder has a trailing slash and no
 * file: `holiday/day 2/`.
 */
export interface PathedFile {
  path: string
  /** A Blob, bytes, or a path on disk (Node.js only). */
  file?: Blob | Uint8Array | string
}

/** Camel-case and snake-case names are equivalent. Sizes in bytes. */
export interface UploadOptions {
  /** Target folder: 0 for the root, -1 for an anonymous file. Default 0. */
  groupId?: number
  group_id?: number
  /**
   * `ticket` of `shortLinks.open` for a link that receives files: uploads one file into its folder, without an account. A later ticket of the same
   * link continues an unfinished upload.
   */
  ticket?: string
  /** Areas to store in; if empty or absent, the network chooses. */
  areaId?: string[]
  area_id?: string[]
  area_ids?: string[]
  /** 0 or `file`, 1 or `folder`. Default: detected from the input. */
  assetType?: 0 | 1 | AssetType
  asset_type?: 0 | 1 | AssetType
  /** Name of the asset. Default: the name of the file. */
  name?: string
  asset_name?: string
  /** The caller's own id, sent to webhooks. */
  extraId?: string
  extra_id?: string
  /**
   * If the folder has the name already: `fail` refuses (the server's 10031), `keep_both` numbers the name, `replace` keeps what the file contained as
   * a version. Absent: names may repeat, and content that the account has anywhere stays where it is.
   */
  onConflict?: OnConflict
  on_conflict?: OnConflict
  /** The MD5 if known, or `false` to skip MD5 and instant upload. */
  md5?: string | false
  /**
   * Encrypts before sending, in the age format; `age -d` decrypts the download. In a folder every file is encrypted, but names and sizes
   * are not.
   */
  encrypt?: Encryption
  /** Stores a file of 0 bytes, which is refused otherwise (code 10027). */
  allowEmpty?: boolean
  /**
   * The file is a CAR (version 1 or 2) with one root: stores the folder or file in it, under the CID of its root, not the archive. Every block is
   * verified before anything is sent. Not together with `encrypt`.
   */
  importCar?: boolean
  /** Attempts per node. Default 3. */
  retryCount?: number
  /** Resumable (tus), one form, or by size (tus above 8 MiB). Default by size. */
  transport?: 'auto' | 'tus' | 'form'
  /** Where unfinished uploads are stored; `false` for nowhere. Default: in memory. */
  resume?: ResumeStore | false
  /** Cancels the upload, as `cancel()`. */
  signal?: AbortSignal
}

/** `hashing` before sending, `packing` a folder, `uploading`, `retrying` while waiting for a retry, `finishing` after the last byte. */
export type UploadState = 'hashing' | 'packing' | 'uploading' | 'retrying' | 'finishing'

export interface UploadProgress {
  state: UploadState
  /** Bytes sent. */
  loaded: number
  total: number
  /** 0 to 100 with two decimals. */
  percent: number
  /** Recent speed, bytes per second. */
  speed: number
  /** Current node; empty before the first. */
  node: string
  /** Attempts at this node so far, from 1. */
  attempt: number
}

export interface UploadedAsset {
  cid: string
  /** URL of the file; empty if no node serves it yet. */
  url: string
  name: string
  size: number
  assetType: AssetType
  /** The network had the content; no bytes were sent. */
  isFastUpload: boolean
  /** The account had this file already. */
  isAlreadyExist: boolean
  encrypted: boolean
  /** Node that stored the bytes; empty if none were sent. */
  nodeId: string
  traceId: string
  /** For `receipts.get`; null for anonymous files, without permission to read, and if no node serves the file yet. */
  receipt_id: number | null
}

/** A running upload: a promise that can be cancelled. */
export interface UploadTask extends Promise<Result<UploadedAsset>> {
  /** Stops sending at once and releases the node's part and the quota; resolves when that is done. The task resolves with code -200. */
  cancel(): Promise<void>
  /**
   * Stops sending at once and keeps the node's part: starting the same upload with the same resume store continues it. Files of 8 MiB or
   * less start again. The task resolves with code -200 and `data.paused`.
   */
  pause(): Promise<void>
}
