import type { Cid } from '@tidenet/content'
import type { AssetType, DownloadInfo } from '@tidenet/contract'
import type { SlowNode } from '@tidenet/contract/slow-nodes'
import type { Core } from '../core.ts'
import type { Decryption } from '../encryption.ts'
import type { Result } from '../result.ts'
import type { Load } from './load.ts'
import type { NodePool } from './node-pool.ts'
import type { Receipts } from './received.ts'

/** Source of a download: `own` account, `open` shared by another user, `temp` anonymous, `chat` an attachment of the support chat. */
export type DownloadSource = 'own' | 'open' | 'temp' | 'chat'

/** Camel-case and snake-case names are equivalent. */
export interface DownloadOptions {
  assetCid?: string
  asset_cid?: string
  /**
   * A path inside an uploaded folder, such as `a/b`: a file, or a folder as a tar. Code 404 if it does not exist. `assetType` is ignored
   * then.
   */
  path?: string
  /** 0 or `file`, 1 or `folder`. Default: the type that the server reports. */
  assetType?: 0 | 1 | AssetType
  asset_type?: 0 | 1 | AssetType
  /** Default: `open` with a user id, `temp` without an account, otherwise `own`. */
  source?: DownloadSource
  /** Alias of `source`. */
  opentype?: DownloadSource
  /** Owner of a shared file. */
  userId?: string
  user_id?: string
  /** Id of the shared folder that contains the file. */
  groupId?: number
  group_id?: number
  areaId?: string[]
  area_id?: string[]
  /** From `check_share`, for shares with a password. */
  ticket?: string
  /** Returns a new ticket: tickets are valid for an hour, which a download may exceed. Called when the portal refuses `ticket`. */
  renewTicket?: () => Promise<Result<{ ticket: string }>>
  /** For the source `chat`: the attachment's id, and the visitor's token without an account, or for agents the conversation's id. */
  chat?: { attachment: string; visitor?: string; conversation?: number }
  /** Preview: not counted as a download. */
  preview?: boolean
  /** File name to save under. Default: the name of the asset. */
  name?: string
  /** Target. Default: browsers save the file, Node.js returns a Blob. */
  to?: DownloadTarget
  /** Resumes an interrupted download to the same path, and keeps partial data if it is interrupted. Node.js only. */
  resume?: boolean
  /**
   * Ms that a download of a file which has begun waits if all its nodes went away; then it continues where it stopped. Default 30,000.
   */
  waitForNodes?: number
  /** Decrypts the age format: the file, or every file of the folder. Code 10030 if the key does not fit. */
  decrypt?: Decryption
  /** Replaces the load measurement: 0 to 100, see `Load`. */
  load?: Load
  /** Called when a chunk is requested from a node; the same chunk may be requested again. */
  onAsk?: (asked: ChunkAsked) => void
  /** Called when a chunk ends, successfully or not. */
  onChunk?: (report: ChunkReport) => void
  signal?: AbortSignal
}

/** A chunk requested from a node. */
export interface ChunkAsked {
  index: number
  /** The bytes [start, end). */
  start: number
  end: number
  nodeId: string
}

/** The result of a chunk request. */
export interface ChunkReport extends ChunkAsked {
  ok: boolean
  /** Verified bytes received. */
  bytes: number
  ms: number
  error: string
}

export type DownloadTarget =
  /** A file on disk, or an existing folder to save into (Node.js only). */
  | { path: string }
  /** A web or Node.js stream: receives the bytes in order and is closed at the end. */
  | { stream: WritableStream<Uint8Array> | object }
  /** A file chosen with the File System Access API. */
  | { handle: FileSystemFileHandle }
  /** A Blob in the result. */
  | 'blob'
  /** A download saved by the browser. */
  | 'save'

export interface DownloadProgress {
  /** Verified bytes. */
  loaded: number
  /** Total bytes; 0 while the size of a folder's archive is unknown. */
  total: number
  /** 0 to 100 with two decimals. */
  percent: number
  /** Recent speed, bytes per second. */
  speed: number
  /** Node that sent the latest piece. */
  node: string
  /** Phase of the download. `waiting`: all nodes went away. */
  state: 'probing' | 'downloading' | 'waiting' | 'finishing'
}

export interface DownloadedAsset {
  cid: string
  name: string
  /** Bytes written. */
  size: number
  assetType: AssetType
  /** Every byte was verified against the CID. */
  verified: true
  /** Nodes whose bytes were used. */
  nodes: { node_id: string; bytes: number }[]
  traceId: string
  /** Nodes that slowed the download, the worst first. */
  slow: SlowNode[]
  /** With target `path`: the path of the file. */
  path?: string
  /** With target `blob`. */
  blob?: Blob
}

/** A running download: a promise that can be cancelled. */
export interface DownloadTask extends Promise<Result<DownloadedAsset>> {
  /** Stops at once and deletes partial output; the task resolves with code 10028. */
  cancel(): Promise<void>
}

/** The tokens in addresses expire, also while a download runs. */
export interface RenewedAddresses {
  /** Whether it is time to renew them. */
  isDue(): boolean
  /** Gives the nodes of the pool new addresses. Nothing is being received meanwhile. Throws Stop. */
  renew(): Promise<void>
  /** The same because all nodes went away: they may have other addresses by now. If the portal gives none, nothing changes. */
  lookAgain(): Promise<void>
}

/** A download with parsed and validated options. */
export interface Download {
  core: Core
  options: DownloadOptions
  /** Addresses of the content, or of the part of a folder that was requested. */
  info: DownloadInfo
  root: Cid
  name: string
  pool: NodePool
  receipts: Receipts
  /** Keeps the addresses valid. */
  addresses: RenewedAddresses
  signal: AbortSignal
  onProgress: (progress: Pick<DownloadProgress, 'loaded' | 'total' | 'state' | 'node'>) => void
}
