import type { AssetType } from '@tidenet/contract'
import type { Encryption } from '../encryption.ts'
import type { ResumeStore } from '../platform/resume-store.ts'
import type { Result } from '../result.ts'

/** What may be uploaded. A text is a path of the disk (Node only). Several files make a folder. */
export type UploadInput =
  | string
  | Blob
  | Uint8Array
  | ArrayBuffer
  | ArrayLike<Blob>
  | readonly PathedFile[]
  | AsyncIterable<PathedFile>

/**
 * A file of a folder with its place: `holiday/day 1/beach.jpg`, the first part being the folder's own name. A folder that nothing is
 * in has a path that ends in a slash, and no file: `holiday/day 2/`.
 */
export interface PathedFile {
  path: string
  /** A Blob, bytes, or a path of the disk (Node only). */
  file?: Blob | Uint8Array | string
}

/** Snake-case names are those of the wire; either form is taken. Sizes in bytes. */
export interface UploadOptions {
  /** Folder to put it in, 0 for the root, -1 for an anonymous file. Default 0. */
  groupId?: number
  group_id?: number
  /** Areas to store in; empty or absent leaves it to the network. */
  areaId?: string[]
  area_id?: string[]
  area_ids?: string[]
  /** 0 or `file`, 1 or `folder`; found out from the input when absent. */
  assetType?: 0 | 1 | AssetType
  asset_type?: 0 | 1 | AssetType
  /** Name to store under; the file's own name when absent. */
  name?: string
  asset_name?: string
  /** An id of the caller's own, told to webhooks. */
  extraId?: string
  extra_id?: string
  /** The MD5 when it is known, or `false` to do without (no instant upload by hash then). */
  md5?: string | false
  /**
   * Encrypts before anything leaves, in the age format: `age -d` opens what is downloaded. Of a folder every file is encrypted, names
   * and sizes are not.
   */
  encrypt?: Encryption
  /** Tries per node. Default 3. */
  retryCount?: number
  /** How to send: resumable (tus), one form, or by size (tus above 8 MiB). Default by size. */
  transport?: 'auto' | 'tus' | 'form'
  /** Where unfinished uploads are remembered; `false` forgets them. Default: the instance's memory. */
  resume?: ResumeStore | false
  /** Stops the upload; the same as `cancel()`. */
  signal?: AbortSignal
}

/** `hashing` before sending, `uploading`, `retrying` while waiting to try again, `finishing` once all is sent. */
export type UploadState = 'hashing' | 'packing' | 'uploading' | 'retrying' | 'finishing'

export interface UploadProgress {
  state: UploadState
  /** Bytes that have left, of all bytes to send. */
  loaded: number
  total: number
  /** 0 to 100 with two decimals. */
  percent: number
  /** Bytes a second, of late. */
  speed: number
  /** Node that the bytes go to; empty before there is one. */
  node: string
  /** Tries of this node so far, from 1. */
  attempt: number
}

export interface UploadedAsset {
  cid: string
  /** Where it can be fetched now; empty when no node answered for it yet. */
  url: string
  name: string
  size: number
  assetType: AssetType
  /** The network had the bytes; none were sent. */
  isFastUpload: boolean
  /** The account had this file already. */
  isAlreadyExist: boolean
  encrypted: boolean
  /** Node that took the bytes; empty when none were sent. */
  nodeId: string
  traceId: string
}

/** A running upload: a promise that can be cancelled. */
export interface UploadTask extends Promise<Result<UploadedAsset>> {
  /** Stops sending at once and gives everything back; resolves when that is done. The task resolves with code -200. */
  cancel(): Promise<void>
  /**
   * Stops sending at once and keeps what a node has: the same upload, begun again with the same resume store, goes on there. Files of
   * 8 MiB and less begin anew. The task resolves with code -200 and `data.paused`.
   */
  pause(): Promise<void>
}
