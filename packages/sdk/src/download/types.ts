import type { Cid } from '@tidenet/content'
import type { AssetType, DownloadInfo } from '@tidenet/contract'
import type { Core } from '../core.ts'
import type { Decryption } from '../encryption.ts'
import type { Result } from '../result.ts'
import type { Load } from './load.ts'
import type { NodePool } from './node-pool.ts'

/** Where a file is fetched from: `own` of the account, `open` shared by someone, `temp` anonymous. */
export type DownloadSource = 'own' | 'open' | 'temp'

/** Snake-case names are those of the wire; either form is taken. */
export interface DownloadOptions {
  assetCid?: string
  asset_cid?: string
  /**
   * What lies at `a/b` below a folder that was uploaded as one, instead of the whole: a file, or a folder as a tar. Code 404 when there is
   * nothing. `assetType` is of no account then.
   */
  path?: string
  /** 0 or `file`, 1 or `folder`. Default: what the server says. */
  assetType?: 0 | 1 | AssetType
  asset_type?: 0 | 1 | AssetType
  /** Default: `open` when there is a user id, `temp` without an account, otherwise `own`. */
  source?: DownloadSource
  /** The same as `source`. */
  opentype?: DownloadSource
  /** Owner of a shared file. */
  userId?: string
  user_id?: string
  /** The shared folder that the file lies in. */
  groupId?: number
  group_id?: number
  areaId?: string[]
  area_id?: string[]
  /** From `check_share`, for shares with a password. */
  ticket?: string
  /** A view that does not count as a download. */
  preview?: boolean
  /** Name to save under; the file's own name when absent. */
  name?: string
  /** Where the bytes go. Default: a page saves the file, a program gets a Blob. */
  to?: DownloadTarget
  /** Takes up a broken off download of the same path again, and leaves what came when it breaks off. Node only. */
  resume?: boolean
  /** Opens what was encrypted in the age format: the file, or every file of the folder. Code 10030 when the key does not fit. */
  decrypt?: Decryption
  /** How loaded the way is, 0 to 100; replaces what is measured. */
  load?: Load
  /** Told of every chunk as it is asked of a node; the same chunk may be asked again. */
  onAsk?: (asked: ChunkAsked) => void
  /** Told of every chunk as it ends: which node sent it, or failed to. */
  onChunk?: (report: ChunkReport) => void
  signal?: AbortSignal
}

/** A chunk that a node is asked for. */
export interface ChunkAsked {
  index: number
  /** Bytes `start` up to but without `end`. */
  start: number
  end: number
  nodeId: string
}

/** How one chunk was got, or was not. */
export interface ChunkReport extends ChunkAsked {
  ok: boolean
  /** Verified bytes that came. */
  bytes: number
  ms: number
  error: string
}

export type DownloadTarget =
  /** A file of the disk (Node only), or a folder of the disk to put the file into. */
  | { path: string }
  /** A stream of the web, or a Node stream: gets the bytes in order, and is ended. */
  | { stream: WritableStream<Uint8Array> | object }
  /** A file that the person has chosen (File System Access API). */
  | { handle: FileSystemFileHandle }
  /** A Blob in the result. */
  | 'blob'
  /** Saved by the browser. */
  | 'save'

export interface DownloadProgress {
  /** Verified bytes, of all. */
  loaded: number
  /** 0 while the size of a folder's archive is not known. */
  total: number
  /** 0 to 100 with two decimals, never more. */
  percent: number
  /** Bytes a second, of late. */
  speed: number
  /** Node that sent the latest piece. */
  node: string
  /** Chunks that are fetched at a time. */
  state: 'probing' | 'downloading' | 'finishing'
}

export interface DownloadedAsset {
  cid: string
  name: string
  /** Bytes that were written. */
  size: number
  assetType: AssetType
  /** Every byte was checked against the CID. */
  verified: true
  /** Nodes that sent bytes that were used. */
  nodes: { node_id: string; bytes: number }[]
  traceId: string
  /** With target `path`: where the file lies. */
  path?: string
  /** With target `blob`. */
  blob?: Blob
}

/** A running download: a promise that can be cancelled. */
export interface DownloadTask extends Promise<Result<DownloadedAsset>> {
  /** Stops at once and leaves no file behind; the task resolves with code 10028. */
  cancel(): Promise<void>
}

/** One download with its options read and checked. */
export interface Download {
  core: Core
  options: DownloadOptions
  /** Where it is to be had: of a part of a folder, that part. */
  info: DownloadInfo
  root: Cid
  name: string
  pool: NodePool
  signal: AbortSignal
  onProgress: (progress: Pick<DownloadProgress, 'loaded' | 'total' | 'state' | 'node'>) => void
}
